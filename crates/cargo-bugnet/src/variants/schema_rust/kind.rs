//! Types as far as they are written: enough to say which expressions are numbers.
//!
//! **Invariant:** a type is only known where the source says it; a name that means several things means nothing.

use std::collections::BTreeMap;
use syn::visit::Visit;
use syn::{BinOp, Expr, Lit, Member, Pat, ReturnType, Type, UnOp};

/// A type, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Kind {
    /// An integer of this type.
    Integer(String),
    /// An integer whose type is inferred from its use.
    AnyInteger,
    Float(String),
    Bool,
    Char,
    /// `&str`.
    Text,
    /// Any other type.
    Other(String),
}

const INTEGERS: [&str; 12] =
    ["u8", "u16", "u32", "u64", "u128", "usize", "i8", "i16", "i32", "i64", "i128", "isize"];

impl Kind {
    /// Returns the kind of a written type.
    pub(super) fn of(written: &Type) -> Option<Kind> {
        match written {
            Type::Path(path) => {
                let last = path.path.segments.last()?;
                let name = last.ident.to_string();
                Some(match name.as_str() {
                    _ if !last.arguments.is_none() => Kind::Other(name),
                    "bool" => Kind::Bool,
                    "char" => Kind::Char,
                    "f32" | "f64" => Kind::Float(name),
                    _ if INTEGERS.contains(&name.as_str()) => Kind::Integer(name),
                    _ => Kind::Other(name),
                })
            }
            Type::Reference(reference) if reference.mutability.is_none() => {
                matches!(&*reference.elem, Type::Path(path) if path.path.is_ident("str"))
                    .then_some(Kind::Text)
            }
            Type::Paren(inner) => Kind::of(&inner.elem),
            _ => None,
        }
    }

    pub(super) fn is_integer(&self) -> bool {
        matches!(self, Kind::Integer(_) | Kind::AnyInteger)
    }

    pub(super) fn is_number(&self) -> bool {
        self.is_integer() || matches!(self, Kind::Float(_))
    }

    /// Returns whether a value can be used twice, so that it may stand anywhere.
    pub(super) fn is_plain(&self) -> bool {
        !matches!(self, Kind::Other(_))
    }

    /// Returns the default value of a type, if it has a short one that is always right.
    pub(super) fn default(&self) -> Option<&'static str> {
        match self {
            Kind::Integer(_) => Some("0"),
            Kind::Float(_) => Some("0.0"),
            Kind::Bool => Some("false"),
            Kind::Text => Some("\"\""),
            Kind::Other(name) if ["String", "Vec", "Option"].contains(&name.as_str()) => {
                Some("Default::default()")
            }
            _ => None,
        }
    }
}

/// A function of the crate, as it is written.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Signature {
    /// The kinds of the parameters without `self`.
    parameters: Vec<Option<Kind>>,
    output: Option<Kind>,
}

/// The fields and functions of a crate by their names. What two of them disagree about is not known.
#[derive(Debug, Default)]
pub(super) struct Tables {
    fields: BTreeMap<String, Option<Kind>>,
    functions: BTreeMap<String, Option<Signature>>,
}

impl Tables {
    /// Adds what a file declares.
    pub(super) fn read(&mut self, file: &syn::File) {
        self.visit_file(file);
    }

    fn add(&mut self, signature: &syn::Signature) {
        let parameters = signature.inputs.iter().filter_map(|input| match input {
            syn::FnArg::Typed(typed) => Some(Kind::of(&typed.ty)),
            syn::FnArg::Receiver(_) => None,
        });
        let output = match &signature.output {
            ReturnType::Type(_, written) => Kind::of(written),
            ReturnType::Default => None,
        };
        let found = Signature { parameters: parameters.collect(), output };
        let entry = self.functions.entry(signature.ident.to_string());
        let known = entry.or_insert_with(|| Some(found.clone()));
        if known.as_ref() != Some(&found) {
            *known = None;
        }
    }

