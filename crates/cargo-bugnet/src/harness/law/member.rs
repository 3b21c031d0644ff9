//! Members: what is put into a collection is in it, and what is taken out is not.

use super::super::outcome::{self, Wrap};
use super::super::solver::Solver;
use super::super::standard;
use super::draft::{Draft, MOST, Writer, again};
use super::{Method, Receiver, behind, called, is_compared, owned};
use crate::api::{Bound, Kind};

/// The laws of what is put in and taken out.
pub(super) fn laws(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    contained(writer, methods);
    of_sets(writer, methods);
    of_maps(writer, methods);
    of_ends(writer, methods, solver);
    cut(writer, methods);
    if is_compared(solver, writer.kind) {
        emptied(writer, methods, super::has(solver, writer.kind, "std::default::Default"));
        extended(writer, methods, solver);
    }
}

/// `contains` knows what `iter` yields, and nothing else.
fn contained(writer: &mut Writer<'_>, methods: &[Method]) {
    let (Some(contains), Some(_)) = (called(methods, "contains", 1), called(methods, "iter", 0)) else {
        return;
    };
    let reason = "what `iter` yields is what `contains` knows";
    let ways = ["item", "&item", "*item"];
    let known = ways.map(|way| format!("{{0}}.iter().take({MOST}).all(|item| {{0}}.contains({way}))"));
    writer.add(Draft::new("items_are_contained", reason, known));
    let item = behind(&contains.inputs[0]);
    if standard::is_drawn(item) {
        let by = if *item == contains.inputs[0] { "" } else { "&" };
        let ways = ["item == wanted", "*item == wanted"].map(|same| {
            format!("{{ let wanted: {} = {{1}}; {{0}}.iter().nth({MOST}).is_some() || {{0}}.contains({by}wanted{}) == {{0}}.iter().any(|item| {same}) }}",
                item.text(crate::api::Lifetimes::Inferred), if by.is_empty() && !standard::is_scalar(item) { ".clone()" } else { "" })
        });
        writer.add(Draft::new("contained_is_an_item", reason, ways).given([item]));
    }
}

/// A change of a collection, and where it is seen.
struct Change {
    /// The call, before what is said of its effect.
    call: String,
    /// The collection that has the change.
    seen: &'static str,
}

impl Change {
    /// Calls a function that changes its collection, or gives another that has the change.
    fn of(method: &Method, kind: &Kind, arguments: &str) -> Option<Change> {
        let call = format!("{{0}}.{}({arguments})", method.name);
        let gives_another = behind(outcome::unwrapped(&method.output).1) == kind;
        match method.receiver {
            Receiver::Mutable => Some(Change { call: method.unless_refused(&call), seen: "{0}" }),
            Receiver::Shared if !gives_another => {
                Some(Change { call: method.unless_refused(&call), seen: "{0}" })
            }
            Receiver::Shared if method.output == *kind => {
                Some(Change { call: format!("let new = {call};"), seen: "new" })
            }
            _ => None,
        }
    }

    /// The same for a removal, which says `false` or `None` where nothing was there to remove. An error says that it was not
    /// done.
    fn removing(self) -> Change {
        if self.call.ends_with(".is_err() ||") {
            return self;
        }
        let call = self.call.trim_end_matches(" ||").trim_end_matches(".is_none()").trim_start_matches('!');
        Change { call: format!("{};", call.trim_end_matches(';')), ..self }
    }

    /// The law that something is seen of the change.
    fn law(&self, name: &str, reason: &str, seen: &[String]) -> Draft {
        let conditions: Vec<String> =
            seen.iter().map(|seen| format!("{{ {} {} }}", self.call, seen.replace('§', self.seen))).collect();
        let law = Draft::new(name, reason, conditions);
        if self.seen == "{0}" { law.changing() } else { law }
    }
}

/// Ways to name a key.
const KEYS: [&str; 2] = ["&{1}", "{1}"];

