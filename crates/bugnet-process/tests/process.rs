//! Processes that talk, die, hang, print and leave children behind. Each of them is this program, told to run the
//! ignored test [`child`].
#![cfg(unix)]

use bugnet_process::{
    Answer, Channel, Death, Finished, Flow, Group, How, Journal, Launcher, Limits, Next, Output, Process,
    Start, Supervisor, Talk, Variables, become_program, channel,
};
use std::io::{Read, Write};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// Says what the child is to do.
const DEED: &str = "BUGNET_TEST_DEED";

/// A generous time: the machine may be busy.
const LONG: Duration = Duration::from_secs(30);

#[test]
#[ignore = "what the tests below start"]
#[expect(clippy::zombie_processes, reason = "it dies before the process that it starts")]
fn child() {
    if std::env::args().any(|word| word == "--") {
        // This process is a launcher, and is told of a child by its arguments.
        return;
    }
    let deed = std::env::var(DEED).expect("it is started by the tests below");
    if deed == "hold" {
        // It inherits the channel and the journal, for they are not taken yet, and standard error.
        Command::new("/bin/sleep").arg("60").stdin(Stdio::null()).spawn().unwrap();
    }
    let Some(channel) = channel() else {
        println!("no channel");
        std::process::exit(0);
    };
    while let Some(command) = channel.receive() {
        do_deed(&deed, &command, channel);
    }
    std::process::exit(0);
}

#[expect(clippy::zombie_processes, reason = "it is ended with the process that it starts")]
fn do_deed(deed: &str, command: &[u8], channel: &Channel) {
    let mut journal = channel.journal();
    let mut note = |record: &[u8]| journal.iter_mut().for_each(|journal| journal.write(record));
    match deed {
        "echo" => assert!(channel.send(command)),
        "print" => {
            let mut input = String::new();
            std::io::stdin().read_to_string(&mut input).unwrap();
            println!("printed {input:?}");
            eprintln!("complained");
            std::io::stdout().write_all(command).unwrap();
            std::process::exit(7);
        }
        "abort" | "hold" => {
            note(command);
            channel.send(b"about to abort");
            eprintln!("goodbye");
            std::process::abort();
        }
        "hang" => {
            note(command);
            channel.send(b"hanging");
            std::thread::sleep(LONG * 2);
        }
        "overflow" => {
            fn deeper(depth: u64) -> u64 {
                std::hint::black_box(if depth == u64::MAX { 0 } else { 1 + deeper(depth + 1) })
            }
            deeper(std::hint::black_box(0));
        }
        "swell" => {
            let size = usize::try_from(u64::from_le_bytes(command.try_into().unwrap())).unwrap();
            channel.send(&[u8::from(std::hint::black_box(vec![1_u8; size]).len() == size)]);
        }
        "spin" => loop {
            std::hint::spin_loop();
        },
        "list" => {
            let output = Command::new("/bin/ls").args(["-l", "/proc/self/fd"]).output().unwrap();
            channel.send(&output.stdout);
        }
        "again" => {
            // The copy inherits all variables, and has no channel all the same.
            let mut again = Command::new(std::env::current_exe().unwrap());
            let output = again.args(["child", "--exact", "--ignored", "--nocapture"]).output().unwrap();
            channel.send(&output.stdout);
        }
        "leave" => {
            let left = Command::new("/bin/sleep").arg("60").spawn().unwrap();
            channel.send(left.id().to_string().as_bytes());
        }
        "count" => {
            channel.send(command);
            if command == b"die" {
                std::process::abort();
            }
        }
        other => panic!("{other} is no deed"),
    }
}

/// Not a test: a launcher, which is told behind `--` what to become.
#[test]
#[ignore = "what the tests below start"]
fn launcher() {
    let words: Vec<_> = std::env::args_os().skip_while(|word| word != "--").skip(1).collect();
    panic!("{}", become_program(&words));
}

fn start(deed: &str) -> Start {
    Start {
        launcher: Launcher::Shell,
        talk: Talk::Journalled(std::env::temp_dir()),
        variables: Variables::default().with(DEED, deed),
        ..Start::new(std::env::current_exe().unwrap())
            .argument("child")
            .argument("--exact")
            .argument("--ignored")
            .argument("--nocapture")
    }
}

fn frames(deed: &str) -> Start {
    Start { talk: Talk::Frames, ..start(deed) }
}

/// Starts a child, sends it one frame, and waits for its end.
fn finished(start: &Start, command: &[u8]) -> Finished {
    let mut process = Process::start(start).unwrap();
    process.send(command);
    process.finish(Instant::now() + LONG)
}

/// The first frame that a child sends when it is sent one.
fn answer(start: &Start, command: &[u8]) -> Vec<u8> {
    let mut process = Process::start(start).unwrap();
    process.send(command);
    match process.next(Instant::now() + LONG) {
        Next::Frame(frame) => frame,
        other => panic!("{other:?}"),
    }
}

