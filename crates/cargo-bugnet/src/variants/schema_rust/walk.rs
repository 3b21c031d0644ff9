//! The walk: visits every function of a file and notes what can be changed in it.
//!
//! **Invariant:** nothing is changed in constants, patterns, types, attributes, unsafe code and the arguments of
//! macros, and no place is made a value: what is borrowed, assigned to or matched stays as it is.

use super::super::mutation::{Alternative, Form, Site};
use super::super::operator::{Operator, Operators};
use super::cfg::Cfg;
use super::expression::{Context, Proposal, has_let};
use super::insertion::Donors;
use super::kind::{Kind, Scope, Tables};
use std::collections::BTreeMap;
use std::ops::Range;
use syn::spanned::Spanned;
use syn::visit::{self, Visit};
use syn::{Attribute, Block, Expr, Pat, ReturnType, Stmt};

/// The most alternatives that one site has: a switch is a byte, and a crowded site is no better tested.
const MOST: usize = 12;

/// An array with more elements than this is a table of data, which few tests read as a whole.
const TABLE: usize = 16;

/// Walks a file.
#[derive(Debug)]
pub(super) struct Walker<'a> {
    pub(super) file: usize,
    pub(super) text: &'a str,
    pub(super) tables: &'a Tables,
    pub(super) cfg: &'a Cfg,
    pub(super) operators: Operators,
    pub(super) sites: Vec<Site>,
    /// The beginnings of loops, where steps are counted.
    pub(super) loops: Vec<usize>,
    /// The bodies of functions.
    pub(super) bodies: Vec<Range<usize>>,
    pub(super) left_out: BTreeMap<&'static str, usize>,
    pub(super) scope: Scope,
    pub(super) donors: Donors,
    /// The types and functions around, outermost first.
    pub(super) around: Vec<String>,
    /// True if the next expression is a place, which must not become a value.
    pub(super) is_place: bool,
    pub(super) is_loop: bool,
    pub(super) is_compared: bool,
}