/// Sets: what was inserted is contained, and what was removed is not.
fn of_sets(writer: &mut Writer<'_>, methods: &[Method]) {
    let (Some(insert), Some(_)) = (called(methods, "insert", 1), called(methods, "contains", 1)) else {
        return;
    };
    let key = &insert.inputs[0];
    let Some(put) = Change::of(insert, writer.kind, &again(1, key)).filter(|_| standard::is_drawn(key))
    else {
        return;
    };
    let contained = KEYS.map(|way| format!("§.contains({way})"));
    let law = put.law("insert_is_contained", "what was inserted is contained", &contained);
    writer.add(law.given([key]));
    // A collection that can hold an item more than once may still contain it after a removal.
    let is_set = insert.output.is("bool") || put.seen == "new";
    let Some(remove) = called(methods, "remove", 1).filter(|_| is_set) else { return };
    for way in KEYS {
        let Some(taken) = Change::of(remove, writer.kind, way).map(Change::removing) else { return };
        let reason = "what was removed is contained no more";
        let law = taken.law("remove_is_not_contained", reason, &[format!("!§.contains({way})")]);
        writer.add_way(law.given([key]));
    }
}

/// Maps: what was inserted is got, and what was removed is not.
fn of_maps(writer: &mut Writer<'_>, methods: &[Method]) {
    let Some(insert) = called(methods, "insert", 2) else { return };
    if !insert.inputs.iter().all(standard::is_drawn) {
        return;
    }
    let (key, value) = (&insert.inputs[0], &insert.inputs[1]);
    let arguments = format!("{}, {}", again(1, key), again(2, value));
    let Some(put) = Change::of(insert, writer.kind, &arguments) else { return };
    if called(methods, "contains_key", 1).is_some() {
        let contained = ["§.contains_key(&{1})".to_string()];
        let law = put.law("insert_is_contained", "what was inserted is contained", &contained);
        writer.add(law.given([key, value]));
    }
    if called(methods, "get", 1).is_none() || keeps_several(methods, value) {
        return;
    }
    let got = ["§.get(&{1}) == Some(&{2})", "§.get({1}) == Some(&{2})", "§.get(&{1}) == Some({2})"];
    let got = got.map(str::to_string);
    let law = put.law("insert_is_got", "what was inserted is what is got", &got);
    writer.add(law.given([key, value]));
    let is_map = outcome::unwrapped(&insert.output).0 == Wrap::Option || put.seen == "new";
    let Some(remove) = called(methods, "remove", 1).filter(|_| is_map) else { return };
    for way in KEYS {
        let Some(taken) = Change::of(remove, writer.kind, way).map(Change::removing) else { return };
        let reason = "what was removed is got no more";
        let law = taken.law("remove_is_not_got", reason, &[format!("§.get({way}).is_none()")]);
        writer.add_way(law.given([key]));
    }
}

/// Returns true if a map keeps several values for a key, so that `get` may give another one than the last: what is removed
/// is then a list of them.
fn keeps_several(methods: &[Method], value: &Kind) -> bool {
    let is_list = |kind: &Kind| match kind {
        Kind::Slice(of) | Kind::Array { of, .. } => **of == *value,
        Kind::Named { arguments, .. } => arguments.first() == Some(value) && kind.is("std::vec::Vec"),
        _ => false,
    };
    called(methods, "remove", 1).is_some_and(|remove| is_list(behind(outcome::unwrapped(&remove.output).1)))
}

/// A value that was pushed to an end is popped from it.
fn of_ends(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    // A collection without a last item may be a heap or a queue.
    let is_stack = ["last", "last_mut"].iter().any(|name| called(methods, name, 0).is_some())
        || super::has(solver, writer.kind, "std::ops::Deref");
    for end in ["", "_back", "_front"].into_iter().filter(|end| !end.is_empty() || is_stack) {
        let (push, pop) = (format!("push{end}"), format!("pop{end}"));
        let (Some(put), Some(taken)) = (called(methods, &push, 1), called(methods, &pop, 0)) else {
            continue;
        };
        let item = &put.inputs[0];
        let is_plain = put.output == Kind::unit() && called(methods, "peek", 0).is_none();
        if !is_plain || !standard::is_drawn(item) || outcome::unwrapped(&taken.output).1 != item {
            continue;
        }
        let condition = format!("{{ {{0}}.{push}({}); {{0}}.{pop}() == Some({{1}}) }}", again(1, item));
        let reason = format!("`{pop}` takes what `{push}` has just put there");
        writer.add(Draft::new(format!("{push}_is_popped"), reason, [condition]).changing().given([item]));
    }
}

