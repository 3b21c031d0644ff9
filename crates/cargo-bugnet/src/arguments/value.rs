//! The values of options, checked before anything is built.

use bugnet::campaign::{Options, Span};
use bugnet::choice::Tape;
use bugnet_process::patience;
use clap::builder::ValueParser;
use std::time::Duration;

/// Accepts what the library accepts for a setting.
pub(super) fn setting(key: &'static str) -> ValueParser {
    ValueParser::from(move |value: &str| -> Result<String, String> {
        Options::default().set(key, value)?;
        if key == "cases" && value.chars().all(|digit| digit == '0') {
            return Err("no cases would test nothing; give a number above zero".to_string());
        }
        Ok(value.to_string())
    })
}

/// Accepts a time, as the settings of the library do.
pub(super) fn duration(text: &str) -> Result<Duration, String> {
    match text.parse() {
        Ok(Span(Duration::ZERO)) => Err("no time would find nothing; give a time above zero".to_string()),
        Ok(Span(time)) => Ok(time.min(patience::LONGEST)),
        Err(problem) => Err(problem),
    }
}

/// Accepts a number of programs.
pub(super) fn programs(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("no programs would find nothing; give a number above zero".to_string()),
        Ok(programs) => Ok(programs),
        Err(_) => Err(format!("`{text}` is not a number of programs, such as 20000")),
    }
}

/// Accepts `0/4`: the number of a share, counted from zero, and the number of all shares.
pub(super) fn shard(text: &str) -> Result<(usize, usize), String> {
    let numbers = text.split_once('/').and_then(|(own, all)| Some((own.parse().ok()?, all.parse().ok()?)));
    match numbers {
        Some((own, all)) if own < all => Ok((own, all)),
        _ => Err(format!("`{text}` is no share; write 0/4, 1/4, 2/4 or 3/4 for one of four")),
    }
}

/// Accepts a number of tests.
pub(super) fn tests(text: &str) -> Result<u64, String> {
    match text.parse() {
        Ok(0) => Err("no tests would find nothing; give a number above zero".to_string()),
        Ok(tests) => Ok(tests),
        Err(_) => Err(format!("`{text}` is not a number of tests, such as 1000")),
    }
}

/// Accepts `law=off`.
pub(super) fn law(text: &str) -> Result<String, String> {
    match text.strip_suffix("=off") {
        Some(law) if !law.is_empty() => Ok(law.to_string()),
        _ => Err("a law can only be switched off: write `--law name=off`".to_string()),
    }
}

/// Accepts what names a case.
pub(super) fn case() -> ValueParser {
    ValueParser::from(|token: &str| {
        let problem = match token.parse::<Tape>() {
            Ok(tape) if !tape.values().is_empty() => return Ok(token.to_string()),
            Ok(_) => "it has no numbers".to_string(),
            Err(error) => error.to_string(),
        };
        Err(format!("this does not name a case ({problem}); copy what stands after `replay:` in a report"))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_has_a_unit_and_is_never_zero() {
        assert_eq!(duration("90s"), Ok(Duration::from_secs(90)));
        assert_eq!(duration("2m"), Ok(Duration::from_secs(120)));
        assert!(["", "0s", "s", "-1s", "1d"].map(duration).iter().all(Result::is_err));
    }

    #[test]
    fn a_share_is_one_of_as_many_as_there_are() {
        assert_eq!(shard("3/4"), Ok((3, 4)));
        assert!(["", "4/4", "1", "a/b", "0/0"].map(shard).iter().all(Result::is_err));
    }

    #[test]
    fn a_number_of_programs_is_never_zero() {
        assert_eq!(programs("20000"), Ok(20_000));
        assert!(["", "0", "-1", "1s", "many"].map(programs).iter().all(Result::is_err));
    }
}
