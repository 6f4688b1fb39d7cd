//! What the document about conversations promises, as its reader would try it.

use std::fs;

use crate::harness::wait::poll;
use crate::harness::{Home, Stage, Tty, long, process, wait_for, wait_some};
use persist::record::{PaneRecord, Record};
use persist::{Key, RealDisk, Store};

const FACTS: &str = "#{pane_uuid} #{pane_agent} #{pane_conversation}";

fn known(stage: &Stage, pane: &str) -> String {
    stage.home.format(pane, "#{pane_conversation}")
}

fn joined(stage: &Stage, pane: &str) -> String {
    stage.home.run(&["capture-pane", "-p", "-J", "-t", pane]).stdout
}

/// The arguments of each start of a stand-in so far, in a home of [`noted`].
fn starts(home: &Home) -> Vec<String> {
    let text = fs::read_to_string(home.path("starts")).unwrap_or_default();
    text.lines().map(|line| line.split_once(' ').map_or("", |(_, args)| args).to_owned()).collect()
}

fn noted() -> Home {
    let mut home = Home::rove();
    let log = home.path("starts").display().to_string();
    home.set("ROVE_DEMO_LOG", &log);
    home
}

#[test]
fn r1_a_dropped_connection_costs_an_agent_nothing() {
    let stage = Stage::set(&["pinned", "discovered"]);
    let words = stage.tell_all();
    let before: Vec<u32> = stage.panes.iter().map(|pane| stage.engine(pane).unwrap()).collect();
    let mut tty = stage.attach();
    tty.close();
    wait_for("no client", || stage.home.ok(&["list-clients"]).is_empty());
    let mut tty = stage.attach();
    process::signal(tty.pid(), process::Signal::KILL);
    tty.wait_end();
    wait_for("no client", || stage.home.ok(&["list-clients"]).is_empty());
    let _tty = stage.attach();
    for ((pane, word), pid) in stage.panes.iter().zip(&words).zip(before) {
        assert_eq!(stage.engine(pane), Some(pid));
        assert_eq!(stage.ask(pane), format!("The codeword is {word}."));
    }
}

/// The baseline: what a restart gives without the sweep. The layout is there and five shells, and none of them knows a word.
#[test]
fn r3_with_the_sweep_off_the_shape_survives_and_the_work_does_not() {
    let stage = Stage::set(&["pinned", "discovered", "pinned", "discovered", "pinned"]);
    let words = stage.tell_all();
    let shape = || stage.home.ok(&["list-panes", "-t", "work", "-F", "#{pane_id} #{window_layout}"]);
    let before = shape();
    stage.home.ok(&["set-option", "-s", "resume", "off"]);
    let server = stage.home.server();
    stage.home.ok(&["stop", "work"]);
    // It ends when everything is kept.
    wait_for("the end of the server", || !process::alive(server));
    stage.home.crash();
    let file = stage.home.path("off.conf");
    fs::write(&file, "set -s resume off\n").unwrap();
    let mut tty = Tty::open(&stage.home, &["-f", &file.display().to_string(), "attach", "work"], 200, 61);
    tty.wait_until("the session", |screen| screen.alternate);
    for (pane, word) in stage.panes.iter().zip(&words) {
        // Its old screen shows the word still; that is all there is of it.
        wait_for("the old screen", || stage.home.history(pane).contains(word.as_str()));
        stage.say(pane, "echo plain''shell");
        stage.home.wait_screen(pane, "plainshell");
        assert_eq!(stage.engine(pane), None);
    }
    assert_eq!(shape(), before);
}