/// A collection that was cut has the length that was asked for.
fn cut(writer: &mut Writer<'_>, methods: &[Method]) {
    let place = Kind::named("usize");
    let Some(len) = called(methods, "len", 0) else { return };
    let cuts = |name: &str| {
        called(methods, name, 1)
            .filter(|cut| cut.inputs[0] == place && cut.receiver == Receiver::Mutable && len.output == place)
    };
    if let Some(truncate) = cuts("truncate") {
        let call = truncate.unless_refused("{0}.truncate({1})");
        let condition = format!("{{ let before = {{0}}.len(); {call} {{0}}.len() == before.min({{1}}) }}");
        let reason = "what is truncated has the length that was asked for, or its own if that is less";
        let law = Draft::new("truncate_is_short", reason, [condition]);
        writer.add(law.changing().given([&place]));
    }
    if cuts("split_off").is_some_and(|cut| cut.output == *writer.kind) {
        let condition = "{ let before = {0}.len(); let place = {1}.min(before); let rest = {0}.split_off(place); {0}.len() == place && rest.len() == before - place }";
        let reason = "what is split off and what is left are together what was there";
        let law = Draft::new("split_off_splits", reason, [condition.to_string()]);
        writer.add(law.changing().given([&place]));
    }
}

/// A collection that was cleared is empty, and like new.
fn emptied(writer: &mut Writer<'_>, methods: &[Method], has_default: bool) {
    for name in ["clear", "reset"] {
        // Some types are cleared by setting everything to nothing, and keep their length.
        let empties = |method: &Method| {
            method.receiver == Receiver::Mutable && (method.facts.empties || name == "reset")
        };
        let Some(clear) = called(methods, name, 0).filter(|method| empties(method)) else { continue };
        let call = clear.unless_refused(&format!("new.{name}()"));
        let cleared = format!("{{ let mut new = {{0}}.clone(); {call} ");
        if name == "clear" && called(methods, "is_empty", 0).is_some() {
            let condition = format!("{cleared}new.is_empty() }}");
            writer.add(Draft::new("clear_is_empty", "what was cleared is empty", [condition]));
        }
        let new = owned(methods, "new", 0).filter(|new| new.output == *writer.kind);
        let fresh = match (new, has_default) {
            (Some(_), _) => format!("{}::new()", writer.kind.prefix()),
            (None, true) => format!("{}::default()", writer.kind.prefix()),
            _ => continue,
        };
        let condition = format!("{cleared}new == {fresh} }}");
        let reason = "what was cleared or reset is as good as new";
        writer.add(Draft::new(format!("{name}_is_new"), reason, [condition]));
    }
}

/// `extend` is a loop of `push` or `insert`.
fn extended(writer: &mut Writer<'_>, methods: &[Method], solver: &Solver<'_>) {
    let one = ["push", "push_back", "insert", "add"].iter().find_map(|name| called(methods, name, 1));
    let is_fit = |one: &&Method| standard::is_drawn(&one.inputs[0]) && one.receiver == Receiver::Mutable;
    let Some(one) = one.filter(is_fit) else { return };
    let bound = Bound { arguments: vec![one.inputs[0].clone()], ..Bound::named("std::iter::Extend") };
    if solver.holds(writer.kind, &bound) == Some(false) {
        return;
    }
    let list = Kind::generic("std::vec::Vec", [one.inputs[0].clone()]);
    let name = &one.name;
    let add = one.noting_refusal(&format!("by_one.{name}(x)"));
    let (noted, unless) = match add.starts_with("is_refused") {
        true => ("let mut is_refused = false; ", "is_refused || "),
        false => ("", ""),
    };
    // What has no room for all of them may panic in `extend`, so they are added one by one first.
    let condition = format!(
        "{{ let (mut at_once, mut by_one) = ({{0}}.clone(), {{0}}.clone()); {noted}for x in {{1}}.clone() {{ {add} }} {unless}{{ at_once.extend({{1}}.clone()); at_once == by_one }} }}"
    );
    let reason = "to extend by items is to add each of them";
    writer.add(Draft::new(format!("extend_is_{name}"), reason, [condition]).given([&list]));
}
