//! What each engine's row says is what is run, and each comes back to its own conversation. Stand-ins play the engines of vendors, each
//! written from that engine's documents (`tests/fixtures/engines`).

use std::fs;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::harness::{Home, Stage, Tty, observe_for, process, wait_for, wait_some};

/// What is run for `rove ENGINE ARGUMENTS` and after everything was killed. `ID` stands for the conversation.
struct Contract {
    engine: &'static str,
    arguments: &'static str,
    launched: &'static str,
    resumed: &'static str,
}

const fn contract(
    engine: &'static str,
    arguments: &'static str,
    launched: &'static str,
    resumed: &'static str,
) -> Contract {
    Contract { engine, arguments, launched, resumed }
}

/// Engines whose conversation is named at launch.
const NAMED: &[Contract] = &[
    contract(
        "aider",
        "--model m a.py",
        "--chat-history-file .aider.chat.ID.md --model m a.py",
        "--restore-chat-history --chat-history-file .aider.chat.ID.md --model m a.py",
    ),
    contract("claude", "--model m", "--session-id ID --model m", "--resume ID --model m"),
    contract("copilot", "--model m", "--session-id=ID --model m", "--resume=ID --model m"),
    contract("gemini", "-m m", "--session-id ID -m m", "--resume ID -m m"),
    contract("goose", "--with-builtin b", "session -n ID --with-builtin b", "session -r -n ID --with-builtin b"),
    contract("kimi", "-m m", "--session ID -m m", "--session ID -m m"),
    contract("qwen", "-m m", "--session-id ID -m m", "--resume ID -m m"),
];

/// Engines which make their ids themselves, before the launch or after it.
const MADE: &[Contract] = &[
    contract("amp", "-m m", "threads continue ID -m m", "threads continue ID -m m"),
    contract(
        "codex",
        "-m m",
        "-c features.daemon_auto_start=false -m m",
        "-c features.daemon_auto_start=false resume -m m ID",
    ),
    contract("kimi-code", "-m m", "-m m", "--session ID -m m"),
    contract("opencode", "-m m", "--session ID -m m", "--session ID -m m"),
];

/// A stage with a pane for each contract, in one directory.
fn stage(contracts: &[Contract]) -> Stage {
    let stage = Stage::in_home(Stage::vendors(), &[]);
    let mut stage = Stage { panes: Vec::new(), ..stage };
    for contract in contracts {
        let pane = match stage.panes.len() {
            0 => stage.home.format("work", "#{pane_id}"),
            _ => {
                let pane = stage.home.ok(&["split-window", "-t", "work", "-P", "-F", "#{pane_id}"]);
                stage.home.ok(&["select-layout", "-t", "work", "tiled"]);
                pane
            }
        };
        let mut words = vec![contract.engine, "-t", &pane];
        words.extend(contract.arguments.split_whitespace());
        stage.home.ok(&words);
        stage.wait_ready(&pane, contract.engine);
        stage.panes.push(pane);
        stage.engines.push(contract.engine);
    }
    stage
}

/// The arguments of the engine in a pane, with its conversation as `ID`, and without those by which it reports to rove.
fn arguments(stage: &Stage, pane: &str) -> String {
    let argv = process::argv(stage.engine(pane).expect("an engine"));
    let mut line = argv[2..].join(" ");
    for (flag, value) in argv.iter().zip(&argv[1..]) {
        if value.contains("__report") && matches!(flag.as_str(), "--settings" | "-c") {
            line = line.replacen(&format!("{flag} {value}"), "", 1);
        }
    }
    let line = line.split_whitespace().collect::<Vec<_>>().join(" ");
    match conversation(&stage.home, pane).as_str() {
        "" => line,
        id => line.replace(id, "ID"),
    }
}

fn conversation(home: &Home, pane: &str) -> String {
    home.format(pane, "#{pane_conversation}")
}

/// Waits until the conversation of a pane is known.
fn wait_known(home: &Home, pane: &str) -> String {
    wait_some(&format!("the conversation of {pane}"), || Some(conversation(home, pane)).filter(|id| !id.is_empty()))
}