#[test]
fn r4_r5_r27_the_words_stand_nowhere_and_stop_and_attach_are_all_there_is_to_type() {
    let stage = Stage::set(&["pinned", "discovered"]);
    let words = ["WALRUS-1111", "MARMOT-2222"];
    for (pane, word) in stage.panes.iter().zip(words) {
        stage.tell(pane, word);
    }
    let nowhere = || {
        for word in words {
            assert!(stage.home.files_with("work", word).is_empty(), "{word} in the project");
            let kept = stage.home.files_with("home", word);
            let is_screen =
                |path: &std::path::PathBuf| path.extension().is_some_and(|it| it == "screen" || it == "old");
            assert!(kept.iter().all(is_screen), "{word} in {kept:?}");
        }
    };
    nowhere();
    let before: Vec<u32> = stage.panes.iter().map(|pane| stage.engine(pane).unwrap()).collect();
    stage.home.ok(&["stop", "work"]);
    wait_for("the end of both", || before.iter().all(|pid| !process::alive(*pid)));
    let _tty = Tty::open(&stage.home, &["attach", "work"], 200, 61);
    for ((pane, engine), word) in stage.panes.iter().zip(&stage.engines).zip(words) {
        wait_some("the engine", || stage.home.run(&["has-session", "-t", "work"]).code.eq(&0).then_some(()));
        let pid = stage.wait_ready(pane, engine);
        assert!(!before.contains(&pid));
        assert_eq!(stage.ask(pane), format!("The codeword is {word}."));
    }
    nowhere();
}

#[test]
fn r11_a_conversation_comes_back_in_its_own_directory() {
    let stage = Stage::set(&[]);
    let pane = &stage.home.format("work", "#{pane_id}");
    // As it was: it finds a conversation only from the directory it was begun in.
    fs::create_dir_all(stage.home.path("engines/pinned")).unwrap();
    fs::write(stage.home.path("engines/pinned/old"), "").unwrap();
    let place = stage.home.path("work/deep er/place");
    fs::create_dir_all(&place).unwrap();
    stage.home.wait_screen(pane, "$");
    stage.say(pane, "cd 'deep er/place' && echo in''side");
    stage.home.wait_screen(pane, "inside");
    stage.home.ok(&["pinned", "-t", pane]);
    stage.wait_ready(pane, "pinned");
    stage.tell(pane, "PLACE-1");
    let id = known(&stage, pane);
    assert_eq!(id, stage.home.format(pane, "#{pane_uuid}"));
    stage.stop_and_kill_pane(pane);
    let _tty = stage.attach_to(1);
    let pid = stage.wait_ready(pane, "pinned");
    assert!(process::argv(pid).windows(2).any(|pair| pair == ["--resume".to_owned(), id.clone()]));
    assert_eq!(fs::read_link(format!("/proc/{pid}/cwd")).unwrap(), place);
    assert_eq!(stage.ask(pane), "The codeword is PLACE-1.");
}

#[test]
fn r13_new_is_another_conversation_under_another_id() {
    let stage = Stage::set(&["pinned"]);
    let pane = &stage.panes[0];
    stage.tell(pane, "OLD-1");
    let (uuid, transcripts) = (stage.home.format(pane, "#{pane_uuid}"), stage.transcripts());
    leave(&stage, pane);
    stage.home.ok(&["pinned", "-t", pane, "new"]);
    stage.wait_ready(pane, "pinned");
    let id = known(&stage, pane);
    assert_ne!(id, uuid);
    assert_eq!(stage.ask(pane), "I was told no codeword.");
    stage.tell(pane, "NEW-2");
    assert!(transcripts.iter().all(|old| stage.transcripts().contains(old)), "the old one is untouched");
    stage.stop_and_kill();
    let _tty = stage.attach();
    let argv = process::argv(stage.wait_ready(pane, "pinned"));
    assert!(argv.windows(2).any(|pair| pair == ["--resume".to_owned(), id.clone()]), "{argv:?}");
    assert_eq!(stage.ask(pane), "The codeword is NEW-2.");
}

/// Leaves the engine of a pane, for its shell.
#[track_caller]
fn leave(stage: &Stage, pane: &str) {
    stage.say(pane, "/exit");
    wait_for("the end of the engine", || stage.engine(pane).is_none());
    wait_for("its shell", || joined(stage, pane).trim_end().ends_with('$'));
}

