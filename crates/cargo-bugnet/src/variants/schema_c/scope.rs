//! Scopes: the names that code may use at a place, and the types they were declared with.
//!
//! **Invariant:** a name is offered only where its declaration is in force, so that hardly any mutant is refused for a
//! name.

use super::source::Macros;
use std::collections::BTreeMap;
use std::ops::Range;
use tree_sitter::Node;

/// A type as it is compared: arrays are pointers, and names of types are followed.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Type {
    pub(super) base: String,
    pub(super) stars: usize,
}

/// Words that say nothing about which values a variable may be given.
const QUALIFIERS: [&str; 8] =
    ["const", "volatile", "register", "static", "extern", "restrict", "auto", "inline"];
/// Words of which whole numbers are made.
const WHOLE: [&str; 7] = ["int", "char", "short", "long", "unsigned", "signed", "_Bool"];

impl Type {
    fn of(base: &str, stars: usize) -> Type {
        let words = base.split_whitespace().filter(|word| !QUALIFIERS.contains(word));
        Type { base: words.collect::<Vec<_>>().join(" "), stars }
    }

    pub(super) fn is_whole(&self) -> bool {
        let is_known = self.base.split_whitespace().all(|word| WHOLE.contains(&word));
        self.stars == 0 && (is_known || self.base.starts_with("enum ") || self.base.ends_with("_t"))
    }

    pub(super) fn is_number(&self) -> bool {
        self.is_whole() || self.stars == 0 && ["float", "double", "long double"].contains(&self.base.as_str())
    }
}

/// A variable or parameter.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Variable {
    pub(super) name: String,
    pub(super) kind: Type,
    pub(super) is_array: bool,
    /// The bytes of the parsed text in which it is in force.
    pub(super) visible: Range<usize>,
}

/// A function and what it takes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Signature {
    pub(super) result: Type,
    pub(super) parameters: usize,
    /// The place of its first declaration.
    pub(super) from: usize,
}

/// The declared names of a file.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Names {
    pub(super) variables: Vec<Variable>,
    pub(super) functions: BTreeMap<String, Signature>,
    /// The fields of each structure.
    pub(super) structures: Vec<Vec<(String, Type)>>,
    /// Constants of enumerations, in their order.
    pub(super) constants: Vec<String>,
    types: BTreeMap<String, Type>,
}

/// A name, and what its declarator says of it.
struct Declared {
    name: String,
    stars: usize,
    is_array: bool,
    /// The number of parameters, if it is a function.
    parameters: Option<usize>,
}

impl Names {
    /// Reads all declarations of a parsed file.
    pub(super) fn read(root: Node<'_>, text: &str, macros: &Macros) -> Names {
        let mut names = Names::default();
        for (name, body) in &macros.objects {
            let is_type = !body.is_empty() && body.split_whitespace().all(|word| WHOLE.contains(&word));
            if is_type {
                names.types.insert(name.clone(), Type::of(body, 0));
            }
        }
        names.node(root, text, root.end_byte());
        names
    }

    /// Follows the name of a type to the type.
    fn resolved(&self, kind: Type) -> Type {
        match self.types.get(&kind.base) {
            Some(known) if known.base != kind.base => {
                self.resolved(Type { base: known.base.clone(), stars: known.stars + kind.stars })
            }
            _ => kind,
        }
    }

    /// Reads the declarations below a node; names are in force until `end`.
    fn node(&mut self, node: Node<'_>, text: &str, end: usize) {
        let end =
            if matches!(node.kind(), "compound_statement" | "for_statement") { node.end_byte() } else { end };
        match node.kind() {
            "function_definition" => self.definition(node, text),
            "declaration" | "parameter_declaration" => self.declaration(node, text, end),
            "type_definition" => self.alias(node, text),
            "struct_specifier" | "union_specifier" => self.structure(node, text),
            "enumerator" => {
                let name = node.child_by_field_name("name").map(|name| text[name.byte_range()].to_string());
                self.constants.extend(name);
            }
            _ => {}
        }
        if node.kind() != "function_definition" {
            let mut cursor = node.walk();
            let inner: Vec<Node<'_>> = node.named_children(&mut cursor).collect();
            let is_prototype = node.kind() == "parameter_list";
            inner.into_iter().filter(|_| !is_prototype).for_each(|child| self.node(child, text, end));
        }
    }

