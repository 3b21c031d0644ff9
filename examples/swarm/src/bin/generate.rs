//! `generate --seed N [--no-lets] [--no-prints] [--no-loops] [--no-branches] [--no-negation] [--operators add,sub]
//! [--depth N]`: prints a random program.

const STATEMENTS: u64 = 30;
const NAMES: [&str; 5] = ["a", "b", "c", "d", "e"];

struct Generator {
    state: u64,
    kinds: Vec<&'static str>,
    has_negation: bool,
    operators: Vec<&'static str>,
    depth: u64,
}

fn main() {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let is_off = |name: &str| words.iter().any(|word| word.strip_prefix("--no-") == Some(name));
    let value = |name: &str| {
        words.iter().position(|word| word.strip_prefix("--") == Some(name)).and_then(|at| words.get(at + 1))
    };
    let number = |name: &str, usual: u64| value(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let signs = [("add", "+"), ("sub", "-"), ("mul", "*"), ("div", "/"), ("shift", "<<")];
    let wanted = value("operators").map_or("add,sub,mul,div,shift", String::as_str);
    let is_wanted = |name: &str| wanted.split(',').any(|word| word == name);
    let mut generator = Generator {
        state: number("seed", 0),
        kinds: ["lets", "prints", "loops", "branches"].into_iter().filter(|kind| !is_off(kind)).collect(),
        has_negation: !is_off("negation"),
        operators: signs.into_iter().filter(|(name, _)| is_wanted(name)).map(|(_, sign)| sign).collect(),
        depth: number("depth", 2),
    };
    let count = 1 + generator.below(STATEMENTS);
    for _ in 0..count {
        generator.statement(0);
    }
}

impl Generator {
    /// A random number below a bound (`SplitMix64`).
    fn below(&mut self, bound: u64) -> u64 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let word = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let word = (word ^ (word >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (word ^ (word >> 31)) % bound
    }

    fn name(&mut self) -> &'static str {
        NAMES[self.below(NAMES.len() as u64) as usize]
    }

    fn statement(&mut self, nested: usize) {
        let indent = "    ".repeat(nested);
        let place = self.below(self.kinds.len().max(1) as u64) as usize;
        match self.kinds.get(place).copied() {
            Some("lets") => {
                let name = self.name();
                println!("{indent}let {name} = {}", self.expression(self.depth));
            }
            Some("loops") if nested < 2 => {
                println!("{indent}loop {} {{", self.below(3));
                (0..1 + self.below(2)).for_each(|_| self.statement(nested + 1));
                println!("{indent}}}");
            }
            Some("branches") if nested < 2 => {
                println!("{indent}if {} {{", self.expression(1));
                (0..1 + self.below(2)).for_each(|_| self.statement(nested + 1));
                println!("{indent}}}");
            }
            _ => println!("{indent}print {}", self.expression(self.depth)),
        }
    }

    fn expression(&mut self, depth: u64) -> String {
        match self.below(if depth == 0 { 2 } else { 5 }) {
            0 => self.below(100).to_string(),
            1 => self.name().to_string(),
            2 if self.has_negation => format!("-{}", self.expression(depth - 1)),
            _ if self.operators.is_empty() => self.name().to_string(),
            _ => {
                let left = self.expression(depth - 1);
                let place = self.below(self.operators.len() as u64) as usize;
                let sign = self.operators[place];
                format!("({left} {sign} {})", self.expression(depth - 1))
            }
        }
    }
}
