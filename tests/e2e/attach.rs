//! One client on a real terminal: what it shows, and what it leaves behind.

use std::time::Duration;

use crate::harness::process::{self, Signal};
use crate::harness::{Home, Tty, observe_for, wait_for};

fn attached(cols: u16, rows: u16) -> (Home, Tty) {
    let home = Home::tmux();
    let mut tty = Tty::open(&home, &["new-session", "-s", "main"], cols, rows);
    tty.wait_until("the prompt and the status line", |screen| {
        screen.rows[0].starts_with('$') && screen.bottom().starts_with("[main]")
    });
    (home, tty)
}

#[test]
fn a_new_session_shows_the_prompt_and_the_status_line() {
    let (home, mut tty) = attached(80, 24);
    let screen = tty.wait_until("the name of the window", |screen| screen.bottom().contains("0:sh*"));
    assert!(screen.alternate && (screen.cursor.col, screen.cursor.row) == (2, 0));
    assert_eq!(home.ok(&["list-clients", "-F", "#{client_width}x#{client_height} #{client_session}"]), "80x24 main");
    assert_eq!(home.format("main", "#{pane_width}x#{pane_height}"), "80x23");
}

#[test]
fn a_typed_line_is_echoed_and_run() {
    let (home, mut tty) = attached(80, 24);
    tty.type_keys("echo wal''rus\r");
    let screen = tty.wait_until("the answer and a new prompt", |screen| {
        screen.rows[1] == "walrus" && screen.rows[2].starts_with('$')
    });
    assert_eq!(screen.rows[0], "$ echo wal''rus");
    assert_eq!(screen.cursor.row, 2);
    assert!(home.screen("main").contains("walrus"));
}

#[test]
fn a_split_draws_a_border_and_moves_the_typing() {
    let (home, mut tty) = attached(80, 24);
    tty.type_keys("\u{2}%");
    tty.wait_until("a border in column 40", |screen| {
        screen.rows[..23].iter().all(|row| row.chars().nth(40) == Some('│'))
    });
    tty.wait_until("the prompt on the right", |screen| screen.rows[0].chars().nth(41) == Some('$'));
    tty.type_keys("echo right\r");
    tty.wait_until("the answer on the right", |screen| screen.rows[1].chars().skip(41).collect::<String>() == "right");
    tty.type_keys("\u{2}\"");
    wait_for("three panes", || home.ok(&["list-panes"]).lines().count() == 3);
    tty.type_keys("\u{2}x");
    tty.wait_until("the question", |screen| screen.bottom().starts_with("kill-pane 2? (y/n)"));
    tty.type_keys("y");
    wait_for("two panes", || home.ok(&["list-panes"]).lines().count() == 2);
}

#[test]
fn another_size_of_the_terminal_is_the_size_of_its_panes() {
    let (home, mut tty) = attached(80, 24);
    tty.resize(100, 30);
    tty.wait_until("the status line at the bottom", |screen| screen.bottom().starts_with("[main]"));
    wait_for("the new size", || home.format("main", "#{window_width}x#{window_height}") == "100x29");
    tty.type_keys("until [ \"$(stty size)\" = '29 100' ]; do :; done; echo lar''ge\r");
    tty.wait_text("large");
    tty.resize(40, 10);
    wait_for("the small size", || home.format("main", "#{window_width}x#{window_height}") == "40x9");
    tty.wait_until("the status line at the bottom", |screen| screen.bottom().starts_with("[main]"));
    tty.type_keys("until [ \"$(stty size)\" = '9 40' ]; do :; done; echo sm''all\r");
    tty.wait_text("small");
}

#[test]
fn detach_says_so_leaves_a_clean_terminal_and_reattach_shows_the_same() {
    let (home, mut tty) = attached(80, 24);
    tty.type_keys("printf 'one\\ntwo\\n'; printf '\\033[?2004h\\033[?1000h\\033[?25l'\r");
    tty.wait_until("the next prompt", |screen| screen.rows[2].trim_end() == "two" && screen.rows[3].starts_with('$'));
    let before = tty.screen();
    tty.type_keys("\u{2}d");
    let (code, screen) = tty.wait_end();
    assert_eq!(code, 0);
    assert!(screen.has("[detached (from session main)]"), "{}", screen.text());
    assert_eq!(screen.left_on(), [] as [&str; 0]);
    assert!(tty.is_cooked());
    let mut again = Tty::open(&home, &["attach"], 80, 24);
    again.wait_until("the same text", |screen| screen.rows[..23] == before.rows[..23]);
    again.wait_until("the pane's modes", |screen| screen.modes.contains(term::Modes::BRACKETED_PASTE));
}

#[test]
fn exit_of_the_shell_says_so_and_leaves_a_clean_terminal() {
    let (home, mut tty) = attached(80, 24);
    tty.type_keys("exit\r");
    let (code, screen) = tty.wait_end();
    assert_eq!((code, screen.left_on()), (0, Vec::new()));
    assert!(screen.has("[exited]"), "{}", screen.text());
    assert!(tty.is_cooked());
    home.wait_empty();
}

#[test]
fn a_killed_client_leaves_everything_running() {
    let (home, mut tty) = attached(80, 24);
    tty.type_keys("echo before\r");
    tty.wait_text("before");
    let (server, shell) = (home.server(), home.pane_pid("main"));
    process::kill(tty.pid());
    wait_for("no client", || home.ok(&["list-clients"]).is_empty());
    assert_eq!((home.server(), home.pane_pid("main")), (server, shell));
    let mut again = Tty::open(&home, &["attach"], 80, 24);
    again.wait_text("before");
}

