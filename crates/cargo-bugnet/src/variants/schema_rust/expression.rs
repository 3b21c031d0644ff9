//! Alternatives of an expression: what can stand in its place and still has its type.
//!
//! **Invariant:** an alternative is proposed where the written types let it compile; what the compiler refuses
//! all the same is dropped later.

use super::super::operator::Operator;
use super::kind::{Kind, Scope, Tables, is_question};
use syn::spanned::Spanned;
use syn::visit::Visit;
use syn::{BinOp, Expr, Lit, UnOp};

/// An operator, and the code that it puts in the place of an expression.
pub(super) type Proposal = (Operator, String);

/// The most other variables that stand in the place of one.
const VARIABLES: usize = 2;
/// The most variables that a condition is joined with.
const CONJUNCTS: usize = 2;

/// Methods that are mistaken for each other.
const METHODS: [(&str, &str); 20] = [
    ("min", "max"),
    ("first", "last"),
    ("push_back", "push_front"),
    ("pop_back", "pop_front"),
    ("any", "all"),
    ("is_some", "is_none"),
    ("is_ok", "is_err"),
    ("starts_with", "ends_with"),
    ("strip_prefix", "strip_suffix"),
    ("trim_start", "trim_end"),
    ("to_uppercase", "to_lowercase"),
    ("to_ascii_uppercase", "to_ascii_lowercase"),
    ("floor", "ceil"),
    ("checked_add", "checked_sub"),
    ("saturating_add", "saturating_sub"),
    ("wrapping_add", "wrapping_sub"),
    ("find", "rfind"),
    ("split_at", "split_at_mut"),
    ("is_lt", "is_le"),
    ("is_gt", "is_ge"),
];

/// The surroundings of an expression.
#[derive(Debug, Clone, Copy)]
pub(super) struct Context<'a> {
    pub(super) text: &'a str,
    pub(super) scope: &'a Scope,
    pub(super) tables: &'a Tables,
    /// True if the expression is the condition of a `while`, which must not become true for ever.
    pub(super) is_loop: bool,
    /// True if the expression is a side of a comparison, which has boundaries of its own.
    pub(super) is_compared: bool,
}

