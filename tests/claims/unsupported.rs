//! What is not promised, said plainly, and what happens instead.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use crate::harness::{Control, Home, Tty, observe_for, process, wait_for};
use crate::tidy::root;

#[test]
fn s103_after_a_reboot_a_pane_says_that_it_was_restored() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "echo begun $$; exec cat"]);
    home.wait_screen("work", "begun");
    let old = home.pane_pid("work");
    wait_for("the screen on disk", || !home.files_with("home", &format!("begun {old}")).is_empty());
    home.crash();
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    let screen = tty.wait_until("both runs", |screen| screen.text().matches("begun").count() == 2);
    let rows: Vec<&str> = screen.rows.iter().map(String::as_str).filter(|row| !row.is_empty()).collect();
    let new = home.pane_pid("work");
    assert_eq!(rows[0], format!("begun {old}"));
    assert_eq!(rows[1], "rove: restored; what ran here has ended and is started again");
    assert_eq!(rows[2], format!("begun {new}"));
    assert!(!process::alive(old) && process::alive(new));
    let manual = fs::read_to_string(root().join("docs/PERSISTENCE.md")).unwrap();
    assert!(manual.contains("No process survives a reboot"));
    assert!(home.ok(&["--help"]).contains("no process survives a reboot"));
}

#[test]
fn s104_the_sockets_are_local_and_private() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "exec cat"]);
    let mode = |part: &str| fs::metadata(home.path(part)).unwrap().permissions().mode() & 0o777;
    assert_eq!([mode("home/run"), mode("home/run/default"), mode("home/run/default.host")], [0o700, 0o600, 0o600]);
    let table = |name: &str| fs::read_to_string(format!("/proc/net/{name}")).unwrap_or_default();
    let network = ["tcp", "tcp6", "udp", "udp6", "raw", "raw6"].map(table).join("\n");
    for pid in [home.server(), home.host_of("work")] {
        for entry in fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten() {
            let to = fs::read_link(entry.path()).unwrap_or_default().display().to_string();
            let Some(inode) = to.strip_prefix("socket:[").and_then(|rest| rest.strip_suffix(']')) else { continue };
            assert!(!network.contains(&format!(" {inode} ")), "process {pid} has a socket of the network");
        }
    }
}

#[test]
fn s105_a_client_that_comes_back_gets_a_picture_and_no_events_it_missed() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-x", "80", "-y", "24", "exec cat"]);
    home.ok(&["set-option", "-g", "visual-bell", "on"]);
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    tty.wait_until("the session", |screen| screen.bottom().starts_with("[work]"));
    tty.type_keys("\u{1}d");
    assert_eq!(tty.wait_end().0, 0);
    let mut control = Control::open(&home, &["new-session", "-s", "other", "exec cat"]);
    for number in 0..1000 {
        control.command(&format!("rename-window -t work: name-{number}"));
        if number % 20 == 0 {
            control.command(&format!("new-window -d -t work: -n bell \"printf '\\007'; echo bell {number}\""));
        }
    }
    control.command("display-message -t work: missed");
    wait_for("the end of the bells", || home.ok(&["list-windows", "-t", "work"]).lines().count() == 1);
    let mut again = Tty::open(&home, &["attach", "work"], 80, 24);
    again.wait_until("the newest name", |screen| screen.bottom().contains("name-999"));
    observe_for(Duration::from_millis(1000), "nothing that was missed is told", || {
        let screen = again.screen();
        screen.bottom().contains("name-999") && !screen.has("Bell") && !screen.has("missed")
    });
    let bytes = again.written().len();
    assert!(bytes < 20_000, "{bytes} bytes for one picture");
    // A control client too: blocks and what there is, not what there was.
    let mut late = Control::open(&home, &["attach", "-t", "work"]);
    assert_eq!(late.command("display-message -p '#{window_name}'"), ["name-999"]);
    late.close();
    let (_, told) = late.wait_end();
    assert!(
        told.len() < 10 && !told.iter().any(|line| line.contains("name-9") && line.contains("renamed")),
        "{told:?}"
    );
}

#[test]
fn s106_what_was_typed_and_not_sent_is_one_clients_and_goes_with_it() {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "work", "-n", "name", "-x", "80", "-y", "24", "exec cat"]);
    let mut tty = Tty::open(&home, &["attach", "work"], 80, 24);
    let mut other = Tty::open(&home, &["attach", "work"], 80, 24);
    for tty in [&mut tty, &mut other] {
        tty.wait_until("the session", |screen| screen.bottom().starts_with("[work]"));
    }
    tty.type_keys("\u{1}:rename-window draft");
    tty.wait_until("the draft", |screen| screen.bottom().contains("rename-window draft"));
    assert!(!other.screen().has("draft"));
    process::kill(tty.pid());
    wait_for("one client", || home.ok(&["list-clients"]).lines().count() == 1);
    let mut again = Tty::open(&home, &["attach", "work"], 80, 24);
    again.wait_until("no prompt", |screen| screen.bottom().starts_with("[work]"));
    again.type_keys("\r");
    other.type_keys("end\r");
    again.wait_text("end");
    assert_eq!(home.format("work", "#{window_name}"), "name");
    assert!(!home.history("work").contains("draft"));
}
