//! The outside: functions that plainly work on files, processes or the network, which no harness calls.

use crate::api::{Function, Kind};

/// Types whose values stand for something outside of the program, by the start of their paths.
const OUTSIDE: [(&str, &str); 6] = [
    ("std::fs::", "works on files"),
    ("std::process::", "works on processes"),
    ("std::net::Tcp", "works on the network"),
    ("std::net::Udp", "works on the network"),
    ("std::net::ToSocketAddrs", "works on the network"),
    ("std::os::unix::net::", "works on the network"),
];

/// Beginnings of the names of functions that do something to a path.
const FILES: [&str; 14] = [
    "open",
    "create",
    "save",
    "load",
    "read",
    "write",
    "remove",
    "delete",
    "rename",
    "copy",
    "truncate",
    "append",
    "from_file",
    "from_path",
];

/// Returns the reason why a function is left out, if it is.
pub(crate) fn reason(function: &Function) -> Option<&'static str> {
    let inputs = function.inputs.iter().map(|(_, kind)| kind);
    let bounds = function.generics.bounds.iter().map(|(_, bound)| bound);
    let mut names: Vec<String> = bounds.clone().map(|bound| bound.path.clone()).collect();
    let mut takes_path = false;
    let is_path = |kind: &Kind| kind.is("std::path::Path") || kind.is("std::path::PathBuf");
    let demanded = bounds.flat_map(|bound| bound.arguments.iter());
    for kind in inputs.chain(demanded) {
        kind.any(&mut |part| {
            takes_path |= is_path(part);
            names.extend(part.path().map(str::to_string));
            false
        });
    }
    let outside = OUTSIDE.iter().find(|(start, _)| names.iter().any(|name| name.starts_with(start)));
    let does = |word: &str| {
        function.name.strip_prefix(word).is_some_and(|rest| rest.is_empty() || rest.starts_with('_'))
    };
    // `from_file_path` makes something of the path itself.
    let works = takes_path && FILES.iter().any(|word| does(word)) && !function.name.ends_with("_path");
    outside.map(|(_, reason)| *reason).or(works.then_some("works on files"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{Facts, Generics};

    fn function(name: &str, kind: Kind) -> Function {
        Function {
            name: name.to_string(),
            generics: Generics::default(),
            inputs: vec![("value".to_string(), kind)],
            output: Kind::unit(),
            is_unsafe: false,
            is_async: false,
            facts: Facts::default(),
        }
    }

    #[test]
    fn what_takes_a_path_and_opens_it_is_left_out() {
        let path = || Kind::shared(Kind::named("std::path::Path"));
        assert_eq!(reason(&function("open", path())), Some("works on files"));
        assert_eq!(reason(&function("load_config", path())), Some("works on files"));
        assert_eq!(reason(&function("from_file_path", path())), None);
        assert_eq!(reason(&function("extension", path())), None);
        assert_eq!(reason(&function("open", Kind::named("u8"))), None);
        assert_eq!(
            reason(&function("run", Kind::named("std::process::Command"))),
            Some("works on processes")
        );
    }
}
