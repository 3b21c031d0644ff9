//! Programs as they cross a process: what is called, for what, with which arguments, and how that is written.
//!
//! The types are those that `program` describes programs with.

use super::encode::{encode_enum, encode_struct};

pub use crate::program::Mode;
pub use crate::program::description::{Argument, Binding, Call, Literal, Number, Program, Role};

encode_struct!(Program { tape, calls, helpers });
encode_struct!(Call { operation, role, arguments, binding, expression });
encode_struct!(Binding { name, is_mutable });
encode_struct!(Literal { tape, text, numbers, deep });
encode_enum!(Argument {
    0 Earlier { call, mode };
    1 Literal(literal);
});
encode_enum!(Number {
    0 Whole { magnitude, is_limit };
    1 Fraction(number);
});
encode_enum!(Mode { 0 Value; 1 Shared; 2 Mutable; });
encode_enum!(Role {
    0 Function;
    1 Rule;
    2 Setup;
    3 Teardown;
    4 Check;
    5 Law { name, of };
    6 Literal;
    7 Drop;
    8 Print;
    9 Stated;
});
