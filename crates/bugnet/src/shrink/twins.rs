//! Twins: two literals of one length that are made simpler together, item by item.
//!
//! A law of two values often fails because their literals differ in one item and are alike in all others, as
//! `"Monday"` and `"monday"` are: nothing can be taken out of one of them alone.

use super::delete::lowered;
use super::program::Reducer;
use super::sequence::Sequence;
use crate::choice::Tape;
use crate::program::Argument;

/// The place of a literal in a program: its call and parameter.
type Place = (usize, usize);

impl Reducer<'_> {
    /// Takes the same items out of two literals, and lowers items of both by the same number.
    pub(super) fn twins(&mut self) {
        let places = self.best.literal_places();
        for (index, one) in places.iter().enumerate() {
            for two in &places[index + 1..] {
                self.shorten_both(*one, *two);
                self.lower_both(*one, *two);
            }
        }
    }

    /// Takes chunks of items out of both literals, from the back, large ones first.
    fn shorten_both(&mut self, one: Place, two: Place) {
        let mut size = self.twin_items(one, two);
        while size > 0 {
            let mut end = self.twin_items(one, two);
            while let Some(start) = end.checked_sub(size) {
                self.attempt_both(one, two, &|tape, list| list.without(tape, start, end));
                end = start;
            }
            size /= 2;
        }
    }

    /// Lowers the first choice of each item in both literals by the same number, as far as that fails.
    fn lower_both(&mut self, one: Place, two: Place) {
        for item in 0..self.twin_items(one, two) {
            let mut by = self.literal(one).map_or(0, |tape| first_choice(tape, item));
            while by > 0 {
                let lower = |tape: &Tape, list: &Sequence| lowered(tape, list.elements.get(item)?.start, by);
                if !self.attempt_both(one, two, &lower) {
                    by /= 2;
                }
            }
        }
    }

    /// Changes two literals in one way, if they are twins.
    fn attempt_both(
        &mut self,
        one: Place,
        two: Place,
        change: &dyn Fn(&Tape, &Sequence) -> Option<Tape>,
    ) -> bool {
        let Some((left, right)) = self.twin_lists(one, two) else { return false };
        let changed = |place, list| change(self.literal(place)?, list);
        let Some((left, right)) = changed(one, &left).zip(changed(two, &right)) else { return false };
        let candidate = self.best.with(one.0, one.1, Argument::Literal(left));
        self.attempt(candidate.with(two.0, two.1, Argument::Literal(right)))
    }

    /// Returns the number of items that each of two literals has; zero if they are no twins.
    fn twin_items(&self, one: Place, two: Place) -> usize {
        self.twin_lists(one, two).map_or(0, |(list, _)| list.elements.len())
    }

    /// Returns the outermost lists of two literals, if they have as many items and the literals differ.
    fn twin_lists(&self, one: Place, two: Place) -> Option<(Sequence, Sequence)> {
        let (left, right) = (self.literal(one)?, self.literal(two)?);
        let first = Sequence::all(left).into_iter().next()?;
        let second = Sequence::all(right).into_iter().next()?;
        let are_twins = first.elements.len() == second.elements.len() && left.values() != right.values();
        are_twins.then_some((first, second))
    }

    fn literal(&self, (call, parameter): Place) -> Option<&Tape> {
        match self.best.calls.get(call)?.arguments.get(parameter)? {
            Argument::Literal(tape) => Some(tape),
            Argument::Earlier(_) => None,
        }
    }
}

/// Returns the first choice of an item of the outermost list of a literal; zero if it has no such item.
fn first_choice(tape: &Tape, item: usize) -> u64 {
    let lists = Sequence::all(tape);
    let item = lists.first().and_then(|list| list.elements.get(item));
    item.map_or(0, |item| tape.choices[item.start].value)
}

#[cfg(test)]
mod tests {
    use super::super::{Terms, shrink_program};
    use crate::choice::Source;
    use crate::generate::Literal;
    use crate::oracle::{Failure, Signature, Verdict};
    use crate::program::{Argument, Call, Kind, Mode, Operation, Parameter, Program, Shown, Suite};
    use crate::trial::{Ran, Trial, Worth};

    fn suite() -> Suite {
        let show = |source: &mut Source| Shown { text: source.any::<Vec<u8>>().literal(), source: true };
        let list = |name| Parameter::drawn(name, Kind::of::<Vec<u8>>("Vec<u8>"), Mode::Value, show);
        let compare = Operation::new("compare", "compare({0}, {1})", |_| Verdict::Pass);
        Suite::new("lists").operation(compare.parameter(list("one")).parameter(list("two"))).build()
    }

    /// Fails if two lists are as long, alike in all places but one, and differ there by 32.
    struct Alike(Suite);

    impl Alike {
        fn lists(&self, program: &Program) -> Option<[Vec<u8>; 2]> {
            let list = |parameter: usize| match &program.calls.first()?.arguments[parameter] {
                Argument::Literal(tape) => Some(numbers(&self.0.show_literal(0, parameter, tape.clone()))),
                Argument::Earlier(_) => None,
            };
            Some([list(0)?, list(1)?])
        }
    }

    /// Reads the numbers of a printed list.
    fn numbers(text: &str) -> Vec<u8> {
        text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|digits| digits.parse().ok()).collect()
    }

    impl Trial for Alike {
        fn run(&mut self, source: &mut Source, _: Worth<'_>) -> Option<Ran> {
            let [one, two] = self.lists(&Program::of(&self.0, source.replayed())?)?;
            let differences: Vec<u8> = one
                .iter()
                .zip(&two)
                .filter(|(one, two)| one != two)
                .map(|(one, two)| one.abs_diff(*two))
                .collect();
            let fails = one.len() == two.len() && differences == [32];
            Some(Ran::from(if fails { Verdict::Fail(Box::new(failure())) } else { Verdict::Pass }))
        }

        fn is_over(&self) -> bool {
            false
        }
    }

    fn failure() -> Failure {
        Failure::new(Signature::NoPanic, String::new())
    }

    fn list(items: &[u8]) -> Argument {
        let text: String = items.iter().map(|item| format!("({item:x})")).collect();
        let mut source = Source::replay(format!("(0({:x}{text}))", items.len()).parse().unwrap());
        suite().draw_literal(0, 0, &mut source);
        Argument::Literal(source.into_tape())
    }

    #[test]
    fn two_lists_that_differ_in_one_item_keep_only_that_item() {
        let arguments = vec![list(&[7, 77, 9, 3]), list(&[7, 109, 9, 3])];
        let program = Program { features: 0, calls: vec![Call { operation: 0, arguments }] };
        let (mut trial, reduced_by) = (Alike(suite()), suite());
        assert_eq!(trial.lists(&program), Some([vec![7, 77, 9, 3], vec![7, 109, 9, 3]]));
        let terms = Terms { signature: None, is_known: &mut |_| false, limit: 10_000 };
        let shrunk = shrink_program(&reduced_by, &mut trial, program, failure(), true, terms).unwrap();
        let lists = trial.lists(&Program::of(&reduced_by, &shrunk.tape).unwrap());
        assert_eq!(lists, Some([vec![0], vec![32]]));
    }
}