fn come_back_to_their_words(contracts: &[Contract]) {
    let stage = stage(contracts);
    let words = stage.tell_all();
    for (pane, contract) in stage.panes.iter().zip(contracts) {
        wait_known(&stage.home, pane);
        assert_eq!(arguments(&stage, pane), contract.launched, "{}", contract.engine);
    }
    stage.stop_and_kill();
    let _tty = stage.attach();
    for ((pane, contract), word) in stage.panes.iter().zip(contracts).zip(&words) {
        stage.wait_ready(pane, contract.engine);
        assert_eq!(arguments(&stage, pane), contract.resumed, "{}", contract.engine);
        assert_eq!(stage.ask(pane), format!("The codeword is {word}."), "{}", contract.engine);
    }
}

#[test]
fn s90_s91_r20_engines_whose_conversation_is_named_at_launch_come_back_to_it() {
    come_back_to_their_words(NAMED);
}

#[test]
fn r16_r20_engines_that_make_their_own_ids_come_back_to_them() {
    come_back_to_their_words(MADE);
}

/// The id stands on the command line, and in the record before anything runs: a pane that was killed at once has it.
#[test]
fn s90_the_id_is_pinned_up_front() {
    let home = Stage::vendors();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30"]);
    let pane = home.format("work", "#{pane_id}");
    home.ok(&["claude", "-t", &pane]);
    let id = conversation(&home, &pane);
    assert_eq!(id, home.format(&pane, "#{pane_uuid}"));
    let stage = Stage { home, panes: vec![pane.clone()], engines: vec!["claude"] };
    stage.wait_ready(&pane, "claude");
    assert_eq!(arguments(&stage, &pane), "--session-id ID");
    assert!(stage.home.files("user").iter().all(|file| !file.ends_with(".jsonl")), "nothing was said yet");
}

#[test]
fn s91_two_in_one_worktree_answer_their_own_words() {
    let claude = || contract("claude", "", "--session-id ID", "--resume ID");
    come_back_to_their_words(&[claude(), claude()]);
}

/// Two that make their own ids, in one directory, spoken to against the order of launch, with what they hold open as the only witness.
#[test]
fn r16_r20_two_discovered_in_one_directory_are_not_crossed() {
    let codex = || {
        contract("codex", "", "-c features.daemon_auto_start=false", "-c features.daemon_auto_start=false resume ID")
    };
    come_back_to_their_words(&[codex(), codex()]);
}

/// S92: an engine that has no ids at all starts with its own words again, and without any that resumes.
#[test]
fn s92_an_engine_without_ids_starts_afresh() {
    let home = Stage::vendors();
    write_plain(&home);
    fs::write(home.path("home/engines.toml"), "[plain]\ncommand = \"plain\"\n").unwrap();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30"]);
    let pane = home.format("work", "#{pane_id}");
    home.ok(&["plain", "-t", &pane, "--colour", "hello"]);
    let stage = Stage { home, panes: vec![pane.clone()], engines: vec!["plain"] };
    stage.wait_ready(&pane, "plain");
    assert_eq!(arguments(&stage, &pane), "--colour hello");
    stage.tell(&pane, "PLAIN-1");
    stage.stop_and_kill();
    let _tty = stage.attach();
    stage.wait_ready(&pane, "plain");
    assert_eq!(arguments(&stage, &pane), "--colour", "its flags, and no prompt");
    assert_eq!(stage.ask(&pane), "I was told no codeword.");
}

fn write_plain(home: &Home) {
    let text = "#!/bin/sh\n. \"$STAND_INS/talk.sh\"\nname=plain\ntranscript=$HOME/plain/$$\ntalk\n";
    write_program(&home.path("bin/plain"), text);
}

