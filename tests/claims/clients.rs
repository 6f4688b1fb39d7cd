//! Several clients at once.

use std::time::Instant;

use crate::harness::{Control, Home, Tty, process, wait_for};

fn shown(tty: &mut Tty) {
    tty.wait_until("the status line", |screen| screen.bottom().starts_with("[main]"));
}

#[test]
fn s47_output_reaches_every_client_in_every_size() {
    let home = Home::tmux();
    let mut clients = Vec::new();
    for (number, (cols, rows)) in [(100, 30), (60, 15), (80, 24)].into_iter().enumerate() {
        let args: &[&str] = if number == 0 { &["new-session", "-s", "main"] } else { &["attach"] };
        let mut tty = Tty::open(&home, args, cols, rows);
        tty.wait_until("the session", |screen| screen.rows.iter().any(|row| row.starts_with("[main]")));
        clients.push(tty);
    }
    let mut control = Control::open(&home, &["attach"]);
    clients[0].type_keys("echo mar''ker\r");
    for tty in &mut clients {
        tty.wait_text("marker");
    }
    control.wait_output("%0", "marker");
}

#[test]
fn s88_the_latest_client_decides_the_size() {
    let home = Home::tmux();
    let mut large = Tty::open(&home, &["new-session", "-s", "main"], 120, 40);
    shown(&mut large);
    assert_eq!(home.format("main", "#{window_width}x#{window_height}"), "120x39");
    let mut small = Tty::open(&home, &["attach"], 80, 24);
    shown(&mut small);
    wait_for("the small size", || home.format("main", "#{window_width}x#{window_height}") == "80x23");
    small.type_keys("until [ \"$(stty size)\" = '23 80' ]; do :; done; echo sm''all\r");
    small.wait_text("small");
    large.type_keys(" ");
    wait_for("the large size", || home.format("main", "#{window_width}x#{window_height}") == "120x39");
    drop(large);
    wait_for("the small size again", || home.format("main", "#{window_width}x#{window_height}") == "80x23");
    small.wait_until("the status line", |screen| screen.bottom().starts_with("[main]"));
}

#[test]
fn a_smaller_client_sees_the_part_with_the_cursor() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "main", "-x", "80", "-y", "24"]);
    home.ok(&["set-option", "-w", "-t", "main", "window-size", "manual"]);
    home.ok(&["resize-window", "-t", "main", "-x", "80", "-y", "40"]);
    home.ok(&["respawn-pane", "-k", "-t", "main", "seq 1 60; exec cat"]);
    home.wait_screen("main", "60");
    let mut tty = Tty::open(&home, &["attach"], 40, 10);
    tty.wait_until("the last line", |screen| screen.has("60") && screen.bottom().starts_with("[main]"));
}

#[test]
fn a_client_detaches_all_others() {
    let home = Home::tmux();
    let mut first = Tty::open(&home, &["new-session", "-s", "main"], 80, 24);
    shown(&mut first);
    let mut second = Tty::open(&home, &["attach", "-d"], 80, 24);
    shown(&mut second);
    let (code, screen) = first.wait_end();
    assert_eq!((code, screen.left_on()), (0, Vec::new()));
    assert!(screen.has("[detached (from session main)]"), "{}", screen.text());
    assert_eq!(home.ok(&["list-clients"]).lines().count(), 1);
}

#[test]
fn a_read_only_client_types_nothing() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "main", "-x", "80", "-y", "24"]);
    let mut tty = Tty::open(&home, &["attach", "-r"], 80, 24);
    shown(&mut tty);
    tty.type_keys("echo typ''ed\r");
    std::fs::write(home.format("main", "#{pane_tty}"), "not typed\n").unwrap();
    tty.wait_text("not typed");
    assert!(!tty.screen().has("echo"), "{}", tty.screen().text());
    tty.type_keys("\u{2}d");
    assert_eq!(tty.wait_end().0, 0);
}

/// Shell-pool and tmux both have had servers that stood still behind one client.
#[test]
fn f7_a_client_that_takes_nothing_stops_nobody() {
    let home = Home::tmux();
    let mut tty = Tty::open(&home, &["new-session", "-s", "main"], 80, 24);
    shown(&mut tty);
    let mut stuck = Tty::open(&home, &["attach"], 80, 24);
    shown(&mut stuck);
    let server = home.server();
    process::signal(stuck.pid(), process::Signal::STOP);
    let before = process::rss_kb(server);
    tty.type_keys("yes walrus walrus walrus | head -n 200000; echo do''ne\r");
    tty.wait_text("done");
    let started = Instant::now();
    home.ok(&["display-message", "-p", "x"]);
    let grown = process::rss_kb(server).saturating_sub(before);
    println!("a call took {:?}, the server grew by {grown} kB", started.elapsed());
    assert!(grown < 64 * 1024, "grew by {grown} kB");
    process::signal(stuck.pid(), process::Signal::CONT);
    stuck.wait_text("done");
}
