//! `rove doctor` reads the store and says what would come back, with a server and without, and changes nothing.

use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

use super::store::{STORE, session};
use crate::harness::{Home, Stage, Tty, process, wait_for};

/// Every file of the home with its content and age.
fn everything(home: &Home) -> Vec<(PathBuf, Vec<u8>, i64, u64)> {
    let mut files: Vec<_> = home
        .files("home")
        .into_iter()
        .map(|file| {
            let found = fs::metadata(&file).unwrap();
            (file.clone(), fs::read(&file).unwrap(), found.mtime_nsec(), found.ino())
        })
        .collect();
    files.sort();
    files
}

/// Waits until every pane's record is there and nothing is written any more.
fn wait_still(home: &Home, words: &[&str]) {
    for word in words {
        wait_for(&format!("{word:?} on disk"), || !home.files_with(STORE, word).is_empty());
    }
}

#[test]
fn what_would_come_back_is_told_with_a_server_and_without_and_nothing_changes() {
    let home = Home::rove();
    let gone = home.path("work/gone");
    fs::create_dir(&gone).unwrap();
    session(&home, "work", "echo wal''rus; exec cat");
    home.ok(&["split-window", "-d", "-t", "work", "-c", &home.path("engines").display().to_string()]);
    home.ok(&[
        "new-window",
        "-d",
        "-t",
        "work:4",
        "-n",
        "notes",
        "-c",
        &gone.display().to_string(),
        "env",
        "A=two words",
        "cat",
    ]);
    home.ok(&["set-option", "-g", "remain-on-exit", "on"]);
    home.ok(&["new-window", "-d", "-t", "work:5", "echo tap''ir; exit 3"]);
    wait_still(&home, &["walrus", "tapir", "two words"]);
    let (directory, engines) = (home.path("work").display().to_string(), home.path("engines").display().to_string());
    let told = home.ok(&["doctor"]);
    assert!(
        told.contains(&format!("ok   kept: 1 sessions, 4 panes in {}/pty-sessions (", home.path("home").display())),
        "{told}"
    );
    let lines = [
        format!("0.0 %0 command /bin/sh -c 'echo wal'\\'''\\''rus; exec cat' in {directory} (runs now)"),
        format!("0.1 %1 login shell /bin/sh in {engines} (runs now)"),
        format!("4.0 %2 command env 'A=two words' cat in {} (runs now)", gone.display()),
        "5.0 %3 its screen only: its program had ended with status 3".to_owned(),
    ];
    for line in &lines {
        assert!(told.contains(line), "{line}\n{told}");
    }
    home.crash();
    fs::remove_dir(&gone).unwrap();
    let before = everything(&home);
    let told = home.run(&["doctor"]).stdout;
    for line in lines.iter().filter(|line| !line.starts_with("4.0")) {
        assert!(told.contains(line.trim_end_matches(" (runs now)")), "{line}\n{told}");
    }
    assert!(!told.contains("runs now"), "{told}");
    let user = home.path("user").display().to_string();
    let moved = format!("4.0 %2 command env 'A=two words' cat in {user} ({} is not there any more)", gone.display());
    assert!(told.contains(&moved), "{moved}\n{told}");
    assert!(everything(&home) == before, "it changes nothing");
    assert!(home.processes().is_empty(), "and starts no server");
    // The dry run says exactly what an attach then does.
    let dry = home.ok(&["doctor", "--dry-run"]);
    let expected = format!(
        "session work\n  pane 0.0 %0, window sh\n    command      /bin/sh -c 'echo wal'\\'''\\''rus; exec cat'\n    directory    {directory}\n\
         \u{20} pane 0.1 %1, window sh\n    command      /bin/sh (login shell)\n    directory    {engines}\n"
    );
    let no_names = |text: &str| {
        text.lines().map(|line| line.split(", window").next().unwrap().to_owned()).collect::<Vec<_>>().join("\n")
    };
    assert!(no_names(&dry).starts_with(no_names(&expected).trim_end()), "{dry}");
    assert!(dry.contains("    command      none: its program had ended with status 3"), "{dry}");
    let _tty = Tty::open(&home, &["attach", "work"], 100, 30);
    for (pane, command) in [("work:4.0", "cat"), ("work:0.1", "-sh"), ("work:0.0", "cat")] {
        wait_for(&format!("{command} in {pane}"), || {
            let pid =
                home.run(&["display-message", "-p", "-t", pane, "#{pane_pid}"]).stdout.trim().parse().unwrap_or(0);
            process::argv(pid).first().is_some_and(|word| word == command)
        });
    }
    let place = |pane: &str| fs::read_link(format!("/proc/{}/cwd", home.pane_pid(pane))).unwrap().display().to_string();
    assert_eq!([place("work:4.0"), place("work:0.1"), place("work:0.0")], [user, engines, directory]);
}

