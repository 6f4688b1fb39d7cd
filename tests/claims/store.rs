//! The store: when it is written, what it holds, what ends a record, and which ends of programs are noted.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use persist::record::{PaneRecord, Record, SessionRecord};
use persist::{Key, Kind, frame};
use serde_json::Value;

use crate::harness::{Home, Stage, Tty, long, observe_for, process, wait_for, wait_some};

/// Where a store is, below its home.
pub const STORE: &str = "home/pty-sessions";

/// The file of a pane's screen.
pub fn screen_file(home: &Home, pane: &str) -> PathBuf {
    home.path(STORE).join(Key::screen(&home.format(pane, "#{pane_uuid}")).file_name())
}

/// What a file of the store holds, when it is there and whole.
pub fn payload(kind: Kind, file: &Path) -> Option<Vec<u8>> {
    frame::decode(kind, &fs::read(file).ok()?).ok().map(<[u8]>::to_vec)
}

/// The screen that a file holds.
pub fn frozen(file: &Path) -> Option<term::Terminal> {
    let store = Box::new(term::VecStore::default());
    term::Terminal::from_snapshot(&payload(Kind::Screen, file)?, store).ok()
}

/// A screen and its whole history as text.
pub fn text_of(terminal: &term::Terminal, escapes: bool) -> String {
    let whole = term::Capture { start: term::capture::LineNumber::First, escapes, ..term::Capture::default() };
    String::from_utf8_lossy(&terminal.capture(&whole)).into_owned()
}

/// The record of a pane.
pub fn pane_record(home: &Home, pane: &str) -> Option<PaneRecord> {
    let file = home.path(STORE).join(Key::pane(&home.format(pane, "#{pane_uuid}")).file_name());
    PaneRecord::decode(&payload(Kind::Pane, &file)?).ok()
}

/// The word itself stands in no record, only on the screen.
fn echo(word: &str) -> String {
    let (first, rest) = word.split_at(1);
    format!("echo {first}''{rest}")
}

pub fn session(home: &Home, name: &str, line: &str) {
    home.ok(&["new-session", "-d", "-s", name, "-x", "80", "-y", "24", line]);
}

fn wait_kept(home: &Home, word: &str) {
    wait_for(&format!("{word:?} on disk"), || !home.files_with(STORE, word).is_empty());
}

#[test]
fn s14_every_live_pane_has_a_record_and_a_screen_on_disk() {
    let home = Home::rove();
    let names = ["one", "two", "three", "four", "five"];
    for name in names {
        session(&home, name, &format!("{}; exec cat", echo(&format!("word-{name}"))));
        home.wait_screen(name, &format!("word-{name}"));
        home.ok(&["select-pane", "-t", name, "-T", &format!("title-{name}")]);
    }
    for name in names {
        wait_kept(&home, &format!("word-{name}"));
        let record = wait_some("the title in the record", || {
            pane_record(&home, name).filter(|record| record.title == format!("title-{name}"))
        });
        assert_eq!(record.uuid, home.format(name, "#{pane_uuid}"));
        assert_eq!(format!("%{}", record.number), home.format(name, "#{pane_id}"));
        assert_eq!((record.size, record.dead, record.empty), ((80, 24), None, false));
        assert_eq!(record.command.len(), 1);
        assert!(record.command[0].ends_with("exec cat"), "{:?}", record.command);
        assert_eq!(record.cwd, home.path("work").display().to_string());
        assert_eq!(record.history_limit, 1000);
        let shown = text_of(&frozen(&screen_file(&home, name)).unwrap(), false);
        assert!(shown.starts_with(&format!("word-{name}\n")), "{shown}");
        let file = home.path(STORE).join(Key::session(name).file_name());
        let kept = SessionRecord::decode(&payload(Kind::Session, &file).unwrap()).unwrap();
        assert_eq!(kept.windows[0].window.layout, home.format(name, "#{window_layout}"));
        assert_eq!(kept.windows[0].window.panes, [record.uuid]);
    }
    let count =
        |ending: &str| home.files(STORE).iter().filter(|file| file.extension().is_some_and(|it| it == ending)).count();
    assert_eq!((count("pane"), count("screen"), count("session")), (5, 5, 5));
}

