//! Examples: the blocks of code in a documentation.

/// A block of code.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Example {
    /// Rust, of which the literals are of use.
    Rust(String),
    /// Something else, which the crate may read as it is.
    Other(String),
}

/// Languages in which nobody writes what a crate reads.
const COMMANDS: [&str; 6] = ["console", "sh", "bash", "shell", "diff", "mermaid"];
/// Labels by which rustdoc marks blocks that are Rust.
const RUST: [&str; 8] =
    ["rust", "rs", "no_run", "ignore", "should_panic", "compile_fail", "no_compile", "standalone"];

/// The blocks of code in a text of Markdown.
pub(super) fn examples(markdown: &str) -> Vec<Example> {
    let mut examples = Vec::new();
    let mut open: Option<(&str, String)> = None;
    for line in markdown.lines() {
        let is_fence = line.trim_start().strip_prefix("```");
        match (&mut open, is_fence) {
            (None, Some(language)) => open = Some((language.trim_matches('`').trim(), String::new())),
            (None, None) => {}
            (Some(_), Some(_)) => {
                let closed = open.take();
                examples.extend(closed.and_then(|(language, code)| example(language, code)));
            }
            (Some((_, code)), None) => {
                code.push_str(line);
                code.push('\n');
            }
        }
    }
    examples
}

fn example(language: &str, code: String) -> Option<Example> {
    let first = language.split([',', ' ', '{']).find(|word| !word.is_empty());
    match first {
        Some(word) if COMMANDS.contains(&word) => None,
        Some(word) if !RUST.contains(&word) && !word.starts_with("edition") => Some(Example::Other(code)),
        // Lines that rustdoc does not show are code all the same, and their mark is no literal.
        _ => Some(Example::Rust(code)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rust_is_told_from_what_the_crate_may_read() {
        let text = "Says.\n```\n# let x = 1;\nf(x)\n```\n```toml\na = 1\n```\n```rust,no_run\ng()\n```\n\
                    ```console\n$ ls\n```\n```\nnever closed";
        let expected = [
            Example::Rust("# let x = 1;\nf(x)\n".to_string()),
            Example::Other("a = 1\n".to_string()),
            Example::Rust("g()\n".to_string()),
        ];
        assert_eq!(examples(text), expected);
    }
}
