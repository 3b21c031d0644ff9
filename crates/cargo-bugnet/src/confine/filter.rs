//! The filter: system calls that a process under test may not make, and those that it may make only with certain
//! arguments.
//!
//! The kernel runs a small program before each system call (seccomp). It sees the number of the call and its arguments
//! as numbers, but no path and no memory. Calls that are allowed whatever their arguments are cost nothing: the kernel
//! keeps a list of them.
//!
//! **Invariant:** a call of another architecture than ours is refused, for its numbers mean other calls.

use super::barrier::Barrier;
use super::launcher::Role;
use super::system;
use libc::{CLONE_THREAD, EACCES, ENOSYS, EPERM, F_SETOWN, PR_SET_PDEATHSIG, c_long, sock_filter};
use std::io;

/// The part of a system call that decides about it.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Rule {
    /// The call fails with this error.
    Fails(i32),
    /// It does nothing, and says that it did.
    DoesNothing,
    /// It fails unless the argument at this place is one of these.
    Only(u32, Vec<u32>, i32),
    /// It fails if the argument at this place is one of these.
    Not(u32, Vec<u32>, i32),
    /// It fails unless the argument at this place has one of these bits.
    Needs(u32, u32, i32),
}

/// A filter: for each call that is not simply allowed, its rule.
#[derive(Debug, Default)]
pub(super) struct Filter {
    rules: Vec<(c_long, Rule)>,
}

/// The audit number of our architecture.
#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;
#[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
const ARCHITECTURE: u32 = 0;

/// The bit of the calls of x32, which share the number of the architecture of x86-64 but are other calls.
const X32: u32 = 0x4000_0000;
/// `F_SETSIG`, `F_SETOWN_EX`, and the two requests of `ioctl` that do the same for sockets.
const F_SETSIG: u32 = 10;
const F_SETOWN_EX: u32 = 15;
const SET_OWNER: [u32; 2] = [0x8901, 0x8902];
/// `fchmodat2`, newer than the list of calls that we have.
const FCHMODAT2: c_long = 452;

impl Filter {
    /// The filter of a process behind a barrier.
    pub(super) fn of(barrier: Barrier, role: Role) -> Filter {
        let mut filter = Filter::default();
        filter.everywhere();
        if barrier != Barrier::Namespace {
            filter.without_namespaces();
            if role == Role::Alone {
                filter.alone();
                filter.own_settings_only(std::process::id());
            }
        }
        if (barrier, role) == (Barrier::Filter, Role::Alone) {
            filter.itself_only(std::process::id());
        }
        filter
    }

    fn add(&mut self, calls: &[c_long], rule: &Rule) {
        self.rules.extend(calls.iter().map(|call| (*call, rule.clone())));
    }

    /// Denies the calls that are denied behind every barrier.
    fn everywhere(&mut self) {
        let foreign_memory = [libc::SYS_ptrace, libc::SYS_process_vm_readv, libc::SYS_process_vm_writev];
        self.add(&foreign_memory, &Rule::Fails(EPERM));
        self.add(&[libc::SYS_pidfd_getfd, libc::SYS_kcmp], &Rule::Fails(EPERM));
        // Keys that the kernel keeps are credentials.
        self.add(&[libc::SYS_add_key, libc::SYS_request_key, libc::SYS_keyctl], &Rule::Fails(EPERM));
        // Its requests are not seen here.
        self.add(&[libc::SYS_io_uring_setup], &Rule::Fails(ENOSYS));
        // A signal that somebody else's event sends.
        let owner = [F_SETOWN as u32, F_SETSIG, F_SETOWN_EX];
        self.add(&[libc::SYS_fcntl], &Rule::Not(1, owner.to_vec(), EPERM));
        self.add(&[libc::SYS_ioctl], &Rule::Not(1, SET_OWNER.to_vec(), EPERM));
        // Neither the network nor doors to services; pairs of sockets are made by another call.
        self.add(&[libc::SYS_socket], &Rule::Fails(EACCES));
    }