    /// Reads a function: its name, its parameters, and all that its body declares.
    fn definition(&mut self, node: Node<'_>, text: &str) {
        let (Some(declarator), Some(body)) =
            (node.child_by_field_name("declarator"), node.child_by_field_name("body"))
        else {
            return;
        };
        self.signature(node, declarator, text);
        let end = body.end_byte();
        let mut cursor = node.walk();
        // Old C declares the types of parameters between the head and the body.
        let old: Vec<Node<'_>> =
            node.named_children(&mut cursor).filter(|child| child.kind() == "declaration").collect();
        old.into_iter().for_each(|declaration| self.declaration(declaration, text, end));
        for list in descendants(declarator, "parameter_list") {
            let mut cursor = list.walk();
            let parameters: Vec<Node<'_>> = list.named_children(&mut cursor).collect();
            for parameter in parameters.into_iter().filter(|one| one.kind() == "parameter_declaration") {
                self.declaration(parameter, text, end);
            }
        }
        self.node(body, text, end);
    }

    fn signature(&mut self, node: Node<'_>, declarator: Node<'_>, text: &str) {
        let Some(declared) = declared(declarator, text) else { return };
        let Some(parameters) = declared.parameters else { return };
        let result = self.resolved(Type::of(&base(node, text), declared.stars));
        let from = node.start_byte();
        self.functions.entry(declared.name).or_insert(Signature { result, parameters, from });
    }

    fn declaration(&mut self, node: Node<'_>, text: &str, end: usize) {
        let mut cursor = node.walk();
        let declarators: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in declarators {
            let Some(found) = declared(declarator, text) else { continue };
            if found.parameters.is_some() {
                self.signature(node, declarator, text);
                continue;
            }
            let stars = found.stars + usize::from(found.is_array);
            let kind = self.resolved(Type::of(&base(node, text), stars));
            let visible = declarator.end_byte()..end;
            self.variables.push(Variable { name: found.name, kind, is_array: found.is_array, visible });
        }
    }

    fn alias(&mut self, node: Node<'_>, text: &str) {
        let mut cursor = node.walk();
        let declarators: Vec<Node<'_>> = node.children_by_field_name("declarator", &mut cursor).collect();
        for declarator in declarators {
            let Some(found) = declared(declarator, text) else { continue };
            let kind = self.resolved(Type::of(&base(node, text), found.stars + usize::from(found.is_array)));
            self.types.insert(found.name, kind);
        }
    }

    fn structure(&mut self, node: Node<'_>, text: &str) {
        let Some(body) = node.child_by_field_name("body") else { return };
        let mut cursor = body.walk();
        let declarations: Vec<Node<'_>> = body.named_children(&mut cursor).collect();
        let mut fields = Vec::new();
        for declaration in declarations.into_iter().filter(|one| one.kind() == "field_declaration") {
            let mut cursor = declaration.walk();
            for declarator in declaration.children_by_field_name("declarator", &mut cursor) {
                let Some(found) = declared(declarator, text) else { continue };
                let stars = found.stars + usize::from(found.is_array);
                fields.push((found.name, self.resolved(Type::of(&base(declaration, text), stars))));
            }
        }
        self.structures.push(fields);
    }

    /// Returns the variables in force at a place, the innermost first; of one name only the innermost.
    pub(super) fn at(&self, place: usize) -> Vec<&Variable> {
        let mut found: Vec<&Variable> =
            self.variables.iter().filter(|variable| variable.visible.contains(&place)).collect();
        found.sort_by_key(|variable| (variable.visible.len(), variable.visible.start));
        let mut names = std::collections::BTreeSet::new();
        found.retain(|variable| names.insert(&variable.name));
        found
    }

    /// Returns the variable that a name means at a place.
    pub(super) fn variable(&self, name: &str, place: usize) -> Option<&Variable> {
        let named = self.variables.iter().filter(|one| one.name == name && one.visible.contains(&place));
        named.min_by_key(|one| one.visible.len())
    }

    /// Returns the fields of the same type in the same structure.
    pub(super) fn siblings(&self, field: &str) -> Vec<&str> {
        let own = |fields: &&Vec<(String, Type)>| fields.iter().any(|(name, _)| name == field);
        let Some(fields) = self.structures.iter().find(own) else { return Vec::new() };
        let kind = fields.iter().find(|(name, _)| name == field).map(|(_, kind)| kind);
        let others = fields.iter().filter(|(name, own)| name != field && Some(own) == kind);
        others.map(|(name, _)| name.as_str()).collect()
    }
}