#[test]
fn a_closed_terminal_detaches() {
    let (home, mut tty) = attached(80, 24);
    let shell = home.pane_pid("main");
    tty.close();
    wait_for("no client", || home.ok(&["list-clients"]).is_empty());
    wait_for("the end of the client", || tty.code().is_some());
    assert_eq!(home.pane_pid("main"), shell);
}

#[test]
fn a_client_is_suspended_and_goes_on() {
    let home = Home::tmux();
    let mut tty = Tty::open_shell(&home, 80, 24);
    tty.wait_text("$");
    tty.type_keys("$T new -s main\r");
    tty.wait_until("the session", |screen| screen.bottom().starts_with("[main]"));
    tty.type_keys("echo mar''mot\r");
    tty.wait_text("marmot");
    tty.type_keys("\u{2}\u{1a}");
    let screen = tty.wait_until("the outer shell", |screen| !screen.alternate);
    assert_eq!(
        screen.left_on().into_iter().filter(|left| *left != "bracketed paste").count(),
        0,
        "{:?}",
        screen.left_on()
    );
    tty.type_keys("echo out''side\r");
    tty.wait_text("outside");
    tty.type_keys("fg\r");
    tty.wait_until("the session again", |screen| {
        screen.alternate && screen.has("marmot") && screen.bottom().starts_with("[main]")
    });
}

#[test]
fn signals_to_the_client_leave_a_clean_terminal() {
    for signal in [Signal::TERM, Signal::HUP] {
        let (home, mut tty) = attached(80, 24);
        process::signal(tty.pid(), signal);
        let (_, screen) = tty.wait_end();
        assert_eq!(screen.left_on(), [] as [&str; 0], "after {signal:?}");
        assert!(tty.is_cooked(), "after {signal:?}");
        home.ok(&["has-session", "-t", "main"]);
    }
}

#[test]
fn without_its_server_the_terminal_is_clean_or_back() {
    let (home, mut tty) = attached(80, 24);
    process::kill(home.server());
    wait_for("the client to have ended, or a new server", || {
        tty.code().is_some() || home.run(&["has-session"]).code == 0
    });
    if tty.code().is_some() {
        let (code, screen) = tty.wait_end();
        assert_eq!((code, screen.left_on()), (1, Vec::new()));
        assert!(screen.has("server exited unexpectedly") || screen.has("lost server"), "{}", screen.text());
        assert!(tty.is_cooked());
    } else {
        tty.type_keys("echo st''ill\r");
        tty.wait_text("still");
    }
}

#[test]
fn the_prompt_of_the_multiplexer_runs_a_command() {
    let (home, mut tty) = attached(80, 24);
    tty.type_keys("\u{2}:");
    tty.wait_until("the prompt", |screen| screen.bottom().starts_with(':'));
    tty.type_keys("rename-window walrus\r");
    tty.wait_until("the new name", |screen| screen.bottom().contains("0:walrus*"));
    tty.type_keys("\u{2}:");
    tty.wait_until("the prompt", |screen| screen.bottom().starts_with(':'));
    tty.type_keys("nonsense\r");
    tty.wait_until("the error", |screen| screen.bottom().to_lowercase().starts_with("unknown command: nonsense"));
    home.ok(&["display-message", "-c", &home.ok(&["list-clients", "-F", "#{client_name}"]), "hello there"]);
    tty.wait_until("the message", |screen| screen.bottom().starts_with("hello there"));
}

#[test]
fn colours_and_wide_characters_arrive() {
    let (_home, mut tty) = attached(80, 24);
    tty.type_keys("printf '\\033[38;5;196mred\\033[0m \\344\\275\\240\\345\\245\\275 e\\314\\201\\n'\r");
    tty.wait_until("the line", |screen| screen.rows.iter().any(|row| row == "red 你好 e\u{301}"));
    let bytes = String::from_utf8_lossy(tty.written()).into_owned();
    assert!(bytes.contains("38;5;196") || bytes.contains("38:5:196"), "the colour is in the stream");
}

#[test]
fn a_flood_does_not_stop_the_keys() {
    let (home, mut tty) = attached(80, 24);
    tty.type_keys("yes walrus\r");
    tty.wait_until("the flood", |screen| screen.rows[..23].iter().all(|row| row == "walrus"));
    tty.type_keys("\u{3}");
    tty.wait_until("the prompt", |screen| screen.rows[..23].iter().rev().any(|row| row.starts_with('$')));
    tty.type_keys("clear; echo qui''et\r");
    tty.wait_text("quiet");
    observe_for(Duration::from_millis(200), "a quiet screen", || tty.screen().has("quiet"));
    home.ok(&["has-session"]);
}

#[test]
fn a_mouse_click_selects_a_pane_when_the_mouse_is_on() {
    let (home, mut tty) = attached(80, 24);
    home.ok(&["set-option", "-g", "mouse", "on"]);
    home.ok(&["split-window", "-h", "-t", "main"]);
    tty.wait_until("the mouse", |screen| screen.modes.intersects(term::Modes::ALL_MOUSE));
    assert_eq!(home.format("main", "#{pane_index}"), "1");
    tty.type_keys("\u{1b}[<0;5;5M\u{1b}[<0;5;5m");
    wait_for("the left pane", || home.format("main", "#{pane_index}") == "0");
    tty.type_keys("\u{2}d");
    assert_eq!(tty.wait_end().1.left_on(), [] as [&str; 0]);
}

#[test]
fn a_terminal_that_does_not_know_its_size_is_80_by_24() {
    let home = Home::tmux();
    let _tty = Tty::open(&home, &["new-session", "-s", "main"], 0, 0);
    wait_for("the client", || {
        home.run(&["list-clients", "-F", "#{client_width}x#{client_height}"]).stdout.trim_end() == "80x24"
    });
}
