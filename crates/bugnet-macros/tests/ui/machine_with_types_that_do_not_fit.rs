use bugnet::prelude::*;

struct Opaque;

struct Wrong;

#[machine]
impl Wrong {
    fn new() -> Self {
        Wrong
    }
    fn drawn(&mut self, #[with(0..10u8)] _key: u16) {}
    fn not_a_generator(&mut self, #[with("ten")] _key: u8) {}
    fn error_that_cannot_be_shown(&mut self) -> Result<u8, Opaque> {
        Ok(1)
    }
    #[when(self.is_ready())]
    fn condition(&mut self) {}
    #[when(key > 3)]
    fn other_condition(&mut self, _key: u8) {}
    #[invariant]
    fn no_verdict(&self) -> u8 {
        1
    }
}

fn main() {}
