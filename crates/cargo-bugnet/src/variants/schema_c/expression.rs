//! The operators on expressions of C.
//!
//! **Invariant:** where candidates are capped, named constants and variables of the same type are never the first to
//! go: without them the repair of a wrong name would not be among the mutants.

use super::super::mutation::{Alternative, Form};
use super::super::operator::Operator;
use super::scope::Type;
use super::walk::{Walker, alternative, bare, joined};
use tree_sitter::Node;

/// The most variables of the same type that are tried in the place of one. No small program has more.
const VARIABLES: usize = 40;
/// The most named constants that are tried in the place of a number.
const NAMED: usize = 40;
/// The most other numbers of the file that are tried in the place of one.
const LITERALS: usize = 12;
/// The most variables that a new condition is made of.
const ATOMS: usize = 12;
/// The most conditions of the function that are joined to one.
const CONDITIONS: usize = 10;

/// Operators that may stand for one another.
const COMPARISONS: [&str; 6] = ["<", "<=", ">", ">=", "==", "!="];
const ARITHMETIC: [&str; 5] = ["+", "-", "*", "/", "%"];
const BITS: [&str; 5] = ["&", "|", "^", "<<", ">>"];
/// Functions of the C library that take and return the same.
const ALIKE: [&[&str]; 4] = [
    &["isalpha", "isdigit", "isalnum", "isspace", "isupper", "islower", "ispunct", "isprint", "isxdigit"],
    &["toupper", "tolower"],
    &["fabs", "floor", "ceil", "sqrt", "log", "exp", "sin", "cos"],
    &["strchr", "strrchr"],
];

impl<'a> Walker<'a> {
    fn add(all: &mut Vec<Alternative>, operator: Operator, code: impl Into<String>) {
        all.push(alternative(operator, code.into()));
    }

    /// Walks over an expression that is evaluated for what it does.
    pub(super) fn effect(&mut self, node: Node<'a>) {
        match node.kind() {
            "comma_expression" => {
                for part in ["left", "right"] {
                    node.child_by_field_name(part).into_iter().for_each(|part| self.effect(part));
                }
            }
            "parenthesized_expression" => self.effect(bare(node)),
            // The statement around them is the site of these; in the head of a loop they are one themselves.
            "update_expression" | "assignment_expression" => {
                let is_statement =
                    node.parent().is_some_and(|parent| parent.kind() == "expression_statement");
                if !is_statement {
                    let mut all = Vec::new();
                    self.assigned(node, &mut all);
                    all.iter_mut().for_each(|one| one.code.truncate(one.code.trim_end_matches(';').len()));
                    self.site(node, Form::Value, all);
                }
                self.parts_of_assignment(node);
            }
            "call_expression" => self.arguments(node),
            _ => self.value(node),
        }
    }

    /// Walks over the parts of an assignment that have values: the right side, and indices on the left.
    fn parts_of_assignment(&mut self, node: Node<'a>) {
        node.child_by_field_name("right").into_iter().for_each(|right| self.value(right));
        let place = node.child_by_field_name("left").or_else(|| node.child_by_field_name("argument"));
        place.into_iter().for_each(|place| self.place(place));
    }

    /// Walks over an expression that names a place; only what is computed on the way is a value.
    fn place(&mut self, node: Node<'a>) {
        match node.kind() {
            "subscript_expression" => {
                node.child_by_field_name("index").into_iter().for_each(|index| self.value(index));
                node.child_by_field_name("argument").into_iter().for_each(|argument| self.place(argument));
            }
            "field_expression" | "parenthesized_expression" => {
                let argument = node.child_by_field_name("argument").or_else(|| node.named_child(0));
                argument.into_iter().for_each(|argument| self.place(argument));
            }
            "pointer_expression" => {
                node.child_by_field_name("argument").into_iter().for_each(|argument| {
                    match bare(argument).kind() {
                        "identifier" => {}
                        _ => self.value(argument),
                    }
                });
            }
            "call_expression" => self.arguments(node),
            _ => {}
        }
    }