#[test]
fn frames_of_any_length_come_back() {
    for start in [start("echo"), frames("echo")] {
        let mut process = Process::start(&start).unwrap();
        for length in [0, 1, 5_000, 3 << 20] {
            let content: Vec<u8> = (0..length).map(|place| (place * 31 / 7) as u8).collect();
            process.send(&content);
            assert_eq!(process.next(Instant::now() + LONG), Next::Frame(content), "{length} bytes");
        }
        assert_eq!(process.next(Instant::now() + Duration::from_millis(1)), Next::Late);
    }
}

#[test]
fn a_program_that_takes_away_its_rights_first_hands_over_the_channel_and_the_journal() {
    let launch = |start: Start| {
        let words = ["launcher", "--exact", "--ignored", "--nocapture", "--"].map(Into::into).to_vec();
        Start { launcher: Launcher::Program { program: std::env::current_exe().unwrap(), words }, ..start }
    };
    for start in [start("echo"), frames("echo")] {
        assert_eq!(answer(&launch(start), b"hello"), b"hello");
    }
    let mut process = Process::start(&launch(start("abort"))).unwrap();
    process.send(b"noted");
    while let Next::Frame(_) = process.next(Instant::now() + LONG) {}
    assert_eq!(process.journal(), Some(b"noted".to_vec()));
}

#[test]
fn standard_input_is_empty_and_what_is_printed_is_not_taken_for_frames() {
    let whole = Start { output: Output::Whole { most: 1 << 20 }, ..frames("print") };
    let done = finished(&whole, b"\0\0\0\0\0\0\0\0\x01\0\0\0!");
    assert_eq!((done.frames.len(), done.end.how), (0, How::Exited(7)));
    let output = String::from_utf8_lossy(&done.output);
    assert!(output.contains("printed \"\""), "{output}");
    assert!(done.end.said.contains("complained") && !done.end.said.contains("printed"), "{}", done.end.said);
    // With a journal, standard output is dropped.
    let dropped = finished(&start("print"), b"x");
    assert!(dropped.output.is_empty() && dropped.end.said.contains("complained"));
}

#[test]
fn a_death_is_told_with_what_was_said_and_noted_before_it() {
    let mut process = Process::start(&start("abort")).unwrap();
    process.send(b"deadly");
    assert_eq!(process.next(Instant::now() + LONG), Next::Frame(b"about to abort".to_vec()));
    let Next::Ended(end) = process.next(Instant::now() + LONG) else { panic!("it hangs") };
    assert_eq!((end.how, end.death(), end.last_line()), (How::Signalled(6), Death::Abort, "goodbye"));
    assert_eq!(process.journal(), Some(b"deadly".to_vec()));
    let overflowed = finished(&start("overflow"), b"").end;
    assert_eq!(overflowed.death(), Death::StackOverflow, "{overflowed:?}");
}

#[test]
fn a_process_has_ended_when_it_has_exited_although_a_child_of_it_holds_all_its_pipes() {
    let began = Instant::now();
    let mut process = Process::start(&start("hold")).unwrap();
    process.send(b"deadly");
    assert_eq!(process.next(Instant::now() + LONG), Next::Frame(b"about to abort".to_vec()));
    let Next::Ended(end) = process.next(Instant::now() + LONG) else { panic!("it hangs") };
    assert_eq!((end.death(), end.last_line()), (Death::Abort, "goodbye"));
    assert!(began.elapsed() < LONG, "somebody waited for the child that was left behind");
}

#[test]
fn nobody_waits_longer_than_told_for_what_hangs() {
    let mut process = Process::start(&start("hang")).unwrap();
    process.send(b"endless");
    assert_eq!(process.next(Instant::now() + LONG), Next::Frame(b"hanging".to_vec()));
    assert_eq!(process.next(Instant::now() + Duration::from_millis(30)), Next::Late);
    assert_eq!(process.end().how, How::TookTooLong);
    let done = Process::start(&frames("hang")).unwrap().finish(Instant::now() + Duration::from_millis(50));
    assert_eq!(done.end.how, How::TookTooLong);
}

#[cfg(target_os = "linux")]
#[test]
fn no_child_inherits_the_channel_or_the_journal() {
    let listed = String::from_utf8(answer(&start("list"), b"")).unwrap();
    assert!(
        listed.contains("/proc/") && !listed.contains("socket:") && !listed.contains("deleted"),
        "{listed}"
    );
}

#[test]
fn who_inherits_the_variable_has_no_channel() {
    let printed = String::from_utf8(answer(&start("again"), b"")).unwrap();
    assert!(printed.contains("no channel"), "{printed}");
}