impl<'a> Context<'a> {
    /// Returns the code of an expression as the user wrote it.
    fn code(self, expression: &Expr) -> &'a str {
        self.text.get(expression.span().byte_range()).unwrap_or_default()
    }

    /// Returns the code of an expression as an operand of any operator.
    fn operand(self, expression: &Expr) -> String {
        let code = self.code(expression);
        match expression {
            Expr::Path(_)
            | Expr::Lit(_)
            | Expr::MethodCall(_)
            | Expr::Call(_)
            | Expr::Field(_)
            | Expr::Index(_)
            | Expr::Paren(_)
            | Expr::Try(_) => code.to_string(),
            _ => format!("({code})"),
        }
    }

    fn kind(self, expression: &Expr) -> Option<Kind> {
        self.scope.kind(expression, self.tables)
    }

    fn is_integer(self, expression: &Expr) -> bool {
        self.kind(expression).is_some_and(|kind| kind.is_integer())
    }

    /// Returns true and false, as far as they can stand here.
    fn constants(self) -> impl Iterator<Item = Proposal> {
        let values = if self.is_loop { &["false"][..] } else { &["true", "false"] };
        values.iter().map(|value| (Operator::Constant, value.to_string()))
    }

    /// Returns what can stand in the place of an expression.
    pub(super) fn proposals(self, expression: &Expr) -> Vec<Proposal> {
        match expression {
            Expr::Binary(binary) => self.binary(binary),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Lit(literal) => literal_proposals(&literal.lit),
            Expr::Path(path) if path.path.get_ident().is_some() => self.variable(expression),
            Expr::Field(_) => self.number(expression, Operator::VariableByOne),
            Expr::MethodCall(call) => self.method(expression, call),
            Expr::Call(call) => self.call(expression, call),
            _ => Vec::new(),
        }
    }

    fn binary(self, binary: &syn::ExprBinary) -> Vec<Proposal> {
        let (left, right) = (self.operand(&binary.left), self.operand(&binary.right));
        let with = |operator: &str| (Operator::Swap, format!("{left} {operator} {right}"));
        let sides = [&binary.left, &binary.right];
        let is_integer = sides.iter().any(|side| self.is_integer(side));
        let mut found: Vec<Proposal> = match binary.op {
            BinOp::Lt(_) => ["<=", "!=", ">"].map(with).to_vec(),
            BinOp::Le(_) => ["<", "=="].map(with).to_vec(),
            // Most numbers have no sign, so `> 0` and `!= 0` are the same.
            BinOp::Gt(_) if right == "0" => [">=", "<"].map(with).to_vec(),
            BinOp::Gt(_) => [">=", "!=", "<"].map(with).to_vec(),
            BinOp::Ge(_) => [">", "=="].map(with).to_vec(),
            BinOp::Eq(_) if is_integer => ["!=", "<=", ">="].map(with).to_vec(),
            BinOp::Ne(_) if is_integer => ["==", "<", ">"].map(with).to_vec(),
            BinOp::Eq(_) => vec![with("!=")],
            BinOp::Ne(_) => vec![with("==")],
            BinOp::And(_) | BinOp::Or(_) if sides.iter().any(|side| has_let(side)) => return Vec::new(),
            BinOp::And(_) => self.sides(binary, "||"),
            BinOp::Or(_) => self.sides(binary, "&&"),
            _ => return self.arithmetic(binary),
        };
        match binary.op {
            BinOp::Lt(_) | BinOp::Ge(_) if is_integer => found.extend(self.boundary(binary, true, false)),
            BinOp::Le(_) | BinOp::Gt(_) if is_integer => found.extend(self.boundary(binary, false, true)),
            BinOp::Eq(_) | BinOp::Ne(_) if is_integer => found.extend(self.boundary(binary, true, true)),
            _ => {}
        }
        if !matches!(binary.op, BinOp::And(_) | BinOp::Or(_)) {
            found.extend(self.constants());
        }
        found
    }

    /// Returns a comparison with one added to a side.
    fn boundary(self, binary: &syn::ExprBinary, is_left: bool, is_right: bool) -> Vec<Proposal> {
        let (left, right) = (self.operand(&binary.left), self.operand(&binary.right));
        let operator = self.text.get(binary.op.span().byte_range()).unwrap_or_default();
        let first = is_left.then(|| format!("{left} + 1 {operator} {right}"));
        let second = is_right.then(|| format!("{left} {operator} {right} + 1"));
        first.into_iter().chain(second).map(|code| (Operator::Boundary, code)).collect()
    }

    fn sides(self, binary: &syn::ExprBinary, other: &str) -> Vec<Proposal> {
        let (left, right) = (self.operand(&binary.left), self.operand(&binary.right));
        let own = if other == "||" { "&&" } else { "||" };
        vec![
            (Operator::Side, left.clone()),
            (Operator::Side, right.clone()),
            (Operator::Swap, format!("{left} {other} {right}")),
            (Operator::Side, format!("{left} {own} !{right}")),
        ]
    }

    fn arithmetic(self, binary: &syn::ExprBinary) -> Vec<Proposal> {
        let (left, right) = (self.operand(&binary.left), self.operand(&binary.right));
        let kinds = [&binary.left, &binary.right].map(|side| self.kind(side));
        let is_text = kinds.iter().flatten().any(|kind| matches!(kind, Kind::Text | Kind::Other(_)));
        let is_number = kinds.iter().flatten().any(Kind::is_number);
        let others: &[&str] = match binary.op {
            BinOp::Add(_) if is_number => &["-", "*"],
            BinOp::Add(_) if !is_text => &["-"],
            BinOp::Sub(_) => &["+"],
            BinOp::Mul(_) if is_number => &["+", "/"],
            BinOp::Mul(_) => &["/"],
            BinOp::Div(_) => &["*"],
            BinOp::Rem(_) if is_number => &["/", "*"],
            BinOp::Rem(_) => &["/"],
            BinOp::BitAnd(_) => &["|"],
            BinOp::BitOr(_) => &["&"],
            BinOp::BitXor(_) => &["|", "&"],
            BinOp::Shl(_) => &[">>"],
            BinOp::Shr(_) => &["<<"],
            BinOp::AddAssign(_) if !is_text => &["-="],
            BinOp::SubAssign(_) => &["+="],
            BinOp::MulAssign(_) if is_number => &["+=", "/="],
            BinOp::DivAssign(_) => &["*="],
            BinOp::RemAssign(_) => &["/="],
            BinOp::BitAndAssign(_) => &["|="],
            BinOp::BitOrAssign(_) => &["&="],
            BinOp::BitXorAssign(_) => &["|="],
            BinOp::ShlAssign(_) => &[">>="],
            BinOp::ShrAssign(_) => &["<<="],
            _ => &[],
        };
        others.iter().map(|other| (Operator::Swap, format!("{left} {other} {right}"))).collect()
    }

    fn unary(self, unary: &syn::ExprUnary) -> Vec<Proposal> {
        match (&unary.op, &*unary.expr) {
            (UnOp::Neg(_), Expr::Lit(literal)) => {
                let negative = |(operator, code): Proposal| (operator, format!("-{code}"));
                literal_proposals(&literal.lit).into_iter().map(negative).collect()
            }
            (UnOp::Not(_) | UnOp::Neg(_), operand) => vec![(Operator::Unary, self.operand(operand))],
            _ => Vec::new(),
        }
    }

    /// Returns an integer that is off by one.
    fn number(self, expression: &Expr, operator: Operator) -> Vec<Proposal> {
        if !self.is_integer(expression) || self.is_compared {
            return Vec::new();
        }
        let code = self.operand(expression);
        ["+", "-"].map(|sign| (operator, format!("{code} {sign} 1"))).to_vec()
    }

    fn variable(self, expression: &Expr) -> Vec<Proposal> {
        let (code, Some(kind)) = (self.code(expression), self.kind(expression)) else { return Vec::new() };
        let mut found = self.number(expression, Operator::VariableByOne);
        if kind == Kind::Bool {
            found.extend(self.constants());
        }
        if kind.is_plain() && kind != Kind::AnyInteger {
            let others = self.scope.alike(&kind).into_iter().filter(|other| other.name != code);
            found.extend(others.take(VARIABLES).map(|other| (Operator::Variable, other.name.clone())));
        }
        found
    }

    fn method(self, expression: &Expr, call: &syn::ExprMethodCall) -> Vec<Proposal> {
        let name = call.method.to_string();
        let mut found = Vec::new();
        if is_question(&name) {
            found.extend(self.constants());
        }
        if ["len", "count"].contains(&name.as_str()) {
            found.extend(self.number(expression, Operator::CallByOne));
        }
        let other = METHODS.iter().find_map(|(one, other)| match name.as_str() {
            name if name == *one => Some(*other),
            name if name == *other => Some(*one),
            _ => None,
        });
        if let Some(other) = other {
            let (whole, method) = (expression.span().byte_range(), call.method.span().byte_range());
            if let (Some(before), Some(after)) =
                (self.text.get(whole.start..method.start), self.text.get(method.end..whole.end))
            {
                found.push((Operator::Method, format!("{before}{other}{after}")));
            }
        }
        let is_choice = ["min", "max", "saturating_sub", "saturating_add"].contains(&name.as_str());
        if let (true, [argument]) = (is_choice, &call.args.iter().collect::<Vec<_>>()[..])
            && self.is_integer(&call.receiver)
        {
            found.push((Operator::Argument, self.code(&call.receiver).to_string()));
            found.push((Operator::Argument, self.code(argument).to_string()));
        } else if let Some(place) = self.tables.same_argument(&name, call.args.len()) {
            found.push((Operator::Argument, self.code(&call.args[place]).to_string()));
        }
        found
    }

    fn call(self, expression: &Expr, call: &syn::ExprCall) -> Vec<Proposal> {
        let Expr::Path(path) = &*call.func else { return Vec::new() };
        let Some(last) = path.path.segments.last() else { return Vec::new() };
        let mut found = self.number(expression, Operator::CallByOne);
        if self.kind(expression) == Some(Kind::Bool) {
            found.extend(self.constants());
        }
        if let Some(place) = self.tables.same_argument(&last.ident.to_string(), call.args.len()) {
            found.push((Operator::Argument, self.code(&call.args[place]).to_string()));
        }
        found
    }

    /// Returns what can stand in the place of a condition, whatever it is.
    pub(super) fn condition(self, expression: &Expr) -> Vec<Proposal> {
        let mut found = Vec::new();
        if has_let(expression) {
            return found;
        }
        if !matches!(expression, Expr::Binary(_) | Expr::Path(_) | Expr::MethodCall(_) | Expr::Lit(_)) {
            found.extend(self.constants());
        }
        if let Expr::MethodCall(call) = expression
            && !is_question(&call.method.to_string())
        {
            found.extend(self.constants());
        }
        if self.is_loop {
            return found;
        }
        let code = self.operand(expression);
        let unused = |name: &str| !code.contains(name);
        let integers = self.scope.integers().into_iter().filter(|variable| unused(&variable.name));
        for variable in integers.take(CONJUNCTS) {
            let name = &variable.name;
            found.push((Operator::Conjunct, format!("{code} && {name} != 0")));
            found.push((Operator::Conjunct, format!("{code} || {name} == 0")));
        }
        found
    }
}