    fn arguments(&mut self, node: Node<'a>) {
        let function = node.child_by_field_name("function").map_or("", |function| self.of(function));
        if self.macros.functions.contains(function) {
            return self.leave_out("arguments of macros");
        }
        let Some(list) = node.child_by_field_name("arguments") else { return };
        let mut cursor = list.walk();
        let arguments: Vec<Node<'a>> = list.named_children(&mut cursor).collect();
        arguments.into_iter().for_each(|argument| self.value(argument));
    }

    /// Walks over an expression of which only matters whether it is zero; `is_whole` unless it is an operand of `&&`,
    /// `||` or `!`.
    pub(super) fn condition(&mut self, node: Node<'a>, is_whole: bool) {
        let node = bare(node);
        let own = self.of(node);
        let mut all = self.own_alternatives(node);
        if node.kind() != "number_literal" {
            Self::add(&mut all, Operator::Constant, "1");
            Self::add(&mut all, Operator::Constant, "0");
        }
        if is_whole {
            for other in self.other_conditions(node) {
                Self::add(&mut all, Operator::Conjunct, format!("({own}) && ({other})"));
                Self::add(&mut all, Operator::Conjunct, format!("({own}) && !({other})"));
                Self::add(&mut all, Operator::Conjunct, format!("({own}) || ({other})"));
            }
            for name in self.atoms(node) {
                for atom in ["== 0", "!= 0", "> 0", "== 1"] {
                    Self::add(&mut all, Operator::Conjunct, format!("({own}) && {name} {atom}"));
                    Self::add(&mut all, Operator::Conjunct, format!("({own}) || {name} {atom}"));
                }
            }
        }
        self.site(node, Form::Condition, all);
        self.inside(node);
    }

    fn other_conditions(&self, node: Node<'a>) -> Vec<String> {
        let here = node.start_byte();
        let mut found: Vec<(usize, String)> = Vec::new();
        for condition in &self.function.conditions {
            let text = joined(self.of(*condition));
            // What changes something is no condition to be asked twice.
            let is_pure = !text.contains("++") && !text.contains("--") && !changes(*condition);
            let is_new = text != joined(self.of(node)) && found.iter().all(|(_, other)| *other != text);
            if is_pure && is_new && self.is_known(*condition, here) {
                found.push((condition.start_byte().abs_diff(here), text));
            }
        }
        found.sort();
        found.into_iter().take(CONDITIONS).map(|(_, text)| text).collect()
    }

    /// Returns the whole numbers that the function uses and that are in force here.
    fn atoms(&self, node: Node<'a>) -> Vec<String> {
        let here = node.start_byte();
        let is_here =
            |name: &&String| self.names.variable(name, here).is_some_and(|variable| variable.kind.is_whole());
        self.function.numbers.iter().filter(is_here).take(ATOMS).cloned().collect()
    }

    /// Walks over an expression whose value is used.
    pub(super) fn value(&mut self, node: Node<'a>) {
        let node = bare(node);
        match node.kind() {
            "comma_expression" => {
                node.child_by_field_name("left").into_iter().for_each(|left| self.effect(left));
                node.child_by_field_name("right").into_iter().for_each(|right| self.value(right));
            }
            "cast_expression" => {
                node.child_by_field_name("value").into_iter().for_each(|value| self.value(value))
            }
            "assignment_expression" => self.parts_of_assignment(node),
            _ => {
                let all = self.own_alternatives(node);
                self.site(node, Form::Value, all);
                self.inside(node);
            }
        }
    }