fn write_program(path: &Path, text: &str) {
    use std::os::unix::fs::PermissionsExt;
    fs::write(path, text).unwrap();
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// A stage with one codex which closes its transcript between writes, so that only the store can tell.
fn one_that_closes(prepare: impl FnOnce(&Home)) -> Stage {
    let mut home = Stage::vendors();
    home.set("CODEX_CLOSES", "1");
    home.set("CODEX_HOME", &home.path("codex").display().to_string());
    prepare(&home);
    let stage = Stage::in_home(home, &[]);
    let pane = stage.home.format("work", "#{pane_id}");
    stage.home.ok(&["codex", "-t", &pane]);
    stage.wait_ready(&pane, "codex");
    Stage { panes: vec![pane], engines: vec!["codex"], ..stage }
}

/// A rollout in the store: the file's name, and the first line.
fn write_rollout(home: &Home, id: &str, cwd: &str, name: &str) {
    let folder = home.path("codex/sessions/2026/11/30");
    fs::create_dir_all(&folder).unwrap();
    let line = format!(
        "{{\"type\":\"session_meta\",\"payload\":{{\"id\":\"{id}\",\"session_id\":\"{id}\",\"cwd\":\"{cwd}\"}}}}\n"
    );
    fs::write(folder.join(name), line + "user: the codeword is FOREIGN-1.\n").unwrap();
}

/// A UUID of version 7 of now, or of long ago.
fn id_of(age: Duration) -> String {
    let at = SystemTime::now() - age;
    let since = at.duration_since(UNIX_EPOCH).unwrap();
    uuid::Uuid::new_v7(uuid::Timestamp::from_unix(uuid::NoContext, since.as_secs(), since.subsec_nanos())).to_string()
}

#[test]
fn r17_the_store_is_searched_where_the_environment_says_and_files_of_other_names_are_not_read() {
    let stage = one_that_closes(|_| {});
    let pane = &stage.panes[0];
    let cwd = stage.home.path("work").display().to_string();
    let foreign = id_of(Duration::ZERO);
    write_rollout(&stage.home, &foreign, &cwd, &format!("notes-2026-11-30T10-00-00-{foreign}.jsonl"));
    stage.tell(pane, "STORE-1");
    let id = wait_known(&stage.home, pane);
    assert_ne!(id, foreign);
    assert!(stage.home.files("codex").iter().any(|file| file.display().to_string().ends_with(&format!("-{id}.jsonl"))));
    stage.stop_and_kill();
    let _tty = stage.attach();
    stage.wait_ready(pane, "codex");
    assert_eq!(arguments(&stage, pane), "-c features.daemon_auto_start=false resume ID");
    assert_eq!(stage.ask(pane), "The codeword is STORE-1.");
}

#[test]
fn r18_r19_a_conversation_of_another_directory_or_time_is_not_taken() {
    let before = id_of(Duration::from_secs(3600));
    let rollout = |home: &Home, id: &str, cwd: &Path| {
        write_rollout(home, id, &cwd.display().to_string(), &format!("rollout-2026-11-30T10-00-00-{id}.jsonl"));
    };
    let stage = one_that_closes(|home| rollout(home, &before, &home.path("work")));
    let pane = &stage.panes[0];
    let nobody_is_taken = || {
        observe_for(Duration::from_millis(2200), "nobody's is taken", || conversation(&stage.home, pane).is_empty());
    };
    // Each alone, as of two that fit neither is taken anyway: one begun before the launch here, and written to since; ...
    rollout(&stage.home, &before, &stage.home.path("work"));
    nobody_is_taken();
    // ... and one begun after the launch in another directory.
    fs::remove_dir_all(stage.home.path("codex/sessions")).unwrap();
    let elsewhere = id_of(Duration::ZERO);
    rollout(&stage.home, &elsewhere, Path::new("/elsewhere"));
    nobody_is_taken();
    stage.tell(pane, "MINE-1");
    let id = wait_known(&stage.home, pane);
    assert!(id != elsewhere && id != before);
}

/// R20, and the other side of R18: the directory is the same by another name.
#[test]
fn r18_r20_the_directory_by_a_link_is_the_same_one() {
    let stage = one_that_closes(|_| {});
    let (real, link) = (stage.home.path("work"), stage.home.path("link"));
    std::os::unix::fs::symlink(&real, &link).unwrap();
    let pane = stage.home.ok(&["split-window", "-t", "work", "-P", "-F", "#{pane_id}"]);
    stage.say(&pane, &format!("cd {}; echo mo''ved", link.display()));
    stage.home.wait_screen(&pane, "moved");
    stage.say(&stage.panes[0], "/exit");
    wait_for("the end of the first", || stage.engine(&stage.panes[0]).is_none());
    stage.home.ok(&["kill-pane", "-t", &stage.panes[0]]);
    let stage = Stage { panes: vec![pane.clone()], ..stage };
    stage.home.ok(&["codex", "-t", &pane]);
    stage.wait_ready(&pane, "codex");
    stage.tell(&pane, "LINK-1");
    wait_known(&stage.home, &pane);
    stage.stop_and_kill();
    let _tty = stage.attach();
    stage.wait_ready(&pane, "codex");
    assert_eq!(stage.ask(&pane), "The codeword is LINK-1.");
}

/// S16: all of rove's files are gone, the conversation is not, and a new pane takes it up by its id.
#[test]
fn s16_the_conversation_is_the_engines_own() {
    let stage = stage(&[contract("claude", "", "", "")]);
    let pane = stage.panes[0].clone();
    stage.tell(&pane, "OWNED-1");
    let id = conversation(&stage.home, &pane);
    stage.stop_and_kill();
    let transcript =
        || stage.home.files_with("user", "OWNED-1").pop().map(|file| (file.clone(), fs::read(file).unwrap()));
    let before = transcript().expect("a transcript");
    fs::remove_dir_all(stage.home.path("home")).unwrap();
    fs::create_dir(stage.home.path("home")).unwrap();
    assert_eq!(transcript(), Some(before));
    stage.home.ok(&["new-session", "-d", "-s", "again", "-x", "100", "-y", "30"]);
    let pane = stage.home.format("again", "#{pane_id}");
    stage.home.ok(&["claude", "-t", &pane, "--resume", &id]);
    stage.wait_ready(&pane, "claude");
    assert_eq!(stage.ask(&pane), "The codeword is OWNED-1.");
}

/// R29: what is not documented upstream stands in one row. The probe looks at the real program when there is one and says what it found.
#[test]
fn r29_one_row_holds_what_is_undocumented() {
    let row = agents::find("codex").unwrap();
    assert_eq!(row.identity, agents::engines::IdSource::Discovered);
    assert!(row.store.unwrap().transcripts.iter().all(|pattern| pattern.contains("rollout-*-{session}")));
    for (path, text) in crate::tidy::sources() {
        let may = path.starts_with("agents/") || path.starts_with("tests/") || path.starts_with("src/demo/");
        assert!(may || !text.contains("rollout-"), "{path} knows the name of a transcript");
    }
}

/// Engines of the user's own: one that is given an id, one whose id stands in the name of its file, and one that is written down wrong.
const OWN: &str = r#"
[given]
name = "Given"
command = "given"
launch = "chat {args}"
pin = "--id {session}"
resume = "again {session} {args}"
store = "~/given/*/{session}.log"
scrub = ["GIVEN_INSIDE"]
flags-with-value = ["--model"]

[found]
command = "found"
resume = "again {session} {args}"
store = "$FOUND_HOME/{session}/log"
"#;

const BROKEN: &str = "\n[broken]\ncommand = \"broken\"\npin = \"--id\"\n";

const GIVEN: &str = r#"#!/bin/sh
. "$STAND_INS/talk.sh"
name=given
[ -z "$GIVEN_INSIDE" ] || refuse "this one runs inside another one"
case "$1 $2" in
"chat --id") transcript=$HOME/given/x/$3.log; [ ! -e "$transcript" ] || refuse "taken" ;;
"again "*) transcript=$HOME/given/x/$2.log; [ -e "$transcript" ] || refuse "not there" ;;
*) refuse "not so" ;;
esac
talk
"#;