/// Returns what can stand in the place of a literal.
fn literal_proposals(literal: &Lit) -> Vec<Proposal> {
    let with = |code: String| (Operator::Literal, code);
    match literal {
        Lit::Int(number) => {
            let Ok(value) = number.base10_parse::<u128>() else { return Vec::new() };
            let others = [value.checked_add(1), value.checked_sub(1)].into_iter().flatten();
            others.map(|value| with(format!("{value}{}", number.suffix()))).collect()
        }
        Lit::Float(number) => {
            let Ok(value) = number.base10_parse::<f64>() else { return Vec::new() };
            let others = [value + 1.0, 0.0].into_iter().filter(|other| *other != value);
            others.map(|value| with(format!("{value:?}{}", number.suffix()))).collect()
        }
        Lit::Bool(value) => vec![with((!value.value).to_string())],
        Lit::Str(text) if text.value().is_empty() => vec![with("\"xyzzy\"".to_string())],
        Lit::Str(_) => vec![with("\"\"".to_string())],
        _ => Vec::new(),
    }
}

/// Returns whether an expression is a condition with a `let` in it.
pub(super) fn has_let(expression: &Expr) -> bool {
    struct Finder(bool);
    impl<'ast> Visit<'ast> for Finder {
        fn visit_expr_let(&mut self, _: &'ast syn::ExprLet) {
            self.0 = true;
        }
        fn visit_block(&mut self, _: &'ast syn::Block) {}
    }
    let mut finder = Finder(false);
    finder.visit_expr(expression);
    finder.0
}
