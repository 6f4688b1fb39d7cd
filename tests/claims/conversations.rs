//! Conversations come back. Two stand-in engines of the program play: `pinned` is given its conversation's id, `discovered` makes its own.
//! Each knows only what stands in its transcript, so only a real return answers a codeword.

use std::fs;

use crate::harness::{Home, Stage, Tty, process, wait_for};

#[test]
fn r6_r7_r9_r21_r42_after_stop_and_kill_each_of_five_answers_its_own_word() {
    let stage = Stage::set(&["pinned", "discovered", "pinned", "discovered", "pinned"]);
    let words = stage.tell_all();
    for word in &words {
        assert!(stage.home.files_with("work", word).is_empty(), "the project knows nothing of it");
    }
    let before: Vec<u32> = stage.panes.iter().map(|pane| stage.engine(pane).unwrap()).collect();
    stage.stop_and_kill();
    let _tty = stage.attach();
    for ((pane, engine), word) in stage.panes.iter().zip(&stage.engines).zip(&words) {
        let pid = stage.wait_ready(pane, engine);
        assert!(!before.contains(&pid));
        assert_eq!(stage.ask(pane), format!("The codeword is {word}."), "{engine} in {pane}");
    }
}

#[test]
fn r7_r26_after_a_crash_of_everything_each_answers_its_own_word() {
    let stage = Stage::set(&["pinned", "discovered", "discovered"]);
    let words = stage.tell_all();
    let transcripts = stage.transcripts();
    stage.wait_kept();
    stage.home.crash();
    let _tty = stage.attach();
    for (pane, engine) in stage.panes.iter().zip(&stage.engines) {
        stage.wait_ready(pane, engine);
    }
    assert_eq!(stage.transcripts(), transcripts, "r26: nothing was said to any of them");
    for (pane, word) in stage.panes.iter().zip(&words) {
        assert_eq!(stage.ask(pane), format!("The codeword is {word}."));
    }
}

#[test]
fn s34_a_killed_server_ends_no_engine() {
    let stage = Stage::set(&["pinned", "discovered"]);
    let words = stage.tell_all();
    let before: Vec<u32> = stage.panes.iter().map(|pane| stage.engine(pane).unwrap()).collect();
    process::kill(stage.home.server());
    wait_for("a server", || stage.home.run(&["has-session", "-t", "work"]).code == 0);
    let after: Vec<u32> = stage.panes.iter().map(|pane| stage.engine(pane).unwrap()).collect();
    assert_eq!(before, after);
    for (pane, word) in stage.panes.iter().zip(&words) {
        assert_eq!(stage.ask(pane), format!("The codeword is {word}."));
    }
    stage.stop_and_kill();
    let _tty = stage.attach();
    for ((pane, engine), word) in stage.panes.iter().zip(&stage.engines).zip(&words) {
        stage.wait_ready(pane, engine);
        assert_eq!(stage.ask(pane), format!("The codeword is {word}."), "the new server knew the engine in {pane} too");
    }
}

#[test]
fn r8_without_resume_the_panes_are_plain_shells() {
    let stage = Stage::set(&["pinned", "discovered"]);
    stage.tell_all();
    stage.home.ok(&["set-option", "-s", "resume", "off"]);
    stage.stop_and_kill();
    let file = stage.home.path("work/off.conf");
    fs::write(&file, "set -s resume off\n").unwrap();
    let mut tty = Tty::open(&stage.home, &["-f", &file.display().to_string(), "attach", "work"], 200, 61);
    tty.wait_until("the session", |screen| screen.alternate);
    wait_for("both shells", || {
        stage
            .panes
            .iter()
            .all(|pane| stage.home.run(&["display-message", "-p", "-t", pane, "#{pane_dead}"]).stdout == "0\n")
    });
    for pane in &stage.panes {
        stage.say(pane, "echo plain''shell");
        stage.home.wait_screen(pane, "plainshell");
        assert_eq!(stage.engine(pane), None);
    }
}

#[test]
fn r10_r12_the_pinned_conversation_has_one_id_through_all_returns() {
    let stage = Stage::set(&["pinned"]);
    let words = stage.tell_all();
    let pane = stage.panes[0].clone();
    let argv = process::argv(stage.engine(&pane).unwrap());
    let at = argv.iter().position(|word| word == "--session-id").unwrap_or_else(|| panic!("{argv:?}"));
    let id = argv[at + 1].clone();
    assert!(uuid::Uuid::parse_str(&id).is_ok(), "{id}");
    for round in 0..if crate::harness::long() { 10 } else { 3 } {
        stage.stop_and_kill();
        let _tty = stage.attach();
        let argv = process::argv(stage.wait_ready(&pane, "pinned"));
        assert!(argv.windows(2).any(|pair| pair == ["--resume".to_owned(), id.clone()]), "round {round}: {argv:?}");
        assert_eq!(stage.ask(&pane), format!("The codeword is {}.", words[0]));
    }
    assert_eq!(stage.transcripts().len(), 1);
}