const FOUND: &str = r#"#!/bin/sh
. "$STAND_INS/talk.sh"
name=found
id=n-$(fresh_uuid)
[ "$1" != again ] || id=$2
transcript=$FOUND_HOME/$id/log
[ "$1" != again ] || [ -e "$transcript" ] || refuse "not there"
talk
"#;

fn home_with_own_engines() -> Home {
    let mut home = Stage::vendors();
    home.set("FOUND_HOME", &home.path("found").display().to_string());
    home.set("GIVEN_INSIDE", "1");
    write_program(&home.path("bin/given"), GIVEN);
    write_program(&home.path("bin/found"), FOUND);
    fs::write(home.path("home/engines.toml"), OWN).unwrap();
    home
}

#[test]
fn engines_of_the_users_own_freeze_thaw_and_come_back_to_their_words() {
    let home = home_with_own_engines();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30"]);
    let given = home.format("work", "#{pane_id}");
    let found = home.ok(&["split-window", "-t", "work", "-P", "-F", "#{pane_id}"]);
    home.ok(&["given", "-t", &given, "--model", "m", "--quiet"]);
    home.ok(&["found", "-t", &found]);
    let stage = Stage { home, panes: vec![given.clone(), found.clone()], engines: vec!["given", "found"] };
    stage.wait_ready(&given, "given");
    stage.wait_ready(&found, "found");
    let words = stage.tell_all();
    wait_known(&stage.home, &found);
    assert_eq!(arguments(&stage, &given), "chat --id ID --model m --quiet");
    for _ in 0..2 {
        stage.stop_and_kill();
        let _tty = stage.attach();
        for ((pane, engine), word) in stage.panes.iter().zip(&stage.engines).zip(&words) {
            stage.wait_ready(pane, engine);
            assert_eq!(stage.ask(pane), format!("The codeword is {word}."), "{engine}");
        }
        assert_eq!(arguments(&stage, &given), "again ID --model m --quiet");
        assert_eq!(arguments(&stage, &found), "again ID");
    }
}

