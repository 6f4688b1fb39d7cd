//! The picker of conversations: every one that an engine keeps of this directory, whether a pane has it or not.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use crate::harness::{Home, Screen, Stage, Tty, wait_for};

/// A home with a session in `work`, attached.
fn begin() -> (Stage, Tty) {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "120", "-y", "40"]);
    home.wait_screen("work", "$");
    let panes = vec![home.format("work", "#{pane_id}")];
    let stage = Stage { home, panes, engines: vec!["pinned"] };
    let mut tty = Tty::open(&stage.home, &["attach", "work"], 120, 40);
    tty.wait_text("$");
    (stage, tty)
}

/// A conversation in which a word was told, begun in a directory; its window is closed again.
fn converse(stage: &Stage, engine: &str, directory: &str, word: &str) {
    let directory = stage.home.path(directory).display().to_string();
    let pane = stage.home.ok(&["new-window", "-d", "-t", "work:", "-c", &directory, "-P", "-F", "#{pane_id}"]);
    let pane = pane.trim();
    stage.home.wait_screen(pane, "$");
    stage.home.ok(&[engine, "-t", pane]);
    stage.wait_ready(pane, engine);
    stage.tell(pane, word);
    stage.home.ok(&["kill-pane", "-t", pane]);
}

/// The transcript in which a word stands.
fn transcript(stage: &Stage, word: &str) -> PathBuf {
    let found = stage.home.files_with("engines", word);
    assert_eq!(found.len(), 1, "{found:?}");
    found[0].clone()
}

/// Make the file of a conversation so many seconds old.
fn age(stage: &Stage, word: &str, seconds: u64) {
    let file = fs::File::options().append(true).open(transcript(stage, word)).unwrap();
    file.set_modified(SystemTime::now() - Duration::from_secs(seconds)).unwrap();
}

/// The rows of the picker, as the words in them stand from top to bottom.
fn order(screen: &Screen, words: &[&str]) -> Vec<String> {
    let list = screen.rows.iter().take_while(|row| !row.starts_with('┌'));
    list.filter_map(|row| words.iter().find(|word| row.contains(**word)).map(|word| (*word).to_owned())).collect()
}

#[test]
fn s95_the_prefix_and_y_open_the_picker() {
    let (stage, mut tty) = begin();
    tty.type_keys("\x01y");
    tty.wait_text("no conversation of");
    assert_eq!(stage.home.format("work", "#{pane_mode}"), "resume-mode");
    tty.type_keys("q");
    wait_for("the end of the picker", || stage.home.format("work", "#{pane_mode}").is_empty());
}

#[test]
fn s96_every_conversation_of_the_directory_newest_first_and_choosing_one_opens_it() {
    let (stage, mut tty) = begin();
    let other = stage.home.path("elsewhere");
    fs::create_dir(&other).unwrap();
    let words = ["WALRUS-11", "MARMOT-22", "HERON-33", "LYNX-44"];
    converse(&stage, "pinned", "work", words[0]);
    converse(&stage, "discovered", "work", words[1]);
    converse(&stage, "pinned", "elsewhere", words[3]);
    converse(&stage, "pinned", "work", words[2]);
    age(&stage, words[0], 7200);
    age(&stage, words[1], 60);
    age(&stage, words[2], 3600);
    tty.type_keys("\x01y");
    let screen = tty.wait_until("three rows", |screen| order(screen, &words).len() == 3 && !screen.has("reading..."));
    assert_eq!(order(&screen, &words), ["MARMOT-22", "HERON-33", "WALRUS-11"], "of this directory, the newest first");
    assert!(screen.has("discovered") && screen.has("2h:"), "{}", screen.text());
    let preview: Vec<&String> = screen.rows.iter().skip_while(|row| !row.starts_with('┌')).collect();
    assert!(preview.iter().any(|row| row.contains("MARMOT-22")), "the first one is chosen: {}", screen.text());
    // The oldest one has no window, and is a pinned one.
    tty.type_keys("G\r");
    wait_for("a second window", || stage.home.format("work", "#{session_windows}") == "2");
    let pane = stage.home.format("work", "#{pane_id}");
    assert_ne!(pane, stage.panes[0]);
    stage.wait_ready(&pane, "pinned");
    assert_eq!(stage.ask(&pane), "The codeword is WALRUS-11.");
    // It was launched by rove: it comes back.
    stage.stop_and_kill();
    let _tty = Tty::open(&stage.home, &["attach", "work"], 120, 40);
    wait_for("the window", || stage.home.run(&["list-panes", "-s", "-t", "work"]).stdout.lines().count() == 2);
    stage.wait_ready(&pane, "pinned");
    assert_eq!(stage.ask(&pane), "The codeword is WALRUS-11.");
}

