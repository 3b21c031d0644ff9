//! The meter: tells when a call, or a whole program, takes so long that its program is ended.
//!
//! A run that has a certain time asks a stopwatch. A run of a certain number of programs must not: it counts
//! what the calls have allocated and how often the counters of the code under test have moved.
//!
//! **Invariant:** by counts, the same calls are equally heavy in every run, whatever else the machine does.

use super::coverage::Counted;
use super::memory_limit::MemoryLimit;
use super::stopwatch::Stopwatch;
use std::time::Duration;

/// A call that takes longer is heavy, and ends its program.
const HEAVY: Duration = Duration::from_millis(4);
/// A program that takes longer has values that make every call dear, and is ended too.
const SPENT: Duration = Duration::from_millis(8);
/// The first calls of a process are slow for other reasons: these are not measured by the clock.
const FIRST: u64 = 100;

/// The same as counts. A byte that is allocated, and a counter that moves, take about a nanosecond.
const HEAVY_COUNT: u64 = 4_000_000;
const SPENT_COUNT: u64 = 8_000_000;
/// To read all counters after each call takes as long as the call. That is done only for this many programs after
/// a heavy one, to find out which call it is.
const WEIGHED: u32 = 32;

/// The measure by which a call counts as long.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Measure {
    Clock,
    Counts,
    /// Nothing is heavy: a program that is traced goes as far as it can.
    Nothing,
}

/// The verdict on the call that was just made.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Load {
    /// True if the call took long.
    pub(crate) is_heavy: bool,
    /// True if its program took long.
    pub(crate) is_spent: bool,
}

/// Measures the calls of the thread that made it.
#[derive(Debug)]
pub(crate) enum Meter<'a> {
    Clock(Stopwatch),
    Counts(Counts<'a>),
    Nothing,
}

/// Counts what calls do.
#[derive(Debug)]
pub(crate) struct Counts<'a> {
    gauge: &'static MemoryLimit,
    counted: Option<&'a Counted>,
    /// The count when the program began.
    program: u64,
    /// The count when the call began.
    call: u64,
    /// The number of further programs for which the counters are read after each call.
    weighed: u32,
}

impl<'a> Meter<'a> {
    pub(crate) fn new(
        measure: Measure,
        gauge: &'static MemoryLimit,
        counted: Option<&'a Counted>,
    ) -> Meter<'a> {
        match measure {
            Measure::Clock => Meter::Clock(Stopwatch::new()),
            Measure::Counts => Meter::Counts(Counts { gauge, counted, program: 0, call: 0, weighed: 0 }),
            Measure::Nothing => Meter::Nothing,
        }
    }

    /// Begins a program, before any counter has moved.
    pub(crate) fn begin(&mut self) {
        match self {
            Meter::Clock(watch) => watch.begin(),
            Meter::Counts(counts) => counts.program = counts.gauge.taken(),
            Meter::Nothing => {}
        }
    }

    /// Begins a call.
    pub(crate) fn start(&mut self) {
        match self {
            Meter::Clock(watch) => watch.start(),
            Meter::Counts(counts) => counts.call = counts.count(),
            Meter::Nothing => {}
        }
    }

    /// Ends a call, and says how heavy it was. `steps` is the number of steps that the process made before.
    pub(crate) fn stop(&self, steps: u64) -> Load {
        match self {
            Meter::Clock(_) if steps <= FIRST => Load::default(),
            Meter::Clock(watch) => Load { is_heavy: watch.is_over(HEAVY), is_spent: watch.is_spent(SPENT) },
            Meter::Counts(counts) => {
                let count = counts.count();
                let is_over = |start: u64, most: u64| count.saturating_sub(start) > most;
                Load {
                    is_heavy: is_over(counts.call, HEAVY_COUNT),
                    is_spent: is_over(counts.program, SPENT_COUNT),
                }
            }
            Meter::Nothing => Load::default(),
        }
    }

    /// Ends a program in which the counters have moved so far, and says whether it was heavy as a whole.
    pub(crate) fn end(&mut self, moved: u64) -> bool {
        let Meter::Counts(counts) = self else { return false };
        let count = counts.gauge.taken().saturating_sub(counts.program).saturating_add(moved);
        let is_heavy = count > SPENT_COUNT;
        counts.weighed = if is_heavy { WEIGHED } else { counts.weighed.saturating_sub(1) };
        is_heavy
    }
}