#[test]
fn a_bad_entry_is_told_with_its_line_and_costs_only_itself() {
    let home = home_with_own_engines();
    fs::write(home.path("home/engines.toml"), format!("{OWN}{BROKEN}")).unwrap();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30"]);
    let pane = home.format("work", "#{pane_id}");
    let said = home.fails(&["broken", "-t", &pane]);
    let place = format!("{}:19: pin must say once", home.path("home/engines.toml").display());
    assert!(said.contains(&place), "{said}");
    let list = home.run(&["engines"]);
    assert_eq!(list.code, 1, "{}{}", list.stdout, list.stderr);
    assert!(list.stderr.contains(&place), "{}", list.stderr);
    let line = |id: &str| list.stdout.lines().find(|line| line.starts_with(id)).unwrap_or_default().to_owned();
    assert!(line("given").contains("given at launch: --id ID") && line("given").contains("your engines.toml"));
    assert!(line("found").contains(&home.path("bin/found").display().to_string()), "{}", list.stdout);
    assert!(line("codex").contains("observed"), "{}", list.stdout);
    let mut tty = Tty::open(&home, &["attach", "work"], 160, 31);
    tty.wait_text("pin must say once");
    // Mended while the server runs, it works.
    let good = format!("{OWN}{BROKEN}").replace("pin = \"--id\"", "");
    write_program(
        &home.path("bin/broken"),
        "#!/bin/sh\n. \"$STAND_INS/talk.sh\"\nname=broken\ntranscript=/dev/null\ntalk\n",
    );
    fs::write(home.path("home/engines.toml"), good).unwrap();
    home.ok(&["broken", "-t", &pane]);
    home.wait_screen(&pane, "broken>");
    assert_eq!(home.run(&["engines"]).code, 0);
}

#[test]
fn an_entry_may_take_the_place_of_a_row() {
    let home = Stage::vendors();
    write_program(&home.path("bin/my-claude"), "#!/bin/sh\nexec claude \"$@\"\n");
    fs::write(home.path("home/engines.toml"), "[claude]\ncommand = \"my-claude\"\n").unwrap();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "100", "-y", "30"]);
    let pane = home.format("work", "#{pane_id}");
    home.ok(&["claude", "-t", &pane]);
    let stage = Stage { home, panes: vec![pane.clone()], engines: vec!["claude"] };
    stage.wait_ready(&pane, "claude");
    let words = stage.tell_all();
    let record = |home: &Home| !home.files_with("home", "my-claude").is_empty();
    wait_for("the wrapper in the record", || record(&stage.home));
    stage.stop_and_kill();
    let _tty = stage.attach();
    stage.wait_ready(&pane, "claude");
    assert_eq!(arguments(&stage, &pane), "--resume ID");
    assert_eq!(stage.ask(&pane), format!("The codeword is {}.", words[0]));
}

