//! Everything that is running: the processes that were started here and their scratch folders, so that all of it can
//! be ended at once.
//!
//! **Invariant:** a number is in the list only until its process was waited for, so it never names another process.

use crate::scratch;
use crate::start::Group;
use crate::system;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// Attempts to remove the scratch folders of processes that were killed just now, and may still write.
const ATTEMPTS: u32 = 40;
/// The time between two attempts; all of them together take less than the second in which an interrupt is obeyed.
const PAUSE: Duration = Duration::from_millis(10);

/// The processes and folders of this process. They are few, and lists of them are much cheaper to compile than maps,
/// which every user would pay for.
#[derive(Debug)]
pub(crate) struct Running {
    processes: Vec<(u32, Group)>,
    folders: Vec<PathBuf>,
}

impl Running {
    /// Notes a process that was started.
    pub(crate) fn add_process(&mut self, process: u32, group: Group) {
        self.processes.push((process, group));
    }

    /// Forgets a process that was waited for.
    pub(crate) fn forget_process(&mut self, process: u32) {
        self.processes.retain(|(other, _)| *other != process);
    }

    /// Notes a scratch folder that was made.
    pub(crate) fn add_folder(&mut self, folder: &Path) {
        self.folders.push(folder.to_path_buf());
    }

    /// Forgets a scratch folder that is removed by whoever has made it.
    pub(crate) fn forget_folder(&mut self, folder: &Path) {
        if let Some(place) = self.folders.iter().position(|other| other.as_os_str() == folder.as_os_str()) {
            self.folders.remove(place);
        }
    }
}

static RUNNING: Mutex<Running> = Mutex::new(Running { processes: Vec::new(), folders: Vec::new() });

/// Locks the list. Whoever starts or waits for a process holds the lock meanwhile.
pub(crate) fn running() -> MutexGuard<'static, Running> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends this process with every process that it has started here, and removes their scratch folders.
///
/// No thread can start another one from then on, nor see that one has ended: whatever waits for a process waits for
/// good, and says nothing of its end.
///
/// ```
/// use bugnet_process::{Process, Start};
///
/// let _process = Process::start(&Start::new("/bin/sleep").argument("60")).unwrap();
/// bugnet_process::exit(0);
/// ```
pub fn exit(code: i32) -> ! {
    let running = running();
    for (process, group) in &running.processes {
        system::kill_process(*process);
        if *group == Group::Own {
            system::kill_group(*process);
        }
    }
    for _ in 0..ATTEMPTS {
        running.folders.iter().for_each(|folder| scratch::remove(folder));
        if !running.folders.iter().any(|folder| folder.exists()) {
            break;
        }
        thread::sleep(PAUSE);
    }
    std::process::exit(code)
}