#[test]
fn s15_a_dead_pane_shows_its_old_screen_and_the_attach_starts_it_in_place() {
    let home = Home::rove();
    session(&home, "work", "echo run >> runs; seq -f 'line %g' 1 100; echo run $(grep -c run runs); exec cat");
    home.wait_screen("work", "run 1");
    wait_kept(&home, "line 100");
    let ids = |home: &Home| home.format("work", "#{session_id} #{window_id} #{pane_id} #{pane_uuid}");
    let (before, old, pid) = (ids(&home), home.history("work"), home.pane_pid("work"));
    let lines = |home: &Home| home.format("work", "#{history_size}").parse::<u64>().unwrap();
    let written = lines(&home);
    home.crash();
    home.ok(&["ls"]);
    assert_eq!(home.format("work", "#{pane_pid} #{session_frozen}"), "0 1", "restored and dead");
    assert_eq!((home.history("work"), ids(&home)), (old.clone(), before.clone()), "the old screen before any attach");
    assert_eq!(fs::read_to_string(home.path("work/runs")).unwrap(), "run\n");
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_text("run 2");
    assert_eq!(ids(&home), before);
    assert_ne!(home.pane_pid("work"), pid);
    let history = home.history("work");
    assert!(history.starts_with(old.trim_end()), "the old bytes come first");
    assert!(history.find("run 1\n") < history.rfind("line 1\n"));
    assert!(lines(&home) >= written + 100, "the count goes on");
}

#[test]
fn s16_a_conversation_outlives_the_home_and_is_resumed_by_its_id() {
    let stage = Stage::set(&["pinned", "discovered"]);
    let words = stage.tell_all();
    stage.home.ok(&["daemon", "stop"]);
    stage.home.wait_empty();
    let files: Vec<PathBuf> = stage
        .home
        .files("engines")
        .into_iter()
        .filter(|file| file.extension().is_some_and(|it| it == "jsonl"))
        .collect();
    let contents = |files: &[PathBuf]| files.iter().map(|file| fs::read(file).unwrap()).collect::<Vec<_>>();
    let before = contents(&files);
    assert_eq!(before.len(), 2);
    fs::remove_dir_all(stage.home.path("home")).unwrap();
    assert_eq!(contents(&files), before);
    let of = |engine: &str| {
        files.iter().find(|file| file.display().to_string().contains(engine)).unwrap().file_stem().unwrap()
    };
    let pinned = of("pinned").to_string_lossy().into_owned();
    stage.home.ok(&["new-session", "-d", "-s", "new", "-x", "200", "-y", "50"]);
    assert_eq!(stage.home.ok(&["list-sessions", "-F", "#{session_name}"]), "new", "nothing of before is known");
    stage.home.ok(&["pinned", "-t", "new", "--resume", &pinned]);
    stage.home.wait_screen("new", "pinned>");
    assert_eq!(stage.ask("new"), format!("The codeword is {}.", words[0]));
}

/// What reset must not touch, and what only `--hard` does.
struct Around {
    stage: Stage,
    tree: PathBuf,
}

impl Around {
    fn set() -> Around {
        let stage = Stage::set(&["pinned"]);
        stage.tell_all();
        for (file, text) in [("tasks.json", "[\"task\"]"), ("state.json", "{\"tab\":1}"), ("inbox.json", "[]")] {
            fs::write(stage.home.path("home").join(file), text).unwrap();
        }
        let tree = stage.home.path("work/tree");
        let repository = stage.home.path("work/repository").display().to_string();
        let git = format!(
            "git init -q {repository} && cd {repository} && git -c user.name=n -c user.email=e commit -q --allow-empty -m m && \
             git worktree add -q {} && echo mine > {}/file",
            tree.display(),
            tree.display()
        );
        stage.home.shell(&git).ok();
        Around { stage, tree }
    }

    fn index(&self) -> Vec<Option<String>> {
        let files = ["tasks.json", "state.json", "inbox.json"];
        files.iter().map(|file| fs::read_to_string(self.stage.home.path("home").join(file)).ok()).collect()
    }

    fn outside(&self) -> (String, String, Vec<(String, u64)>) {
        let list = format!("git -C {} worktree list", self.tree.display());
        (
            self.stage.home.shell(&list).ok(),
            fs::read_to_string(self.tree.join("file")).unwrap(),
            self.stage.transcripts(),
        )
    }
}

#[test]
fn s18_s36_reset_forgets_sessions_and_keeps_index_worktrees_and_transcripts() {
    let around = Around::set();
    let home = &around.stage.home;
    home.ok(&["send-keys", "-t", "work", "-l", "mark"]);
    wait_kept(home, "noted");
    let (index, outside) = (around.index(), around.outside());
    home.ok(&["reset", "--yes"]);
    home.wait_empty();
    assert!(home.files(STORE).is_empty(), "{:?}", home.files(STORE));
    assert_eq!((around.index(), around.outside()), (index, outside));
    session(home, "work", "exec cat");
    assert!(!home.history("work").contains("noted"), "no old scrollback");
}