#[test]
fn r23_r25_only_what_the_multiplexer_launched_comes_back() {
    let stage = Stage::set(&["pinned"]);
    stage.tell_all();
    stage.home.ok(&["split-window", "-t", "work"]);
    let typed = stage.home.format("work", "#{pane_id}");
    let id = uuid::Uuid::new_v4();
    stage.say(&typed, &format!("{} __engine pinned --session-id {id}", stage.home.program().display()));
    stage.wait_ready(&typed, "pinned");
    stage.tell(&typed, "TYPED-1");
    let transcripts = stage.transcripts();
    stage.stop_and_kill();
    let mut tty = Tty::open(&stage.home, &["attach", "work"], 200, 61);
    tty.wait_until("the session", |screen| screen.alternate);
    stage.wait_ready(&stage.panes[0], "pinned");
    stage.say(&typed, "echo plain''shell");
    stage.home.wait_screen(&typed, "plainshell");
    assert_eq!(stage.engine(&typed), None);
    assert_eq!(stage.transcripts(), transcripts);
}

#[test]
fn r28_an_engine_that_was_never_spoken_to_comes_back_fresh() {
    let stage = Stage::set(&["discovered", "pinned"]);
    stage.stop_and_kill();
    let _tty = stage.attach();
    for (pane, engine) in stage.panes.iter().zip(&stage.engines) {
        let argv = process::argv(stage.wait_ready(pane, engine));
        assert!(!argv.iter().any(|word| word.contains("resume") || word.contains("last")), "{argv:?}");
        assert_eq!(stage.ask(pane), "I was told no codeword.");
    }
}

#[test]
fn r38_a_lost_transcript_gives_a_fresh_engine_under_the_same_id() {
    let stage = Stage::set(&["pinned"]);
    stage.tell_all();
    let argv = process::argv(stage.engine(&stage.panes[0]).unwrap());
    stage.stop_and_kill();
    fs::remove_dir_all(stage.home.path("engines/pinned")).unwrap();
    let _tty = stage.attach();
    let again = process::argv(stage.wait_ready(&stage.panes[0], "pinned"));
    assert_eq!(again[1..], argv[1..]);
    assert_eq!(stage.ask(&stage.panes[0]), "I was told no codeword.");
}

#[test]
fn r24_attaching_again_starts_no_second_engine() {
    let stage = Stage::set(&["pinned", "discovered"]);
    stage.tell_all();
    stage.stop_and_kill();
    let _first = stage.attach();
    let _second = stage.attach();
    for (pane, engine) in stage.panes.iter().zip(&stage.engines) {
        stage.wait_ready(pane, engine);
    }
    let _third = stage.attach();
    let engines: Vec<u32> = stage
        .home
        .processes()
        .into_iter()
        .filter(|pid| {
            process::stat(*pid)
                .is_some_and(|stat| stat.comm.starts_with("rove-pinned") || stat.comm.starts_with("rove-discovere"))
        })
        .collect();
    assert_eq!(engines.len(), 2, "{engines:?}");
}

#[test]
fn s49_s51_an_engine_that_ends_leaves_its_shell() {
    let stage = Stage::set(&["pinned"]);
    let pane = &stage.panes[0];
    let (shell, tty) = (stage.home.pane_pid(pane), stage.home.format(pane, "#{pane_tty}"));
    assert!(process::ancestors(stage.engine(pane).unwrap()).contains(&stage.home.host_of(pane)));
    stage.say(pane, "/exit 3");
    wait_for("the end of the engine", || stage.engine(pane).is_none());
    stage.say(pane, "echo plain''shell");
    stage.home.wait_screen(pane, "plainshell");
    assert_eq!((stage.home.pane_pid(pane), stage.home.format(pane, "#{pane_tty}")), (shell, tty));
}

#[test]
fn r40_a_pane_that_runs_something_is_refused_with_its_name() {
    let stage = Stage::set(&["pinned"]);
    let words = stage.home.fails(&["pinned", "-t", &stage.panes[0]]);
    assert!(words.contains("already running"), "{words}");
    let words = stage.home.fails(&["launch-agent", "-t", &stage.panes[0], "no-such-engine"]);
    assert!(words.contains("no-such-engine"), "{words}");
}

#[test]
fn r10_an_engine_is_launched_from_inside_its_pane() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "200", "-y", "30"]);
    home.wait_screen("work", "$");
    let panes = vec![home.format("work", "#{pane_id}")];
    let stage = Stage { home, panes, engines: vec!["pinned"] };
    let pane = &stage.panes[0];
    stage.say(pane, &format!("{} pinned", stage.home.program().display()));
    stage.wait_ready(pane, "pinned");
    stage.tell(pane, "INSIDE-1");
    stage.stop_and_kill();
    let _tty = stage.attach();
    stage.wait_ready(pane, "pinned");
    assert_eq!(stage.ask(pane), "The codeword is INSIDE-1.");
}

#[test]
fn the_demo_passes_and_without_resume_fails() {
    let home = Home::rove();
    let call = home.shell(&format!("{} demo", home.program().display()));
    assert_eq!(call.code, 0, "{}{}", call.stdout, call.stderr);
    assert!(call.stdout.contains("PASS"), "{}", call.stdout);
    let call = home.shell(&format!("{} demo --no-resume", home.program().display()));
    assert_eq!(call.code, 1, "{}{}", call.stdout, call.stderr);
}
