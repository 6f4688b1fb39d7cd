//! A conversation's id changes under a running engine; the pane's record follows what the engine itself tells, and nobody else.

use std::fs;

use crate::harness::{Stage, wait_for};

/// The conversation that a pane is known to have.
fn known(stage: &Stage, pane: &str) -> String {
    stage.home.format(pane, "#{pane_conversation}")
}

#[track_caller]
fn wait_known(stage: &Stage, pane: &str, what: &str, is_it: impl Fn(&str) -> bool) -> String {
    wait_for(what, || is_it(&known(stage, pane)));
    known(stage, pane)
}

#[track_caller]
fn turn(stage: &Stage, pane: &str, line: &str) {
    stage.home.ok(&["clear-history", "-t", pane]);
    stage.say(pane, line);
    stage.home.wait_screen(pane, "turned");
}

/// What an engine was asked to run, and said after it.
#[track_caller]
fn tool(stage: &Stage, pane: &str, line: &str) {
    let done = format!("done-{}", uuid::Uuid::new_v4().simple());
    stage.say(pane, &format!("!{line}; echo {}''{}", &done[..9], &done[9..]));
    wait_for("the end of a tool", || stage.home.history(pane).contains(&done));
}

#[test]
fn r34_a_cleared_conversation_is_followed_and_the_old_one_kept_in_the_record() {
    let stage = Stage::set(&["pinned"]);
    let pane = &stage.panes[0];
    stage.tell(pane, "OLD-1");
    let first = known(&stage, pane);
    stage.say(pane, "/clear");
    let second = wait_known(&stage, pane, "another conversation", |id| id != first);
    assert!(stage.home.history(pane).contains("turned") && !stage.home.history(pane).contains("hook:"));
    stage.tell(pane, "NEW-2");
    wait_for("both in the record", || !stage.home.files_with("home", &first).is_empty());
    stage.stop_and_kill();
    let _tty = stage.attach();
    stage.wait_ready(pane, "pinned");
    assert_eq!(stage.ask(pane), "The codeword is NEW-2.");
    assert_eq!(known(&stage, pane), second);
    // Back in the first one, as by its list of conversations; it is known from then on.
    stage.say(pane, &format!("/resume {first}"));
    wait_known(&stage, pane, "the first conversation", |id| id == first);
    stage.stop_and_kill();
    let _tty = stage.attach();
    stage.wait_ready(pane, "pinned");
    assert_eq!(stage.ask(pane), "The codeword is OLD-1.");
}

#[test]
fn r34_a_new_thread_and_one_taken_up_again_are_followed() {
    let stage = Stage::set(&["discovered", "discovered"]);
    let (pane, other) = (&stage.panes[0], &stage.panes[1]);
    stage.tell(pane, "FIRST-1");
    let first = wait_known(&stage, pane, "the first thread", |id| !id.is_empty());
    turn(&stage, pane, "/new");
    stage.tell(other, "OTHER-3");
    stage.home.ok(&["clear-history", "-t", pane]);
    stage.tell(pane, "SECOND-2");
    wait_known(&stage, pane, "the second thread", |id| !id.is_empty() && id != first);
    stage.stop_and_kill();
    let _tty = stage.attach();
    stage.wait_ready(pane, "discovered");
    stage.wait_ready(other, "discovered");
    assert_eq!(
        (stage.ask(pane), stage.ask(other)),
        ("The codeword is SECOND-2.".into(), "The codeword is OTHER-3.".into())
    );
    // The older thread beside the newer one, both open: only what the engine tells of its turns says which one it has.
    stage.say(pane, &format!("/resume {first}"));
    stage.home.wait_screen(pane, "turned");
    assert_eq!(stage.ask(pane), "The codeword is FIRST-1.");
    wait_known(&stage, pane, "the first thread again", |id| id == first);
    stage.stop_and_kill();
    let _tty = stage.attach();
    stage.wait_ready(pane, "discovered");
    assert_eq!(stage.ask(pane), "The codeword is FIRST-1.");
}