#[test]
fn s19_reset_hard_forgets_the_index_too_and_never_worktrees_or_transcripts() {
    let around = Around::set();
    let outside = around.outside();
    around.stage.home.ok(&["reset", "--hard", "--yes"]);
    around.stage.home.wait_empty();
    assert_eq!((around.index(), around.outside()), (vec![None, None, None], outside));
}

/// How often a file is replaced while it is watched.
fn replacements(file: &Path, time: Duration) -> Vec<Duration> {
    let start = Instant::now();
    let inode = || fs::metadata(file).ok().map(|found| (found.ino(), found.ctime(), found.ctime_nsec()));
    let (mut last, mut times) = (inode(), Vec::new());
    observe_for(time, "the look at a file", || {
        let now = inode();
        if now.is_some() && now != last {
            times.push(start.elapsed());
            last = now;
        }
        true
    });
    times
}

#[test]
fn s37_a_streaming_pane_is_written_at_most_once_in_five_seconds() {
    let home = Home::rove();
    session(&home, "work", "i=0; while :; do i=$((i+1)); echo tick $i; sleep 0.02; done");
    home.wait_screen("work", "tick 1");
    let file = screen_file(&home, "work");
    let seconds = if long() { 30 } else { 11 };
    let times = replacements(&file, Duration::from_secs(seconds));
    println!("s37: {} writes in {seconds} s: {times:?}", times.len());
    // At most 7 and at least 4 in 30 seconds.
    assert!(times.len() as u64 <= seconds / 5 + 1 && times.len() as u64 >= seconds.div_ceil(8), "{times:?}");
    assert!(times.windows(2).all(|pair| pair[1] - pair[0] >= Duration::from_millis(4_500)), "{times:?}");
}

#[test]
fn s38_an_exit_is_written_at_once() {
    let home = Home::rove();
    session(&home, "work", "exec cat");
    home.ok(&["set-option", "-g", "remain-on-exit", "on"]);
    home.ok(&[
        "new-window",
        "-d",
        "-t",
        "work:5",
        "while ! [ -e go ]; do echo tick; sleep 0.05; done; echo la''st; exit 7",
    ]);
    let file = screen_file(&home, "work:5");
    // The slot of the five seconds is taken.
    wait_for("the first write", || file.exists());
    fs::write(home.path("work/go"), "").unwrap();
    wait_for("the end", || home.format("work:5", "#{pane_dead}") == "1");
    let start = Instant::now();
    wait_for("the last word and the code on disk", || {
        let shown = frozen(&file).is_some_and(|terminal| text_of(&terminal, false).contains("last\n"));
        let code = pane_record(&home, "work:5").and_then(|record| record.dead?.code);
        shown && code == Some(7)
    });
    println!("s38: on disk {:?} after the end was seen", start.elapsed());
    assert!(start.elapsed() < Duration::from_secs(1));
    // A pane that stays ended once.
    wait_for("the note of it", || exits(&home).len() == 1);
    home.ok(&["rename-window", "-t", "work:5", "other"]);
    assert_eq!(exits(&home).len(), 1);
}

#[test]
fn s39_s76_the_end_of_server_or_host_writes_the_last_byte_of_every_pane() {
    for of_host in [false, true] {
        let home = Home::rove();
        for name in ["a", "b", "c"] {
            session(&home, name, "exec cat");
        }
        home.ok(&["new-window", "-d", "-t", "a:1", "exec cat"]);
        let panes = ["a:0", "b:0", "c:0", "a:1"];
        let files = panes.map(|pane| screen_file(&home, pane));
        // Written a moment ago, so that only the end itself can bring the last words to the disk in time.
        for pane in panes {
            home.ok(&["send-keys", "-t", pane, "first", "Enter"]);
        }
        wait_for("the first write", || files.iter().all(|file| file.exists()));
        for pane in panes {
            home.ok(&["send-keys", "-t", pane, "last-words", "Enter"]);
            home.wait_screen(pane, "last-words\nlast-words");
        }
        let (server, host) = (home.server(), home.host_of("a:0"));
        process::signal(if of_host { host } else { server }, process::Signal::TERM);
        home.wait_empty();
        for (pane, file) in panes.iter().zip(&files) {
            let shown = text_of(&frozen(file).unwrap(), false);
            assert_eq!(shown.matches("last-words\n").count(), 2, "{pane}, of host {of_host}: {shown}");
        }
    }
}

