use super::*;

const GOOD: &str = r#"
[generator]
command = "sh gen.sh --seed {seed} {features} -o {out}"
extension = "c"
cpu = "2s"

[features]
loops = { on = "--loops", off = "--no-loops" }
float = { on = "--float", default = false, p = 0.2, requires = ["loops"] }
kinds = { flag = "--kinds {}", of = ["add", "mul"] }
depth = { flag = "--depth {}", range = [1, 40], default = 20 }

[target.one]
command = "sh {in}"
[target.two]
command = "cat {in}"
agree = { with = "one", among = ["0", "1"] }

[oracle]
signature = ['(Assertion .* failed)']
exit = [2]

[reduce]
with = "sh reduce.sh {test} {in}"
"#;

fn read(text: &str) -> Result<Plan> {
    Plan::of(text, Path::new("/tmp/demo.toml"))
}

/// Returns the error message for the good file after a change.
#[track_caller]
fn error(from: &str, to: &str) -> String {
    assert!(GOOD.contains(from), "{from}");
    format!("{:#}", read(&GOOD.replace(from, to)).unwrap_err())
}

#[test]
fn a_file_is_read_in_its_order() {
    let plan = read(GOOD).unwrap();
    assert_eq!(plan.name, "demo");
    let names: Vec<&str> = plan.features.iter().map(|feature| feature.name.as_str()).collect();
    assert_eq!(names, ["loops", "float", "kinds", "depth"]);
    assert_eq!(plan.features[1].requires, [0]);
    assert_eq!(plan.targets[1].agree.as_ref().unwrap().with, 0);
    assert_eq!(plan.generator.limit.processor, Duration::from_secs(2));
    assert!(matches!(&plan.reducer.with, With::Program { name, .. } if name == "sh"));
}

#[test]
fn the_reducer_and_comments_do_not_make_another_campaign_and_flags_do() {
    let digest = |text: &str| read(text).unwrap().digest;
    assert_eq!(digest(GOOD), digest(&GOOD.replace("[reduce]", "# words\n[reduce]\ntime = \"9s\"")));
    assert_ne!(digest(GOOD), digest(&GOOD.replace("--no-loops", "--noloops")));
}

#[test]
fn every_mistake_is_answered_with_what_to_write() {
    for (from, to, expected) in [
        ("extension", "extention", "unknown field `extention`"),
        ("{features} ", "", "write {features}"),
        ("--seed {seed} ", "", "give the command {seed}"),
        ("-o {out}", "-o {ouput}", "no place {ouput}"),
        ("sh gen.sh", "no-such-generator", "is in no folder of PATH"),
        ("\"2s\"", "\"2\"", "write \"5s\" or \"2m\""),
        ("\"c\"", "\".c\"", "write letters only"),
        ("--no-loops", "--loops", "the same on and off"),
        ("on = \"--float\"", "on = \"--loops\"", "have one flag, `--loops`"),
        ("default = false, ", "", "no error"),
        ("p = 0.2", "p = 20", "write a number from 0 to 1"),
        ("[\"loops\"]", "[\"loop\"]", "`loop`, which is no feature; there is loops"),
        ("[\"loops\"]", "[\"float\"]", "names itself"),
        ("[\"loops\"]", "[\"kinds\"]", "`kinds` is a list or a number, which is never off"),
        ("[1, 40]", "[40, 1]", "is empty"),
        ("--depth {}", "--depth", "a place for its value"),
        ("[\"add\", \"mul\"]", "[\"add\"]", "fewer than two"),
        ("default = 20", "default = \"x\"", "write a whole number"),
        ("sh {in}", "sh", "write {in}"),
        ("with = \"one\"", "with = \"three\"", "is no other target"),
        ("among", "on = \"colour\", among", "on \"stdout\" or \"exit\""),
        ("(Assertion", "((Assertion", "does not compile"),
        ("{test} {in}", "{in}", "needs {test}"),
    ] {
        if expected == "no error" {
            assert!(read(&GOOD.replace(from, to)).is_ok(), "{from}");
            continue;
        }
        let said = error(from, to);
        assert!(said.contains(expected), "{from} -> {to}: {said}");
    }
}

#[test]
fn defaults_must_keep_what_features_say_of_each_other() {
    let loops = "loops = { on = \"--loops\", off = \"--no-loops\" }";
    let off = "loops = { on = \"--loops\", off = \"--no-loops\", default = false }";
    let said =
        format!("{:#}", read(&GOOD.replace(loops, off).replace("default = false, p", "p")).unwrap_err());
    assert!(said.contains("requires `loops`, which is not"), "{said}");
    let excludes = GOOD.replace("default = false, p = 0.2, requires", "excludes");
    let said = format!("{:#}", read(&excludes).unwrap_err());
    assert!(said.contains("both are on by default"), "{said}");
}

#[test]
fn a_file_without_targets_tests_nothing() {
    let (before, _) = GOOD.split_once("[target.one]").unwrap();
    let said = format!("{:#}", read(before).unwrap_err());
    assert!(said.contains("write [target.NAME]"), "{said}");
}