    /// Walks over the operands of an expression.
    fn inside(&mut self, node: Node<'a>) {
        let field = |name| node.child_by_field_name(name);
        match node.kind() {
            "binary_expression" => {
                let is_logical = matches!(self.operator(node), "&&" | "||");
                for side in [field("left"), field("right")].into_iter().flatten() {
                    if is_logical { self.condition(side, false) } else { self.value(side) }
                }
            }
            "unary_expression" if self.operator(node) == "!" => {
                field("argument").into_iter().for_each(|argument| self.condition(argument, false));
            }
            "unary_expression" => field("argument").into_iter().for_each(|argument| self.value(argument)),
            "conditional_expression" => {
                field("condition").into_iter().for_each(|condition| self.condition(condition, true));
                for part in [field("consequence"), field("alternative")].into_iter().flatten() {
                    self.value(part);
                }
            }
            "call_expression" => self.arguments(node),
            "update_expression" => field("argument").into_iter().for_each(|argument| self.place(argument)),
            "assignment_expression" => self.parts_of_assignment(node),
            "subscript_expression" | "field_expression" => self.place(node),
            "pointer_expression" if self.operator(node) == "*" => self.place(node),
            "pointer_expression" => field("argument").into_iter().for_each(|argument| self.place(argument)),
            "cast_expression" => field("value").into_iter().for_each(|value| self.value(value)),
            _ => {}
        }
    }

    fn operator(&self, node: Node<'a>) -> &'a str {
        node.child_by_field_name("operator").map_or("", |operator| self.of(operator))
    }

    /// Returns what can stand in the place of an expression.
    fn own_alternatives(&self, node: Node<'a>) -> Vec<Alternative> {
        let mut all = Vec::new();
        match node.kind() {
            "binary_expression" => self.binary(node, &mut all),
            "identifier" => self.identifier(node, &mut all),
            "number_literal" | "char_literal" | "true" | "false" => self.literal(node, &mut all),
            "string_literal" if self.of(node) != "\"\"" => Self::add(&mut all, Operator::Literal, "\"\""),
            "call_expression" => self.call(node, &mut all),
            "field_expression" => self.field(node, &mut all),
            "subscript_expression" => self.by_one(node, Operator::VariableByOne, &mut all),
            "pointer_expression" if self.operator(node) == "*" => {
                self.by_one(node, Operator::VariableByOne, &mut all);
            }
            "update_expression" => self.update(node, &mut all),
            "unary_expression" => self.unary(node, &mut all),
            "conditional_expression" => {
                for part in ["consequence", "alternative"] {
                    let part = node.child_by_field_name(part).map(|part| self.of(part));
                    part.into_iter().for_each(|part| Self::add(&mut all, Operator::Side, part));
                }
            }
            _ => {}
        }
        all
    }

    fn by_one(&self, node: Node<'a>, operator: Operator, all: &mut Vec<Alternative>) {
        let own = self.of(node);
        Self::add(all, operator, format!("({own}) + 1"));
        Self::add(all, operator, format!("({own}) - 1"));
    }

    fn binary(&self, node: Node<'a>, all: &mut Vec<Alternative>) {
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return;
        };
        let (left, right, operator) = (self.of(left), self.of(right), self.operator(node));
        let groups: [&[&str]; 3] = [&COMPARISONS, &ARITHMETIC, &BITS];
        let group = groups.into_iter().find(|group| group.contains(&operator)).unwrap_or_default();
        for other in group.iter().filter(|other| **other != operator) {
            Self::add(all, Operator::Swap, format!("{left} {other} {right}"));
        }
        if COMPARISONS.contains(&operator) {
            for shift in ["+ 1", "- 1"] {
                Self::add(all, Operator::Boundary, format!("{left} {operator} ({right}) {shift}"));
            }
            Self::add(all, Operator::Constant, "1");
            Self::add(all, Operator::Constant, "0");
        } else if matches!(operator, "&&" | "||") {
            Self::add(all, Operator::Side, left);
            Self::add(all, Operator::Side, right);
            let other = if operator == "&&" { "||" } else { "&&" };
            Self::add(all, Operator::Swap, format!("({left}) {other} ({right})"));
            for operator in [operator, other] {
                Self::add(all, Operator::Side, format!("({left}) {operator} !({right})"));
                Self::add(all, Operator::Side, format!("!({left}) {operator} ({right})"));
            }
        } else {
            self.by_one(node, Operator::ResultByOne, all);
            Self::add(all, Operator::Side, left);
            Self::add(all, Operator::Side, right);
        }
    }