#[test]
fn s96_one_that_a_pane_is_on_is_gone_to() {
    let (stage, mut tty) = begin();
    let pane = stage.panes[0].clone();
    stage.home.ok(&["pinned", "-t", &pane]);
    stage.wait_ready(&pane, "pinned");
    stage.tell(&pane, "WALRUS-55");
    stage.home.ok(&["new-window", "-t", "work:"]);
    stage.home.wait_screen("work", "$");
    let place = stage.home.format(&pane, "in #{session_name}:#{window_index} #{pane_id}");
    tty.type_keys("\x01y");
    tty.wait_until("the row with its pane", |screen| screen.has("WALRUS-55") && screen.has(&place));
    tty.type_keys("\r");
    wait_for("its pane", || stage.home.format("work", "#{pane_id}") == pane);
    assert_eq!(stage.home.format("work", "#{session_windows}"), "2");
    assert_eq!(stage.ask(&pane), "The codeword is WALRUS-55.");
}

#[test]
fn s96_all_directories_are_shown_when_asked_for() {
    let (stage, mut tty) = begin();
    fs::create_dir(stage.home.path("elsewhere")).unwrap();
    std::os::unix::fs::symlink(stage.home.path("work"), stage.home.path("link")).unwrap();
    let words = ["WALRUS-66", "LYNX-77"];
    converse(&stage, "pinned", "link", words[0]);
    converse(&stage, "discovered", "elsewhere", words[1]);
    tty.type_keys("\x01y");
    tty.wait_until("one row", |screen| order(screen, &words) == ["WALRUS-66"] && !screen.has("reading..."));
    tty.type_keys("a");
    tty.wait_until("both rows", |screen| order(screen, &words) == ["LYNX-77", "WALRUS-66"]);
    tty.type_keys("a");
    tty.wait_until("one row", |screen| order(screen, &words) == ["WALRUS-66"]);
}

#[test]
fn s96_scripts_and_shells_have_it_too() {
    let (stage, tty) = begin();
    drop(tty);
    converse(&stage, "pinned", "work", "WALRUS-88");
    converse(&stage, "discovered", "work", "HERON-99");
    age(&stage, "WALRUS-88", 600);
    let listed = stage.home.ok(&["resume", "--list"]);
    let lines: Vec<&str> = listed.lines().collect();
    assert!(lines.len() == 2 && lines[0].contains("HERON-99") && lines[1].contains("WALRUS-88"), "{listed}");
    let json: serde_json::Value = serde_json::from_str(&stage.home.ok(&["resume", "--list", "--json"])).unwrap();
    assert_eq!((&json[0]["engine"], &json[1]["pane"]), (&"discovered".into(), &serde_json::Value::Null));
    let id = json[1]["id"].as_str().unwrap();
    assert!(transcript(&stage, "WALRUS-88").display().to_string().contains(id));
    // From outside, by its id: attached, with the conversation in a window.
    let mut tty = Tty::open(&stage.home, &["resume", &id[..13]], 120, 40);
    tty.wait_text("pinned>");
    let pane = stage.home.format("work", "#{pane_id}");
    assert_eq!(stage.ask(&pane), "The codeword is WALRUS-88.");
    // Inside a pane the picker opens there.
    let shell = stage.panes[0].clone();
    stage.say(&shell, &format!("{} resume", stage.home.program().display()));
    wait_for("the picker in the pane", || stage.home.format(&shell, "#{pane_mode}") == "resume-mode");
    let words = stage.home.fails(&["resume-conversation", "-t", "work", "00000000-none"]);
    assert!(words.contains("no conversation 00000000-none was found"), "{words}");
}

#[test]
fn s96_a_store_of_thousands_opens_at_once_and_bad_files_cost_nothing() {
    let (stage, mut tty) = begin();
    let work = stage.home.path("work").display().to_string();
    let store = stage.home.path("engines/pinned/projects/x");
    fs::create_dir_all(&store).unwrap();
    let line = |number: usize| {
        format!("{{\"type\":\"message\",\"role\":\"user\",\"text\":\"message {number}\",\"cwd\":{work:?}}}\n")
    };
    for number in 0..5000 {
        let text = match number % 10 {
            0 => "\u{1b}]0;x\u{7}{\"type\":".repeat(50),
            1 => String::new(),
            _ => line(number),
        };
        fs::write(store.join(format!("5e1f7e57-0000-4000-8000-{number:012}.jsonl")), text).unwrap();
    }
    let begun = std::time::Instant::now();
    tty.type_keys("\x01y");
    tty.wait_until("the list", |screen| screen.has("reading...") || screen.has("message "));
    let opened = begun.elapsed();
    tty.wait_text("message ");
    tty.type_keys("G");
    tty.wait_text("the newest 200; older ones are not listed");
    assert!(opened < Duration::from_secs(2), "it opened after {opened:?}");
    assert!(!tty.screen().has("]0;x"));
}
