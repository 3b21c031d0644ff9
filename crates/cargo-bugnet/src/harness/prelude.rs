//! The prelude: what is printed names items of it as people do, and not by their paths.
//!
//! **Invariant:** only what every edition has in its prelude is shortened, so a printed program compiles anywhere.

const PATHS: [&str; 12] = [
    "std::string::String",
    "std::vec::Vec",
    "std::option::Option",
    "std::result::Result",
    "std::boxed::Box",
    "std::convert::From",
    "std::convert::Into",
    "std::convert::AsRef",
    "std::iter::Iterator",
    "std::iter::IntoIterator",
    "std::clone::Clone",
    "std::default::Default",
];

/// A text without the paths of what is in the prelude.
pub(super) fn shortened(text: &str) -> String {
    PATHS.iter().fold(text.to_string(), |text, path| {
        let name = path.rsplit("::").next().unwrap_or(path);
        let mut short = String::new();
        let mut rest = text.as_str();
        while let Some(place) = rest.find(path) {
            let (before, after) = (&rest[..place], &rest[place + path.len()..]);
            let is_word = |letter: char| letter.is_alphanumeric() || letter == '_';
            // The path may go on, or be the end of another.
            let is_whole =
                !after.starts_with(is_word) && !before.ends_with(|letter| is_word(letter) || letter == ':');
            short.push_str(before);
            short.push_str(if is_whole { name } else { path });
            rest = after;
        }
        short + rest
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_everybody_knows_is_named_without_its_path() {
        let text = "<a::B<std::vec::Vec<std::string::String>> as std::convert::From<std::string::String>>::from({0})";
        assert_eq!(shortened(text), "<a::B<Vec<String>> as From<String>>::from({0})");
        for other in
            ["my_std::vec::Vec", "std::vec::Vector", "crate::std::vec::Vec", "std::vec::IntoIter<u8>"]
        {
            assert_eq!(shortened(other), other);
        }
        assert_eq!(shortened("std::vec::Vec::<u8>::new()"), "Vec::<u8>::new()");
    }
}