    /// Returns the number of a parameter whose type is the one that the function returns.
    pub(super) fn same_argument(&self, function: &str, arguments: usize) -> Option<usize> {
        let Some(Some(signature)) = self.functions.get(function) else { return None };
        let output = signature.output.as_ref().filter(|output| output.is_plain())?;
        let is_it = |kind: &Option<Kind>| kind.as_ref() == Some(output);
        (signature.parameters.len() == arguments).then(|| signature.parameters.iter().position(is_it))?
    }

    fn output(&self, function: &str) -> Option<&Kind> {
        self.functions.get(function)?.as_ref()?.output.as_ref()
    }
}

impl<'ast> Visit<'ast> for Tables {
    fn visit_signature(&mut self, signature: &'ast syn::Signature) {
        self.add(signature);
    }

    fn visit_field(&mut self, field: &'ast syn::Field) {
        let Some(name) = &field.ident else { return };
        let found = Kind::of(&field.ty);
        let known = self.fields.entry(name.to_string()).or_insert_with(|| found.clone());
        if *known != found {
            *known = None;
        }
    }
}

/// A variable in scope.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) kind: Option<Kind>,
}

/// The variables in scope, the innermost last.
#[derive(Debug, Default)]
pub(super) struct Scope {
    variables: Vec<Variable>,
}

impl Scope {
    /// Returns a mark to which the scope can be cut back.
    pub(super) fn mark(&self) -> usize {
        self.variables.len()
    }

    pub(super) fn cut(&mut self, mark: usize) {
        self.variables.truncate(mark);
    }

    /// Declares the names of a pattern; a pattern that is a mere name has the kind that is given.
    pub(super) fn declare(&mut self, pattern: &Pat, kind: Option<Kind>) {
        match pattern {
            Pat::Type(typed) => self.declare(&typed.pat, Kind::of(&typed.ty).or(kind)),
            Pat::Ident(name) => {
                let kind = kind.filter(|_| name.by_ref.is_none());
                self.variables.push(Variable { name: name.ident.to_string(), kind });
                if let Some((_, inner)) = &name.subpat {
                    self.declare(inner, None);
                }
            }
            other => {
                let mut names = Names(Vec::new());
                names.visit_pat(other);
                self.variables.extend(names.0.into_iter().map(|name| Variable { name, kind: None }));
            }
        }
    }

    /// Returns the variable of a name; an inner one hides an outer one.
    pub(super) fn get(&self, name: &str) -> Option<&Variable> {
        self.variables.iter().rev().find(|variable| variable.name == name)
    }

    /// Returns the variables of a kind that are not hidden, the innermost first.
    pub(super) fn alike(&self, kind: &Kind) -> Vec<&Variable> {
        let mut found: Vec<&Variable> = Vec::new();
        for (place, variable) in self.variables.iter().enumerate().rev() {
            let is_hidden = self.variables[place + 1..].iter().any(|later| later.name == variable.name);
            if !is_hidden && variable.kind.as_ref() == Some(kind) {
                found.push(variable);
            }
        }
        found
    }

    /// Returns the variables whose type is an integer that is written, the innermost first.
    pub(super) fn integers(&self) -> Vec<&Variable> {
        let mut found: Vec<&Variable> = Vec::new();
        for variable in self.variables.iter().rev() {
            let is_hidden = found.iter().any(|inner| inner.name == variable.name);
            if !is_hidden && matches!(variable.kind, Some(Kind::Integer(_))) {
                found.push(variable);
            }
        }
        found
    }