/// A way in which everything ends.
type End = fn(&Home);

#[test]
fn s40_what_was_kept_is_back_after_a_crash_a_reboot_and_an_idle_exit() {
    let ways: [(&str, End); 3] = [
        ("a crash of the host", |home| {
            process::kill(home.host_of("work"));
            home.wait_empty();
        }),
        ("a reboot", Home::crash),
        ("an exit with nothing alive", |home| {
            home.ok(&["stop", "work"]);
            home.wait_empty();
        }),
    ];
    for (what, end) in ways {
        let home = Home::rove();
        fs::create_dir_all(home.path("user/.config/rove")).unwrap();
        fs::write(home.path("user/.config/rove/rove.conf"), "set -s idle-exit 1\n").unwrap();
        session(&home, "work", &format!("{}; exec cat", echo("walrus")));
        home.wait_screen("work", "walrus");
        wait_kept(&home, "walrus");
        end(&home);
        // Twice: listing it, and the idle exit of a server that only lists, change nothing.
        for _ in 0..2 {
            assert!(home.ok(&["ls"]).contains("work"), "{what}");
            assert_eq!(home.format("work", "#{pane_pid}"), "0", "{what}");
            assert!(home.screen("work").contains("walrus"), "{what}: {}", home.history("work"));
            // With nothing that lives it leaves by itself.
            home.wait_empty();
        }
    }
}

#[test]
fn s41_s79_what_is_closed_while_it_is_being_written_never_comes_back() {
    let home = Home::rove();
    session(&home, "stays", "exec cat");
    let rounds = if long() { 40 } else { 6 };
    for round in 0..rounds {
        session(&home, "work", "while :; do echo stream; done");
        home.ok(&["split-window", "-d", "-t", "work", "while :; do echo stream; done"]);
        let files = [screen_file(&home, "work:0.0"), screen_file(&home, "work:0.1")];
        // As near to a write as can be told from outside: right behind the first one, and before it.
        if round % 2 == 0 {
            wait_for("a write", || files[0].exists());
        }
        match round % 3 {
            0 => drop(home.ok(&["kill-pane", "-t", "work:0.0"])),
            1 => drop(home.ok(&["kill-window", "-t", "work:0"])),
            _ => drop(home.ok(&["kill", "work"])),
        }
        if round % 3 == 0 {
            home.ok(&["kill-session", "-t", "work"]);
        }
        wait_for("no record of it", || {
            let left = fs::read_dir(home.path(STORE)).unwrap().flatten();
            let names: Vec<String> = left.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
            let of_work = |name: &String| {
                name.starts_with("work.")
                    || files.iter().any(|file| name.starts_with(&*file.file_stem().unwrap().to_string_lossy()))
            };
            !names.iter().any(of_work)
        });
    }
    for _ in 0..2 {
        home.crash();
        assert_eq!(home.ok(&["ls", "-F", "#{session_name}"]), "stays");
        assert_eq!(home.ok(&["list-panes", "-a"]).lines().count(), 1);
    }
    home.ok(&["reset", "--yes"]);
    home.wait_empty();
    for _ in 0..2 {
        assert_eq!(home.run(&["ls"]).stdout, "");
        home.crash();
    }
}

fn exits(home: &Home) -> Vec<Value> {
    let text = fs::read_to_string(home.path("home/pty-exits.json")).unwrap_or_else(|_| "[]".to_owned());
    serde_json::from_str(&text).unwrap()
}

#[test]
fn s80_the_newest_fifty_abnormal_ends_are_noted() {
    let home = Home::rove();
    session(&home, "stays", "exec cat");
    let batch = |from: u32, to: u32| {
        for number in from..to {
            let end = if number.is_multiple_of(2) { "exit 7" } else { "kill -TERM $$" };
            home.ok(&["new-window", "-d", "-t", "stays", &format!("echo end-{number}; {end}")]);
        }
    };
    let noted = |wanted: u32| {
        wait_for(&format!("the end of number {wanted}"), || {
            let word = format!("end-{wanted}");
            exits(&home).iter().any(|entry| entry["tail"][0] == word.as_str())
        });
    };
    batch(0, 20);
    (0..20).for_each(noted);
    batch(20, 60);
    (20..60).for_each(noted);
    let all = exits(&home);
    assert_eq!(all.len(), 50);
    let numbers: BTreeSet<u32> =
        all.iter().map(|entry| entry["tail"][0].as_str().unwrap()[4..].parse().unwrap()).collect();
    assert_eq!(numbers.len(), 50);
    assert!((20..60).all(|number| numbers.contains(&number)), "the newest are kept: {numbers:?}");
    for entry in &all {
        let number: u32 = entry["tail"][0].as_str().unwrap()[4..].parse().unwrap();
        let (code, signal) = (&entry["code"], &entry["signal"]);
        assert!(
            if number.is_multiple_of(2) {
                *code == 7 && signal.is_null()
            } else {
                *signal == "SIGTERM" && code.is_null()
            },
            "{entry}"
        );
    }
    // After a restart the list goes on.
    home.ok(&["daemon", "restart"]);
    batch(60, 61);
    noted(60);
    assert_eq!(exits(&home).len(), 50);
}