#[test]
fn r14_a_fresh_session_keeps_the_id_and_the_old_transcript_aside() {
    let stage = Stage::set(&["pinned"]);
    let pane = &stage.panes[0];
    stage.tell(pane, "OLD-1");
    let id = known(&stage, pane);
    let old = fs::read(&stage.transcripts()[0].0).unwrap();
    leave(&stage, pane);
    stage.home.ok(&["pinned", "-t", pane, "--fresh-session"]);
    stage.wait_ready(pane, "pinned");
    assert_eq!(known(&stage, pane), id);
    assert_eq!(stage.ask(pane), "I was told no codeword.");
    assert!(!joined(&stage, pane).contains("already in use"));
    let aside: Vec<_> =
        stage.transcripts().into_iter().filter(|(file, _)| file.contains(&format!("{id}.jsonl."))).collect();
    assert_eq!(aside.len(), 1, "{aside:?}");
    assert_eq!(fs::read(&aside[0].0).unwrap(), old);
}

#[test]
fn r15_both_ways_to_start_over_at_once_are_refused() {
    let stage = Stage::set_in(noted(), &[]);
    let pane = &stage.home.format("work", "#{pane_id}");
    stage.home.wait_screen(pane, "$");
    let words = stage.home.fails(&["pinned", "-t", pane, "new", "--fresh-session"]);
    assert!(words.contains("pick one"), "{words}");
    assert!(starts(&stage.home).is_empty() && stage.home.format(pane, "#{pane_agent}").is_empty());
}

/// The control: who takes the newest conversation of the directory gives two panes the same one.
#[test]
fn r22_the_newest_of_a_directory_is_the_wrong_one_for_a_pane_of_two() {
    let stage = Stage::set(&["discovered", "discovered"]);
    let words = stage.tell_all();
    stage.stop_and_kill();
    let last = format!("{} __engine discovered resume --last", stage.home.program().display());
    let answers = |way: &dyn Fn(&str)| -> Vec<String> {
        let answer = |pane: &String| {
            way(pane);
            stage.wait_ready(pane, "discovered");
            let answer = stage.ask(pane);
            leave(&stage, pane);
            answer
        };
        stage.panes.iter().map(answer).collect()
    };
    let right: Vec<String> = words.iter().map(|word| format!("The codeword is {word}.")).collect();
    let tty = stage.attach();
    assert_eq!(answers(&|_| {}), right);
    drop(tty);
    let by_newest = answers(&|pane| stage.say(pane, &last));
    assert_eq!(by_newest[0], by_newest[1], "both land on one conversation");
    assert_ne!(by_newest, right);
}

#[test]
fn r31_the_directory_is_the_one_that_the_shell_is_in_now() {
    let stage = Stage::set(&[]);
    let pane = &stage.home.format("work", "#{pane_id}");
    for name in ["there", "told of"] {
        fs::create_dir(stage.home.path("work").join(name)).unwrap();
    }
    stage.home.wait_screen(pane, "$");
    let launched_in = |line: &str, name: &str| {
        stage.say(pane, &format!("{line}; echo mo''ved"));
        stage.home.wait_screen(pane, "moved");
        stage.home.ok(&["pinned", "-t", pane, "new"]);
        let pid = stage.wait_ready(pane, "pinned");
        assert_eq!(fs::read_link(format!("/proc/{pid}/cwd")).unwrap(), stage.home.path("work").join(name));
        leave(&stage, pane);
        stage.say(pane, "clear");
        wait_for("a clear screen", || !joined(&stage, pane).contains("moved"));
    };
    launched_in("cd there", "there");
    let base = stage.home.path("work").display().to_string();
    // What the shell says of itself counts before what its process shows; of another host it does not.
    launched_in(&format!("printf '\\033]7;file://%s{base}/told%%20of\\033\\\\' \"$(uname -n)\""), "told of");
    launched_in(&format!("cd ../there; printf '\\033]7;file://elsewhere{base}/told%%20of\\033\\\\'"), "there");
}

