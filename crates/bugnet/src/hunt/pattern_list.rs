//! The pattern list: the patterns that stand for the bugs of one run.
//!
//! **Invariant:** a pattern stands for programs that fail in one way, and belongs to one bug.

use super::bug::Bug;
use super::bug_list::BugList;
use super::same_fault::Facts;
use crate::case::{Effort, Finder};
use crate::learn::{abstracted, exact, name_of};
use crate::list::{mapped, place_of, sort};
use crate::oracle::{Failure, Signature};
use crate::pattern::{Amount, Element, Matcher, Pattern, Term, subsumes};
use crate::program::{Program, Suite, finds};

/// The most patterns of a bug that differ in literals only.
const MOST_ALIKE: usize = 3;
/// The most other shapes of a bug that are told.
const MOST_SHAPES: usize = 2;
/// The most other ways to a bug.
const MOST_VARIANTS: usize = 3;

/// A pattern with the program that it came from, and whose it is.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) pattern: Pattern,
    pub(super) program: Program,
    /// The bug, by its number.
    pub(super) bug: usize,
    /// The number of times that it was corrected.
    pub(super) lessons: u32,
    /// True if it stays as it is.
    pub(super) settled: bool,
}

/// The known patterns of one run.
#[derive(Debug)]
pub(super) struct PatternList<'a> {
    suite: &'a Suite,
    /// True if bugs are told apart by how they fail.
    strict: bool,
    pub(super) known: Vec<Known>,
}