    /// Denies the calls that namespaces would deny.
    fn without_namespaces(&mut self) {
        let shared = [
            libc::SYS_shmget,
            libc::SYS_shmat,
            libc::SYS_shmctl,
            libc::SYS_semget,
            libc::SYS_semop,
            libc::SYS_semtimedop,
            libc::SYS_semctl,
            libc::SYS_msgget,
            libc::SYS_msgsnd,
            libc::SYS_msgrcv,
            libc::SYS_msgctl,
            libc::SYS_mq_open,
            libc::SYS_mq_unlink,
        ];
        self.add(&shared, &Rule::Fails(EPERM));
        // What belongs to a file beside its content, which Landlock does not guard.
        let attributes = [
            libc::SYS_fchmodat,
            FCHMODAT2,
            libc::SYS_fchownat,
            libc::SYS_fchown,
            libc::SYS_utimensat,
            libc::SYS_setxattr,
            libc::SYS_lsetxattr,
            libc::SYS_fsetxattr,
            libc::SYS_removexattr,
            libc::SYS_lremovexattr,
            libc::SYS_fremovexattr,
        ];
        self.add(&attributes, &Rule::Fails(EPERM));
        #[cfg(target_arch = "x86_64")]
        self.add(
            &[
                libc::SYS_chmod,
                libc::SYS_chown,
                libc::SYS_lchown,
                libc::SYS_utime,
                libc::SYS_utimes,
                libc::SYS_futimesat,
            ],
            &Rule::Fails(EPERM),
        );
        // `std::fs::copy` ends with it, and would fail.
        self.add(&[libc::SYS_fchmod], &Rule::DoesNothing);
    }

    /// No process is started, for it could outlive this one.
    fn alone(&mut self) {
        self.add(&[libc::SYS_clone], &Rule::Needs(0, CLONE_THREAD as u32, EPERM));
        // Its flags are in memory, which is not seen here; without it, `clone` is called.
        self.add(&[libc::SYS_clone3], &Rule::Fails(ENOSYS));
        #[cfg(target_arch = "x86_64")]
        self.add(&[libc::SYS_fork, libc::SYS_vfork], &Rule::Fails(EPERM));
        // It is to die with whoever started it.
        self.add(&[libc::SYS_prctl], &Rule::Not(0, vec![PR_SET_PDEATHSIG as u32], EPERM));
    }

    /// Signals name only the process itself.
    fn itself_only(&mut self, process: u32) {
        let signals = [
            libc::SYS_kill,
            libc::SYS_tkill,
            libc::SYS_tgkill,
            libc::SYS_rt_sigqueueinfo,
            libc::SYS_rt_tgsigqueueinfo,
        ];
        self.add(&signals, &Rule::Only(0, vec![process], EPERM));
        // A descriptor may stand for anybody.
        self.add(&[libc::SYS_pidfd_send_signal], &Rule::Fails(EPERM));
    }

    /// Limits and priorities are changed of this process only.
    fn own_settings_only(&mut self, process: u32) {
        let settings = [
            libc::SYS_prlimit64,
            libc::SYS_sched_setaffinity,
            libc::SYS_sched_setattr,
            libc::SYS_sched_setparam,
            libc::SYS_sched_setscheduler,
        ];
        self.add(&settings, &Rule::Only(0, vec![0, process], EPERM));
        self.add(&[libc::SYS_setpriority, libc::SYS_ioprio_set], &Rule::Only(1, vec![0, process], EPERM));
    }

