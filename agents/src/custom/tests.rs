//! Good entries, bad entries, and what is said of them.

use super::*;
use crate::launch::{Request, launch};
use crate::probe::{Facts, Transcript};
use crate::resume::{Resume, plan};

const GOOD: &str = r#"
# Mine.
[mytool]
name = "My Tool"
command = "mytool --fast"
launch = "chat {args}"
pin = "--id {session}"
resume = ["chat", "--again={session}"]
store = "~/.mytool/chats/*/{session}.json"
scrub = ["MYTOOL_INSIDE"]
flags-with-value = ["--model"]

[found]
command = ["python3", "/opt/found.py"]
resume = "--resume {session} {args}"
store = "$FOUND_HOME/s/{session}/log"

[claude-work]
like = "claude"
command = "claude-wrapper"

[codex]
command = "/opt/bin/my-codex"

[plain]
command = "plain"
"#;

fn facts(transcript: Transcript) -> Facts {
    Facts { transcript, fresh_id: "fresh".into(), now_ms: 5, ..Facts::default() }
}

fn argv(table: &Table, id: &str, line: &str) -> Vec<String> {
    let args = line.split_whitespace().map(str::to_owned).collect();
    let request = Request { args, pane: "p-1".into(), cwd: "/w".into(), record: None };
    launch(table.find(id).unwrap(), &request, &facts(Transcript::Absent)).unwrap().argv
}

#[test]
fn entries_become_rows() {
    let table = read("engines.toml", GOOD);
    assert_eq!(table.problems, []);
    assert_eq!(
        argv(&table, "mytool", "--model x hello"),
        ["mytool", "--fast", "chat", "--id", "p-1", "--model", "x", "hello"]
    );
    assert_eq!(argv(&table, "found", "--x"), ["python3", "/opt/found.py", "--x"]);
    assert_eq!(argv(&table, "claude-work", ""), ["claude-wrapper", "--session-id", "p-1"]);
    assert_eq!(argv(&table, "codex", ""), ["/opt/bin/my-codex", "-c", "features.daemon_auto_start=false"]);
    assert_eq!(argv(&table, "plain", "a"), ["plain", "a"]);
    let mine = table.find("mytool").unwrap();
    assert_eq!((mine.product, mine.ground, mine.scrub), ("My Tool", Ground::User, &["MYTOOL_INSIDE"][..]));
    assert_eq!(table.find("codex").unwrap().product, "Codex");
    assert_eq!(table.find("claude-work").unwrap().product, "claude-work");
    assert!(table.listed().iter().any(|engine| engine.id == "gemini"), "those of the program are still there");
}

#[test]
fn what_was_launched_comes_back_with_its_flags() {
    let table = read("engines.toml", GOOD);
    let mine = table.find("mytool").unwrap();
    let args = ["--model", "x", "hello"].map(str::to_owned).to_vec();
    let request = Request { args, pane: "p-1".into(), cwd: "/w".into(), record: None };
    let record = launch(mine, &request, &facts(Transcript::Absent)).unwrap().record;
    let back = |transcript| match plan(mine, &record, &facts(transcript)) {
        Resume::Run { launch } => ("run", launch.argv.join(" ")),
        Resume::Fresh { launch, .. } => ("fresh", launch.argv.join(" ")),
        Resume::Refuse { why, .. } => ("refuse", why),
    };
    assert_eq!(back(Transcript::Present), ("run", "mytool --fast chat --again=p-1 --model x".to_owned()));
    assert_eq!(back(Transcript::Absent), ("fresh", "mytool --fast chat --id p-1 --model x".to_owned()));
}

#[test]
fn its_processes_are_known() {
    let table = read("engines.toml", GOOD);
    let known = |comm: &str, line: &str| {
        let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        table.engine_of(comm, &argv).map(|engine| engine.id)
    };
    assert_eq!(known("mytool", ""), Some("mytool"));
    assert_eq!(known("python3", "/usr/bin/python3 /opt/found.py --x"), Some("found"));
    assert_eq!(known("bash", "/bin/bash /home/u/bin/plain"), Some("plain"));
    assert_eq!(known("x", "/usr/bin/env A=1 my-codex"), Some("codex"));
    assert_eq!(known("python3", "/usr/bin/python3 /opt/other.py"), None);
}

#[test]
fn a_bad_entry_costs_itself_alone_and_says_where_and_what_to_do() {
    let one = |entry: &str| {
        let table = read("/h/engines.toml", &format!("[good]\ncommand = \"good\"\n\n{entry}"));
        assert!(table.find("good").is_some(), "{entry}");
        assert_eq!(table.problems.len(), 1, "{entry}: {:?}", table.problems);
        table.problems[0].to_string()
    };
    for (entry, line, words) in [
        ("[x]\nname = \"x\"\n", 4, "there is no command"),
        ("[x]\ncommand = \"x\"\ncolour = 1\n", 6, "there is no colour; an entry has about, command"),
        ("[x]\ncommand = 7\n", 5, "command must be a list of texts"),
        ("[x]\ncommand = \"bin/x\"\n", 5, "give a name on the PATH or a whole path"),
        ("[x]\ncommand = \"sh -c 'x y'\"\n", 5, "write it as a list of words"),
        ("[X]\ncommand = \"x\"\n", 4, "can't be an engine's name"),
        ("[x]\ncommand = \"x\"\nlike = \"nothing\"\n", 6, "no engine is called nothing; there are aider, amp, claude"),
        ("[x]\ncommand = \"x\"\npin = \"--id\"\nresume = \"-r {session}\"\n", 6, "pin must say once"),
        ("[x]\ncommand = \"x\"\nresume = \"-r {session}\"\n", 6, "add pin or store"),
        ("[x]\ncommand = \"x\"\npin = \"--id {session}\"\n", 4, "add resume"),
        ("[x]\ncommand = \"x\"\nlaunch = \"--id {session}\"\n", 6, "stand in pin"),
        ("[x]\ncommand = \"x\"\nresume = \"-r {session}\"\nstore = \"s/{session}\"\n", 7, "must begin with ~/"),
        ("[x]\ncommand = \"x\"\nresume = \"-r {session}\"\nstore = \"~/s/*.json\"\n", 7, "must say once where"),
        ("[x]\ncommand = \"x\"\nresume = \"-r {session}\"\nstore = \"~/s/*{session}\"\n", 7, "no * beside"),
        ("[x]\ncommand = = \"x\"\n", 5, "the rest of this entry is not read"),
        ("[x\ncommand = \"x\"\n", 4, "the rest of this entry is not read"),
    ] {
        let said = one(entry);
        assert!(said.starts_with(&format!("/h/engines.toml:{line}: ")) && said.contains(words), "{entry}\n{said}");
    }
    let loose = read("f", "command = \"x\"\n[good]\ncommand = \"good\"\n");
    assert!(loose.find("good").is_some());
    assert!(loose.problems[0].to_string().contains("begin one with a line [name]"), "{:?}", loose.problems);
}

proptest::proptest! {
    #[test]
    fn any_text_is_a_table_and_no_panic(text in "([a-z\\[\\]=\"'{}~/$*. -]{0,12}\n){0,8}") {
        let table = read("f", &text);
        proptest::prop_assert!(table.find("claude").is_some());
    }
}