impl<'a> PatternList<'a> {
    pub(super) fn new(suite: &'a Suite, strict: bool) -> PatternList<'a> {
        PatternList { suite, strict, known: Vec::new() }
    }

    /// Returns all patterns.
    pub(super) fn patterns(&self) -> Vec<Pattern> {
        mapped(&self.known, |known| known.pattern.clone())
    }

    /// Returns the facts of every bug that programs are known of, for each way in which it fails.
    pub(super) fn facts(&self) -> Vec<(usize, Facts)> {
        let mut all: Vec<(usize, Facts)> = Vec::new();
        for known in &self.known {
            let Some(signature) = &known.pattern.signature else { continue };
            let new = Facts::of(self.suite, &known.program, signature);
            let is_known = |(bug, facts): &(usize, Facts)| *bug == known.bug && facts.signature == *signature;
            let place = all.iter().position(is_known).unwrap_or(all.len());
            if place == all.len() {
                all.push((known.bug, new.clone()));
            }
            let facts = &mut all[place].1;
            // Where the order is free, the failure may show after any of the last calls.
            let mut culprits = new.culprits;
            for place in known.pattern.last_elements() {
                culprits.push(known.pattern.elements[place].operation);
            }
            for culprit in culprits {
                if !facts.culprits.contains(&culprit) {
                    facts.culprits.push(culprit);
                }
            }
            facts.is_alone |= new.is_alone;
            facts.has_amounts |= new.has_amounts;
            facts.most = facts.most.max(new.most);
            facts.frequent.extend(new.frequent);
            facts.sequences.extend(new.sequences);
        }
        all
    }

    /// Returns the programs that a bug is known by.
    pub(super) fn programs(&self, number: usize) -> Vec<Program> {
        let mut programs = Vec::new();
        for known in &self.known {
            if known.bug == number {
                programs.push(known.program.clone());
            }
        }
        programs
    }

    /// Returns the patterns that are asked for.
    fn patterns_that(&self, is_asked: &dyn Fn(&Known) -> bool) -> Vec<Pattern> {
        let mut patterns = Vec::new();
        for known in &self.known {
            if is_asked(known) {
                patterns.push(known.pattern.clone());
            }
        }
        patterns
    }

    /// Returns true if a bug is known by amounts.
    pub(super) fn has_amounts(&self, number: usize) -> bool {
        self.known.iter().any(|known| known.bug == number && !known.pattern.amounts.is_empty())
    }

    /// Returns the pattern of calls of some operations that reach amounts.
    pub(super) fn of_amounts(&self, culprits: &[usize], amounts: Vec<Amount>) -> Pattern {
        let element = |operation: &usize| Element {
            operation: *operation,
            arguments: vec![Term::Any; self.suite.operations[*operation].parameters.len()],
            result: None,
        };
        Pattern::of_amounts(mapped(culprits, element), amounts)
    }

    /// Has amounts stand for a bug instead of its patterns.
    pub(super) fn weigh(
        &mut self,
        bugs: &mut BugList,
        number: usize,
        culprits: &[usize],
        amounts: Vec<Amount>,
    ) {
        let Some(place) = self.known.iter().position(|known| known.bug == number) else { return };
        let mut pattern = self.of_amounts(culprits, amounts);
        let mut known = self.known[place].clone();
        pattern.signature.clone_from(&known.pattern.signature);
        known.pattern = pattern;
        self.forget(number);
        self.known.push(known);
        self.refresh(bugs, number);
    }

    /// Has the calls of its program stand for a bug again.
    pub(super) fn unweigh(&mut self, bugs: &mut BugList, number: usize) {
        for known in self.known.iter_mut().filter(|known| known.bug == number) {
            if let Some(pattern) = abstracted(self.suite, &known.program) {
                known.pattern = Pattern { signature: known.pattern.signature.clone(), ..pattern };
            }
        }
        self.refresh(bugs, number);
    }

    /// Has a bug show what became of its patterns: the one of its program, or else the shortest.
    pub(super) fn refresh(&self, bugs: &mut BugList, number: usize) {
        let Some(bug) = bugs.bug_mut(number) else { return };
        let program = Program::of(self.suite, &bug.tape);
        let is_other = |known: &Known| program.as_ref().is_some_and(|program| !self.is_in(known, program));
        let mut least = None;
        for known in &self.known {
            if known.bug == number {
                let is_not_it = Some(&known.program) != program.as_ref();
                let rank = (is_other(known), is_not_it, known.pattern.elements.len());
                if least.is_none_or(|least| rank < least) {
                    least = Some(rank);
                    bug.pattern = Some(known.pattern.clone());
                }
            }
        }
    }

    /// Returns true if the pattern is in a program.
    fn is_in(&self, known: &Known, program: &Program) -> bool {
        finds(&mut Matcher::new(std::slice::from_ref(&known.pattern)), self.suite, program)
    }

    /// Returns a matcher for the amounts of all bugs but one.
    pub(super) fn others_by_amount(&self, number: usize) -> Matcher {
        let others = self.patterns_that(&|known| known.bug != number && !known.pattern.amounts.is_empty());
        Matcher::new(&others)
    }

    /// Returns the bug that fails in the same way and whose calls a program has, with nothing but calls that were
    /// thought to prevent it: they do not.
    pub(super) fn evaded(&self, signature: &Signature, program: &Program) -> Option<usize> {
        let pattern = abstracted(self.suite, program)?;
        let is_evaded = |known: &&Known| {
            let unguarded = known.pattern.unguarded();
            known.pattern.signature.as_ref() == Some(signature)
                && !known.pattern.guards.is_empty()
                && known.pattern.has_operations_of(&pattern)
                && finds(&mut Matcher::new(std::slice::from_ref(&unguarded)), self.suite, program)
        };
        self.known.iter().find(is_evaded).map(|known| known.bug)
    }

    /// Returns a matcher for the patterns that a program does not match by itself.
    pub(super) fn others(&self, program: Option<&Program>) -> Matcher {
        let others = self.patterns_that(&|known| !program.is_some_and(|program| self.is_in(known, program)));
        Matcher::new(&others)
    }

    /// Takes in a bug that was known before.
    pub(super) fn accept(
        &mut self,
        bugs: &mut BugList,
        name: &str,
        (mut pattern, program): (Pattern, Program),
        failure: Failure,
    ) {
        pattern.signature = Some(failure.signature.clone());
        let tape = program.tape(self.suite);
        let bug = Bug {
            name: name.to_string(),
            pattern: Some(pattern.clone()),
            accepted: true,
            ..Bug::new(failure, tape, Vec::new(), Effort::default())
        };
        let bug = bugs.enter(bug);
        self.known.push(Known { pattern, program, bug, lessons: 0, settled: false });
    }

    /// Takes in a bug, unless it is another instance of one that is there, or kin of it. Returns its number.
    pub(super) fn add(
        &mut self,
        bugs: &mut BugList,
        mut bug: Bug,
        known: Option<(Pattern, Program)>,
        kin: Option<usize>,
        by: Finder,
    ) -> usize {
        let signature = bug.failure.signature.clone();
        let pattern = known.as_ref().map(|(pattern, _)| pattern);
        let base =
            known.as_ref().and_then(|(pattern, program)| self.base(bugs, &signature, pattern, program));
        let owner = kin.or_else(|| self.owner(bugs, &signature, pattern, base));
        bug.base = base.and_then(|base| bugs.root(base));
        let number = match owner {
            Some(owner) => {
                bugs.simplify(owner, &bug);
                owner
            }
            None => bugs.enter(bug),
        };
        bugs.hit(number, by);
        let Some((mut pattern, program)) = known else { return number };
        let is_own_case = |operation, parameter| self.suite.is_own_case(operation, parameter);
        let mut alike = 0;
        for known in &self.known {
            let is_alike = known.bug == number && known.pattern.has_shape_of(&pattern, &is_own_case);
            alike += usize::from(is_alike);
        }
        let settled = alike >= MOST_ALIKE;
        if settled {
            // So many literals do it that it had better be any.
            pattern = abstracted(self.suite, &program).unwrap_or(pattern);
            pattern.signature = Some(signature.clone());
        }
        self.drop_covered(bugs, &pattern, number);
        self.drop_unfinished(bugs, &signature, number);
        self.known.push(Known { pattern, program, bug: number, lessons: 0, settled });
        self.refresh(bugs, number);
        number
    }

    /// Returns the bug that a failure is another way to: all that its pattern has is there, but so is what is
    /// known to prevent it. Best is one that has all operations of the failure. A pattern with too many
    /// orders to try them all is judged by its program.
    fn base(
        &self,
        bugs: &BugList,
        signature: &Signature,
        pattern: &Pattern,
        program: &Program,
    ) -> Option<usize> {
        let is_base = |known: &Known| {
            let unguarded = known.pattern.unguarded();
            let is_in =
                |program| finds(&mut Matcher::new(std::slice::from_ref(&unguarded)), self.suite, program);
            bugs.fails_like(known.bug, signature)
                && !known.pattern.guards.is_empty()
                && (subsumes(&unguarded, pattern) || is_in(program))
        };
        let mut first = None;
        for known in &self.known {
            if is_base(known) {
                if known.pattern.has_operations_of(pattern) {
                    return Some(known.bug);
                }
                first = first.or(Some(known.bug));
            }
        }
        first
    }

    /// Returns the bug that a failure is another instance of: its pattern says the same but for literals, or it
    /// is another way to the bug with nothing but its own operations, or one way too many.
    fn owner(
        &mut self,
        bugs: &BugList,
        signature: &Signature,
        pattern: Option<&Pattern>,
        base: Option<usize>,
    ) -> Option<usize> {
        let Some(pattern) = pattern else {
            // What is too long for a pattern is known by how it fails.
            for bug in &bugs.bugs {
                if bug.failure.signature == *signature && bug.pattern.is_none() {
                    return Some(bug.id);
                }
            }
            return None;
        };
        let is_own_case = |operation, parameter| self.suite.is_own_case(operation, parameter);
        for known in &self.known {
            let is_alike =
                known.pattern.has_shape_of(pattern, &is_own_case) || self.is_wider(bugs, pattern, known);
            if is_alike && bugs.fails_like(known.bug, signature) {
                return Some(known.bug);
            }
        }
        let base = base?;
        let root = bugs.root(base)?;
        let mut variants = 0;
        for bug in &bugs.bugs {
            variants += usize::from(bug.base == Some(root));
        }
        if variants >= MOST_VARIANTS {
            // Whatever prevents it can be undone. The pattern says enough without.
            for known in &mut self.known {
                if known.bug == base {
                    known.pattern.guards.clear();
                    known.settled = true;
                }
            }
            return Some(base);
        }
        let again = |known: &Known| known.bug == base && known.pattern.has_operations_of(pattern);
        self.known.iter().any(again).then_some(base)
    }

    /// Returns true if a pattern says the same as one that was known before, in more orders or of more values.
    fn is_wider(&self, bugs: &BugList, pattern: &Pattern, known: &Known) -> bool {
        bugs.is_accepted(known.bug)
            && pattern.elements.len() == known.pattern.elements.len()
            && subsumes(pattern, &known.pattern.unguarded())
    }

    /// Drops the patterns that another one covers. A bug that has none left gives its place to the one
    /// that the pattern belongs to, with the simplest of their programs.
    fn drop_covered(&mut self, bugs: &mut BugList, pattern: &Pattern, number: usize) {
        let is_covered = |known: &Known| {
            let one = known.pattern.signature == pattern.signature || !self.strict;
            // The guards of a narrower pattern go with it: the wider one learns its own.
            one && !bugs.is_accepted(known.bug) && subsumes(pattern, &known.pattern.unguarded())
        };
        let (mut gone, mut left) = (Vec::new(), Vec::new());
        for known in &self.known {
            match is_covered(known) {
                true => gone.push(known.bug),
                false => left.push(known.clone()),
            }
        }
        self.known = left;
        for covered in gone {
            if covered != number && !self.known.iter().any(|known| known.bug == covered) {
                self.unite(bugs, covered, number);
            }
        }
    }

    /// Bugs that no calls were left to reduce give their place to one that fails in the same way and was reduced.
    fn drop_unfinished(&mut self, bugs: &mut BugList, signature: &Signature, number: usize) {
        let is_unfinished = |bug: &&Bug| {
            bug.id != number
                && bug.pattern.is_none()
                && bug.effort.unfinished
                && bug.failure.signature == *signature
        };
        while let Some(old) = bugs.bugs.iter().find(is_unfinished).map(|bug| bug.id) {
            self.unite(bugs, old, number);
        }
    }

    /// Has a bug give its place to another one, with all its patterns.
    pub(super) fn unite(&mut self, bugs: &mut BugList, old: usize, number: usize) {
        if bugs.unite(old, number) {
            self.known.iter_mut().filter(|known| known.bug == old).for_each(|known| known.bug = number);
            self.refresh(bugs, number);
        }
    }

    /// Forgets the patterns of a bug.
    pub(super) fn forget(&mut self, number: usize) {
        self.known.retain(|known| known.bug != number);
    }

    /// Unites bugs that fail in the same way and whose patterns have come to say the same, or whose programs have
    /// come to be the same.
    fn unite_equal(&mut self, bugs: &mut BugList) {
        let mut said: Vec<(usize, String, String, Signature)> = Vec::new();
        for bug in &bugs.bugs {
            if let Some(pattern) = &bug.pattern {
                let signature = bug.failure.signature.clone();
                said.push((bug.id, pattern.words(self.suite), bug.tape.to_string(), signature));
            }
        }
        for (place, (number, words, tape, signature)) in said.iter().enumerate() {
            for other in &said[..place] {
                if (other.1 == *words || other.2 == *tape) && other.3 == *signature {
                    self.unite(bugs, *number, other.0);
                    break;
                }
            }
        }
    }

    /// Returns the bugs of the run in the order of the report, with their names.
    pub(super) fn named(mut self, mut list: BugList) -> Vec<Bug> {
        self.unite_equal(&mut list);
        let suite = self.suite;
        let (mut accepted, mut bugs) = (Vec::new(), Vec::new());
        for mut bug in list.bugs {
            if bug.accepted {
                accepted.push(bug);
                continue;
            }
            bug.pattern = true_pattern(suite, &bug);
            let readable = bug.pattern.as_ref().filter(|_| !bug.is_long());
            bug.words = readable.map_or(String::new(), |pattern| pattern.words(suite));
            if let Some(pattern) = &bug.pattern {
                bug.patterns.push(pattern.clone());
            }
            for known in &self.known {
                if known.bug != bug.id {
                    continue;
                }
                bug.patterns.push(known.pattern.clone());
                let words = known.pattern.unguarded().words(suite);
                let is_said = bug.words.starts_with(&words) || bug.shapes.contains(&words);
                if !is_said && bug.shapes.len() < MOST_SHAPES {
                    bug.shapes.push(words);
                }
            }
            bugs.push(bug);
        }
        for known in &self.known {
            let Some(other) = accepted.iter().find(|other| other.id == known.bug) else { continue };
            for bug in &mut bugs {
                if bug.failure.signature == other.failure.signature {
                    bug.beside.push(known.pattern.clone());
                }
            }
        }
        let length = |bug: &Bug| bug.pattern.as_ref().map_or(usize::MAX, |pattern| pattern.elements.len());
        sort(&mut bugs, &|one, another| {
            length(one).cmp(&length(another)).then_with(|| one.tape.simplicity(&another.tape))
        });
        // Other ways to a bug come after it.
        let ids = mapped(&bugs, |bug| bug.id);
        let place = |id: usize| place_of(&ids, &id).unwrap_or(0);
        let root = |bug: &Bug| place(bug.base.unwrap_or(bug.id));
        sort(&mut bugs, &|one, another| root(one).cmp(&root(another)));
        for number in 0..bugs.len() {
            let (before, rest) = bugs.split_at_mut(number);
            let (bug, mut base) = (&mut rest[0], None);
            for others in &[&accepted[..], before] {
                for other in *others {
                    if base.is_none() && Some(other.id) == bug.base {
                        base = Some(other.name.clone());
                    }
                }
            }
            let has_name = |bugs: &[Bug], name: &str| bugs.iter().any(|bug| bug.name == name);
            let is_taken = |name: &str| has_name(&accepted, name) || has_name(before, name);
            bug.name = match &bug.pattern {
                Some(pattern) => name_of(suite, pattern, &is_taken),
                None => format!("long-{number}"),
            };
            bug.variant_of = base;
        }
        bugs
    }
}

/// Returns the pattern of a bug, if it is in its program, or else that of the program alone: what was learned from
/// other programs has come to say less.
fn true_pattern(suite: &Suite, bug: &Bug) -> Option<Pattern> {
    let pattern = bug.pattern.clone()?;
    let Some(program) = Program::of(suite, &bug.tape) else { return Some(pattern) };
    if finds(&mut Matcher::new(std::slice::from_ref(&pattern)), suite, &program) {
        return Some(pattern);
    }
    let own = exact(suite, &program).map(|own| Pattern { signature: pattern.signature.clone(), ..own });
    Some(own.unwrap_or(pattern))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::oracle::Verdict;
    use crate::program::{Call, Operation};

    fn door() -> Suite {
        let operation = |name| Operation::new(name, "", |_| Verdict::Pass);
        Suite::new("Door").operations(["open", "close", "wait"].map(operation)).build()
    }

    /// Takes in a program of these operations, with its pattern.
    fn add((patterns, bugs): &mut (PatternList<'_>, BugList), text: &str, operations: &[usize]) -> usize {
        let call = |operation: &usize| Call { operation: *operation, arguments: Vec::new() };
        let program = Program { features: 0, calls: operations.iter().map(call).collect() };
        let mut pattern = Pattern::read(text, patterns.suite).unwrap();
        pattern.signature = Some(Signature::Hung);
        let failure = Failure::new(Signature::Hung, "");
        let bug = Bug::new(failure, program.tape(patterns.suite), Vec::new(), Effort::default());
        patterns.add(bugs, bug, Some((pattern, program)), None, Finder::RandomSearch)
    }

    #[test]
    fn a_way_around_a_guard_with_too_many_orders_belongs_to_its_bug() {
        let suite = door();
        let mut list = (PatternList::new(&suite, true), BugList::default());
        let first = add(&mut list, "open(); close() unless wait() #1<#2", &[0, 1]);
        let waits = (0..6).fold("wait()".to_string(), |others, _| format!("wait() | ({others})"));
        let second = add(&mut list, &format!("open(); {waits}; close()"), &[0, 2, 2, 2, 2, 2, 2, 2, 1]);
        assert_eq!(first, second);
        assert_eq!(list.0.named(list.1).len(), 1);
    }

    #[test]
    fn a_wider_pattern_takes_the_place_of_a_guarded_one_without_its_guards() {
        let suite = door();
        let mut list = (PatternList::new(&suite, true), BugList::default());
        let first = add(&mut list, "open(); close() unless wait() #1<#2", &[0, 1]);
        let second = add(&mut list, "close()", &[1]);
        assert_ne!(first, second);
        assert_eq!(list.0.known.len(), 1, "the narrower pattern is gone");
        assert!(list.0.known[0].bug == second && list.0.known[0].pattern.guards.is_empty());
        let bugs = list.0.named(list.1);
        assert_eq!((bugs.len(), bugs[0].words.as_str()), (1, "close()"));
        assert_eq!(bugs[0].hits, [(Finder::RandomSearch, 2)]);
    }

    #[test]
    fn bugs_whose_programs_come_to_be_the_same_are_one() {
        let suite = door();
        let mut list = (PatternList::new(&suite, true), BugList::default());
        add(&mut list, "open(); close()", &[0, 1]);
        add(&mut list, "wait()", &[2]);
        list.1.bugs[1].tape = list.1.bugs[0].tape.clone();
        let bugs = list.0.named(list.1);
        assert_eq!((bugs.len(), &bugs[0].hits[..]), (1, &[(Finder::RandomSearch, 2)][..]));
    }

    #[test]
    fn a_pattern_that_is_not_in_the_program_of_its_bug_gives_way_to_that_of_the_program() {
        let suite = door();
        let mut list = (PatternList::new(&suite, true), BugList::default());
        add(&mut list, "open(); close()", &[0, 1]);
        list.1.bugs[0].pattern = Some(Pattern::read("wait()", &suite).unwrap());
        assert_eq!(list.0.named(list.1)[0].words, "open(); close()");
    }

    #[test]
    fn bugs_whose_patterns_come_to_say_the_same_are_one() {
        let suite = door();
        let mut list = (PatternList::new(&suite, true), BugList::default());
        let numbers = [add(&mut list, "open(); close()", &[0, 1]), add(&mut list, "wait()", &[2])];
        assert_ne!(numbers[0], numbers[1]);
        list.1.bugs[1].pattern = list.1.bugs[0].pattern.clone();
        let bugs = list.0.named(list.1);
        assert_eq!(bugs.len(), 1);
        assert_eq!(bugs[0].hits, [(Finder::RandomSearch, 2)]);
    }
}