    fn identifier(&self, node: Node<'a>, all: &mut Vec<Alternative>) {
        let (name, here) = (self.of(node), node.start_byte());
        if let Some(variable) = self.names.variable(name, here) {
            self.variables(&variable.kind, here, all);
            if variable.kind.is_number() {
                self.by_one(node, Operator::VariableByOne, all);
                Self::add(all, Operator::Unary, format!("-({name})"));
                Self::add(all, Operator::Literal, "0");
                Self::add(all, Operator::Literal, "1");
            }
            if variable.kind.is_whole() {
                self.constants(all);
            } else if variable.kind.stars > 0 && !variable.is_array {
                self.by_one(node, Operator::VariableByOne, all);
            }
        } else if self.named.iter().any(|named| named == name) {
            self.numbers(node, all);
        }
    }

    fn variables(&self, kind: &Type, here: usize, all: &mut Vec<Alternative>) {
        let same = self.names.at(here).into_iter().filter(|other| other.kind == *kind).take(VARIABLES);
        same.for_each(|other| Self::add(all, Operator::Variable, other.name.clone()));
    }

    fn constants(&self, all: &mut Vec<Alternative>) {
        self.named.iter().take(NAMED).for_each(|name| Self::add(all, Operator::Literal, name.clone()));
    }

    /// Numbers that can stand in the place of a literal or a named constant.
    fn numbers(&self, node: Node<'a>, all: &mut Vec<Alternative>) {
        self.by_one(node, Operator::Literal, all);
        ["0", "1", "-1"].into_iter().for_each(|number| Self::add(all, Operator::Literal, number));
        self.constants(all);
        self.literals
            .iter()
            .take(LITERALS)
            .for_each(|number| Self::add(all, Operator::Literal, number.clone()));
    }

    fn literal(&self, node: Node<'a>, all: &mut Vec<Alternative>) {
        self.numbers(node, all);
        let int = Type { base: "int".into(), stars: 0 };
        let near = self.names.at(node.start_byte()).into_iter().filter(|other| other.kind == int).take(ATOMS);
        near.for_each(|other| Self::add(all, Operator::Variable, other.name.clone()));
    }

    fn call(&self, node: Node<'a>, all: &mut Vec<Alternative>) {
        let Some(function) = node.child_by_field_name("function") else { return };
        let (name, own) = (self.of(function), self.of(node));
        let known = self.names.functions.get(name);
        if known.is_none_or(|known| known.result.is_number()) {
            self.by_one(node, Operator::CallByOne, all);
            Self::add(all, Operator::Constant, "0");
            Self::add(all, Operator::Constant, "1");
        }
        let rest = &own[name.len().min(own.len())..];
        for other in self.functions_like(name, node.start_byte()) {
            Self::add(all, Operator::Method, format!("{other}{rest}"));
        }
        let Some(list) = node.child_by_field_name("arguments") else { return };
        let mut cursor = list.walk();
        for argument in list.named_children(&mut cursor) {
            Self::add(all, Operator::Argument, self.of(argument));
        }
    }

    /// Returns functions that take and return the same.
    fn functions_like(&self, name: &str, here: usize) -> Vec<String> {
        if let Some(alike) = ALIKE.into_iter().find(|alike| alike.contains(&name)) {
            return alike.iter().map(|other| (*other).to_string()).collect();
        }
        let Some(known) = self.names.functions.get(name) else { return Vec::new() };
        let is_alike = |other: &super::scope::Signature| {
            other.from < here && other.result == known.result && other.parameters == known.parameters
        };
        let others = self.names.functions.iter().filter(|(_, other)| is_alike(other));
        others.map(|(other, _)| other.clone()).filter(|other| other != "main").take(VARIABLES).collect()
    }