#[test]
fn conversations_are_told_as_they_would_be_resumed_and_why_not() {
    let stage = Stage::set(&["pinned", "discovered", "pinned"]);
    let home = &stage.home;
    // The third one is never spoken to.
    for (pane, word) in stage.panes.iter().zip(["ONE", "TWO"]) {
        stage.tell(pane, word);
    }
    stage.wait_kept();
    let id = |pane: &str| home.format(pane, "#{pane_conversation}");
    let ids: Vec<String> = stage.panes.iter().map(|pane| id(pane)).collect();
    wait_for("all in the records", || ids.iter().all(|id| !home.files_with(STORE, id).is_empty()));
    let transcripts = stage.transcripts();
    let told = home.ok(&["doctor"]);
    for id in &ids[..2] {
        assert!(told.contains(&format!("conversation {id} of ")), "{id}\n{told}");
    }
    home.crash();
    let before = everything(home);
    let dry = home.ok(&["doctor", "--dry-run"]);
    assert!(dry.contains(&format!("--resume {}", ids[0])), "{dry}");
    assert!(dry.contains(&format!("resume {}", ids[1])), "{dry}");
    assert!(dry.contains("a new one: ") && dry.contains("nothing was said before"), "{dry}");
    let directory = home.path("work").display().to_string();
    assert_eq!(
        dry.matches(&format!("directory    {directory}\n")).count() + usize::from(dry.ends_with(&directory)),
        3,
        "{dry}"
    );
    assert!(everything(home) == before, "it changes nothing");
    assert_eq!(stage.transcripts(), transcripts, "nothing was started or said");
    // One pane whose record is damaged is named, and the others are told as before.
    let record = home
        .files_with(STORE, &ids[0])
        .into_iter()
        .find(|file| file.extension().is_some_and(|it| it == "pane"))
        .unwrap();
    let mut bytes = fs::read(&record).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&record, bytes).unwrap();
    let _ = fs::remove_file(record.with_extension("pane.old"));
    let told = home.run(&["doctor"]);
    let name = record.file_name().unwrap().to_string_lossy().into_owned();
    assert_eq!(told.code, 1);
    assert!(told.stdout.contains(&format!("BAD  kept: {name} is damaged (checksum)")), "{}", told.stdout);
    let is_told = |id: &str| told.stdout.contains(&format!("conversation {id}"));
    assert!(!is_told(&ids[0]) && is_told(&ids[1]), "{}", told.stdout);
    let dry = home.run(&["doctor", "--dry-run"]);
    assert!(dry.code == 1 && dry.stderr.contains(&name), "{dry:?}");
}

#[test]
fn without_a_store_doctor_says_so_and_makes_none() {
    let home = Home::rove();
    let told = home.ok(&["doctor"]);
    assert!(told.contains("kept: nothing, ") && told.contains("pty-sessions is not there"), "{told}");
    assert_eq!(home.ok(&["doctor", "--dry-run"]), "");
    assert!(!home.path(STORE).exists() && home.processes().is_empty());
    assert_eq!(home.run(&["doctor", "--what"]).code, 2);
}