#[test]
fn memory_and_time_are_limited_by_the_shell() {
    let swell = Start { limits: Limits { memory: Some(1 << 30), ..Limits::default() }, ..start("swell") };
    assert_eq!(answer(&swell, &(1_u64 << 20).to_le_bytes()), [1]);
    assert_eq!(finished(&swell, &(1_u64 << 31).to_le_bytes()).end.death(), Death::OutOfMemory);
    let processor = Some(Duration::from_secs(1));
    let spin = Start { limits: Limits { processor, ..Limits::default() }, ..start("spin") };
    let end = finished(&spin, b"").end;
    assert!(matches!(end.death(), Death::OverLimit(_)), "{end:?}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_process_that_leads_a_group_is_ended_with_all_that_it_has_started() {
    let mut process = Process::start(&Start { group: Group::Own, ..start("leave") }).unwrap();
    process.send(b"");
    let Next::Frame(frame) = process.next(Instant::now() + LONG) else { panic!("it says nothing") };
    let left = String::from_utf8(frame).unwrap();
    let is_alive = || {
        let status = std::fs::read_to_string(format!("/proc/{left}/stat")).unwrap_or_default();
        status.contains("(sleep)") && !status.contains(") Z ")
    };
    assert!(is_alive());
    process.end();
    let began = Instant::now();
    while is_alive() {
        assert!(began.elapsed() < LONG, "it was left behind");
    }
}

#[test]
fn a_supervisor_starts_what_has_died_again_and_greets_each_process() {
    let mut supervisor = Supervisor::new(start("count"));
    supervisor.greet(vec![b"hello".to_vec()]);
    let mut ask = |command: &[u8]| {
        let mut heard = Vec::new();
        let answer = supervisor.ask(command, LONG, &mut |frame| {
            heard.extend(frame.map(<[u8]>::to_vec));
            if heard.last().is_some_and(|last| last == b"done") { Flow::Done } else { Flow::More }
        });
        (answer.unwrap(), heard)
    };
    let frames = |words: &[&str]| words.iter().map(|word| word.as_bytes().to_vec()).collect::<Vec<_>>();
    assert_eq!(ask(b"done"), (Answer::Done, frames(&["hello", "done"])));
    assert_eq!(ask(b"done"), (Answer::Done, frames(&["done"])));
    let (lost, heard) = ask(b"die");
    assert!(matches!(lost, Answer::Lost { end, journal: None } if end.death() == Death::Abort));
    assert_eq!(heard, frames(&["die"]));
    assert_eq!(ask(b"done"), (Answer::Done, frames(&["hello", "done"])));
}

#[test]
fn a_supervisor_ends_what_says_nothing_and_knows_what_it_was_doing() {
    let mut supervisor = Supervisor::new(start("hang"));
    let mut heard = 0;
    let answer = supervisor.ask(b"endless", Duration::from_millis(100), &mut |frame| {
        heard += usize::from(frame.is_some());
        Flow::More
    });
    let Answer::Lost { end, journal } = answer.unwrap() else { panic!("it does not hang") };
    assert_eq!((heard, end.how, journal), (1, How::TookTooLong, Some(b"endless".to_vec())));
    assert!(!supervisor.is_running());
    // Who does not want to wait need not.
    let answer = supervisor.ask(b"endless", LONG, &mut |_| Flow::Done);
    assert!(answer.unwrap() == Answer::Done && supervisor.is_running());
    supervisor.end();
    assert!(!supervisor.is_running());
}

#[test]
fn a_start_that_makes_no_sense_is_refused() {
    let direct = Start { launcher: Launcher::Direct, ..frames("echo") };
    let crowded = Start { output: Output::Whole { most: 9 }, ..start("echo") };
    for start in [direct, crowded] {
        assert_eq!(Process::start(&start).unwrap_err().kind(), std::io::ErrorKind::InvalidInput);
    }
}

#[test]
fn variables_and_folder_are_those_of_the_start() {
    let shell = |script: &str, variables: Variables| {
        let output = Output::Whole { most: 1_000 };
        let start = Start { variables, output, folder: Some("/".into()), ..Start::new("/bin/sh") };
        let done = finished(&start.argument("-c").argument(script), b"");
        String::from_utf8(done.output).unwrap()
    };
    assert_eq!(shell("pwd; echo $A", Variables::none().with("A", "b")), "/\nb\n");
    assert_eq!(shell("echo $HOME", Variables::default().without("HOME")), "\n");
}

#[test]
fn a_locked_journal_is_left_over_only_when_its_owner_is_gone() {
    let path = std::env::temp_dir().join(format!("bugnet-left-over-{}", std::process::id()));
    let mut journal = Journal::locked(&path).unwrap();
    journal.write(b"running");
    assert_eq!(Journal::left_over(&path), None);
    drop(journal);
    assert_eq!(Journal::left_over(&path), Some(b"running".to_vec()));
    std::fs::remove_file(path).unwrap();
    assert_eq!(Journal::left_over(std::path::Path::new("/no/such/journal")), None);
}
