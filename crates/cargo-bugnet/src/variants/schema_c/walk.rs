//! The walk over the functions of a C file: which statements and expressions are sites.
//!
//! **Invariant:** a site lies in the body of a function, is live code, and contains no part of an argument of a macro.

use super::super::mutation::{Alternative, Form, Site};
use super::super::operator::{Operator, Operators};
use super::scope::{Names, descendants};
use super::source::Macros;
use std::collections::BTreeMap;
use std::ops::Range;
use tree_sitter::Node;

/// The most statements from elsewhere that are inserted before one, and that replace one: more find little.
const DONORS: usize = 3;

/// A walk over one file.
pub(super) struct Walker<'a> {
    pub(super) file: usize,
    /// The parsed text.
    pub(super) text: &'a str,
    pub(super) names: &'a Names,
    pub(super) macros: &'a Macros,
    pub(super) operators: Operators,
    /// Turns a byte of the parsed text into one of the user's file.
    pub(super) original: &'a dyn Fn(usize) -> usize,
    /// Number literals and named constants of the file, in their order.
    pub(super) literals: Vec<String>,
    pub(super) named: Vec<String>,
    pub(super) function: Function<'a>,
    pub(super) sites: Vec<Site>,
    /// The beginnings of bodies of loops.
    pub(super) loops: Vec<usize>,
    pub(super) left_out: BTreeMap<&'static str, usize>,
}

/// The function that is being walked over.
#[derive(Default)]
pub(super) struct Function<'a> {
    pub(super) name: String,
    /// Conditions of the function, which may be joined to others.
    pub(super) conditions: Vec<Node<'a>>,
    /// Whole numbers that the function uses, by name.
    pub(super) numbers: Vec<String>,
    /// Statements that may be inserted elsewhere.
    donors: Vec<Node<'a>>,
    returns: Vec<String>,
}

/// The loops and switches around a statement.
#[derive(Clone, Copy, Default)]
struct Around {
    is_loop: bool,
    is_switch: bool,
}

impl<'a> Walker<'a> {
    /// Walks over every function of a file.
    pub(super) fn file(&mut self, root: Node<'a>) {
        let mut cursor = root.walk();
        let items: Vec<Node<'a>> = root.named_children(&mut cursor).collect();
        for item in items {
            match item.kind() {
                "function_definition" => self.definition(item),
                "ERROR" => self.leave_out("pieces of code that macros make unreadable"),
                _ => {}
            }
        }
    }

    pub(super) fn leave_out(&mut self, reason: &'static str) {
        *self.left_out.entry(reason).or_default() += 1;
    }

