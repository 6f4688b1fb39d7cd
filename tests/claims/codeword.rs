//! A conversation outlives everything of ours: each agent is told a word once, and answers it after every kind of end.

use std::fs;

use crate::harness::{Home, Stage, Tty, process, wait_for};
use crate::tidy::root;

/// The id of the conversation in which a word was said.
fn conversation(stage: &Stage, word: &str) -> String {
    let said = |file: &String| fs::read_to_string(file).is_ok_and(|text| text.contains(word));
    let mut files = stage.transcripts().into_iter().map(|(file, _)| file);
    let file = files.find(|file| file.ends_with(".jsonl") && said(file)).expect("a transcript with the word");
    let stem = file.trim_end_matches(".jsonl");
    stem[stem.len() - 36..].to_owned()
}

fn ask_all(stage: &Stage, words: &[String], after: &str) {
    for ((pane, engine), word) in stage.panes.iter().zip(&stage.engines).zip(words) {
        stage.wait_ready(pane, engine);
        assert_eq!(stage.ask(pane), format!("The codeword is {word}."), "{engine} after {after}");
    }
}

#[test]
fn s89_r30_a_conversation_outlives_quit_restart_crash_reboot_and_reset() {
    let mut stage = Stage::set(&["pinned", "discovered"]);
    let words = stage.tell_all();
    stage.wait_kept();
    let ids: Vec<String> = words.iter().map(|word| conversation(&stage, word)).collect();
    let mut tty = stage.attach();
    tty.type_keys("\u{1}d");
    assert_eq!(tty.wait_end().0, 0);
    ask_all(&stage, &words, "a quit");
    stage.home.ok(&["daemon", "restart"]);
    ask_all(&stage, &words, "a restart");
    process::kill(stage.home.server());
    ask_all(&stage, &words, "the end of the server");
    process::kill(stage.home.host_of(&stage.panes[0]));
    stage.home.wait_empty();
    let tty = stage.attach();
    ask_all(&stage, &words, "the end of the host");
    drop(tty);
    stage.home.crash();
    let tty = stage.attach();
    ask_all(&stage, &words, "a reboot");
    drop(tty);
    for hard in [false, true] {
        let before = stage.transcripts();
        stage.home.ok(&[&["reset", "--yes"][..], if hard { &["--hard"] } else { &[] }].concat());
        stage.home.wait_empty();
        assert_eq!(stage.transcripts(), before);
        resume_by_id(&mut stage, &ids);
        ask_all(&stage, &words, "a reset");
    }
}

/// New panes in a new session, each of which goes on with the conversation of that id.
fn resume_by_id(stage: &mut Stage, ids: &[String]) {
    let home = &stage.home;
    home.ok(&["new-session", "-d", "-s", "work", "-x", "200", "-y", "60"]);
    home.ok(&["split-window", "-t", "work"]);
    let panes = home.ok(&["list-panes", "-t", "work", "-F", "#{pane_id}"]);
    stage.panes = panes.lines().map(str::to_owned).collect();
    for ((pane, engine), id) in stage.panes.iter().zip(&stage.engines).zip(ids) {
        let how = if *engine == "pinned" { "--resume" } else { "resume" };
        stage.home.ok(&[engine, "-t", pane, how, id]);
    }
}

#[test]
fn r30_the_whole_suite_runs_on_linux() {
    assert!(cfg!(target_os = "linux"));
    let run = fs::read_to_string(root().join(".ci/run")).unwrap();
    assert!(run.contains("cargo test --locked --workspace"), "every test of every crate is run there");
}

#[test]
fn s11_reset_ends_all_sessions_and_drops_what_was_frozen_and_nothing_else() {
    let home = Home::rove();
    let git = |args: &[&str]| {
        let mut command = home.command("git");
        command.args(["-c", "user.name=t", "-c", "user.email=t@example.org"]).args(args);
        assert!(command.output().unwrap().status.success(), "{args:?}");
    };
    git(&["init", "-q"]);
    git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    git(&["worktree", "add", "-q", "../home/worktrees/one"]);
    let kept = ["tasks.json", "state.json", "inbox.json"];
    for file in kept {
        fs::write(home.path(&format!("home/{file}")), "{\"kept\":true}").unwrap();
    }
    let transcript = home.path("engines/pinned.jsonl");
    fs::write(&transcript, "{}\n").unwrap();
    for hard in [false, true] {
        // One lives, one sleeps, and one ended badly.
        for name in ["awake", "asleep"] {
            home.ok(&[
                "new-session",
                "-d",
                "-s",
                name,
                "-x",
                "80",
                "-y",
                "24",
                "trap '' HUP; echo walrus; cat; cat; sleep 1000",
            ]);
            home.wait_screen(name, "walrus");
        }
        home.ok(&["new-window", "-d", "-t", "awake:", "exit 3"]);
        home.ok(&["stop", "asleep"]);
        wait_for("what is frozen", || home.files_with("home", "walrus").len() >= 2);
        let mut tty = Tty::open(&home, &["attach", "awake"], 80, 24);
        tty.wait_text("walrus");
        let pid = home.pane_pid("awake");
        home.ok(&[&["reset", "--yes"][..], if hard { &["--hard"] } else { &[] }].concat());
        assert_eq!(tty.wait_end().0, 1, "the client is told");
        home.wait_empty();
        assert!(!process::alive(pid));
        assert!(!home.path("home/pty-sessions").exists() && !home.path("home/pty-exits.json").exists());
        assert_eq!(home.ok(&["ls"]), "");
        home.wait_empty();
        for file in kept {
            assert_eq!(home.path(&format!("home/{file}")).exists(), !hard, "{file}");
        }
        assert!(home.path("home/worktrees/one/.git").exists() && transcript.exists());
        git(&["-C", "../home/worktrees/one", "status"]);
    }
}
