//! temporary
use crate::challenge::expression::Expression;
use crate::etna::{bst, rbt};
use bugnet::generate::{Graph, Shape, TypeId};
use bugnet::prelude::*;
use std::sync::OnceLock;
impl Generate for Expression {
    fn generate(s: &mut Source) -> Self {
        static SHAPE: OnceLock<Shape> = OnceLock::new();
        let n = s.enter("Expression");
        let v = match s.alternative(SHAPE.get_or_init(Shape::of::<Self>)) {
            0 => Expression::Int(s.any()),
            1 => Expression::Add(s.any(), s.any()),
            _ => Expression::Div(s.any(), s.any()),
        };
        s.leave(n);
        v
    }
    fn shape(g: &mut Graph) -> TypeId {
        g.node::<Self>(|g| {
            vec![
                vec![g.leaf()],
                vec![<Box<Self>>::shape(g), <Box<Self>>::shape(g)],
                vec![<Box<Self>>::shape(g), <Box<Self>>::shape(g)],
            ]
        })
    }
}
impl Generate for bst::Tree {
    fn generate(s: &mut Source) -> Self {
        static SHAPE: OnceLock<Shape> = OnceLock::new();
        let n = s.enter("bst::Tree");
        let v = match s.alternative(SHAPE.get_or_init(Shape::of::<Self>)) {
            0 => bst::Tree::Leaf,
            _ => bst::Tree::Node(s.any(), s.any(), s.any(), s.any()),
        };
        s.leave(n);
        v
    }
    fn shape(g: &mut Graph) -> TypeId {
        g.node::<Self>(|g| {
            vec![vec![], vec![<Box<Self>>::shape(g), g.leaf(), g.leaf(), <Box<Self>>::shape(g)]]
        })
    }
}
impl Generate for rbt::Color {
    fn generate(s: &mut Source) -> Self {
        if s.any() { rbt::Color::Black } else { rbt::Color::Red }
    }
}
impl Generate for rbt::Tree {
    fn generate(s: &mut Source) -> Self {
        static SHAPE: OnceLock<Shape> = OnceLock::new();
        let n = s.enter("rbt::Tree");
        let v = match s.alternative(SHAPE.get_or_init(Shape::of::<Self>)) {
            0 => rbt::Tree::Leaf,
            _ => rbt::Tree::Node(s.any(), s.any(), s.any(), s.any(), s.any()),
        };
        s.leave(n);
        v
    }
    fn shape(g: &mut Graph) -> TypeId {
        g.node::<Self>(|g| {
            vec![vec![], vec![g.leaf(), <Box<Self>>::shape(g), g.leaf(), g.leaf(), <Box<Self>>::shape(g)]]
        })
    }
}
