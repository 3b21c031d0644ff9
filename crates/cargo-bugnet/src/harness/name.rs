//! Names of operations: the type or module before the function, and the trait in it.
//!
//! **Invariant:** a name is read as the generator writes it, `Type::function` or `<Type as Trait>::function`.

/// Splits a name into the type or module and the function, without type arguments of the function.
pub(crate) fn split(name: &str) -> Option<(&str, &str)> {
    let mut depth = 0;
    let mut last = None;
    let bytes = name.as_bytes();
    for (place, byte) in bytes.iter().enumerate() {
        match byte {
            b'<' | b'(' => depth += 1,
            b'>' | b')' => depth -= 1,
            // What stands behind may be type arguments: `new::<u8>`.
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

#[cfg(test)]
mod tests {
    use super::*;

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
