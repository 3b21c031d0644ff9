//! Emission: the user's file with every mutation behind its switch.
//!
//! **Invariant:** each alternative has lines of its own, so a message of the compiler is about one alternative. The
//! type of an expression stays what it was.

use super::super::mutation::{Form, Mutant, Site};
use std::ops::Range;

/// The mutants that a line belongs to: those of a site, or one alternative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct Owner {
    pub(super) site: Option<usize>,
    pub(super) alternative: Option<usize>,
}

/// A mutated file, and the owner of each of its lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Emitted {
    pub(super) text: String,
    owners: Vec<Owner>,
}

impl Emitted {
    /// Returns the owner of a line; the first is 1.
    pub(super) fn owner(&self, line: usize) -> Owner {
        line.checked_sub(1).and_then(|line| self.owners.get(line)).copied().unwrap_or_default()
    }
}

/// A file of the user, and all that is changed in it.
#[derive(Debug)]
pub(super) struct Input<'a> {
    pub(super) base: &'a str,
    /// The sites of the file, by their numbers; outer ones first.
    pub(super) sites: Vec<(usize, &'a Site)>,
    pub(super) loops: &'a [usize],
    /// The number of sites of all files.
    pub(super) count: usize,
}

/// Emits a file with those alternatives that are wanted.
pub(super) fn emit(input: &Input<'_>, is_wanted: &dyn Fn(Mutant) -> bool) -> Emitted {
    let mut loops = input.loops.to_vec();
    loops.sort_unstable();
    let out = Emitted {
        text: head(input.count),
        owners: vec![Owner::default(); head(input.count).matches('\n').count() + 1],
    };
    let mut emitter = Emitter { base: input.base, loops, is_wanted, owner: Owner::default(), out };
    emitter.range(0..input.base.len(), &input.sites);
    emitter.out
}

/// Returns what the mutated code needs of the runtime. It must compile as C of any year.
fn head(sites: usize) -> String {
    format!(
        "struct bugnet_state {{ long fuel; unsigned short on[{sites}]; unsigned char seen[{sites}]; }};\n\
         extern struct bugnet_state *bugnet_state;\n\
         extern void bugnet_out(void);\n\
         static __inline__ __attribute__((unused)) void bugnet_step(void) {{ if (--bugnet_state->fuel < 0) bugnet_out(); }}\n\
         static __inline__ __attribute__((unused)) int bugnet_np(int site) {{ bugnet_state->seen[site] = 1; bugnet_step(); \
         return bugnet_state->on[site]; }}\n"
    )
}

struct Emitter<'a> {
    base: &'a str,
    loops: Vec<usize>,
    is_wanted: &'a dyn Fn(Mutant) -> bool,
    /// The owner of what is being written.
    owner: Owner,
    out: Emitted,
}

impl Emitter<'_> {
    fn write(&mut self, text: &str) {
        for letter in text.chars() {
            self.out.text.push(letter);
            if letter == '\n' {
                self.out.owners.push(self.owner);
            }
        }
    }

    /// Writes lines that belong to somebody, and returns to the owner of before.
    fn owned(&mut self, owner: Owner, text: &str) {
        let before = std::mem::replace(&mut self.owner, owner);
        self.write("\n");
        self.write(text);
        self.owner = before;
        self.write("\n");
    }

    /// Copies the user's text; the body of a loop counts its steps.
    fn copy(&mut self, range: Range<usize>) {
        let mut from = range.start;
        let first = self.loops.partition_point(|place| *place < range.start);
        // The end of a range is the beginning of the next one.
        while let Some(place) = self.loops.get(first).copied().filter(|place| *place < range.end) {
            let base = self.base;
            self.write(&base[from..place]);
            self.write(" bugnet_step(); ");
            self.loops.remove(first);
            from = place;
        }
        let base = self.base;
        self.write(&base[from..range.end]);
    }

    fn range(&mut self, range: Range<usize>, mut sites: &[(usize, &Site)]) {
        let mut next = range.start;
        while let Some(((number, site), rest)) = sites.split_first() {
            let inner = rest.iter().take_while(|(_, other)| other.span.start < site.span.end).count();
            self.copy(next..site.span.start);
            self.site(*number, site, &rest[..inner]);
            next = site.span.end;
            sites = &rest[inner..];
        }
        self.copy(next..range.end);
    }

    fn site(&mut self, number: usize, site: &Site, inner: &[(usize, &Site)]) {
        let all = (1..=site.alternatives.len()).map(|alternative| Mutant { site: number, alternative });
        let wanted: Vec<Mutant> = all.filter(|mutant| (self.is_wanted)(*mutant)).collect();
        if wanted.is_empty() {
            return self.range(site.span.clone(), inner);
        }
        let before = std::mem::replace(&mut self.owner, Owner { site: Some(number), alternative: None });
        self.write("\n");
        match site.form {
            Form::Statement => self.statement(number, site, &wanted, inner),
            form => self.value(number, site, form == Form::Condition, &wanted, inner),
        }
        self.owner = before;
        self.write("\n");
    }

    fn value(
        &mut self,
        number: usize,
        site: &Site,
        is_condition: bool,
        wanted: &[Mutant],
        inner: &[(usize, &Site)],
    ) {
        let own = self.base[site.span.clone()].replace(['\n', '\r'], " ");
        let (kind, truth) = match is_condition {
            true => ("int".to_string(), " != 0"),
            false => (format!("__typeof__(({own}) + 0)"), ""),
        };
        self.write(&format!("({{ {kind} bugnet_r{number}; switch (bugnet_np({number})) {{"));
        for mutant in wanted {
            let code = &site.alternatives[mutant.alternative - 1].code;
            let owner = Owner { site: Some(number), alternative: Some(mutant.alternative) };
            let text = format!("case {}: bugnet_r{number} = ({code}){truth}; break;", mutant.alternative);
            self.owned(owner, &text);
        }
        self.write(&format!("default: bugnet_r{number} = ("));
        self.range(site.span.clone(), inner);
        self.write(&format!("){truth}; }} bugnet_r{number}; }})"));
    }

    fn statement(&mut self, number: usize, site: &Site, wanted: &[Mutant], inner: &[(usize, &Site)]) {
        self.write(&format!("{{ int bugnet_k{number} = bugnet_np({number});"));
        let replacing =
            site.alternatives.iter().take_while(|alternative| alternative.shown.is_none()).count();
        for mutant in wanted {
            let code = &site.alternatives[mutant.alternative - 1].code;
            if !code.is_empty() {
                let owner = Owner { site: Some(number), alternative: Some(mutant.alternative) };
                let code = code.replace(['\n', '\r'], " ");
                self.owned(owner, &format!("if (bugnet_k{number} == {}) {{ {code} }}", mutant.alternative));
            }
        }
        self.write(&format!("if (bugnet_k{number} == 0 || bugnet_k{number} > {replacing}) {{ "));
        self.range(site.span.clone(), inner);
        self.write(" } }");
    }
}