    /// Returns the kind of an expression, as far as it is written.
    pub(super) fn kind(&self, expression: &Expr, tables: &Tables) -> Option<Kind> {
        match expression {
            Expr::Lit(literal) => literal_kind(&literal.lit),
            Expr::Paren(inner) => self.kind(&inner.expr, tables),
            Expr::Group(inner) => self.kind(&inner.expr, tables),
            Expr::Cast(cast) => Kind::of(&cast.ty),
            Expr::Path(path) => self.get(&path.path.get_ident()?.to_string())?.kind.clone(),
            Expr::Field(field) => match &field.member {
                Member::Named(name) => tables.fields.get(&name.to_string())?.clone(),
                Member::Unnamed(_) => None,
            },
            Expr::Unary(unary) => match unary.op {
                UnOp::Neg(_) => self.kind(&unary.expr, tables).filter(Kind::is_number),
                UnOp::Not(_) => self.kind(&unary.expr, tables).filter(|kind| *kind == Kind::Bool),
                _ => None,
            },
            Expr::Binary(binary) => self.binary(binary, tables),
            Expr::MethodCall(call) => match call.method.to_string().as_str() {
                "len" | "count" | "capacity" if call.args.is_empty() => {
                    Some(Kind::Integer("usize".to_string()))
                }
                "leading_zeros" | "trailing_zeros" | "count_ones" => Some(Kind::Integer("u32".to_string())),
                name if is_question(name) => Some(Kind::Bool),
                "min" | "max" | "abs" | "pow" | "wrapping_add" | "wrapping_sub" | "wrapping_mul"
                | "saturating_add" | "saturating_sub" => {
                    self.kind(&call.receiver, tables).filter(Kind::is_number)
                }
                name => tables.output(name).cloned(),
            },
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) => tables.output(&path.path.segments.last()?.ident.to_string()).cloned(),
                _ => None,
            },
            _ => None,
        }
    }

    fn binary(&self, binary: &syn::ExprBinary, tables: &Tables) -> Option<Kind> {
        let sides = || [&binary.left, &binary.right].map(|side| self.kind(side, tables));
        match binary.op {
            BinOp::Eq(_)
            | BinOp::Ne(_)
            | BinOp::Lt(_)
            | BinOp::Le(_)
            | BinOp::Gt(_)
            | BinOp::Ge(_)
            | BinOp::And(_)
            | BinOp::Or(_) => Some(Kind::Bool),
            BinOp::Shl(_) | BinOp::Shr(_) => self.kind(&binary.left, tables).filter(Kind::is_integer),
            _ => match sides() {
                [Some(left), Some(right)] if left == right && left.is_number() => Some(left),
                [Some(left), Some(Kind::AnyInteger)] if left.is_integer() => Some(left),
                [Some(Kind::AnyInteger), Some(right)] if right.is_integer() => Some(right),
                _ => None,
            },
        }
    }
}

/// Returns whether a method of the standard library with this name answers yes or no.
pub(super) fn is_question(name: &str) -> bool {
    const OTHERS: [&str; 7] = ["contains", "contains_key", "starts_with", "ends_with", "any", "all", "eq"];
    OTHERS.contains(&name) || name.starts_with("is_") && name != "is_subset_of"
}

/// Returns the kind of a literal.
fn literal_kind(literal: &Lit) -> Option<Kind> {
    match literal {
        Lit::Int(number) => match number.suffix() {
            "" => Some(Kind::AnyInteger),
            "f32" | "f64" => Some(Kind::Float(number.suffix().to_string())),
            suffix => Some(Kind::Integer(suffix.to_string())),
        },
        Lit::Float(number) if !number.suffix().is_empty() => Some(Kind::Float(number.suffix().to_string())),
        Lit::Float(_) => Some(Kind::Float("f64".to_string())),
        Lit::Bool(_) => Some(Kind::Bool),
        Lit::Char(_) => Some(Kind::Char),
        Lit::Str(_) => Some(Kind::Text),
        Lit::Byte(_) => Some(Kind::Integer("u8".to_string())),
        _ => None,
    }
}

/// The names that a pattern binds.
struct Names(Vec<String>);

impl<'ast> Visit<'ast> for Names {
    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.0.push(name.ident.to_string());
        if let Some((_, inner)) = &name.subpat {
            self.visit_pat(inner);
        }
    }

    fn visit_expr(&mut self, _: &'ast Expr) {}
}