#[test]
fn a_report_counts_only_from_the_panes_own_engine() {
    let stage = Stage::set(&["pinned", "pinned"]);
    let (pane, other) = (&stage.panes[0], &stage.panes[1]);
    stage.tell(pane, "MINE-1");
    let own = known(&stage, pane);
    let token = stage.home.format(pane, "#{pane_uuid}");
    let program = stage.home.program().display().to_string();
    let [foreign, nested, accepted] = [(); 3].map(|()| uuid::Uuid::new_v4().to_string());
    let report =
        |id: &str| format!("echo '{{\"session_id\":\"{id}\"}}' > {id}.json; {program} __report {token} < {id}.json");
    // From a process of another pane, and of another pane's engine.
    tool(&stage, other, &report(&foreign));
    assert_eq!(known(&stage, pane), own);
    // From an engine that this engine started, by the same hook.
    let hook = format!("{program} __report {token}");
    let settings = format!("{{\"hooks\":{{\"SessionStart\":[{{\"hooks\":[{{\"command\":\"{hook}\"}}]}}]}}}}");
    fs::write(
        stage.home.path("work/nested.sh"),
        format!("{program} __engine pinned --session-id {nested} --settings '{settings}'\n"),
    )
    .unwrap();
    tool(&stage, pane, "sh nested.sh");
    assert_eq!(known(&stage, pane), own);
    // From a tool of the engine itself: so the reports above were refused for where they came from.
    tool(&stage, pane, &report(&accepted));
    wait_known(&stage, pane, "the report", |id| id == accepted);
}

#[test]
fn the_hook_is_for_one_launch_and_the_users_own_stay() {
    let stage = Stage::set(&[]);
    let pane = &stage.home.format("work", "#{pane_id}");
    let settings = stage.home.path("engines/pinned/settings.json");
    fs::create_dir_all(settings.parent().unwrap()).unwrap();
    let text = r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"cat >> own-hook"}]}]}}"#;
    fs::write(&settings, text).unwrap();
    let given = r#"{"hooks":{"SessionStart":[{"hooks":[{"type":"command","command":"cat >> given-hook"}]}]}}"#;
    stage.home.ok(&["pinned", "-t", pane, "--settings", given]);
    stage.wait_ready(pane, "pinned");
    stage.tell(pane, "HOOKED-1");
    let first = known(&stage, pane);
    stage.say(pane, "/clear");
    let second = wait_known(&stage, pane, "another conversation", |id| id != first);
    let told = |file: &str| fs::read_to_string(stage.home.path(&format!("work/{file}"))).unwrap();
    for file in ["own-hook", "given-hook"] {
        assert!(told(file).contains(&first) && told(file).contains(&second), "{file}: {}", told(file));
    }
    assert_eq!(fs::read_to_string(&settings).unwrap(), text);
    assert!(!stage.home.history(pane).contains("hook:"));
}

#[test]
fn a_hook_that_finds_no_server_disturbs_nobody() {
    let home = crate::harness::Home::rove();
    let program = home.program().display().to_string();
    for line in [
        format!("echo '{{\"session_id\":\"x\"}}' | {program} __report TOKEN"),
        format!("ROVE=/nowhere,1,0 {program} __report TOKEN '{{\"thread-id\":\"x\"}}'"),
        format!("echo no json | {program} __report TOKEN"),
        format!("{program} __report"),
    ] {
        let call = home.shell(&line);
        assert_eq!((call.code, call.stdout.as_str(), call.stderr.as_str()), (0, "", ""), "{line}");
    }
}

#[test]
fn the_users_own_notify_stays() {
    let stage = Stage::set(&[]);
    let pane = &stage.home.format("work", "#{pane_id}");
    let config = stage.home.path("engines/discovered/config.toml");
    fs::create_dir_all(config.parent().unwrap()).unwrap();
    fs::write(stage.home.path("work/note.sh"), "echo \"$1\" >> noted\n").unwrap();
    fs::write(&config, "notify = [\"sh\", \"note.sh\"]\n").unwrap();
    stage.home.ok(&["discovered", "-t", pane]);
    stage.wait_ready(pane, "discovered");
    stage.tell(pane, "NOTED-1");
    let id = wait_known(&stage, pane, "the thread", |id| !id.is_empty());
    wait_for("the user's own program to be told", || {
        fs::read_to_string(stage.home.path("work/noted")).is_ok_and(|text| text.contains(&id))
    });
}