impl Walker<'_> {
    fn leave_out(&mut self, reason: &'static str) {
        *self.left_out.entry(reason).or_default() += 1;
    }

    /// Returns whether an item is looked at; if not, counts the reason.
    fn admits(&mut self, attributes: &[Attribute]) -> bool {
        let is_skipped = attributes.iter().any(is_skip);
        let is_test = attributes.iter().any(|attribute| {
            attribute.path().segments.last().is_some_and(|last| last.ident == "test" || last.ident == "bench")
        });
        if is_skipped {
            self.leave_out("items with #[mutants::skip]");
        } else if !is_test && !self.cfg.holds(attributes) && !is_for_tests(attributes) {
            self.leave_out("items that are not compiled (#[cfg])");
        }
        !is_skipped && !is_test && self.cfg.holds(attributes)
    }

    fn function(&self) -> String {
        self.around.join("::")
    }

    /// Notes what can stand in a place.
    fn note(&mut self, span: Range<usize>, form: Form, proposals: Vec<(Proposal, Option<Range<usize>>)>) {
        let wanted = proposals.into_iter().filter(|((operator, _), _)| self.operators.has(*operator));
        let found: Vec<Alternative> =
            wanted.map(|((operator, code), shown)| Alternative { operator, code, shown }).collect();
        if found.is_empty() || self.text.get(span.clone()).is_none() {
            return;
        }
        let known = self.sites.iter_mut().rev().find(|site| site.span == span && site.form == form);
        let alternatives = match known {
            Some(site) => &mut site.alternatives,
            None => {
                let (file, function) = (self.file, self.function());
                self.sites.push(Site { file, span, form, function, alternatives: Vec::new() });
                &mut self.sites.last_mut().expect("it was just added").alternatives
            }
        };
        for one in found {
            let is_known = alternatives.iter().any(|known| known.code == one.code);
            if alternatives.len() < MOST && !is_known {
                alternatives.push(one);
            }
        }
    }

    fn note_value(&mut self, expression: &Expr, proposals: Vec<Proposal>) {
        let own = self.text.get(expression.span().byte_range()).unwrap_or_default().to_string();
        let others = proposals.into_iter().filter(|(_, code)| *code != own);
        let others = others.map(|proposal| (proposal, None)).collect();
        self.note(expression.span().byte_range(), Form::Value, others);
    }

    fn context(&self) -> Context<'_> {
        let Walker { text, scope, tables, is_loop, is_compared, .. } = self;
        Context { text, scope, tables, is_loop: *is_loop, is_compared: *is_compared }
    }

    /// Walks a body with parameters in a scope of its own.
    fn body(&mut self, signature: &syn::Signature, block: &Block) {
        if signature.constness.is_some() {
            self.leave_out("const functions");
            return;
        }
        if signature.unsafety.is_some() {
            self.leave_out("unsafe functions");
            return;
        }
        self.bodies.push(block.span().byte_range());
        let (scope, donors) = (std::mem::take(&mut self.scope), std::mem::take(&mut self.donors));
        self.around.push(signature.ident.to_string());
        for input in &signature.inputs {
            if let syn::FnArg::Typed(typed) = input {
                self.scope.declare(&typed.pat, Kind::of(&typed.ty));
            }
        }
        if self.operators.has(Operator::Insert) {
            self.donors = Donors::of(block, self.text);
        }
        self.visit_block(block);
        if let (ReturnType::Default, Some(Stmt::Expr(tail, None))) = (&signature.output, block.stmts.last())
            && is_deletable(tail)
        {
            let span = tail.span().byte_range();
            self.note(span, Form::Statement, vec![((Operator::Delete, String::new()), None)]);
        }
        self.around.pop();
        (self.scope, self.donors) = (scope, donors);
    }

    /// Walks a place: what is borrowed, assigned to or matched.
    fn place(&mut self, expression: &Expr) {
        self.is_place = true;
        self.visit_expr(expression);
        self.is_place = false;
    }

    fn condition(&mut self, expression: &Expr, is_loop: bool) {
        if !has_let(expression) {
            let context = Context { is_loop, ..self.context() };
            let proposals = context.condition(expression);
            self.note_value(expression, proposals);
        }
        self.is_loop = is_loop;
        self.visit_expr(expression);
        self.is_loop = false;
    }

    fn loop_body(&mut self, block: &Block) {
        self.loops.push(block.brace_token.span.open().byte_range().end);
        self.visit_block(block);
    }

    fn arm(&mut self, arm: &syn::Arm, has_catch_all: bool) {
        let mark = self.scope.mark();
        self.scope.declare(&arm.pat, None);
        let whole = arm.span().byte_range();
        let deletion = || ((Operator::Arm, String::new()), Some(whole.clone()));
        match &arm.guard {
            Some((_, guard)) => {
                if has_catch_all {
                    self.note(guard.span().byte_range(), Form::Guard, vec![deletion()]);
                }
                self.condition(guard, false);
            }
            None if has_catch_all => {
                let end = arm.pat.span().byte_range().end;
                self.note(end..end, Form::Guard, vec![deletion()]);
            }
            None => {}
        }
        self.visit_expr(&arm.body);
        self.scope.cut(mark);
    }

    /// Notes what can be done with a whole statement.
    fn statement(&mut self, statement: &Stmt) {
        let span = statement.span().byte_range();
        if self.operators.has(Operator::Insert) {
            let code = self.donors.choose(&self.scope, span.clone());
            let inserted = code.into_iter().map(|code| ((Operator::Insert, code), None)).collect();
            self.note(span.start..span.start, Form::Insertion, inserted);
        }
        let is_deleted = match statement {
            Stmt::Expr(expression, Some(_)) => is_deletable(expression),
            Stmt::Macro(called) => called.semi_token.is_some() && is_checking(&called.mac),
            _ => false,
        };
        if is_deleted {
            self.note(span, Form::Statement, vec![((Operator::Delete, String::new()), None)]);
        }
    }
}

