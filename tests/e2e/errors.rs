//! What goes wrong, and the words and exit codes that scripts match.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::harness::{Home, Tty, process, wait_for};

#[test]
fn without_a_server_a_call_says_so() {
    let home = Home::tmux();
    let socket = home.tmux_socket().display().to_string();
    let no_file = format!("error connecting to {socket} (No such file or directory)");
    assert_eq!(home.fails(&["list-sessions"]), no_file);
    assert_eq!(home.fails(&["has-session", "-t", "x"]), no_file);
    assert_eq!(home.fails(&["kill-server"]), no_file);
    home.ok(&["new-session", "-d"]);
    home.ok(&["kill-server"]);
    home.wait_empty();
    let words = home.fails(&["list-sessions"]);
    assert!(words == no_file || words == format!("no server running on {socket}"), "{words}");
}

#[test]
fn wrong_targets_and_names_are_refused_in_tmux_words() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "one"]);
    assert_eq!(home.fails(&["new-session", "-d", "-s", "one"]), "duplicate session: one");
    assert_eq!(home.fails(&["has-session", "-t", "two"]), "can't find session: two");
    assert_eq!(home.fails(&["kill-window", "-t", "one:9"]), "can't find window: 9");
    assert_eq!(home.fails(&["kill-pane", "-t", "%77"]), "can't find pane: %77");
    assert_eq!(home.fails(&["select-pane", "-t", "one:0.5"]), "can't find pane: 5");
    assert_eq!(home.fails(&["no-such-command"]), "unknown command: no-such-command");
    assert_eq!(home.fails(&["new-window", "-Q"]), "command new-window: unknown flag -Q");
    assert_eq!(home.fails(&["rename-session"]), "command rename-session: too few arguments (need at least 1)");
    assert_eq!(home.fails(&["set-option", "-g", "no-such-option", "1"]), "invalid option: no-such-option");
    assert_eq!(home.fails(&["set-option", "-g", "history-limit", "lots"]), "value is invalid: lots");
    assert_eq!(home.fails(&["source-file", "/nonexistent"]), "No such file or directory: /nonexistent");
    assert_eq!(home.fails(&["bind-key", "Nokey", "next-window"]), "unknown key: Nokey");
    assert_eq!(
        home.fails(&["kill"]),
        "ambiguous command: kill, could be: kill-pane, kill-server, kill-session, kill-window"
    );
    assert_eq!(home.ok(&["list-sessions", "-F", "#{session_name}"]), "one", "nothing of it did anything");
}

#[test]
fn there_is_an_end_to_splitting() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-x", "20", "-y", "4", "cat"]);
    let refused = (0..10).map(|_| home.run(&["split-window", "-v", "cat"])).find(|call| call.code != 0);
    assert_eq!(refused.expect("four lines hold two panes at most").fails(), "size or position no space for a new pane");
    assert!(home.ok(&["list-panes"]).lines().count() >= 2);
}

#[test]
fn a_socket_directory_that_others_can_write_is_refused() {
    let home = Home::tmux();
    let directory = home.tmux_socket().parent().unwrap().to_path_buf();
    fs::create_dir(&directory).unwrap();
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o777)).unwrap();
    let words = home.fails(&["new-session", "-d"]);
    assert!(words.contains(&format!("directory {} has unsafe permissions", directory.display())), "{words}");
    home.wait_empty();
}

#[test]
fn a_socket_directory_that_is_a_link_is_refused() {
    let home = Home::tmux();
    let directory = home.tmux_socket().parent().unwrap().to_path_buf();
    symlink(home.path("user"), &directory).unwrap();
    let words = home.fails(&["new-session", "-d"]);
    assert!(words.contains(&format!("{} is not a directory", directory.display())), "{words}");
    assert_eq!(
        fs::read_dir(home.path("user")).unwrap().count(),
        1,
        "the link was not followed: only the profile is there"
    );
}

#[test]
fn a_file_in_the_place_of_the_socket_is_not_destroyed() {
    let home = Home::tmux();
    let socket = home.path("precious").display().to_string();
    fs::write(&socket, "precious").unwrap();
    assert_ne!(home.run(&["-S", &socket, "list-sessions"]).code, 0);
    assert_eq!(fs::read_to_string(&socket).unwrap(), "precious");
}

#[test]
fn the_socket_and_its_directory_are_private() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d"]);
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(home.tmux_socket().parent().unwrap()), 0o700);
    assert_eq!(mode(&home.tmux_socket()) & 0o007, 0);
}

#[test]
fn a_removed_socket_is_made_again_on_signal() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d"]);
    let server = home.server();
    fs::remove_file(home.tmux_socket()).unwrap();
    process::signal(server, process::Signal::USR1);
    wait_for("the socket", || home.run(&["has-session"]).code == 0);
    assert_eq!(home.server(), server);
}

#[test]
fn attaching_without_a_terminal_says_so() {
    let home = Home::tmux();
    assert_eq!(home.fails(&["new-session"]), "open terminal failed: not a terminal");
    home.ok(&["new-session", "-d", "-s", "one"]);
    assert_eq!(home.fails(&["attach-session", "-t", "one"]), "open terminal failed: not a terminal");
    assert_eq!(home.fails(&["attach-session", "-t", "two"]), "can't find session: two");
    assert_eq!(home.ok(&["has-session", "-t", "one"]), "");
}

#[test]
fn a_missing_or_dumb_terminal_type_is_an_error_and_not_the_end() {
    let mut home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "one"]);
    home.unset("TERM");
    let (code, screen) = Tty::open(&home, &["attach", "-t", "one"], 80, 24).wait_end();
    assert_eq!(code, 1, "{}", screen.text());
    assert!(screen.has("open terminal failed: missing or unsuitable terminal: unknown"), "{}", screen.text());
    home.set("TERM", "dumb");
    let (code, screen) = Tty::open(&home, &["attach", "-t", "one"], 80, 24).wait_end();
    assert_eq!(code, 1, "{}", screen.text());
    assert!(screen.has("open terminal failed: terminal does not support clear"), "{}", screen.text());
    home.ok(&["has-session", "-t", "one"]);
}

/// No database is asked, so a terminal that is newer than this machine's is no error, as it is with tmux.
#[test]
fn a_terminal_type_nobody_knows_is_taken_for_a_plain_one() {
    let mut home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "one"]);
    home.set("TERM", "no-such-terminal-at-all");
    let mut tty = Tty::open(&home, &["attach", "-t", "one"], 80, 24);
    tty.wait_text("[one]");
}

#[test]
fn sessions_are_not_nested_by_accident() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "one", "-x", "80", "-y", "24"]);
    home.ok(&["send-keys", "-t", "one", &format!("{} attach", home.call()), "Enter"]);
    home.wait_screen("one", "sessions should be nested with care, unset $TMUX to force");
}

#[test]
fn version_and_wrong_flags() {
    let home = Home::tmux();
    assert_eq!(home.ok(&["-V"]), "tmux 3.7c");
    let call = home.run(&["-Q"]);
    assert_eq!(call.code, 1);
    assert!(call.stderr.contains("usage: tmux "), "{}", call.stderr);
    home.ok(&["new-session", "-d"]);
    assert_eq!(home.format("", "#{version}"), "3.7c");
}
