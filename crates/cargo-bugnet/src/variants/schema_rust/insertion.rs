//! Donors: statements of a function that can be inserted elsewhere in it, as the N-Prog paper does.
//!
//! **Invariant:** a donor jumps nowhere, and every variable that it names is in scope where it is inserted.

use super::kind::Scope;
use std::collections::BTreeSet;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Block, Expr, Stmt};

/// The most statements that are inserted at one place.
const MOST: usize = 3;

#[derive(Debug)]
struct Donor {
    span: Range<usize>,
    code: String,
    /// The single names that it uses.
    names: BTreeSet<String>,
}

/// The statements of a function, and the names of all its variables.
#[derive(Debug, Default)]
pub(super) struct Donors {
    donors: Vec<Donor>,
    locals: BTreeSet<String>,
}

impl Donors {
    pub(super) fn of(block: &Block, text: &str) -> Donors {
        let mut collector = Collector { text, found: Donors::default() };
        collector.visit_block(block);
        collector.found
    }

    /// Returns what can be inserted before the statement at a span: the next donors of the function, in a circle.
    pub(super) fn choose(&self, scope: &Scope, span: Range<usize>) -> Vec<String> {
        let first = self.donors.partition_point(|donor| donor.span.start <= span.start);
        let circle = self.donors[first..].iter().chain(&self.donors[..first]);
        let is_usable = |donor: &&Donor| {
            let mut locals = donor.names.iter().filter(|name| self.locals.contains(*name));
            donor.span != span && locals.all(|name| scope.get(name).is_some())
        };
        circle.filter(is_usable).take(MOST).map(|donor| donor.code.clone()).collect()
    }
}

struct Collector<'a> {
    text: &'a str,
    found: Donors,
}

impl<'ast> Visit<'ast> for Collector<'_> {
    fn visit_stmt(&mut self, statement: &'ast Stmt) {
        if let Stmt::Expr(Expr::Assign(_) | Expr::Binary(_) | Expr::Call(_) | Expr::MethodCall(_), Some(_)) =
            statement
        {
            let mut names = Names::default();
            names.visit_stmt(statement);
            let span = statement.span().byte_range();
            if let (false, Some(code)) = (names.jumps, self.text.get(span.clone())) {
                self.found.donors.push(Donor { span, code: code.to_string(), names: names.found });
            }
        }
        visit::visit_stmt(self, statement);
    }

    fn visit_pat_ident(&mut self, name: &'ast syn::PatIdent) {
        self.found.locals.insert(name.ident.to_string());
    }
}

/// The names that a statement uses, and whether it may leave the function or loop.
#[derive(Default)]
struct Names {
    found: BTreeSet<String>,
    jumps: bool,
}

impl<'ast> Visit<'ast> for Names {
    fn visit_expr(&mut self, expression: &'ast Expr) {
        self.jumps |= matches!(
            expression,
            Expr::Return(_)
                | Expr::Break(_)
                | Expr::Continue(_)
                | Expr::Try(_)
                | Expr::Await(_)
                | Expr::Closure(_)
        );
        visit::visit_expr(self, expression);
    }

    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.found.extend(path.get_ident().map(ToString::to_string));
    }
}
