//! Percent encoding, as in the address of a page: `a b` is written `a%20b`.
//!
//! **Invariant:** what is encoded is decoded to the same text.

/// Writes every byte that is not a letter or a digit as `%` and its number in hexadecimal.
pub fn encode(text: &str) -> String {
    let mut code = String::new();
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() {
            code.push(char::from(byte));
        } else {
            code.push_str(&format!("%{byte:X}"));
        }
    }
    code
}

/// Reads what [`encode`] has written; `None` if the code is none.
pub fn decode(code: &str) -> Option<String> {
    let mut bytes = Vec::new();
    let mut rest = code.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let (digits, after) = rest.split_at_checked(2)?;
            bytes.push(u8::from_str_radix(str::from_utf8(digits).ok()?, 16).ok()?);
            rest = after;
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use bugnet::prelude::*;

    #[property]
    #[example("")]
    #[example("100 %")]
    #[example("naïve café")]
    fn what_is_encoded_is_decoded(text: &str) {
        let code = encode(text);
        note!("encoded: {code:?}");
        assert_eq!(decode(&code).as_deref(), Some(text));
    }
}