    fn field(&self, node: Node<'a>, all: &mut Vec<Alternative>) {
        let Some(field) = node.child_by_field_name("field") else { return };
        let before = &self.text[node.start_byte()..field.start_byte()];
        for other in self.names.siblings(self.of(field)) {
            Self::add(all, Operator::Variable, format!("{before}{other}"));
        }
        self.by_one(node, Operator::VariableByOne, all);
        Self::add(all, Operator::Literal, "0");
        Self::add(all, Operator::Literal, "1");
    }

    fn update(&self, node: Node<'a>, all: &mut Vec<Alternative>) {
        let Some(argument) = node.child_by_field_name("argument").map(|argument| self.of(argument)) else {
            return;
        };
        for code in [
            format!("{argument}++"),
            format!("++{argument}"),
            format!("{argument}--"),
            format!("--{argument}"),
            argument.to_string(),
        ] {
            Self::add(all, Operator::Increment, code);
        }
    }

    fn unary(&self, node: Node<'a>, all: &mut Vec<Alternative>) {
        let argument = node.child_by_field_name("argument").map(|argument| self.of(argument));
        argument.into_iter().for_each(|argument| Self::add(all, Operator::Unary, argument));
        if self.operator(node) == "-" {
            self.by_one(node, Operator::Literal, all);
        }
    }

    /// Adds what can stand in the place of an assignment, as a statement.
    pub(super) fn assigned(&self, node: Node<'a>, all: &mut Vec<Alternative>) {
        if node.kind() == "update_expression" {
            let mut codes = Vec::new();
            self.update(node, &mut codes);
            all.extend(codes.into_iter().map(|one| Alternative { code: one.code + ";", ..one }));
            return;
        }
        if node.kind() != "assignment_expression" {
            return;
        }
        let (Some(left), Some(right)) = (node.child_by_field_name("left"), node.child_by_field_name("right"))
        else {
            return;
        };
        let (target, value, operator) = (self.of(left), self.of(right), self.operator(node));
        let group: &[&str] = match operator {
            "=" => &["+=", "-="],
            _ if BITS.contains(&operator.trim_end_matches('=')) => &["&=", "|=", "^=", "<<=", ">>=", "="],
            _ => &["+=", "-=", "*=", "/=", "="],
        };
        for other in group.iter().filter(|other| **other != operator) {
            Self::add(all, Operator::Swap, format!("{target} {other} {value};"));
        }
        let others: Vec<String> = match left.kind() {
            "identifier" => {
                let here = node.start_byte();
                let kind = self.names.variable(target, here).map(|variable| &variable.kind);
                let is_same = |other: &&super::scope::Variable| Some(&other.kind) == kind && !other.is_array;
                let same = self.names.at(here).into_iter().filter(is_same);
                same.map(|other| other.name.clone()).take(VARIABLES).collect()
            }
            "field_expression" => {
                let field =
                    left.child_by_field_name("field").map(|field| (field.start_byte(), self.of(field)));
                let (place, name) = field.unwrap_or((left.start_byte(), ""));
                let before = &self.text[left.start_byte()..place];
                self.names.siblings(name).into_iter().map(|other| format!("{before}{other}")).collect()
            }
            _ => Vec::new(),
        };
        others
            .iter()
            .for_each(|other| Self::add(all, Operator::Variable, format!("{other} {operator} {value};")));
        for constant in ["0", "1"] {
            Self::add(all, Operator::Literal, format!("{target} {operator} {constant};"));
        }
    }
}

/// Returns whether code assigns something.
fn changes(node: Node<'_>) -> bool {
    !super::scope::descendants(node, "assignment_expression").is_empty()
}