    /// Applies the filter to this process and all that it becomes or starts.
    pub(super) fn install(&self) -> io::Result<()> {
        if ARCHITECTURE == 0 {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "no filter is written for this processor",
            ));
        }
        system::filter(&self.program())
    }

    /// Writes the filter as a program of the kernel's machine.
    fn program(&self) -> Vec<sock_filter> {
        let refused = ret(Verdict::Error(ENOSYS));
        let mut program = vec![load(4), jump(EQUAL, ARCHITECTURE, 1, 0), refused, load(0)];
        if cfg!(target_arch = "x86_64") {
            program.extend([jump(HAS, X32, 0, 1), refused]);
        }
        for (call, rule) in &self.rules {
            let block = rule.block();
            // The arguments of a call have taken the place of its number only in the block of its rule, which ends.
            let skipped = u8::try_from(block.len()).expect("a rule is short");
            program.push(jump(EQUAL, *call as u32, 0, skipped));
            program.extend(block);
        }
        program.push(ret(Verdict::Allowed));
        program
    }
}

impl Rule {
    /// The part of the program that decides about a call of this rule.
    fn block(&self) -> Vec<sock_filter> {
        let denied = |error: &i32| ret(Verdict::Error(*error));
        // The argument is compared with each value; an equal one leads to the end.
        let compared = |place: u32, values: &[u32], end: [sock_filter; 2]| {
            let mut block = vec![argument(place)];
            for (number, value) in values.iter().enumerate() {
                let left = u8::try_from(values.len() - number).expect("a rule has few values");
                block.push(jump(EQUAL, *value, left, 0));
            }
            block.extend(end);
            block
        };
        match self {
            Rule::Fails(error) => vec![denied(error)],
            Rule::DoesNothing => vec![ret(Verdict::Error(0))],
            Rule::Only(place, values, error) => {
                compared(*place, values, [denied(error), ret(Verdict::Allowed)])
            }
            Rule::Not(place, values, error) => {
                compared(*place, values, [ret(Verdict::Allowed), denied(error)])
            }
            Rule::Needs(place, bits, error) => {
                vec![argument(*place), jump(HAS, *bits, 1, 0), denied(error), ret(Verdict::Allowed)]
            }
        }
    }
}

/// The decision about a call.
#[derive(Debug, Clone, Copy)]
enum Verdict {
    Allowed,
    /// It is not made, and returns this error.
    Error(i32),
}

/// Instructions: load a word of what is known of the call, jump if equal, jump if it has one of the bits, return.
const LOAD: u16 = 0x20;
const EQUAL: u16 = 0x15;
const HAS: u16 = 0x45;
const RETURN: u16 = 0x06;

fn load(offset: u32) -> sock_filter {
    sock_filter { code: LOAD, jt: 0, jf: 0, k: offset }
}

/// Loads the lower half of an argument: all that we look at are numbers of 32 bits.
fn argument(place: u32) -> sock_filter {
    load(16 + 8 * place)
}

fn jump(code: u16, value: u32, if_so: u8, if_not: u8) -> sock_filter {
    sock_filter { code, jt: if_so, jf: if_not, k: value }
}

