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
fn s44_s45_rove_again_finds_every_window_live_and_starts_none_anew() {
    let home = Home::rove();
    let mut tty = Tty::open(&home, &[], 80, 24);
    tty.wait_text("$");
    tty.type_keys("echo wal''rus\r");
    tty.wait_text("walrus");
    tty.type_keys("\u{1c}");
    wait_for("two panes", || home.ok(&["list-panes"]).lines().count() == 2);
    tty.type_keys("\u{1}c");
    wait_for("two windows", || home.ok(&["list-windows"]).lines().count() == 2);
    tty.type_keys("echo mar''mot\r");
    tty.wait_text("marmot");
    let shape = || {
        home.ok(&["list-panes", "-s", "-F", "#{window_index} #{window_active} #{window_layout} #{pane_id} #{pane_pid}"])
    };
    let begun = || -> Vec<u64> {
        let pids = home.ok(&["list-panes", "-s", "-F", "#{pane_pid}"]);
        pids.lines().map(|pid| process::stat(pid.parse().unwrap()).unwrap().started).collect()
    };
    let before = (shape(), begun());
    tty.close();
    let name = home.ok(&["list-sessions", "-F", "#{session_name}"]);
    for number in 0..5 {
        wait_for("no client", || home.ok(&["list-clients"]).is_empty());
        // A command that is given along is for a session that is to be made.
        let args: &[&str] = if number % 2 == 0 { &[] } else { &["new-session", "-A", "-s", &name, "echo not this"] };
        let mut again = Tty::open(&home, args, 80, 24);
        again.wait_text("marmot");
        again.type_keys("\u{1}0");
        again.wait_text("walrus");
        again.type_keys("\u{1}1");
        again.wait_text("marmot");
        assert_eq!((shape(), begun()), before);
        again.close();
    }
    assert!(!home.history(&format!("{name}:1")).contains("not this"));
}

#[test]
fn s88_the_latest_client_decides_the_size_and_each_change_is_one_signal() {
    let home = Home::rove();
    let program = "trap 'stty size >> sizes' WINCH; stty size >> sizes; while :; do sleep 1 & wait $!; done";
    let mut large = Tty::open(&home, &["new-session", "-s", "main", program], 120, 40);
    shown(&mut large);
    let mut expected = vec!["39 120"];
    let sizes = || std::fs::read_to_string(home.path("work/sizes")).unwrap_or_default();
    let wait = |expected: &[&str]| {
        wait_for(&format!("the sizes {expected:?}"), || sizes().lines().eq(expected.iter().copied()));
        let size = expected.last().unwrap().split_once(' ').unwrap();
        assert_eq!(home.format("main", "#{window_height} #{window_width}"), format!("{} {}", size.0, size.1));
    };
    wait(&expected);
    let mut small = Tty::open(&home, &["attach"], 80, 24);
    shown(&mut small);
    expected.push("23 80");
    wait(&expected);
    // What the larger one does not fill it does not show.
    large.wait_until("the smaller window", |screen| {
        screen.rows[30].contains('\u{b7}') || screen.rows[30].trim().is_empty()
    });
    // A key of the other client, as in tmux.
    large.type_keys(" ");
    expected.push("39 120");
    wait(&expected);
    small.resize(100, 30);
    expected.push("29 100");
    wait(&expected);
    small.type_keys("\u{11}");
    assert_eq!(small.wait_end().0, 0);
    expected.push("39 120");
    wait(&expected);
    let mut third = Tty::open(&home, &["attach"], 120, 40);
    shown(&mut third);
    drop(large);
    wait_for("one client", || home.ok(&["list-clients"]).lines().count() == 1);
    // The same size again is no change. What would be told late is told before this line is there.
    home.ok(&["resize-window", "-t", "main", "-x", "90", "-y", "20"]);
    expected.push("20 90");
    wait(&expected);
}

