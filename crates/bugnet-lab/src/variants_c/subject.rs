//! The programs, and the faults that are planted in them.

use anyhow::bail;

/// A program, and the list of its faults.
#[derive(Debug)]
pub struct Subject {
    pub name: &'static str,
    pub text: &'static str,
    faults: &'static str,
}

/// A fault: some lines that stand in the place of others.
#[derive(Debug)]
pub struct Fault {
    pub name: String,
    /// True if one token is another; the mutation that repairs it is then among the mutants.
    pub is_token: bool,
    removed: String,
    added: String,
}

macro_rules! subject {
    ($name:literal) => {
        Subject {
            name: $name,
            text: include_str!(concat!("subjects/", $name, ".c")),
            faults: include_str!(concat!("subjects/", $name, ".faults")),
        }
    };
}

impl Subject {
    pub fn all() -> [Subject; 7] {
        [
            subject!("tokens"),
            subject!("words"),
            subject!("replace"),
            subject!("queues"),
            subject!("rounds"),
            subject!("climb"),
            subject!("figures"),
        ]
    }

    pub fn faults(&self) -> Vec<Fault> {
        let blocks = self.faults.split("fault: ").filter(|block| !block.trim().is_empty());
        let read = |block: &str| {
            let mut lines = block.lines();
            let name = lines.next().unwrap_or_default().to_string();
            let is_token = lines.next() == Some("kind: token");
            let signed = |sign: char| {
                let own = block.lines().skip(2).filter_map(|line| line.strip_prefix(sign));
                own.collect::<Vec<_>>().join("\n")
            };
            Fault { name, is_token, removed: signed('-'), added: signed('+') }
        };
        blocks.map(read).collect()
    }
}

impl Fault {
    /// Returns the program with the fault.
    pub fn planted(&self, text: &str) -> anyhow::Result<String> {
        if text.matches(&self.removed).count() != 1 {
            bail!("the lines of `{}` are not there once", self.name);
        }
        Ok(text.replacen(&self.removed, &self.added, 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_fault_can_be_planted_and_at_most_a_third_are_one_token() {
        let mut tokens = 0;
        let mut all = 0;
        for subject in Subject::all() {
            for fault in subject.faults() {
                let planted = fault.planted(subject.text).unwrap();
                assert_ne!(planted, subject.text, "{}", fault.name);
                tokens += usize::from(fault.is_token);
                all += 1;
            }
        }
        assert!(all == 56 && 3 * tokens <= all, "{tokens} of {all}");
    }
}