#[test]
fn r32_r37_a_directory_by_another_name_is_the_same_and_another_directory_is_not() {
    let stage = Stage::set(&[]);
    let pane = &stage.home.format("work", "#{pane_id}");
    for name in ["real", "other"] {
        fs::create_dir(stage.home.path("work").join(name)).unwrap();
    }
    std::os::unix::fs::symlink("real", stage.home.path("work/link")).unwrap();
    // An engine that holds nothing open and tells nothing: what is left is its store.
    fs::create_dir_all(stage.home.path("engines/discovered")).unwrap();
    fs::write(stage.home.path("engines/discovered/closes"), "").unwrap();
    fs::write(stage.home.path("engines/discovered/config.toml"), "notify = [\"true\"]\n").unwrap();
    stage.home.wait_screen(pane, "$");
    stage.say(pane, &format!("cd link && {} discovered", stage.home.program().display()));
    let pid = stage.wait_ready(pane, "discovered");
    let logical = fs::read(format!("/proc/{pid}/environ")).unwrap();
    assert!(String::from_utf8_lossy(&logical).contains("work/link"), "it was started by the other name");
    // A conversation that another one begins now, in another directory, is not this pane's.
    stage.home.ok(&[
        "new-window",
        "-d",
        "-t",
        "work",
        "-n",
        "beside",
        "-c",
        &stage.home.path("work/other").display().to_string(),
    ]);
    stage.home.wait_screen("work:beside", "$");
    stage.say("work:beside", &format!("{} __engine discovered", stage.home.program().display()));
    stage.wait_ready("work:beside", "discovered");
    stage.tell("work:beside", "OTHER-2");
    stage.tell(pane, "LINK-1");
    wait_for("the conversation", || !known(&stage, pane).is_empty());
    let transcript = stage.home.files_with("engines", "LINK-1");
    assert!(transcript[0].display().to_string().contains(&known(&stage, pane)));
    assert!(fs::read_to_string(&transcript[0]).unwrap().contains("work/real\""));
    stage.stop_and_kill_pane(pane);
    let _tty = stage.attach_to(1);
    stage.wait_ready(pane, "discovered");
    assert_eq!(stage.ask(pane), "The codeword is LINK-1.");
}

#[test]
fn r32_a_directory_that_is_gone_is_told_and_nothing_is_started_elsewhere() {
    let stage = Stage::set_in(noted(), &[]);
    let pane = &stage.home.format("work", "#{pane_id}");
    let place = stage.home.path("work/place");
    fs::create_dir(&place).unwrap();
    stage.home.wait_screen(pane, "$");
    stage.say(pane, "cd place && echo in''side");
    stage.home.wait_screen(pane, "inside");
    stage.home.ok(&["pinned", "-t", pane]);
    stage.wait_ready(pane, "pinned");
    stage.tell(pane, "GONE-1");
    fs::remove_dir(&place).unwrap();
    let server = stage.home.server();
    stage.say(pane, "/exit");
    wait_for("the end of the engine", || stage.engine(pane).is_none());
    let words = stage.home.fails(&["pinned", "-t", pane]);
    assert!(words.contains("that directory is not there"), "{words}");
    assert_eq!(stage.home.server(), server);
    stage.stop_and_kill_pane(pane);
    let before = starts(&stage.home).len();
    let tty = stage.attach_to(1);
    wait_for("the line", || joined(&stage, pane).contains("place, is not there"));
    assert_eq!((starts(&stage.home).len(), stage.engine(pane)), (before, None));
    drop(tty);
    fs::create_dir(&place).unwrap();
    stage.stop_and_kill_pane(pane);
    let _tty = stage.attach_to(1);
    stage.wait_ready(pane, "pinned");
    assert_eq!(stage.ask(pane), "The codeword is GONE-1.");
}