    pub(super) fn of(&self, node: Node<'_>) -> &'a str {
        &self.text[node.byte_range()]
    }

    fn definition(&mut self, node: Node<'a>) {
        let Some(body) = node.child_by_field_name("body") else { return };
        let name = node
            .child_by_field_name("declarator")
            .and_then(|head| descendants(head, "identifier").first().copied());
        self.function =
            Function { name: name.map_or("", |name| self.of(name)).to_string(), ..Function::default() };
        self.gather(body);
        self.statements(body, Around::default());
    }

    /// Notes what may be put elsewhere in the function.
    fn gather(&mut self, node: Node<'a>) {
        match node.kind() {
            "if_statement" | "while_statement" | "for_statement" | "do_statement" => {
                self.function.conditions.extend(node.child_by_field_name("condition").map(bare));
            }
            "expression_statement" if !node.has_error() => self.function.donors.push(node),
            "return_statement" => self.function.returns.push(self.of(node).to_string()),
            "identifier" => {
                let name = self.of(node).to_string();
                let known = self.names.variable(&name, node.start_byte());
                if known.is_some_and(|known| known.kind.is_whole()) && !self.function.numbers.contains(&name)
                {
                    self.function.numbers.push(name);
                }
            }
            _ => {}
        }
        let mut cursor = node.walk();
        let children: Vec<Node<'a>> = node.named_children(&mut cursor).collect();
        children.into_iter().for_each(|child| self.gather(child));
    }

    /// Walks over the statements below a block, a case or a label.
    fn statements(&mut self, block: Node<'a>, around: Around) {
        let mut cursor = block.walk();
        let value = block.child_by_field_name("value");
        let children: Vec<Node<'a>> = block.named_children(&mut cursor).collect();
        for child in children.into_iter().filter(|child| Some(*child) != value) {
            self.statement(child, around);
        }
    }

    fn statement(&mut self, node: Node<'a>, around: Around) {
        let is_leaf = !matches!(
            node.kind(),
            "compound_statement"
                | "if_statement"
                | "while_statement"
                | "for_statement"
                | "do_statement"
                | "switch_statement"
                | "case_statement"
                | "labeled_statement"
                | "else_clause"
        );
        if is_leaf && node.has_error() || node.kind() == "ERROR" {
            return self.leave_out("statements that macros make unreadable");
        }
        let in_loop = Around { is_loop: true, is_switch: false };
        match node.kind() {
            "compound_statement" | "case_statement" => self.statements(node, around),
            "labeled_statement" => self.statements(node, around),
            "else_clause" => {
                let body = node.named_child(0);
                // An `else if` is a statement of its own; a block is one that may be left out as a whole.
                if let Some(block) = body.filter(|body| body.kind() == "compound_statement") {
                    self.statement_site(block, around, false);
                }
                body.into_iter().for_each(|body| self.statement(body, around));
            }
            "declaration" => self.declaration(node),
            "expression_statement" => {
                self.statement_site(node, around, true);
                node.named_child(0).into_iter().for_each(|inner| self.effect(inner));
            }
            "return_statement" => {
                self.statement_site(node, around, true);
                node.named_child(0).into_iter().for_each(|value| self.value(value));
            }
            "break_statement" | "continue_statement" | "goto_statement" => {
                self.statement_site(node, around, true)
            }
            "if_statement" => {
                self.statement_site(node, around, true);
                self.condition_of(node);
                for part in ["consequence", "alternative"] {
                    node.child_by_field_name(part).into_iter().for_each(|part| self.statement(part, around));
                }
            }
            "switch_statement" => {
                self.statement_site(node, around, true);
                node.child_by_field_name("condition")
                    .map(bare)
                    .into_iter()
                    .for_each(|value| self.value(value));
                let around = Around { is_switch: true, ..around };
                node.child_by_field_name("body").into_iter().for_each(|body| self.statement(body, around));
            }
            "while_statement" | "do_statement" | "for_statement" => {
                self.statement_site(node, around, true);
                self.condition_of(node);
                if let Some(first) = node.child_by_field_name("initializer") {
                    match first.kind() {
                        "declaration" => self.declaration(first),
                        _ => self.effect(first),
                    }
                }
                node.child_by_field_name("update").into_iter().for_each(|update| self.effect(update));
                if let Some(body) = node.child_by_field_name("body") {
                    if body.kind() == "compound_statement" {
                        self.loops.push((self.original)(body.start_byte() + 1));
                    }
                    self.statement(body, in_loop);
                }
            }
            _ => {}
        }
    }

    fn condition_of(&mut self, node: Node<'a>) {
        if let Some(condition) = node.child_by_field_name("condition").map(bare) {
            self.condition(condition, true);
        }
    }

    /// Walks over what a declaration begins with; what is static begins with constants.
    fn declaration(&mut self, node: Node<'a>) {
        let mut cursor = node.walk();
        let is_static = node.children(&mut cursor).any(|child| {
            child.kind() == "storage_class_specifier" && matches!(self.of(child), "static" | "extern")
        });
        if is_static || node.has_error() {
            return;
        }
        let mut cursor = node.walk();
        let declarators: Vec<Node<'a>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in declarators {
            let value = declarator.child_by_field_name("value");
            if let Some(value) = value.filter(|value| value.kind() != "initializer_list") {
                let is_array = declarator
                    .child_by_field_name("declarator")
                    .is_some_and(|own| own.kind() == "array_declarator");
                if !is_array {
                    self.value(value);
                }
            }
        }
    }