/// What the user broke meanwhile is said in the pane, which has its shell; mended, the conversation comes back.
#[test]
fn an_entry_broken_while_its_pane_was_frozen_is_told_there() {
    let home = home_with_own_engines();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "160", "-y", "30"]);
    let pane = home.format("work", "#{pane_id}");
    home.ok(&["given", "-t", &pane]);
    let stage = Stage { home, panes: vec![pane.clone()], engines: vec!["given"] };
    stage.wait_ready(&pane, "given");
    let words = stage.tell_all();
    stage.stop_and_kill();
    let file = stage.home.path("home/engines.toml");
    fs::write(&file, OWN.replace("--id {session}", "--id")).unwrap();
    let tty = stage.attach();
    stage.home.ok(&["copy-mode", "-q", "-t", &pane]);
    stage.home.wait_screen(&pane, "pin must say once");
    assert_eq!(stage.engine(&pane), None);
    drop(tty);
    fs::write(&file, OWN).unwrap();
    stage.home.ok(&["given", "-t", &pane]);
    stage.wait_ready(&pane, "given");
    assert_eq!(stage.ask(&pane), format!("The codeword is {}.", words[0]));
}

/// An engine whose server is out of reach is launched all the same, and says what that costs.
#[test]
fn a_conversation_that_could_not_be_made_is_said_so() {
    let home = Stage::vendors();
    fs::create_dir_all(home.path("user/amp-server")).unwrap();
    fs::write(home.path("user/amp-server/down"), "").unwrap();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "160", "-y", "30"]);
    let pane = home.format("work", "#{pane_id}");
    home.ok(&["amp", "-t", &pane]);
    home.wait_screen(&pane, "amp>");
    let screen = home.screen(&pane);
    assert!(screen.contains("made no conversation") && screen.contains("could not reach ampcode.com"), "{screen}");
    assert_eq!(conversation(&home, &pane), "");
}

#[test]
fn the_doctor_tries_an_engine_and_tells_what_it_saw() {
    let home = home_with_own_engines();
    fs::write(home.path("home/engines.toml"), format!("{OWN}{BROKEN}")).unwrap();
    let said = home.run(&["doctor", "--codeword", "--yes", "pinned", "discovered"]);
    assert_eq!(said.code, 0, "{}{}", said.stdout, said.stderr);
    assert!(said.stdout.contains("spends two turns of each"), "{}", said.stdout);
    assert!(said.stdout.contains("PASS pinned") && said.stdout.contains("PASS discovered"), "{}", said.stdout);
    assert!(home.processes().is_empty() && home.files("run").is_empty(), "nothing was started in the user's own home");
    let said = home.run(&["doctor", "--codeword", "pinned"]);
    assert_eq!(said.code, 3, "without a terminal nobody agreed: {}{}", said.stdout, said.stderr);
    assert_eq!(home.run(&["doctor", "--codeword", "--yes", "no-such"]).code, 2);
    assert_eq!(home.run(&["doctor", "--codeword", "--yes", "broken"]).code, 3);
}

/// The test of the doctor: an engine that forgets.
#[test]
fn the_doctor_tells_an_engine_that_forgets() {
    let home = Stage::vendors();
    let text =
        "#!/bin/sh\n. \"$STAND_INS/talk.sh\"\nname=forgets\ntranscript=$HOME/forgets/$2; rm -f $transcript\ntalk\n";
    write_program(&home.path("bin/forgets"), text);
    let entry = "[forgets]\ncommand = \"forgets\"\npin = \"--id {session}\"\nresume = \"--id {session}\"\nstore = \"~/forgets/{session}\"\nready = [\"forgets>\"]\n";
    fs::write(home.path("home/engines.toml"), entry).unwrap();
    let said = home.run(&["doctor", "--codeword", "--yes", "forgets"]);
    assert_eq!(said.code, 1, "{}{}", said.stdout, said.stderr);
    assert!(
        said.stdout.contains("FAIL forgets") && said.stdout.contains("without its conversation"),
        "{}",
        said.stdout
    );
}
