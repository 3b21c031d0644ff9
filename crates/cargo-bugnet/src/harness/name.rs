//! Names of operations: the type or module before the function, and the trait in it.
//!
//! **Invariant:** a name is read as the generator writes it, `Type::function` or `<Type as Trait>::function`.

/// Types of numbers, which differ between the functions of a family.
pub(crate) const NUMBERS: [&str; 14] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize", "f32", "f64"];

/// Splits a name into the type or module and the function, without type arguments of the function.
pub(crate) fn split(name: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let mut last = None;
    let bytes = name.as_bytes();
    for (place, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth -= 1,
            // Type arguments may follow: `new::<u8>`.
            b':' if depth == 0
                && bytes.get(place + 1) == Some(&b':')
                && bytes.get(place + 2) != Some(&b'<') =>
            {
                last = Some(place);
            }
            _ => {}
        }
    }
    let (owner, function) = name.split_at(last?);
    let function = function.trim_start_matches(':');
    let end =
        function.find(|letter: char| !letter.is_alphanumeric() && letter != '_').unwrap_or(function.len());
    Some((owner, &function[..end]))
}

/// Returns the trait in `<Type as Trait>::function`.
pub(crate) fn trait_of(name: &str) -> Option<String> {
    let (owner, _) = split(name)?;
    let (_, of) = owner.strip_prefix('<')?.strip_suffix('>')?.rsplit_once(" as ")?;
    Some(of.split('<').next().unwrap_or(of).to_string())
}

/// The name of a type without its arguments and what says how large it is: digits, and one letter before or behind.
pub(crate) fn stem(kind: &str) -> String {
    let kind = match kind.strip_prefix('<').and_then(|rest| rest.split_once(" as ")) {
        Some((kind, of)) => format!("{} as {}", stem(kind), of.split(['<', '>']).next().unwrap_or(of)),
        None => kind.split('<').next().unwrap_or(kind).to_string(),
    };
    let bare: Vec<char> = kind.chars().filter(|letter| !letter.is_ascii_digit()).collect();
    let is_upper = |place: usize| bare.get(place).is_some_and(|letter| letter.is_uppercase());
    let is_lower = |place: usize| bare.get(place).is_some_and(|letter| letter.is_lowercase());
    let start = usize::from(is_upper(0) && is_upper(1) && is_lower(2));
    let length = bare.len();
    let end = length - usize::from(length > start + 1 && is_upper(length - 1) && is_lower(length - 2));
    bare[start..end].iter().collect()
}

/// A type as it is written, without what says how large it and its parts are, and without which number is meant.
pub(crate) fn alike(text: &str) -> String {
    let is_letter = |letter: char| letter.is_alphanumeric() || letter == '_';
    let mut kept = String::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|letter| is_letter(letter) != is_letter(first)).unwrap_or(rest.len());
        let (word, others) = rest.split_at(end);
        match is_letter(first) {
            true if NUMBERS.contains(&word) => kept.push('N'),
            true if first.is_uppercase() => kept.push_str(&stem(word)),
            true => kept.extend(word.chars().filter(|letter| !letter.is_ascii_digit())),
            false => kept.push_str(word),
        }
        rest = others;
    }
    kept
}

/// Returns the name of an operation without type arguments.
pub(crate) fn without_types(operation: &str) -> String {
    let mut depth = 0;
    let mut name = String::new();
    // The type of `<Type as Trait>::function` is no argument.
    for (place, letter) in operation.char_indices() {
        match letter {
            '<' if place > 0 => depth += 1,
            '>' if depth > 0 => depth -= 1,
            _ if depth == 0 => name.push(letter),
            _ => {}
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stems_keep_words_whole() {
        let stems = ["I16Vec2", "Vec3A", "DQuat", "Url", "USentence", "AB", "X", "Vector2D"].map(stem);
        assert_eq!(stems, ["Vec", "Vec", "Quat", "Url", "Sentence", "AB", "X", "Vector"]);
    }

    #[test]
    fn types_that_differ_in_numbers_and_sizes_are_alike() {
        assert_eq!(alike("FixedI8<U4>"), alike("FixedU128<U64>"));
        assert_eq!(alike("&[u8]"), alike("&[i64]"));
        assert_eq!(alike("glam::f32"), alike("glam::f64"));
        assert_ne!(alike("Vec<u8>"), alike("Vec<String>"));
        assert_ne!(alike("&u8"), alike("u8"));
    }

    #[test]
    fn the_trait_of_a_function_is_in_its_name() {
        assert_eq!(
            trait_of("<Vec<u8> as core::ops::Index<usize>>::index").as_deref(),
            Some("core::ops::Index")
        );
        assert_eq!(trait_of("Vec<u8>::index"), None);
        assert_eq!(split("a::<T as B>::c::<u8>"), Some(("a::<T as B>", "c")));
    }
}