    /// Makes a statement a site: it can be left out, replaced, or have another one before it.
    fn statement_site(&mut self, node: Node<'a>, around: Around, is_whole: bool) {
        let mut alternatives = Vec::new();
        if is_whole || node.named_child_count() > 0 {
            alternatives.push(alternative(Operator::Delete, String::new()));
        }
        let (is_loop, is_switch) = (around.is_loop, around.is_switch);
        match node.kind() {
            "break_statement" if is_loop => {
                alternatives.push(alternative(Operator::Jump, "continue;".into()))
            }
            "continue_statement" => alternatives.push(alternative(Operator::Jump, "break;".into())),
            "expression_statement" => {
                node.named_child(0).into_iter().for_each(|inner| self.assigned(inner, &mut alternatives));
                for donor in self.donors(node) {
                    alternatives.push(alternative(Operator::Replace, donor));
                }
            }
            _ => {}
        }
        if is_whole {
            let start = (self.original)(node.start_byte());
            let mut jumps: Vec<String> = self.function.returns.iter().take(2).cloned().collect();
            if is_loop || is_switch {
                jumps.push("break;".into());
            }
            if is_loop {
                jumps.push("continue;".into());
            }
            let is_jump = matches!(
                node.kind(),
                "return_statement" | "break_statement" | "continue_statement" | "goto_statement"
            );
            let jumps = jumps.into_iter().filter(|_| !is_jump).map(|code| (Operator::Jump, code));
            let donors = self.donors(node).into_iter().map(|code| (Operator::Insert, code));
            for (operator, code) in jumps.chain(donors) {
                alternatives.push(Alternative { operator, code: code + " ", shown: Some(start..start) });
            }
        }
        self.site(node, Form::Statement, alternatives);
    }

    /// Returns statements of the function that mean something here, the nearest first.
    fn donors(&self, node: Node<'a>) -> Vec<String> {
        let here = node.start_byte();
        let is_visible = |donor: &&Node<'a>| {
            donor.id() != node.id() && self.of(**donor) != self.of(node) && self.is_known(**donor, here)
        };
        let mut found: Vec<&Node<'a>> = self.function.donors.iter().filter(is_visible).collect();
        found.sort_by_key(|donor| donor.start_byte().abs_diff(here));
        found.dedup_by_key(|donor| self.of(**donor));
        found.into_iter().take(DONORS).map(|donor| self.of(*donor).to_string()).collect()
    }

    /// Returns whether every name of some code means the same here.
    pub(super) fn is_known(&self, code: Node<'_>, here: usize) -> bool {
        descendants(code, "identifier").into_iter().all(|name| {
            let text = self.of(name);
            let (there, here) =
                (self.names.variable(text, name.start_byte()), self.names.variable(text, here));
            there == here
        })
    }

    /// Adds a site with those alternatives that the run wants, each once.
    pub(super) fn site(&mut self, node: Node<'a>, form: Form, alternatives: Vec<Alternative>) {
        let span = (self.original)(node.start_byte())..(self.original)(node.end_byte());
        let own = self.of(node);
        // A literal that is continued on the next line cannot be written on one.
        if own.contains("\\\n") {
            return self.leave_out("places with a line that is continued by a backslash");
        }
        let mut kept: Vec<Alternative> = Vec::new();
        for mut one in alternatives {
            one.code = if one.shown.is_some() { one.code } else { joined(&one.code) };
            let is_new = |other: &Alternative| other.code != one.code || other.shown != one.shown;
            if self.operators.has(one.operator) && one.code != own && kept.iter().all(is_new) {
                kept.push(one);
            }
        }
        if !kept.is_empty() {
            let function = self.function.name.clone();
            self.sites.push(Site { file: self.file, span, form, function, alternatives: kept });
        }
    }
}

/// Returns code on one line.
pub(super) fn joined(code: &str) -> String {
    code.replace(['\n', '\r'], " ")
}

pub(super) fn alternative(operator: Operator, code: String) -> Alternative {
    Alternative { operator, code, shown: None }
}

/// Returns what is within brackets.
pub(super) fn bare(node: Node<'_>) -> Node<'_> {
    match node.kind() {
        "parenthesized_expression" => node.named_child(0).map_or(node, bare),
        _ => node,
    }
}

/// Returns sites in the order of the source, outer ones first.
pub(super) fn in_order(mut sites: Vec<Site>) -> Vec<Site> {
    let key = |span: &Range<usize>| (span.start, std::cmp::Reverse(span.end));
    sites.sort_by_key(|site| (key(&site.span), site.form != Form::Statement));
    sites
}
