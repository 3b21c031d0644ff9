//! The table of switches: a module that is added to the copy of the user's crate.
//!
//! **Invariant:** it has no unsafe code and needs nothing but the standard library, so that it compiles in any
//! crate and edition, `no_std` ones included.

/// The module, with the number of sites in the place of `COUNT_OF_SITES`.
const MODULE: &str = r#"
#[doc(hidden)]
#[allow(warnings)]
pub mod __bugnet {
    extern crate std as standard;
    use self::standard::boxed::Box;
    use self::standard::fs::{File, OpenOptions};
    use self::standard::io::Write;
    use self::standard::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, Ordering::Relaxed};
    use self::standard::sync::{Mutex, Once, PoisonError};
    use self::standard::vec::Vec;

    /// The switch of a site that was not reached yet.
    const UNASKED: u8 = 255;
    /// Steps after which their number is written down.
    const PAUSE: i64 = 1 << 16;

    static SWITCHES: [AtomicU8; COUNT_OF_SITES] = [const { AtomicU8::new(UNASKED) }; COUNT_OF_SITES];
    static WANTED: [AtomicU8; COUNT_OF_SITES] = [const { AtomicU8::new(0) }; COUNT_OF_SITES];
    static STEPS: AtomicI64 = AtomicI64::new(i64::MAX);
    static MOST: AtomicI64 = AtomicI64::new(i64::MAX);
    static IS_ARMED: AtomicBool = AtomicBool::new(false);
    static BEGIN: Once = Once::new();
    static FILE: Mutex<Option<File>> = Mutex::new(None);
    static REACHED: Mutex<Vec<(u32, u8)>> = Mutex::new(Vec::new());

    /// Returns the alternative that is on at a site.
    #[inline(always)]
    pub fn s(site: usize) -> u8 {
        let value = SWITCHES[site].load(Relaxed);
        if value == UNASKED { ask(site) } else { value }
    }

    #[cold]
    #[inline(never)]
    fn ask(site: usize) -> u8 {
        BEGIN.call_once(begin);
        let value = WANTED[site].load(Relaxed);
        if SWITCHES[site].swap(value, Relaxed) == UNASKED {
            if IS_ARMED.load(Relaxed) {
                REACHED.lock().unwrap_or_else(PoisonError::into_inner).push((site as u32, value));
            } else {
                tell("site", site as i64);
            }
        }
        value
    }

    /// Reads the variables of the environment.
    fn begin() {
        if IS_ARMED.load(Relaxed) {
            return;
        }
        if let Ok(text) = standard::env::var("BUGNET_SWITCHES") {
            for part in text.split(',') {
                let mut numbers = part.split(':');
                let site = numbers.next().and_then(|word| word.parse::<usize>().ok());
                let value = numbers.next().and_then(|word| word.parse::<u8>().ok());
                if let (Some(site), Some(value)) = (site, value) {
                    if site < COUNT_OF_SITES {
                        WANTED[site].store(value, Relaxed);
                    }
                }
            }
        }
        if let Ok(path) = standard::env::var("BUGNET_REACH") {
            let file = OpenOptions::new().create(true).append(true).open(path).ok();
            *FILE.lock().unwrap_or_else(PoisonError::into_inner) = file;
        }
        let steps = standard::env::var("BUGNET_STEPS").ok().and_then(|text| text.parse::<i64>().ok());
        let most = steps.unwrap_or(1 << 60);
        MOST.store(most, Relaxed);
        STEPS.store(most, Relaxed);
    }

    /// Writes down something that the process has done.
    fn tell(what: &str, number: i64) {
        let mut file = FILE.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(file) = &mut *file {
            let _ = file.write_all(standard::format!("{} {}\n", what, number).as_bytes());
        }
    }

    /// Counts a step of a loop, and ends what takes too many.
    #[inline(always)]
    pub fn step() {
        let left = STEPS.fetch_sub(1, Relaxed);
        if left % PAUSE == 0 || left <= 0 {
            pause(left);
        }
    }

    #[cold]
    #[inline(never)]
    fn pause(left: i64) {
        if left > 0 {
            tell("steps", MOST.load(Relaxed) - left);
        } else if !IS_ARMED.load(Relaxed) {
            standard::eprintln!("bugnet: out of steps");
            standard::process::abort();
        } else if !standard::thread::panicking() {
            standard::panic::resume_unwind(Box::new("bugnet: out of steps"));
        }
    }

    /// Switches alternatives on and all others off, and forgets what was reached.
    pub fn arm(wanted: &[(u32, u8)], steps: i64) {
        IS_ARMED.store(true, Relaxed);
        for (site, _) in take() {
            SWITCHES[site as usize].store(UNASKED, Relaxed);
            WANTED[site as usize].store(0, Relaxed);
        }
        for (site, value) in wanted {
            WANTED[*site as usize].store(*value, Relaxed);
        }
        MOST.store(steps, Relaxed);
        STEPS.store(steps, Relaxed);
    }

    /// Switches off what `arm` has switched on.
    pub fn disarm(wanted: &[(u32, u8)]) {
        for (site, _) in wanted {
            WANTED[*site as usize].store(0, Relaxed);
            SWITCHES[*site as usize].store(UNASKED, Relaxed);
        }
        STEPS.store(i64::MAX, Relaxed);
    }

    fn take() -> Vec<(u32, u8)> {
        standard::mem::take(&mut *REACHED.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Returns the sites that were reached since `arm`.
    pub fn reached() -> Vec<u32> {
        REACHED.lock().unwrap_or_else(PoisonError::into_inner).iter().map(|(site, _)| *site).collect()
    }

    /// Returns the number of steps since `arm`.
    pub fn steps() -> i64 {
        MOST.load(Relaxed) - STEPS.load(Relaxed)
    }
}
"#;

/// Returns the module for some number of sites.
pub(super) fn module(sites: usize) -> String {
    MODULE.replace("COUNT_OF_SITES", &sites.to_string())
}