/// What a pane's program can see of its terminal, and what shows of it.
const STATE: &str = "#{cursor_x},#{cursor_y} #{cursor_flag} #{cursor_shape} #{cursor_blinking} #{alternate_on} #{insert_flag} #{keypad_flag} \
    #{keypad_cursor_flag} #{mouse_all_flag}#{mouse_button_flag}#{mouse_standard_flag}#{mouse_sgr_flag}#{mouse_utf8_flag} \
    #{bracket_paste_flag} #{origin_flag} #{wrap_flag} #{scroll_region_upper}-#{scroll_region_lower} #{pane_tabs} #{pane_title} \
    #{pane_key_mode} #{pane_path} #{history_size} #{alternate_saved_x},#{alternate_saved_y} #{pane_width}x#{pane_height}";

/// A program that shows something, waits for a file, and then writes much and leaves modes, a title and a scroll region behind.
const PROGRAM: &str = r#"seq 1 30; printf '[31mbefore[0m
'; : > here-$N; until [ -e go ]; do sleep 0.02; done
seq -f 'line %g of the hidden time' 1 20000
printf ']2;a title of its own[?2004h[?1h=[?1002h[?1006h[4 q[>4;1m'
printf '[2J[H[1;38;5;208;48;2;10;20;30mcoloured[0m [4:3;58:5:9mwavy[0m wÃ¤ide æ¼¢å­ eÌ
'
printf ']8;;http://example.org\link]8;;\
[7mreverse[27m[3g[10GH[3;20r[?6h[4h[5;7H[32m'
: > done-$N; exec sleep 1000"#;

#[test]
fn s87_a_hidden_pane_is_woken_as_if_it_had_been_watched_all_the_time() {
    let home = Home::rove();
    std::fs::write(home.path("work/program"), PROGRAM).unwrap();
    let name = |number: u32| format!("N={number} exec sh ./program");
    home.ok(&["new-session", "-d", "-s", "main", "-x", "80", "-y", "23", "-n", "w", &name(0)]);
    home.ok(&["new-window", "-t", "main", "-n", "w", &name(1)]);
    // Seen once, then hidden.
    let mut tty = Tty::open(&home, &["attach", "main"], 80, 24);
    tty.wait_until("the second window", |screen| screen.has("before") && screen.bottom().contains("1:w*"));
    wait_for("both", || (0..2).all(|number| home.path(&format!("work/here-{number}")).exists()));
    tty.type_keys("\u{1}0");
    tty.wait_until("the first window", |screen| screen.bottom().contains("0:w*"));
    std::fs::write(home.path("work/go"), "").unwrap();
    wait_for("both to have written", || (0..2).all(|number| home.path(&format!("work/done-{number}")).exists()));
    let of = |pane: u32| {
        let target = format!("main:{pane}");
        (home.format(&target, STATE), home.ok(&["capture-pane", "-peN", "-S", "-", "-t", &target]))
    };
    wait_for("the end of what both wrote", || {
        (0..2).all(|pane| {
            of(pane).0.contains("a title of its own") && home.screen(&format!("main:{pane}")).contains("reverse")
        })
    });
    let (watched, hidden) = (of(0), of(1));
    assert_eq!(watched.0, hidden.0);
    assert!(watched.1 == hidden.1, "{}\n----\n{}", watched.1, hidden.1);
    assert!(watched.1.lines().count() > 900, "with its history");
    let screen = tty.wait_text("reverse");
    let (looks, written) = (tty.looks(), tty.written().len());
    tty.type_keys("\u{1}1");
    let woken = tty.wait_until("the second window", |screen| screen.bottom().contains("1:w*"));
    assert_eq!((&woken.rows[..23], woken.cursor, woken.modes), (&screen.rows[..23], screen.cursor, screen.modes));
    assert_eq!(tty.looks()[..23], looks[..23]);
    // Nothing of the 500 KB is replayed to the terminal: it gets what differs from what it shows, which is the status line.
    let bytes = tty.written().len() - written;
    println!("woken with {bytes} bytes");
    assert!(bytes < 400, "{bytes} bytes");
    assert_eq!(of(1), hidden, "looking at it changes nothing");
}

