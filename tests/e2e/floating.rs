//! Panes that float, on the real program: drawn over the others, moved by the mouse, there again after a server was killed.

use crate::harness::{Home, Tty, process};

fn home_with_two_panes() -> Home {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "f", "-x", "60", "-y", "16", "cat"]);
    home.ok(&["set", "-g", "status", "off"]);
    home.ok(&["set", "-g", "mouse", "on"]);
    home.ok(&["split-window", "-h", "-t", "f", "cat"]);
    home
}

#[test]
fn a_floating_pane_is_drawn_moved_and_there_after_a_crash() {
    let home = home_with_two_panes();
    let mut tty = Tty::open(&home, &["attach", "-t", "f"], 60, 16);
    let pane = home.ok(&["new-pane", "-PF", "#{pane_id}", "-x", "20", "-y", "6", "-X", "8", "-Y", "3", "cat"]);
    let screen = tty.wait_text("┌──────────────────┐");
    assert_eq!(screen.rows[3].find('┌'), Some(8), "{}", screen.text());
    assert_eq!(
        home.format(&pane, "#{pane_width}x#{pane_height} #{pane_left},#{pane_top} #{pane_flags}"),
        "18x4 9,4 *F"
    );
    tty.type_keys("within");
    tty.wait_text("│within            │");
    // The border above moves it, the corner makes it larger.
    tty.type_keys("\u{1b}[<0;15;4M\u{1b}[<32;20;6M\u{1b}[<0;20;6m");
    tty.wait_until("the pane at its new place", |screen| screen.rows[5].contains("┌──────────────────┐"));
    tty.type_keys("\u{1b}[<0;33;11M\u{1b}[<32;36;13M\u{1b}[<0;36;13m");
    tty.wait_until("the larger pane", |screen| screen.rows[5].contains("┌─────────────────────┐"));
    assert_eq!(home.format(&pane, "#{pane_width}x#{pane_height} #{pane_left},#{pane_top}"), "21x6 14,6");
    let (layout, pid) = (home.format("f", "#{window_layout}"), home.pane_pid(&pane));
    process::kill(home.server());
    assert_eq!((home.format("f", "#{window_layout}"), home.pane_pid(&pane)), (layout, pid));
    tty.wait_until("the pane after the crash", |screen| screen.rows[5].contains("┌─────────────────────┐"));
    home.ok(&["kill-pane", "-t", &pane]);
    tty.wait_until("the panes below", |screen| !screen.has("┌"));
}

#[test]
fn a_modal_pane_has_all_keys_and_clicks_until_it_is_closed() {
    let home = home_with_two_panes();
    let mut tty = Tty::open(&home, &["attach", "-t", "f"], 60, 16);
    let pane = home.ok(&["new-pane", "-OKCPF", "#{pane_id}", "-x", "20", "-y", "6", "-X", "8", "-Y", "3", "cat"]);
    tty.wait_text("┌──────────────────┐");
    assert_eq!(home.format("f", "#{window_modal_pane} #{window_flags}"), format!("{pane} *O"));
    assert_eq!(home.fails(&["new-pane", "-O"]), "window already has a modal pane");
    assert_eq!(home.fails(&["break-pane", "-s", &pane]), "pane is modal");
    home.ok(&["select-pane", "-t", "%0"]);
    assert_eq!(home.format("f", "#{pane_id}"), pane);
    tty.type_keys("\u{2}cx");
    tty.wait_text("│^Bcx");
    tty.type_keys("\u{1b}[<0;50;14M\u{1b}[<0;50;14m");
    tty.wait_until("the panes below", |screen| !screen.has("┌"));
    assert_eq!(home.format("f", "#{window_panes} #{pane_id} #{window_modal_pane}"), "2 %1 ");
}
