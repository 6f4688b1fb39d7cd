//! Menus, popups and clicks on a real terminal.

use crate::harness::{Home, Tty, process, wait_for};

fn attached(home: &Home) -> Tty {
    let mut tty = Tty::open(home, &["new-session", "-s", "main"], 80, 24);
    tty.wait_until("the prompt", |screen| screen.rows[0].starts_with('$') && screen.bottom().starts_with("[main]"));
    tty
}

#[test]
fn the_menu_of_a_window_is_opened_by_its_key_and_renames_it() {
    let home = Home::tmux();
    let mut tty = attached(&home);
    tty.type_keys("\u{2}<");
    tty.wait_until("the menu above the status line", |screen| {
        screen.rows[22].starts_with('└') || screen.rows[22].contains('└')
    });
    tty.type_keys("n");
    tty.wait_until("the question for the name", |screen| screen.bottom().starts_with("(rename-window)"));
    tty.type_keys("\u{15}fresh\r");
    wait_for("the new name", || home.format("main", "#{window_name}") == "fresh");
}

#[test]
fn a_right_click_opens_the_menu_of_a_pane() {
    let home = Home::tmux();
    home.ok(&["start-server", ";", "set-option", "-g", "mouse", "on", ";", "new-session", "-d", "-s", "other"]);
    let mut tty = attached(&home);
    tty.type_keys("\u{1b}[<2;20;5M");
    tty.wait_text("Horizontal Split");
    tty.type_keys("h");
    wait_for("two panes", || home.format("main", "#{window_panes}") == "2");
}

#[test]
fn a_popup_runs_a_program_and_gives_its_status() {
    let home = Home::tmux();
    let mut tty = attached(&home);
    let call = home.call();
    tty.type_keys(&format!("{call} popup -w 40 -h 8 -T pop -E 'echo in''side; read line; exit 7'; echo st''atus $?\r"));
    tty.wait_until("the box and what the program wrote", |screen| screen.has("┌─pop─") && screen.has("│inside"));
    tty.type_keys("line\r");
    let screen = tty.wait_until("its status", |screen| screen.has("status 7"));
    assert!(!screen.has("│inside"));
}

#[test]
fn a_popup_does_not_outlive_its_server_and_does_not_harm_the_next() {
    let home = Home::tmux();
    let mut tty = attached(&home);
    let program = home.path("in-a-popup");
    let pid = || std::fs::read_to_string(&program).ok().and_then(|text| text.trim().parse::<u32>().ok());
    home.ok(&["bind-key", "-n", "F5", &format!("display-popup 'echo $$ > {}; exec sleep 1000'", program.display())]);
    tty.type_keys("\u{1b}[15~");
    wait_for("the program of the popup", || pid().is_some());
    let popup = pid().expect("it was just there");
    process::kill(home.server());
    tty.wait_until("the screen without the popup", |screen| screen.rows[0].starts_with('$') && !screen.has("┌"));
    wait_for("the end of its program", || !process::alive(popup));
    tty.type_keys("echo go''es on\r");
    tty.wait_text("goes on");
}

#[test]
fn a_double_click_selects_a_word() {
    let home = Home::tmux();
    let mut tty = attached(&home);
    home.ok(&["set-option", "-g", "mouse", "on"]);
    tty.type_keys("clear; echo one wal''rus two\r");
    tty.wait_until("the line", |screen| screen.rows[0].starts_with("one walrus two"));
    let click = "\u{1b}[<0;7;1M\u{1b}[<0;7;1m";
    tty.type_keys(&format!("{click}{click}"));
    wait_for("the word in a buffer", || home.run(&["show-buffer"]).stdout.trim() == "walrus");
}