impl Counts<'_> {
    fn count(&self) -> u64 {
        let counted = self.counted.filter(|_| self.weighed > 0);
        self.gauge.taken().saturating_add(counted.map_or(0, Counted::moved))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::RefCell;

    static GAUGE: MemoryLimit = MemoryLimit::new(usize::MAX, usize::MAX >> 1);

    thread_local! {
        static COUNTERS: RefCell<[u64; 2]> = const { RefCell::new([0; 2]) };
    }

    fn lend(look: &mut dyn FnMut(&mut [u64])) {
        COUNTERS.with_borrow_mut(|counters| look(counters));
    }

    /// Returns the verdicts on the calls of a program and on the program. Each call moves a counter by the
    /// given number.
    fn program(meter: &mut Meter<'_>, counted: &Counted, calls: &[u64]) -> (Vec<Load>, bool) {
        meter.begin();
        let call = |moved: &u64| {
            meter.start();
            COUNTERS.with_borrow_mut(|counters| counters[1] += moved);
            meter.stop(0)
        };
        let loads = calls.iter().map(call).collect();
        let moved = counted.moved();
        counted.forget();
        (loads, meter.end(moved))
    }

    #[test]
    fn a_call_that_allocates_much_is_heavy_and_so_is_a_program_of_many_that_allocate_some() {
        let loads = std::thread::spawn(|| {
            GAUGE.confine();
            let mut meter = Meter::new(Measure::Counts, &GAUGE, None);
            let mut call = |bytes: usize| {
                meter.start();
                GAUGE.take(bytes);
                GAUGE.give(bytes);
                meter.stop(0)
            };
            let few = call(1_000);
            let many = call(HEAVY_COUNT as usize);
            let rest = call(HEAVY_COUNT as usize - 1_000);
            (few, many, rest, meter.end(0))
        });
        let (few, many, rest, is_heavy) = loads.join().unwrap();
        assert_eq!(few, Load::default());
        assert_eq!(many, Load { is_heavy: true, is_spent: false });
        assert_eq!(rest, Load { is_heavy: false, is_spent: true });
        assert!(is_heavy);
    }

    #[test]
    fn after_a_program_that_was_heavy_as_a_whole_the_call_that_was_is_found() {
        let counted = Counted::new(lend);
        let mut meter = Meter::new(Measure::Counts, &GAUGE, Some(&counted));
        let long = 3 * HEAVY_COUNT;
        let (loads, is_heavy) = program(&mut meter, &counted, &[10, long, 10]);
        assert_eq!((loads, is_heavy), (vec![Load::default(); 3], true));
        let (loads, _) = program(&mut meter, &counted, &[10, long]);
        assert_eq!(loads, [Load::default(), Load { is_heavy: true, is_spent: true }]);
        // When nothing has been heavy for a while, calls are not weighed any more.
        assert!((0..=WEIGHED).all(|_| !program(&mut meter, &counted, &[10]).1));
        assert_eq!(program(&mut meter, &counted, &[long]).0, [Load::default()]);
    }

    #[test]
    fn nothing_is_heavy_where_nothing_is_measured() {
        let counted = Counted::new(lend);
        let mut meter = Meter::new(Measure::Nothing, &GAUGE, Some(&counted));
        assert_eq!(program(&mut meter, &counted, &[u64::MAX / 2]), (vec![Load::default()], false));
    }
}