#[test]
fn s81_s83_an_end_is_told_with_its_last_lines_as_plain_text_and_only_there() {
    let home = Home::rove();
    session(&home, "work", "exec cat");
    let before = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap().as_secs();
    home.ok(&[
        "new-window",
        "-d",
        "-t",
        "work",
        "seq -f \"$(printf '\\033')[1;31mline %g$(printf '\\033')[0m\" 1 100; kill -SEGV $$",
    ]);
    home.ok(&["new-window", "-d", "-t", "work", "head -c 65536 /dev/zero | tr '\\0' x; exit 9"]);
    wait_for("both ends", || exits(&home).len() == 2);
    let all = exits(&home);
    let of = |key: &str| all.iter().find(|entry| !entry[key].is_null()).unwrap();
    let crash = of("signal");
    assert_eq!((crash["signal"].as_str(), crash["session"].as_str()), (Some("SIGSEGV"), Some("work")));
    let time = crash["time"].as_u64().unwrap();
    assert!(time >= before && time <= before + 60, "{time}");
    let tail: Vec<&str> = crash["tail"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
    let wanted: Vec<String> = (61..=100).map(|number| format!("line {number}")).collect();
    assert_eq!(tail, wanted);
    let long_line = of("code");
    let bytes: usize = long_line["tail"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().len()).sum();
    assert!((1..=16 << 10).contains(&bytes), "{bytes}");
    // It is for reading: here.
    let listed = home.ok(&["exits"]);
    assert!(
        listed.contains("ended by SIGSEGV") && listed.contains("    line 61\n") && listed.contains("exited with 9"),
        "{listed}"
    );
    assert!(!listed.contains("line 60\n") && !listed.contains('\u{1b}'), "{listed}");
    assert!(
        listed.find("exited with 9") < listed.find("SIGSEGV") || crash["time"] == long_line["time"],
        "the newest first"
    );
    let json: Value = serde_json::from_str(&home.ok(&["exits", "--json"])).unwrap();
    assert_eq!(json, Value::Array(all));
    // And nowhere else, neither now nor after a return.
    home.crash();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 25);
    tty.wait_until("the session", |screen| screen.alternate);
    for pane in home.ok(&["list-panes", "-a", "-F", "#{pane_id}"]).lines() {
        assert!(!home.history(pane).contains("line 100"), "{pane}");
    }
    assert_eq!(home.ok(&["exits"]).matches("SIGSEGV").count(), 1, "without the server of then");
    let none = Home::rove();
    assert_eq!(none.ok(&["exits"]), "no program has ended abnormally");
    assert!(none.processes().is_empty(), "and no server is started for it");
    assert_eq!(none.run(&["exits", "--what"]).code, 2);
}

#[test]
fn s82_s84_a_clean_end_and_an_engine_that_returns_to_its_shell_are_not_noted() {
    let stage = Stage::set(&["pinned"]);
    let home = &stage.home;
    home.ok(&["new-window", "-d", "-t", "work", "echo clean; exit 0"]);
    // The engine is killed inside its shell, which lives on.
    let (engine, shell) = (stage.engine(&stage.panes[0]).unwrap(), home.pane_pid(&stage.panes[0]));
    process::kill(engine);
    home.wait_screen(&stage.panes[0], "this is its shell");
    assert_eq!(home.pane_pid(&stage.panes[0]), shell);
    // One that counts comes after, so that those before were dealt with.
    home.ok(&["new-window", "-d", "-t", "work", "exit 3"]);
    wait_for("an end that is noted", || !exits(home).is_empty());
    let all = exits(home);
    assert_eq!((all.len(), all[0]["code"].as_i64()), (1, Some(3)), "{all:?}");
}