#[test]
fn s43_s42_control_q_leaves_everything_running() {
    for chord in ["\u{11}", "\u{1b}[113;5u", "\u{1b}[27;5;113~"] {
        let home = Home::rove();
        let mut tty = Tty::open(
            &home,
            &["new-session", "-s", "main", "i=0; while :; do i=$((i+1)); echo $i > count; sleep 0.05; done"],
            80,
            24,
        );
        shown(&mut tty);
        let count =
            || std::fs::read_to_string(home.path("work/count")).ok().and_then(|text| text.trim().parse::<u32>().ok());
        wait_for("the counter", || count().is_some());
        let pid = home.pane_pid("main");
        tty.type_keys(chord);
        let (code, screen) = tty.wait_end();
        assert_eq!((code, screen.left_on()), (0, Vec::new()), "{chord:?}");
        assert!(screen.has("[detached (from session main)]"), "{}", screen.text());
        let at = count();
        wait_for("the counter to go on", || count() > at);
        assert_eq!(home.pane_pid("main"), pid);
    }
}

/// A window of three panes, each of which shows what is typed to it, and a client of it.
fn three_cats() -> (Home, Tty) {
    let home = Home::rove();
    home.ok(&["new-session", "-d", "-s", "main", "-x", "90", "-y", "30", "cat"]);
    home.ok(&["split-window", "-h", "-t", "main", "cat"]);
    home.ok(&["split-window", "-h", "-t", "main", "cat"]);
    home.ok(&["select-layout", "-t", "main", "even-horizontal"]);
    home.ok(&["select-pane", "-t", "main:0.0"]);
    let mut tty = Tty::open(&home, &["attach", "main"], 90, 31);
    shown(&mut tty);
    (home, tty)
}

const ACTIVE: &[&str] = &["list-panes", "-t", "main", "-f", "#{pane_active}", "-F", "#{pane_index}"];

#[test]
fn s48_s67_where_a_client_goes_in_a_window_is_its_own_affair() {
    let (home, mut first) = three_cats();
    let mut second = Tty::open(&home, &["attach", "main"], 90, 31);
    shown(&mut second);
    let at = second.screen().cursor;
    first.type_keys("\u{1b}OR\u{1b}OR");
    first.type_keys("from the first\r");
    home.wait_screen("main:0.2", "from the first\nfrom the first");
    second.type_keys("from the second\r");
    home.wait_screen("main:0.0", "from the second\nfrom the second");
    assert_eq!(home.screen("main:0.1"), "");
    let screen = second.wait_text("from the second");
    assert_eq!((screen.cursor.col, screen.cursor.row), (at.col, at.row + 2), "its cursor stayed in its pane");
    let screen = first.wait_text("from the second");
    assert!(screen.cursor.col >= 60, "the other's is in the third pane: {:?}", screen.cursor);
    assert_eq!(home.ok(ACTIVE), "0", "for who comes it is the first pane");
    // Back and forth, and to one side: from its own pane, not from the window's.
    first.type_keys("\u{1};");
    first.type_keys("back\r");
    home.wait_screen("main:0.1", "back\nback");
    first.type_keys("\u{1}\u{1b}[C");
    first.type_keys("right\r");
    home.wait_screen("main:0.2", "right\nright");
    // A split is beside its own pane, and it is in it alone.
    first.type_keys("\u{1}\"");
    wait_for("four panes", || home.ok(&["list-panes", "-t", "main"]).lines().count() == 4);
    first.type_keys("echo of the fi''rst\r");
    home.wait_screen("main:0.3", "of the first");
    second.type_keys("still here\r");
    home.wait_screen("main:0.0", "still here\nstill here");
    // It is gone with the client.
    first.type_keys("\u{11}");
    assert_eq!(first.wait_end().0, 0);
    let mut again = Tty::open(&home, &["attach", "main"], 90, 31);
    shown(&mut again);
    again.type_keys("anew\r");
    home.wait_screen("main:0.0", "anew\nanew");
    second.type_keys("as ever\r");
    home.wait_screen("main:0.0", "as ever\nas ever");
}

