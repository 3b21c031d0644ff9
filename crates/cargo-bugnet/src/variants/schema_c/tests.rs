//! Facts about the schema as a whole: which mutants a small file has, and what is written of it.

use super::super::mutation::Mutations;
use super::super::operator::Operator;
use super::*;

fn schema(text: &str) -> Schema {
    // The preprocessor leaves out what is below `#if 0`.
    let preprocessed = source::probed(text).replace("#if 0\nbugnet_live_1", "");
    let source = source::read(text, &preprocessed);
    let macros = Macros { objects: BTreeMap::from([("MOST".into(), "10".into())]), ..Macros::default() };
    let file = File { path: "a.c".into(), text: text.into(), source, macros };
    Schema::read(vec![file], Operators::Usual)
}

fn names(mutations: &Mutations) -> Vec<String> {
    mutations.mutants().into_iter().map(|mutant| mutations.name(mutant)).collect()
}

#[test]
fn a_comparison_has_its_boundary_its_neighbours_and_other_variables() {
    let text =
        "int low, high;\n#define MOST 10\nint f(int n) {\n    if (n < high) return 1;\n    return MOST;\n}\n";
    let names = names(&schema(text).mutations);
    for expected in [
        "a.c:4:9: replace n < high with n <= high in f",
        "a.c:4:9: replace n < high with n < (high) + 1 in f",
        "a.c:4:13: replace high with low in f",
        "a.c:4:13: replace high with MOST in f",
        "a.c:4:9: replace n < high with (n < high) && n == 0 in f",
        "a.c:4:5: delete if (n < high) return 1; in f",
        "a.c:5:12: replace MOST with (MOST) + 1 in f",
    ] {
        assert!(names.iter().any(|name| name == expected), "{expected} is not among\n{}", names.join("\n"));
    }
}

#[test]
fn what_is_static_code_of_macros_and_what_is_not_compiled_stays_as_it_is() {
    let text = "static int table[] = { 1, 2 };\nint f(int n) {\n#if 0\n    n = 3;\n#endif\n    static int k = 4;\n    return n;\n}\n";
    let names = names(&schema(text).mutations);
    assert!(!names.is_empty() && names.iter().all(|name| name.starts_with("a.c:7:")), "{names:?}");
}

#[test]
fn a_function_of_old_c_is_changed_at_the_places_of_the_users_file() {
    let text = "static int used;\ndone(n)\nint n;\n{\n    return n + used;\n}\n";
    let schema = schema(text);
    let swap = schema
        .mutations
        .mutants()
        .into_iter()
        .find(|mutant| schema.mutations.alternative(*mutant).operator == Operator::Swap);
    let diff = schema.mutations.diff(swap.unwrap());
    assert_eq!(
        (diff.line, diff.lines()),
        (5, vec!["-  return n + used;".into(), "+  return n - used;".into()])
    );
}

#[test]
fn every_alternative_has_a_line_of_its_own_and_an_error_there_drops_it_alone() {
    let mut schema = schema("int f(int n) {\n    return n - 1;\n}\n");
    let all = schema.mutants().len();
    let text = schema.written()[0].to_string();
    let line = text.lines().position(|line| line.contains("(n + 1); break;")).unwrap() + 1;
    let refused = schema.refuse(&format!("/tmp/a.c:{line}:3: error: no\na.c:1:1: error: yours\n"));
    assert_eq!((refused.dropped, refused.others.len(), schema.mutants().len()), (1, 1, all - 1));
    assert!(!schema.written()[0].contains("(n + 1); break;"));
}

#[test]
fn an_undeclared_name_is_dropped_everywhere_in_its_function() {
    let mut schema =
        schema("int f(int n) {\n    n = n * 2;\n    return n - 2;\n}\nint g(int n) { return n - 2; }\n");
    let text = schema.written()[0].to_string();
    let line = text.lines().position(|line| line.contains("case") && line.contains("(n) + 1")).unwrap() + 1;
    // As if `n` were brought in by others: only code that had no `n` before is dropped.
    let refused =
        schema.refuse(&format!("a.c:{line}:3: error: 'n' undeclared (first use in this function)\n"));
    let kept: Vec<String> =
        schema.mutants().into_iter().map(|mutant| schema.mutations.name(mutant)).collect();
    assert!(refused.dropped > 1, "{refused:?}");
    assert!(kept.iter().any(|name| name.contains("replace n - 2 with n in f")));
    assert!(!kept.iter().any(|name| name.contains("replace 2 with n in f")), "{kept:#?}");
    assert!(kept.iter().any(|name| name.contains("replace 2 with n in g")));
}
