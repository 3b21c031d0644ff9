//! The law: what is written is read back the same.

use url::Url;

/// Reads an address back. What is wrong with it, if anything, is what the assertion says.
pub fn reads_back(url: &Url) {
    let again = Url::parse(url.as_str()).expect("what is written can be read");
    assert_eq!(parts(&again), parts(url), "{url}");
}

/// Everything that can be asked of an address, by name.
fn parts(url: &Url) -> Vec<(&'static str, String)> {
    vec![
        ("scheme", url.scheme().to_owned()),
        ("username", url.username().to_owned()),
        ("password", format!("{:?}", url.password())),
        ("host", format!("{:?}", url.host())),
        ("port", format!("{:?}", url.port())),
        ("path", url.path().to_owned()),
        ("query", format!("{:?}", url.query())),
        ("fragment", format!("{:?}", url.fragment())),
        ("text", url.as_str().to_owned()),
    ]
}