#[test]
fn s67_one_client_alone_finds_the_pane_where_it_left() {
    let (home, mut first) = three_cats();
    let mut second = Tty::open(&home, &["attach", "main"], 90, 31);
    shown(&mut second);
    first.type_keys("\u{1b}OR");
    first.type_keys("one\r");
    home.wait_screen("main:0.1", "one\none");
    assert_eq!(home.ok(ACTIVE), "0");
    second.type_keys("\u{11}");
    assert_eq!(second.wait_end().0, 0);
    wait_for("its pane to be the window's", || home.ok(ACTIVE) == "1");
    first.type_keys("\u{1b}OR");
    wait_for("the next pane", || home.ok(ACTIVE) == "2");
    first.type_keys("\u{11}");
    assert_eq!(first.wait_end().0, 0);
    let mut again = Tty::open(&home, &["attach", "main"], 90, 31);
    shown(&mut again);
    again.type_keys("anew\r");
    home.wait_screen("main:0.2", "anew\nanew");
}

#[test]
fn s67_a_zoom_is_for_everybody() {
    let (home, mut first) = three_cats();
    let mut second = Tty::open(&home, &["attach", "main"], 90, 31);
    shown(&mut second);
    first.type_keys("\u{1b}OR\u{1}z");
    wait_for("a zoom", || home.format("main", "#{window_zoomed_flag}") == "1");
    second.type_keys("zoomed\r");
    home.wait_screen("main:0.1", "zoomed\nzoomed");
    second.wait_text("zoomed");
    first.type_keys("\u{1}z");
    wait_for("no zoom", || home.format("main", "#{window_zoomed_flag}") == "0");
    first.type_keys("mine\r");
    home.wait_screen("main:0.1", "mine\nmine");
}

#[test]
fn s48_what_is_typed_at_a_prompt_is_its_clients() {
    let (home, mut first) = three_cats();
    let mut second = Tty::open(&home, &["attach", "main"], 90, 31);
    shown(&mut second);
    first.type_keys("\u{1},");
    first.wait_until("the question", |screen| screen.bottom().starts_with("(rename-window)"));
    first.type_keys("\u{15}a draft");
    first.wait_until("the draft", |screen| screen.bottom() == "(rename-window) a draft");
    second.type_keys("hello\r");
    home.wait_screen("main:0.0", "hello\nhello");
    assert!(second.screen().bottom().starts_with("[main]"), "{}", second.screen().bottom());
    second.type_keys("\u{1}:");
    second.wait_until("its own question", |screen| screen.bottom() == ":");
    second.type_keys("display-message mine");
    assert_eq!(first.wait_text("hello").bottom(), "(rename-window) a draft");
    second.type_keys("\u{1b}");
    shown(&mut second);
    // The client dies, and its draft with it: nothing was done with it.
    let name = home.format("main", "#{window_name}");
    first.close();
    wait_for("one client", || home.ok(&["list-clients"]).lines().count() == 1);
    assert_eq!(home.format("main", "#{window_name}"), name);
    let mut again = Tty::open(&home, &["attach", "main"], 90, 31);
    shown(&mut again);
    assert!(!again.screen().has("a draft"));
}

#[test]
fn s67_as_tmux_a_pane_is_everybodys_but_for_clients_that_ask() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "main", "-x", "90", "-y", "30", "cat"]);
    home.ok(&["split-window", "-h", "-t", "main", "cat"]);
    home.ok(&["select-pane", "-t", "main:0.0"]);
    let mut first = Tty::open(&home, &["attach"], 90, 31);
    shown(&mut first);
    let mut own = Tty::open(&home, &["attach", "-f", "active-pane"], 90, 31);
    shown(&mut own);
    own.type_keys("\u{2}\u{1b}[C");
    own.type_keys("mine\r");
    home.wait_screen("main:0.1", "mine\nmine");
    assert_eq!(home.ok(ACTIVE), "0");
    first.type_keys("\u{2}o");
    wait_for("the other pane", || home.ok(ACTIVE) == "1");
    first.type_keys("\u{2}o");
    wait_for("the first pane", || home.ok(ACTIVE) == "0");
    let mut third = Tty::open(&home, &["attach"], 90, 31);
    shown(&mut third);
    first.type_keys("\u{2}o");
    wait_for("the other pane", || home.ok(ACTIVE) == "1");
    third.type_keys("everybody's\r");
    home.wait_screen("main:0.1", "everybody's\neverybody's");
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