fn ret(verdict: Verdict) -> sock_filter {
    let k = match verdict {
        Verdict::Allowed => 0x7fff_0000,
        Verdict::Error(error) => 0x0005_0000 | error as u32,
    };
    sock_filter { code: RETURN, jt: 0, jf: 0, k }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs the program as the kernel does, on a call of an architecture with these arguments.
    fn verdict(program: &[sock_filter], architecture: u32, call: c_long, arguments: &[u32]) -> u32 {
        let word = |offset: u32| match offset {
            0 => call as u32,
            4 => architecture,
            _ => arguments.get((offset as usize - 16) / 8).copied().unwrap_or_default(),
        };
        let (mut place, mut accumulator) = (0, 0);
        loop {
            let step = program[place];
            let is_so = match step.code {
                LOAD => {
                    accumulator = word(step.k);
                    place += 1;
                    continue;
                }
                RETURN => return step.k,
                EQUAL => accumulator == step.k,
                HAS => accumulator & step.k != 0,
                other => panic!("{other} is no instruction of ours"),
            };
            place += 1 + usize::from(if is_so { step.jt } else { step.jf });
        }
    }

    const ALLOWED: u32 = 0x7fff_0000;

    fn denied(error: i32) -> u32 {
        0x0005_0000 | error as u32
    }

    fn of(barrier: Barrier, role: Role, call: c_long, arguments: &[u32]) -> u32 {
        verdict(&Filter::of(barrier, role).program(), ARCHITECTURE, call, arguments)
    }

    #[test]
    fn signals_reach_only_the_process_itself_where_nothing_else_keeps_them_inside() {
        let own = std::process::id();
        let kill = |barrier, process| of(barrier, Role::Alone, libc::SYS_kill, &[process, 9]);
        assert_eq!(kill(Barrier::Filter, own), ALLOWED);
        for process in [0, 1, u32::MAX, own + 1, own.wrapping_neg()] {
            assert_eq!(kill(Barrier::Filter, process), denied(EPERM), "{process}");
            // The kernel itself keeps them inside.
            assert_eq!(kill(Barrier::Namespace, process), ALLOWED);
            assert_eq!(kill(Barrier::Landlock, process), ALLOWED);
        }
        for call in
            [libc::SYS_tgkill, libc::SYS_tkill, libc::SYS_rt_sigqueueinfo, libc::SYS_rt_tgsigqueueinfo]
        {
            assert_eq!(of(Barrier::Filter, Role::Alone, call, &[own, own, 6]), ALLOWED);
            assert_eq!(of(Barrier::Filter, Role::Alone, call, &[own + 1, own, 6]), denied(EPERM));
        }
    }

    #[test]
    fn threads_are_started_and_processes_only_where_they_cannot_be_left_behind() {
        let thread = [CLONE_THREAD as u32 | 0x100];
        for barrier in [Barrier::Landlock, Barrier::Filter] {
            assert_eq!(of(barrier, Role::Alone, libc::SYS_clone, &thread), ALLOWED);
            assert_eq!(of(barrier, Role::Alone, libc::SYS_clone, &[17]), denied(EPERM));
            assert_eq!(of(barrier, Role::Alone, libc::SYS_clone3, &[]), denied(ENOSYS));
            assert_eq!(of(barrier, Role::Supervisor, libc::SYS_clone, &[17]), ALLOWED);
        }
        assert_eq!(of(Barrier::Namespace, Role::Alone, libc::SYS_clone, &[17]), ALLOWED);
    }

    #[test]
    fn calls_of_other_architectures_do_not_exist() {
        for barrier in Barrier::ALL {
            let program = Filter::of(barrier, Role::Alone).program();
            // 37 is `kill` on 32-bit x86.
            assert_eq!(verdict(&program, 0x4000_0003, 37, &[1, 9]), denied(ENOSYS));
            if cfg!(target_arch = "x86_64") {
                assert_eq!(verdict(&program, ARCHITECTURE, 0x4000_003e, &[1, 9]), denied(ENOSYS));
            }
            assert_eq!(verdict(&program, ARCHITECTURE, libc::SYS_read, &[0]), ALLOWED);
        }
    }

    #[test]
    fn sockets_and_owners_of_signals_are_denied_and_pairs_of_sockets_are_not() {
        for barrier in Barrier::ALL {
            for family in [libc::AF_UNIX, libc::AF_INET, libc::AF_NETLINK] {
                let socket = |call| of(barrier, Role::Alone, call, &[family as u32, 1]);
                assert_eq!(socket(libc::SYS_socket), denied(EACCES));
                assert_eq!(socket(libc::SYS_socketpair), ALLOWED);
            }
            assert_eq!(of(barrier, Role::Alone, libc::SYS_fcntl, &[0, F_SETOWN as u32, 1]), denied(EPERM));
            assert_eq!(of(barrier, Role::Alone, libc::SYS_fcntl, &[0, 1]), ALLOWED);
        }
    }
}