/// Returns the written type of a declaration, without what it declares.
fn base(node: Node<'_>, text: &str) -> String {
    let Some(kind) = node.child_by_field_name("type") else { return "int".to_string() };
    let word = match kind.kind() {
        "struct_specifier" => "struct ",
        "union_specifier" => "union ",
        "enum_specifier" => "enum ",
        _ => return text[kind.byte_range()].to_string(),
    };
    let name = kind.child_by_field_name("name").map(|name| &text[name.byte_range()]);
    // A structure without a name is told from others by its place.
    name.map_or_else(|| format!("{word}{}", kind.start_byte()), |name| format!("{word}{name}"))
}

fn declared(declarator: Node<'_>, text: &str) -> Option<Declared> {
    let inner = || {
        let named = declarator.child_by_field_name("declarator");
        named.or_else(|| declarator.named_child(0)).and_then(|inner| declared(inner, text))
    };
    match declarator.kind() {
        "identifier" | "field_identifier" | "type_identifier" | "primitive_type" => Some(Declared {
            name: text[declarator.byte_range()].to_string(),
            stars: 0,
            is_array: false,
            parameters: None,
        }),
        "pointer_declarator" => inner().map(|found| Declared { stars: found.stars + 1, ..found }),
        // A table of tables is a pointer to one of its own kind; nothing else fits it.
        "array_declarator" => inner().map(|found| Declared {
            stars: found.stars + usize::from(found.is_array),
            is_array: true,
            ..found
        }),
        "function_declarator" => {
            let list = declarator.child_by_field_name("parameters");
            let count = list.map_or(0, |list| list.named_child_count());
            let found = inner()?;
            // A pointer to a function is a variable that no other resembles.
            let is_pointer =
                declarator.child_by_field_name("declarator")?.kind() == "parenthesized_declarator";
            Some(match is_pointer {
                true => Declared { stars: found.stars + 100, ..found },
                false => Declared { parameters: Some(count), ..found },
            })
        }
        "init_declarator" | "parenthesized_declarator" | "attributed_declarator" => inner(),
        _ => None,
    }
}

/// Returns the outermost nodes of a kind, in their order.
pub(super) fn descendants<'a>(node: Node<'a>, kind: &str) -> Vec<Node<'a>> {
    if node.kind() == kind {
        return vec![node];
    }
    let mut cursor = node.walk();
    let children: Vec<Node<'a>> = node.named_children(&mut cursor).collect();
    children.into_iter().flat_map(|child| descendants(child, kind)).collect()
}

#[cfg(test)]
mod tests {
    use super::super::parsed;
    use super::*;

    const TEXT: &str = "typedef int bool; typedef struct item { struct item *next; int low, high; char *name; } *list;\n\
                        static int limits[4], count; enum color { RED, BLUE };\n\
                        int f(a, p) int a; char *p; { bool is = 1; { char *q; use(q); } return a; }\n\
                        int g(int n, char *s);\n";

    fn names() -> Names {
        Names::read(parsed(TEXT).root_node(), TEXT, &Macros::default())
    }

    #[test]
    fn names_are_in_force_where_they_are_declared() {
        let names = names();
        let at = |word: &str| {
            let place = TEXT.find(word).unwrap();
            names.at(place).into_iter().map(|variable| variable.name.as_str()).collect::<Vec<_>>()
        };
        assert_eq!(at("use("), ["q", "is", "p", "a", "count", "limits"]);
        assert_eq!(at("return"), ["is", "p", "a", "count", "limits"]);
        let is = names.variable("is", TEXT.find("return").unwrap()).unwrap();
        assert!(
            is.kind.is_whole() && is.kind == names.variable("a", TEXT.find("return").unwrap()).unwrap().kind
        );
    }

    #[test]
    fn functions_fields_and_constants_are_known() {
        let names = names();
        assert_eq!(names.functions["g"].parameters, 2);
        assert_eq!(names.functions["f"].parameters, 2);
        assert_eq!(names.siblings("low"), ["high"]);
        assert_eq!(names.constants, ["RED", "BLUE"]);
    }
}