impl<'ast> Visit<'ast> for Walker<'_> {
    fn visit_item(&mut self, item: &'ast syn::Item) {
        use syn::Item;
        let attributes = match item {
            Item::Fn(item) => &item.attrs,
            Item::Impl(item) => &item.attrs,
            Item::Mod(item) => &item.attrs,
            Item::Trait(item) => &item.attrs,
            Item::Const(_) | Item::Static(_) => return self.leave_out("constants and statics"),
            Item::Macro(item) if item.mac.path.is_ident("macro_rules") => {
                return self.leave_out("definitions of macros");
            }
            Item::Macro(_) => return self.leave_out("items that a macro makes"),
            _ => return,
        };
        if self.admits(attributes) {
            visit::visit_item(self, item);
        }
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.around.push(module.ident.to_string());
        visit::visit_item_mod(self, module);
        self.around.pop();
    }

    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.body(&function.sig, &function.block);
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let name = self.text.get(block.self_ty.span().byte_range()).unwrap_or("impl");
        let name = name.split('<').next().unwrap_or(name).trim_start_matches('&').trim().to_string();
        self.around.push(name);
        visit::visit_item_impl(self, block);
        self.around.pop();
    }

    fn visit_item_trait(&mut self, item: &'ast syn::ItemTrait) {
        self.around.push(item.ident.to_string());
        visit::visit_item_trait(self, item);
        self.around.pop();
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if self.admits(&function.attrs) {
            self.body(&function.sig, &function.block);
        }
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let (Some(block), true) = (&function.default, self.admits(&function.attrs)) {
            self.body(&function.sig, block);
        }
    }

    fn visit_impl_item_const(&mut self, _: &'ast syn::ImplItemConst) {
        self.leave_out("constants and statics");
    }

    fn visit_trait_item_const(&mut self, _: &'ast syn::TraitItemConst) {}
    fn visit_type(&mut self, _: &'ast syn::Type) {}
    fn visit_pat(&mut self, _: &'ast Pat) {}
    fn visit_attribute(&mut self, _: &'ast Attribute) {}
    fn visit_path(&mut self, _: &'ast syn::Path) {}

    fn visit_macro(&mut self, _: &'ast syn::Macro) {
        self.leave_out("arguments of macros");
    }

    fn visit_block(&mut self, block: &'ast Block) {
        let mark = self.scope.mark();
        for statement in &block.stmts {
            self.statement(statement);
            self.visit_stmt(statement);
        }
        self.scope.cut(mark);
    }

    fn visit_local(&mut self, local: &'ast syn::Local) {
        let mut kind = None;
        if let Some(init) = &local.init {
            if let Pat::Type(typed) = &local.pat
                && let Some(default) = Kind::of(&typed.ty).and_then(|kind| kind.default())
            {
                self.note_value(&init.expr, vec![(Operator::Default, default.to_string())]);
            }
            self.visit_expr(&init.expr);
            if let Some((_, diverging)) = &init.diverge {
                self.visit_expr(diverging);
            }
            kind = self.scope.kind(&init.expr, self.tables);
        }
        self.scope.declare(&local.pat, kind);
    }

    fn visit_expr(&mut self, expression: &'ast Expr) {
        let is_place = std::mem::take(&mut self.is_place);
        if !is_place {
            let proposals = self.context().proposals(expression);
            self.note_value(expression, proposals);
        }
        let is_compared = std::mem::take(&mut self.is_compared);
        let is_loop = std::mem::take(&mut self.is_loop);
        match expression {
            // Its literal is part of it.
            Expr::Unary(unary) if matches!((&unary.op, &*unary.expr), (syn::UnOp::Neg(_), Expr::Lit(_))) => {}
            // A dereferenced expression is a place, and so is the expression that a place is read from.
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.place(&unary.expr),
            Expr::Paren(inner) => {
                (self.is_place, self.is_compared, self.is_loop) = (is_place, is_compared, is_loop);
                self.visit_expr(&inner.expr);
                (self.is_place, self.is_compared, self.is_loop) = (false, false, false);
            }
            Expr::Break(jump) if jump.label.is_none() && jump.expr.is_none() && !is_place => {
                self.note_value(expression, vec![(Operator::Jump, "continue".to_string())]);
            }
            Expr::Continue(jump) if jump.label.is_none() && !is_place => {
                self.note_value(expression, vec![(Operator::Jump, "break".to_string())]);
            }
            Expr::Unsafe(_) => self.leave_out("unsafe blocks"),
            _ => visit::visit_expr(self, expression),
        }
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        use syn::BinOp::*;
        let is_assignment = matches!(
            binary.op,
            AddAssign(_)
                | SubAssign(_)
                | MulAssign(_)
                | DivAssign(_)
                | RemAssign(_)
                | BitXorAssign(_)
                | BitAndAssign(_)
                | BitOrAssign(_)
                | ShlAssign(_)
                | ShrAssign(_)
        );
        let is_compared = matches!(binary.op, Eq(_) | Lt(_) | Le(_) | Ne(_) | Ge(_) | Gt(_));
        (self.is_place, self.is_compared) = (is_assignment, is_compared);
        self.visit_expr(&binary.left);
        (self.is_place, self.is_compared) = (false, is_compared);
        self.visit_expr(&binary.right);
        self.is_compared = false;
    }

    fn visit_expr_reference(&mut self, reference: &'ast syn::ExprReference) {
        // A constant that is borrowed lives for ever, and would not if it were computed.
        if !is_constant(&reference.expr) {
            self.place(&reference.expr);
        }
    }

    fn visit_expr_array(&mut self, array: &'ast syn::ExprArray) {
        if array.elems.len() > TABLE {
            return self.leave_out("tables of data");
        }
        visit::visit_expr_array(self, array);
    }

    fn visit_expr_raw_addr(&mut self, _: &'ast syn::ExprRawAddr) {}
    fn visit_expr_const(&mut self, _: &'ast syn::ExprConst) {}

    fn visit_expr_assign(&mut self, assignment: &'ast syn::ExprAssign) {
        self.place(&assignment.left);
        self.visit_expr(&assignment.right);
    }

    fn visit_expr_method_call(&mut self, call: &'ast syn::ExprMethodCall) {
        self.place(&call.receiver);
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_call(&mut self, call: &'ast syn::ExprCall) {
        self.place(&call.func);
        call.args.iter().for_each(|argument| self.visit_expr(argument));
    }

    fn visit_expr_field(&mut self, field: &'ast syn::ExprField) {
        self.place(&field.base);
    }

    fn visit_expr_index(&mut self, index: &'ast syn::ExprIndex) {
        self.place(&index.expr);
        self.visit_expr(&index.index);
    }

    fn visit_expr_repeat(&mut self, repeat: &'ast syn::ExprRepeat) {
        // The element may have to be a constant, and the length is one.
        self.place(&repeat.expr);
    }

    fn visit_expr_range(&mut self, range: &'ast syn::ExprRange) {
        if let Some(start) = &range.start {
            self.visit_expr(start);
        }
        let Some(end) = &range.end else { return };
        let is_other = matches!(**end, Expr::Binary(_) | Expr::Index(_) | Expr::Paren(_) | Expr::Cast(_));
        if is_other && self.scope.kind(end, self.tables).is_some_and(|kind| kind.is_integer()) {
            let code = self.text.get(end.span().byte_range()).unwrap_or_default();
            let proposals = ["+", "-"].map(|sign| (Operator::Range, format!("({code}) {sign} 1")));
            self.note_value(end, proposals.to_vec());
        }
        self.visit_expr(end);
    }

    fn visit_expr_let(&mut self, bound: &'ast syn::ExprLet) {
        self.place(&bound.expr);
        self.scope.declare(&bound.pat, None);
    }

    fn visit_expr_if(&mut self, conditional: &'ast syn::ExprIf) {
        let mark = self.scope.mark();
        self.condition(&conditional.cond, false);
        self.visit_block(&conditional.then_branch);
        self.scope.cut(mark);
        if let Some((_, otherwise)) = &conditional.else_branch {
            // An `else if` is an expression, but no value can be made of it.
            self.place(otherwise);
        }
    }

    fn visit_expr_while(&mut self, repeated: &'ast syn::ExprWhile) {
        let mark = self.scope.mark();
        self.condition(&repeated.cond, true);
        self.loop_body(&repeated.body);
        self.scope.cut(mark);
    }

    fn visit_expr_loop(&mut self, repeated: &'ast syn::ExprLoop) {
        self.loop_body(&repeated.body);
    }

    fn visit_expr_for_loop(&mut self, repeated: &'ast syn::ExprForLoop) {
        self.visit_expr(&repeated.expr);
        let mark = self.scope.mark();
        let kind = match &*repeated.expr {
            Expr::Range(range) => {
                let ends = [&range.end, &range.start].into_iter().flatten();
                ends.filter_map(|end| self.scope.kind(end, self.tables)).find(|kind| kind.is_integer())
            }
            _ => None,
        };
        self.scope.declare(&repeated.pat, kind);
        if let (Pat::Tuple(pair), Expr::MethodCall(call)) = (&*repeated.pat, &*repeated.expr)
            && let (true, Some(first)) = (call.method == "enumerate", pair.elems.first())
        {
            self.scope.declare(first, Some(Kind::Integer("usize".to_string())));
        }
        self.loop_body(&repeated.body);
        self.scope.cut(mark);
    }

    fn visit_expr_match(&mut self, matched: &'ast syn::ExprMatch) {
        self.place(&matched.expr);
        let last = matched.arms.iter().rposition(is_catch_all);
        for (place, arm) in matched.arms.iter().enumerate() {
            let has_catch_all = last.is_some_and(|last| place < last);
            self.arm(arm, has_catch_all);
        }
    }

    fn visit_expr_closure(&mut self, closure: &'ast syn::ExprClosure) {
        if closure.constness.is_some() {
            return;
        }
        let mark = self.scope.mark();
        closure.inputs.iter().for_each(|input| self.scope.declare(input, None));
        self.visit_expr(&closure.body);
        self.scope.cut(mark);
    }
}

/// Returns whether an expression is made of literals only.
fn is_constant(expression: &Expr) -> bool {
    match expression {
        Expr::Lit(_) => true,
        Expr::Paren(inner) => is_constant(&inner.expr),
        Expr::Unary(unary) => is_constant(&unary.expr),
        Expr::Reference(reference) => is_constant(&reference.expr),
        Expr::Array(array) => array.elems.iter().all(is_constant),
        Expr::Tuple(tuple) => tuple.elems.iter().all(is_constant),
        Expr::Repeat(repeat) => is_constant(&repeat.expr),
        Expr::Struct(made) => made.fields.iter().all(|field| is_constant(&field.expr)),
        Expr::Path(path) => path
            .path
            .segments
            .last()
            .is_some_and(|last| last.ident.to_string().starts_with(|letter: char| letter.is_uppercase())),
        Expr::Call(call) => is_constant(&call.func) && call.args.iter().all(is_constant),
        _ => false,
    }
}

/// Returns whether an arm takes everything.
fn is_catch_all(arm: &syn::Arm) -> bool {
    let is_name = |pattern: &Pat| match pattern {
        Pat::Wild(_) => true,
        // A name that begins with a capital letter is a constant or a variant.
        Pat::Ident(name) => {
            name.subpat.is_none() && name.ident.to_string().starts_with(|letter: char| letter.is_lowercase())
        }
        _ => false,
    };
    arm.guard.is_none() && is_name(&arm.pat)
}

/// Returns whether a statement of this expression can be left out.
fn is_deletable(expression: &Expr) -> bool {
    match expression {
        Expr::Assign(_) | Expr::Binary(_) => true,
        Expr::Await(inner) => is_deletable(&inner.base),
        Expr::Try(inner) => is_deletable(&inner.expr),
        Expr::MethodCall(_) => true,
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path.path.segments.last().is_none_or(|last| {
                let name = last.ident.to_string();
                !["exit", "abort", "drop", "forget", "panic_any", "resume_unwind"].contains(&name.as_str())
            }),
            _ => true,
        },
        _ => false,
    }
}

/// Returns whether a macro is one of the standard library that checks or prints something.
fn is_checking(called: &syn::Macro) -> bool {
    const NAMES: [&str; 12] = [
        "assert",
        "assert_eq",
        "assert_ne",
        "debug_assert",
        "debug_assert_eq",
        "debug_assert_ne",
        "print",
        "println",
        "eprint",
        "eprintln",
        "write",
        "writeln",
    ];
    called.path.get_ident().is_some_and(|name| NAMES.contains(&name.to_string().as_str()))
}

/// Returns whether an attribute is `#[mutants::skip]`, by itself or in `cfg_attr`.
fn is_skip(attribute: &Attribute) -> bool {
    let is_it = |path: &syn::Path| {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        names == ["mutants", "skip"]
    };
    let is_inside = || match &attribute.meta {
        syn::Meta::List(list) if list.path.is_ident("cfg_attr") => {
            list.tokens.to_string().replace(' ', "").contains("mutants::skip")
        }
        _ => false,
    };
    is_it(attribute.path()) || is_inside()
}

/// Returns whether an item is there for tests only, which nobody expects to be mutated.
fn is_for_tests(attributes: &[Attribute]) -> bool {
    attributes.iter().any(|attribute| match &attribute.meta {
        syn::Meta::List(list) => list.path.is_ident("cfg") && list.tokens.to_string().contains("test"),
        _ => false,
    })
}