/// Two in one directory that leave no trace of which is whose: none is guessed, and each pane says so.
#[test]
fn r33_the_newest_is_never_asked_for_and_a_fallback_is_told() {
    let stage = Stage::set_in(noted(), &["discovered", "discovered", "pinned"]);
    fs::create_dir_all(stage.home.path("engines/discovered")).unwrap();
    fs::write(stage.home.path("engines/discovered/closes"), "").unwrap();
    fs::write(stage.home.path("engines/discovered/config.toml"), "notify = [\"true\"]\n").unwrap();
    for pane in &stage.panes[..2] {
        leave(&stage, pane);
        stage.home.ok(&["discovered", "-t", pane, "new"]);
        stage.wait_ready(pane, "discovered");
    }
    stage.tell_all();
    stage.stop_and_kill();
    let _tty = stage.attach();
    for (pane, engine) in stage.panes.iter().zip(&stage.engines) {
        stage.wait_ready(pane, engine);
    }
    for pane in &stage.panes[..2] {
        assert!(joined(&stage, pane).contains("no conversation of this pane is known, so it begins a new one"));
        assert_eq!(stage.ask(pane), "I was told no codeword.");
    }
    let all = starts(&stage.home);
    assert!(all.len() >= 8 && !all.iter().any(|args| args.contains("--last")), "{all:?}");
}

#[test]
fn r34_the_metadata_is_the_same_after_every_stop_and_start() {
    let stage = Stage::set(&["pinned", "discovered"]);
    let words = stage.tell_all();
    wait_for("the thread", || !known(&stage, &stage.panes[1]).is_empty());
    let facts = || -> Vec<String> { stage.panes.iter().map(|pane| stage.home.format(pane, FACTS)).collect() };
    let before = facts();
    for round in 0..if long() { 10 } else { 3 } {
        stage.stop_and_kill();
        let _tty = stage.attach();
        for (pane, engine) in stage.panes.iter().zip(&stage.engines) {
            stage.wait_ready(pane, engine);
        }
        assert_eq!(facts(), before, "round {round}");
        for (pane, word) in stage.panes.iter().zip(&words) {
            assert_eq!(stage.ask(pane), format!("The codeword is {word}."));
        }
    }
}

#[test]
fn r34_a_kill_at_any_point_of_a_write_leaves_the_record_before_or_after_it() {
    let stage = Stage::set(&["pinned"]);
    let pane = &stage.panes[0];
    stage.tell(pane, "KILL-0");
    stage.wait_kept();
    let seed = u64::from(std::process::id());
    println!("seed {seed}");
    for round in 0..if long() { 40 } else { 5u64 } {
        let before = known(&stage, pane);
        let uuid = stage.home.format(pane, "#{pane_uuid}");
        // The record is written anew, and everything ends in the middle of it.
        stage.say(pane, "/clear");
        let pause = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(round * 7919) % 60;
        // Any moment will do, and none of them is waited for.
        poll(std::time::Duration::from_millis(pause), || None::<()>);
        stage.home.crash();
        let _tty = stage.attach();
        stage.wait_ready(pane, "pinned");
        assert_eq!(
            (stage.home.format(pane, "#{pane_agent}"), stage.home.format(pane, "#{pane_uuid}")),
            ("pinned".into(), uuid)
        );
        let after = known(&stage, pane);
        assert!(uuid::Uuid::parse_str(&after).is_ok(), "round {round}: {after:?}");
        let told = stage.ask(pane);
        let kept = if after == before {
            format!("The codeword is KILL-{round}.")
        } else {
            "I was told no codeword.".to_owned()
        };
        assert_eq!(told, kept, "round {round}, {pause} ms");
        stage.tell(pane, &format!("KILL-{}", round + 1));
        let id = known(&stage, pane);
        wait_for("the record", || !stage.home.files_with("home", &id).is_empty());
    }
}

