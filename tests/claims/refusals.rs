//! An engine that won't come back: each refusal is told in one line, has one next step at most, and never a loop.

use std::fs;

use crate::harness::{Home, Stage, process, wait_for};

/// A home in which each start of a stand-in is noted.
fn noted() -> Home {
    let mut home = Home::rove();
    let log = home.path("starts").display().to_string();
    home.set("ROVE_DEMO_LOG", &log);
    home
}

/// The arguments of each start so far.
fn starts(stage: &Stage) -> Vec<String> {
    let text = fs::read_to_string(stage.home.path("starts")).unwrap_or_default();
    text.lines().map(|line| line.split_once(' ').map_or("", |(_, args)| args).to_owned()).collect()
}

fn known(stage: &Stage, pane: &str) -> String {
    stage.home.format(pane, "#{pane_conversation}")
}

/// What stands on a pane's screen with its wrapped lines joined.
fn joined(stage: &Stage, pane: &str) -> String {
    stage.home.run(&["capture-pane", "-p", "-J", "-t", pane]).stdout
}

#[track_caller]
fn wait_told(stage: &Stage, pane: &str, words: &str) {
    wait_for(&format!("{words:?} in pane {pane}"), || joined(stage, pane).contains(words));
}

fn engine_file(stage: &Stage, name: &str, text: &str) {
    let path = stage.home.path(&format!("engines/pinned/{name}"));
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// A transcript that is there and can't be read.
fn spoil(stage: &Stage) {
    for file in stage.home.files("engines") {
        fs::write(file, "no transcript\n").unwrap();
    }
}

/// A shell that runs what is typed.
#[track_caller]
fn is_a_shell(stage: &Stage, pane: &str) {
    stage.say(pane, "echo plain''shell");
    stage.home.wait_screen(pane, "plainshell");
    assert_eq!(stage.engine(pane), None);
}

#[test]
fn s93_s94_a_resume_that_dies_is_tried_once_and_an_extra_pane_keeps_its_shell_and_its_conversation() {
    let stage = Stage::set_in(noted(), &["pinned", "pinned"]);
    stage.tell_all();
    let ids: Vec<String> = stage.panes.iter().map(|pane| known(&stage, pane)).collect();
    stage.stop_and_kill();
    spoil(&stage);
    let before = starts(&stage).len();
    let _tty = stage.attach();
    for (pane, id) in stage.panes.iter().zip(&ids) {
        wait_told(&stage, pane, &format!("conversation {id} did not come back; it is kept"));
        is_a_shell(&stage, pane);
        assert_eq!(&known(&stage, pane), id);
    }
    let resumes = starts(&stage).split_off(before);
    assert_eq!(resumes.len(), 2, "one start for each pane: {resumes:?}");
    assert!(ids.iter().all(|id| resumes.iter().any(|args| args.contains(&format!("--resume {id}")))), "{resumes:?}");
    // What an extra pane does when its shell ends too: it closes, and nothing is started for it.
    stage.say(&stage.panes[1], "exit");
    wait_for("the extra pane to close", || stage.home.ok(&["list-panes", "-t", "work"]).lines().count() == 1);
    assert_eq!(starts(&stage).len(), before + 2);
}

#[test]
fn s93_s94_the_only_pane_gets_a_fresh_engine_under_a_new_id_and_no_third() {
    let stage = Stage::set_in(noted(), &["pinned"]);
    let pane = &stage.panes[0];
    stage.tell_all();
    let id = known(&stage, pane);
    stage.stop_and_kill();
    spoil(&stage);
    let before = starts(&stage).len();
    let _tty = stage.attach();
    stage.wait_ready(pane, "pinned");
    wait_told(&stage, pane, "did not come back when last tried, so it begins a new one");
    let fresh = known(&stage, pane);
    assert_ne!(fresh, id);
    let both = starts(&stage).split_off(before);
    assert_eq!(both.len(), 2, "{both:?}");
    assert!(
        both[0].contains(&format!("--resume {id}")) && both[1].contains(&format!("--session-id {fresh}")),
        "{both:?}"
    );
    assert_eq!(stage.ask(pane), "I was told no codeword.");
    // The next time everything it says is a refusal: the second one is the last.
    stage.stop_and_kill();
    engine_file(&stage, "refuses", "out of order\n");
    let before = starts(&stage).len();
    let _tty = stage.attach();
    wait_told(&stage, pane, "it did not start a second time either");
    is_a_shell(&stage, pane);
    assert_eq!(starts(&stage).len(), before + 2);
}

#[test]
fn each_refusal_has_its_own_words_and_one_start() {
    for (words, why, remedy) in [
        (
            "Session x is currently running as a background agent (bg).",
            "runs as a background agent of",
            "stop it or take it up there",
        ),
        ("Not logged in", "nobody is logged in to it", "log in, then run: rove pinned"),
    ] {
        let stage = Stage::set_in(noted(), &["pinned"]);
        let pane = &stage.panes[0];
        stage.tell_all();
        stage.stop_and_kill();
        engine_file(&stage, "refuses", words);
        let before = starts(&stage).len();
        let _tty = stage.attach();
        wait_told(&stage, pane, why);
        wait_told(&stage, pane, remedy);
        is_a_shell(&stage, pane);
        assert_eq!(starts(&stage).len(), before + 1, "{words}");
        assert!(!joined(&stage, pane).contains("this is its shell"), "one line, not two");
    }
}

#[test]
fn r36_r37_an_id_that_has_an_empty_transcript_gets_one_try_and_another_id() {
    let stage = Stage::set_in(noted(), &[]);
    let pane = &stage.home.format("work", "#{pane_id}");
    engine_file(&stage, "old", "");
    stage.home.ok(&["pinned", "-t", pane]);
    stage.wait_ready(pane, "pinned");
    let (id, before) = (known(&stage, pane), starts(&stage).len());
    stage.stop_and_kill_pane(pane);
    let _tty = stage.attach_to(1);
    stage.wait_ready(pane, "pinned");
    let both = starts(&stage).split_off(before);
    assert_eq!(both.len(), 2, "{both:?}");
    assert!(both[0].contains(&format!("--session-id {id}")) && both[1].contains("--session-id"), "{both:?}");
    let fresh = known(&stage, pane);
    assert!(fresh != id && both[1].contains(&fresh), "{both:?}");
    stage.tell(pane, "AFTER-1");
    stage.stop_and_kill_pane(pane);
    let _tty = stage.attach_to(1);
    stage.wait_ready(pane, "pinned");
    assert_eq!(stage.ask(pane), "The codeword is AFTER-1.");
}

#[test]
fn an_engine_that_came_up_did_not_refuse_however_soon_it_ends() {
    let stage = Stage::set_in(noted(), &["pinned"]);
    let pane = &stage.panes[0];
    stage.tell(pane, "is already in use");
    stage.stop_and_kill();
    let before = starts(&stage).len();
    let _tty = stage.attach();
    stage.wait_ready(pane, "pinned");
    stage.say(pane, "/exit 3");
    wait_told(&stage, pane, "ended with status 3; this is its shell");
    is_a_shell(&stage, pane);
    assert_eq!(starts(&stage).len(), before + 1);
}

#[test]
fn a_conversation_is_open_in_one_pane_only_and_the_second_is_told_where() {
    let stage = Stage::set(&["pinned"]);
    let pane = &stage.panes[0];
    stage.tell(pane, "LEASE-1");
    let id = known(&stage, pane);
    stage.home.ok(&["new-session", "-d", "-s", "other", "-x", "200", "-y", "30"]);
    let other = &stage.home.format("other", "#{pane_id}");
    stage.home.wait_screen(other, "$");
    let refused = stage.home.fails(&["pinned", "-t", other, "--resume", &id]);
    let place = format!("conversation {id} is open in session work, window 0 (");
    assert!(refused.contains(&place) && refused.contains(&format!("pane {pane}")), "{refused}");
    assert!(refused.contains(&format!("go there with: rove switch-client -t {pane}")), "{refused}");
    // In the other session that way leads there.
    let tty = crate::harness::Tty::open(&stage.home, &["attach", "-t", "other"], 200, 31);
    wait_for("a client", || stage.home.ok(&["list-clients", "-F", "#{client_session}"]) == "other");
    stage.home.ok(&["switch-client", "-t", pane]);
    wait_for("the client to be there", || stage.home.ok(&["list-clients", "-F", "#{client_session}"]) == "work");
    drop(tty);
    // Once the first one has ended the second may have it; and the first, when it comes back, is told the same.
    stage.say(pane, "/exit");
    wait_for("its end", || stage.engine(pane).is_none());
    stage.home.ok(&["pinned", "-t", other, "--resume", &id]);
    stage.wait_ready(other, "pinned");
    assert_eq!(stage.ask(other), "The codeword is LEASE-1.");
    let refused = stage.home.fails(&["pinned", "-t", pane]);
    assert!(refused.contains("is open in session other"), "{refused}");
    stage.home.ok(&["stop", "work"]);
    let _tty = stage.attach();
    wait_told(&stage, pane, &format!("conversation {id} of Stand-in with given ids is open in session other"));
    wait_told(&stage, pane, "rove switch-client -t");
    is_a_shell(&stage, pane);
    assert!(stage.engine(other).is_some());
}

#[test]
fn a_directory_is_never_trusted_for_the_user_but_one_of_our_own_is() {
    let stage = Stage::set_in(noted(), &[]);
    let pane = &stage.home.format("work", "#{pane_id}");
    engine_file(&stage, "asks", "");
    stage.home.ok(&["pinned", "-t", pane]);
    stage.home.wait_screen(pane, "Do you trust the files in this folder?");
    stage.say(pane, "yes");
    stage.wait_ready(pane, "pinned");
    stage.tell(pane, "TRUST-1");
    stage.stop_and_kill_pane(pane);
    fs::remove_file(stage.home.path("engines/pinned/trusted")).unwrap();
    let tty = stage.attach_to(1);
    wait_for("its second start", || starts(&stage).len() == 2);
    wait_told(&stage, pane, "Do you trust the files in this folder?");
    stage.say(pane, "no");
    wait_told(&stage, pane, "it is not trusted to work in");
    is_a_shell(&stage, pane);
    drop(tty);
    // In a directory that the program made itself it does not ask.
    let own = stage.home.path("home/scratch/one");
    fs::create_dir_all(&own).unwrap();
    stage.home.ok(&["new-window", "-t", "work", "-c", &own.display().to_string()]);
    let scratch = &stage.home.format("work", "#{pane_id}");
    stage.home.wait_screen(scratch, "$");
    stage.home.ok(&["pinned", "-t", scratch]);
    stage.wait_ready(scratch, "pinned");
    assert!(!joined(&stage, scratch).contains("Do you trust"));
    // And that is over with the engine: the next one, started by hand elsewhere, asks.
    stage.say(scratch, "/exit");
    wait_for("its end", || stage.engine(scratch).is_none());
    stage.say(scratch, &format!("cd; {} __engine pinned", stage.home.program().display()));
    wait_told(&stage, scratch, "Do you trust the files in this folder?");
}

#[test]
fn an_engine_learns_nothing_of_one_that_the_program_was_started_from() {
    let mut home = Home::rove();
    let foreign = ["CLAUDECODE", "CLAUDE_CODE_SESSION_ID", "CLAUDE_CODE_SANDBOXED", "CODEX_THREAD_ID"];
    foreign.iter().for_each(|name| home.set(name, "outer"));
    let stage = Stage::set_in(home, &["pinned", "discovered"]);
    let clean = || {
        stage.panes.iter().all(|pane| {
            let environment = fs::read(format!("/proc/{}/environ", stage.engine(pane).unwrap())).unwrap();
            let environment = String::from_utf8_lossy(&environment).into_owned();
            environment.contains("ROVE_PANE=") && foreign.iter().all(|name| !environment.contains(name))
        })
    };
    assert!(clean());
    stage.stop_and_kill();
    let _tty = stage.attach();
    for (pane, engine) in stage.panes.iter().zip(&stage.engines) {
        stage.wait_ready(pane, engine);
    }
    assert!(clean());
    assert!(stage.home.processes().iter().any(|pid| process::argv(*pid).iter().any(|word| word == "pinned")));
}

#[test]
fn a_session_that_is_stopped_and_attached_at_once_waits_for_its_own_engine_to_end() {
    let home = Home::rove();
    // What it ignores its engine ignores too: it goes only when it is killed, after the grace.
    fs::write(home.path("user/.profile"), "PS1='$ '\ntrap '' HUP\n").unwrap();
    let stage = Stage::set_in(home, &["discovered"]);
    stage.home.ok(&["new-session", "-d", "-s", "other"]);
    let pane = &stage.panes[0];
    stage.tell(pane, "AT-ONCE-1");
    wait_for("the thread", || !known(&stage, pane).is_empty());
    let before = stage.engine(pane).unwrap();
    // It hears nothing of the end of its terminal meanwhile.
    stage.say(pane, "!touch busy; sleep 30");
    wait_for("the tool", || stage.home.path("work/busy").exists());
    stage.home.ok(&["stop", "work"]);
    let tty = stage.attach();
    assert!(process::alive(before), "the test needs it to be still there");
    wait_for("its end", || !process::alive(before));
    stage.wait_ready(pane, "discovered");
    assert_eq!(stage.ask(pane), "The codeword is AT-ONCE-1.");
    drop(tty);
    // One that is somebody else's and stays is told of.
    stage.home.ok(&["stop", "work"]);
    wait_for("its end", || {
        stage.home.processes().iter().all(|pid| process::stat(*pid).is_none_or(|it| it.comm != "rove-discovered"))
    });
    let id = known(&stage, pane);
    let elsewhere = stage.home.format("other", "#{pane_id}");
    stage.say(&elsewhere, &format!("{} __engine discovered resume {id}", stage.home.program().display()));
    stage.wait_ready(&elsewhere, "discovered");
    let _tty = stage.attach();
    wait_told(&stage, pane, &format!("conversation {id} of Stand-in with its own ids is open in another process"));
    is_a_shell(&stage, pane);
}