/// Writes a pane's record anew, changed.
fn change_record(home: &Home, uuid: &str, change: impl Fn(&mut PaneRecord)) {
    let mut store = Store::open(Box::new(RealDisk::default()), &home.path("home"), 0).unwrap();
    let (payload, problem) = store.read(&Key::pane(uuid));
    assert!(problem.is_none());
    let mut record = PaneRecord::decode(&payload.unwrap()).unwrap();
    change(&mut record);
    store.write(&Key::pane(uuid), &record.encode().unwrap(), &|| true).unwrap();
}

#[test]
fn r34_r35_a_lost_record_is_told_of_and_the_next_launch_finds_the_conversation() {
    let stage = Stage::set(&["pinned"]);
    let pane = &stage.panes[0];
    stage.tell(pane, "LOST-1");
    let uuid = stage.home.format(pane, "#{pane_uuid}");
    stage.stop_and_kill();
    change_record(&stage.home, &uuid, |record| record.agent = Some("{\"engine\": torn".into()));
    let mut tty = Tty::open(&stage.home, &["attach", "work"], 200, 61);
    tty.wait_text("lost its agent record");
    tty.type_keys("q");
    stage.home.wait_screen(pane, "$");
    assert_eq!((stage.engine(pane), stage.home.format(pane, "#{pane_agent}").as_str()), (None, ""));
    stage.home.ok(&["pinned", "-t", pane]);
    stage.wait_ready(pane, "pinned");
    assert_eq!(stage.ask(pane), "The codeword is LOST-1.");
    assert!(!joined(&stage, pane).contains("already in use"));
}

#[test]
fn r36_r37_a_second_launch_resumes_and_the_engine_never_refuses_its_id() {
    let stage = Stage::set_in(noted(), &["pinned"]);
    let pane = &stage.panes[0];
    let uuid = stage.home.format(pane, "#{pane_uuid}");
    leave(&stage, pane);
    stage.home.ok(&["pinned", "-t", pane]);
    stage.wait_ready(pane, "pinned");
    stage.tell(pane, "TWICE-1");
    leave(&stage, pane);
    stage.home.ok(&["pinned", "-t", pane]);
    stage.wait_ready(pane, "pinned");
    assert_eq!(stage.ask(pane), "The codeword is TWICE-1.");
    leave(&stage, pane);
    // By hand in its own shell as well.
    stage.say(pane, &format!("{} pinned", stage.home.program().display()));
    stage.wait_ready(pane, "pinned");
    assert_eq!(stage.ask(pane), "The codeword is TWICE-1.");
    let all = starts(&stage.home);
    let flags: Vec<&str> = all.iter().map(|args| args.split(' ').nth(1).unwrap_or_default()).collect();
    assert_eq!(flags, ["--session-id", "--session-id", "--resume", "--resume"], "{all:?}");
    assert!(all.iter().all(|args| args.contains(&uuid)), "{all:?}");
    assert!(!stage.home.history(pane).contains("already in use"));
}

/// The first demonstration that a reader is given is this script; so it is played as it stands there.
#[test]
fn r43_the_readme_begins_with_the_codeword() {
    let readme = fs::read_to_string(crate::tidy::root().join("README.md")).unwrap();
    let try_it = readme.split("## Try it").nth(1).expect("a chapter to try it");
    let script = try_it.split("```sh").nth(1).and_then(|rest| rest.split("```").next()).expect("a script");
    assert!(script.contains("-- demo"), "{script}");
    let shown = try_it.split("```").nth(3).expect("what it says");
    let home = Home::rove();
    let said = home.shell(&format!("{} demo", home.program().display())).ok();
    for line in
        ["is told", "rove stop work", "rove attach work", "was asked", "PASS: 3 words came back to 3 new processes"]
    {
        assert!(shown.contains(line) && said.contains(line), "{line}: {said}");
    }
    assert!(shown.find("is told") < shown.find("rove stop work"), "a codeword first");
}
