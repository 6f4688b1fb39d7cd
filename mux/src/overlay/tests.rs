//! Menus and popups as a client meets them. Their pictures are in the crate that draws.

use crate::client::Overlay;
use crate::fake::Bench;
use crate::{ClientId, Effect, Exit, Face, PaneId};

/// A client of 80x24 with a session, and mouse on.
fn bench() -> (Bench, ClientId) {
    let mut bench = Bench::new(Face::Tmux);
    let client = bench.terminal((80, 24), &["new-session", "-s", "a", "-n", "zero", "cat"]);
    bench.line("set-option -g mouse on");
    (bench, client)
}

fn menu(bench: &Bench, client: ClientId) -> Option<&super::Menu> {
    match &bench.mux.clients[&client].overlay {
        Some(Overlay::Menu(menu)) => Some(menu),
        _ => None,
    }
}

fn popup(bench: &Bench) -> Option<&super::Popup> {
    bench.mux.popups.values().next()
}

fn at(bench: &Bench) -> (u16, u16) {
    popup(bench).expect("a popup is open").at
}

/// A mouse event, counted from 0: the letter is M for down and moves, m for up.
fn mouse(bench: &mut Bench, client: ClientId, button: u8, (x, y): (u16, u16), letter: char) {
    bench.keys(client, format!("\x1b[<{button};{};{}{letter}", x + 1, y + 1).as_bytes());
}

fn chosen(bench: &mut Bench) -> String {
    bench.line("show-options -gqv @a")
}

#[test]
fn a_menu_leaves_the_queue_alone_and_is_placed_in_the_window() {
    let (mut bench, client) = bench();
    let ran = bench.run(&["display-menu", "-x", "5", "-y", "7", "one", "a", "set -g @a one", "two", "b", "x"]);
    assert_eq!(ran.status, Some(0));
    let shown = menu(&bench, client).expect("the menu is shown");
    assert_eq!((shown.at, shown.width, shown.items.len()), ((5, 3), 7, 2));
    bench.keys(client, b"q");
    assert!(menu(&bench, client).is_none());
    bench.line("set-option -g status-position top");
    bench.line("display-menu -x 5 -y 7 one a 'set -g @a one'");
    assert_eq!(menu(&bench, client).expect("the menu is shown").at, (5, 5));
    bench.line("display-menu -x R -y P one a ''");
    assert_eq!(menu(&bench, client).expect("another one is in its place").at, (69, 21));
    bench.line("display-menu -x '#{popup_pane_left}' -y '#{popup_pane_top}' one a ''");
    assert_eq!(menu(&bench, client).expect("the menu is shown").at, (0, 1));
}

#[test]
fn the_mouse_chooses_in_a_menu() {
    let (mut bench, client) = bench();
    let open = "display-menu -M -x 0 -y 0 one a 'set -g @a one' two b 'set -g @a two'";
    bench.line(open);
    mouse(&mut bench, client, 0, (3, 2), 'M');
    mouse(&mut bench, client, 0, (3, 2), 'm');
    assert_eq!(chosen(&mut bench), "two");
    bench.line(open);
    mouse(&mut bench, client, 35, (3, 1), 'M');
    assert_eq!(menu(&bench, client).expect("a move leaves it open").choice, Some(0));
    mouse(&mut bench, client, 0, (40, 20), 'm');
    assert!(menu(&bench, client).is_none(), "a button let go outside closes it");
    bench.line(&open.replace("-M", "-MO"));
    mouse(&mut bench, client, 0, (40, 20), 'm');
    assert!(menu(&bench, client).is_some(), "unless it stays");
    mouse(&mut bench, client, 35, (3, 1), 'M');
    mouse(&mut bench, client, 0, (3, 1), 'M');
    assert_eq!(chosen(&mut bench), "one");
}

#[test]
fn a_menu_of_the_mouse_is_under_it_and_stands_there() {
    let (mut bench, client) = bench();
    bench.line("split-window -h cat");
    bench.line("bind-key -n MouseDown3Pane 'display-menu -t = -x M -y M one a \"set -g @a #{pane_id}\"'");
    mouse(&mut bench, client, 2, (10, 5), 'M');
    assert_eq!(menu(&bench, client).expect("the menu is shown").at, (5, 5));
    mouse(&mut bench, client, 34, (10, 6), 'M');
    mouse(&mut bench, client, 2, (10, 6), 'm');
    assert_eq!(chosen(&mut bench), "%0");
}

#[test]
fn a_control_client_has_no_menu_and_no_popup() {
    let mut bench = Bench::new(Face::Tmux);
    bench.line("new-session -d -s a cat");
    let control = bench.control(&["attach"]);
    for line in ["display-menu one a ''", "display-popup"] {
        bench.events.clear();
        bench.control_line(control, line);
        let failed = |event: &crate::Event| matches!(event, crate::Event::CommandEnded { failed: true, .. });
        assert!(bench.events.iter().any(failed), "{line}");
        bench.control_line(control, "set-option -g @a goes-on");
        assert_eq!(chosen(&mut bench), "goes-on");
    }
}

#[test]
fn a_popup_waits_and_gives_its_status() {
    let (mut bench, _) = bench();
    let waits = bench.start(&["display-popup", "-E", "-w", "40", "-h", "50%", "-T", "#{window_name}", "exit 3"]);
    assert_eq!(bench.ran(waits).status, None);
    let (id, shown) = bench.mux.popups.iter().next().expect("a popup is open");
    assert_eq!((shown.at, shown.size, shown.title.as_str()), ((19, 5), (40, 12), "zero"));
    let (id, spawned) = (*id, bench.world.started.last().expect("its program was started"));
    assert_eq!(spawned.1.argv, ["/bin/sh", "-c", "exit 3"]);
    assert_eq!(spawned.1.size, (38, 10));
    assert!(spawned.1.environment.iter().all(|(name, _)| name != "TMUX_PANE"));
    bench.output(id, b"hello");
    assert_eq!(popup(&bench).expect("it is there").terminal.cursor().col, 5);
    bench.end(id, Exit::Status(3));
    assert!(popup(&bench).is_none());
    assert_eq!(bench.ran(waits).status, Some(3));
    assert!(bench.effects.contains(&Effect::ClosePane(id)));
}

#[test]
fn keys_go_to_the_program_of_a_popup() {
    let (mut bench, client) = bench();
    bench.start(&["display-popup", "-E", "cat"]);
    let id = *bench.mux.popups.keys().next().expect("a popup is open");
    bench.keys(client, b"ab\x03\x02d");
    assert_eq!(bench.typed(id), b"ab\x03\x02d");
    bench.keys(client, b"\x1b[200~paste\x1b[201~");
    assert_eq!(bench.typed(id), b"paste");
    bench.line("display-popup -C");
    assert!(popup(&bench).is_none());
    assert_eq!(bench.mux.clients[&client].session.map(|id| id.0), Some(0), "the prefix was the program's");
}

#[test]
fn a_popup_goes_as_its_flags_say() {
    let (mut bench, client) = bench();
    let open = |bench: &mut Bench, flags: &[&str]| {
        let words: Vec<&str> = ["display-popup"].iter().chain(flags).copied().chain(["cat"]).collect();
        bench.start(&words);
        *bench.mux.popups.keys().next().expect("a popup is open")
    };
    // Without -E it stays, and Escape closes it.
    let id = open(&mut bench, &[]);
    bench.end(id, Exit::Status(0));
    bench.keys(client, b"x");
    assert!(popup(&bench).is_some());
    bench.keys(client, b"\x03");
    assert!(popup(&bench).is_none());
    // With -k any key does, once the program has ended.
    let id = open(&mut bench, &["-k"]);
    bench.keys(client, b"x");
    assert_eq!(bench.typed(id), b"x");
    bench.end(id, Exit::Status(0));
    bench.keys(client, b"x");
    assert!(popup(&bench).is_none());
    // With -EE only a good end closes it.
    let id = open(&mut bench, &["-EE"]);
    bench.end(id, Exit::Status(1));
    assert!(popup(&bench).is_some());
    bench.line("display-popup -C");
    let id = open(&mut bench, &["-EE"]);
    bench.end(id, Exit::Status(0));
    assert!(popup(&bench).is_none());
    // It goes with its client.
    open(&mut bench, &["-E"]);
    bench.line("detach-client");
    assert!(popup(&bench).is_none());
}

#[test]
fn an_open_popup_is_changed() {
    let (mut bench, _) = bench();
    bench.start(&["display-popup", "-E", "-w", "20", "-h", "10", "cat"]);
    let id = *bench.mux.popups.keys().next().expect("a popup is open");
    assert_eq!(bench.line("display-popup -B -T other -s bg=red"), "");
    let shown = popup(&bench).expect("it is the same one");
    assert_eq!((shown.id, shown.title.as_str(), shown.style.as_deref()), (id, "other", Some("bg=red")));
    assert!(shown.is_bare());
    assert!(bench.effects.contains(&Effect::ResizePane(id, (20, 10))));
    bench.line("display-popup -N");
    bench.end(id, Exit::Status(0));
    assert!(popup(&bench).is_some(), "-N takes -E back");
}

#[test]
fn the_mouse_moves_and_sizes_a_popup() {
    let (mut bench, client) = bench();
    bench.start(&["display-popup", "-E", "-x", "10", "-y", "15", "-w", "20", "-h", "10", "cat"]);
    assert_eq!(at(&bench), (10, 5));
    mouse(&mut bench, client, 0, (12, 5), 'M');
    mouse(&mut bench, client, 32, (13, 6), 'M');
    mouse(&mut bench, client, 32, (15, 8), 'M');
    assert_eq!(at(&bench), (13, 8));
    mouse(&mut bench, client, 0, (15, 8), 'm');
    mouse(&mut bench, client, 2, (32, 17), 'M');
    mouse(&mut bench, client, 34, (33, 17), 'M');
    mouse(&mut bench, client, 34, (43, 20), 'M');
    mouse(&mut bench, client, 2, (43, 20), 'm');
    assert_eq!(popup(&bench).expect("it is there").size, (30, 12));
    let id = popup(&bench).expect("it is there").id;
    assert!(bench.effects.contains(&Effect::ResizePane(id, (28, 10))));
    bench.handle(crate::Input::ClientResized(client, (40, 20)));
    assert_eq!(at(&bench), (10, 8));
}

#[test]
fn the_mouse_reaches_the_program_of_a_popup() {
    let (mut bench, client) = bench();
    bench.start(&["display-popup", "-E", "-x", "10", "-y", "15", "-w", "20", "-h", "10", "cat"]);
    let id = popup(&bench).expect("it is there").id;
    bench.output(id, b"\x1b[?1000h\x1b[?1006h");
    mouse(&mut bench, client, 0, (11, 6), 'M');
    assert_eq!(bench.typed(id), b"\x1b[<0;1;1M");
    mouse(&mut bench, client, 0, (1, 1), 'M');
    assert_eq!(bench.typed(id), b"");
}

#[test]
fn the_menu_of_a_popup_makes_it_a_pane() {
    let (mut bench, client) = bench();
    bench.start(&["display-popup", "-x", "10", "-y", "15", "-w", "20", "-h", "10", "cat"]);
    let id = popup(&bench).expect("it is there").id;
    bench.output(id, b"inside");
    mouse(&mut bench, client, 2, (10, 7), 'M');
    assert!(popup(&bench).expect("it is there").menu.is_some());
    bench.keys(client, b"C");
    assert_eq!(at(&bench), (30, 7));
    mouse(&mut bench, client, 2, (30, 8), 'M');
    bench.keys(client, b"h");
    assert!(popup(&bench).is_none());
    assert_eq!(bench.mux.panes.len(), 2);
    let pane = &bench.mux.panes[&PaneId(1)];
    assert!(pane.running());
    assert!(String::from_utf8_lossy(&pane.terminal.capture(&term::Capture::default())).starts_with("inside"));
    assert!(!bench.effects.contains(&Effect::ClosePane(id)), "its program goes on");
    assert_eq!(bench.line("display-message -p '#{window_panes} #{pane_id}'"), "2 %1");
}

#[test]
fn a_buffer_is_edited_in_a_modal_pane() {
    let (mut bench, client) = bench();
    bench.lines(&[
        "set-option -s editor ed",
        "set-option -g remain-on-exit on",
        "set-buffer -b one text",
        "split-window",
    ]);
    bench.lines(&["resize-pane -Z", "choose-buffer"]);
    bench.keys(client, b"e");
    assert_eq!(
        bench.line(
            "display-message -p '#{window_modal_pane} #{pane_id} #{pane_width}x#{pane_height} #{window_zoomed_flag}'"
        ),
        "%2 %2 72x20 1"
    );
    let command = bench.world.started.last().expect("it was started").1.argv[2].clone();
    let path = command.strip_prefix("ed ").expect("the editor and a file").to_owned();
    assert_eq!(bench.world.files[&path], b"text");
    bench.world.files.insert(path.clone(), b"other\n".to_vec());
    bench.end(PaneId(2), Exit::Status(0));
    assert_eq!(bench.line("show-buffer -b one"), "other");
    assert_eq!(bench.line("display-message -p '#{window_modal_pane}#{pane_id} #{window_zoomed_flag}'"), "%1 1");
    assert!(!bench.world.files.contains_key(&path));
    bench.keys(client, b"e");
    bench.end(PaneId(3), Exit::Status(1));
    assert_eq!(bench.line("show-buffer -b one"), "other", "an editor that failed changes nothing");
}

#[test]
fn no_editor_is_opened_over_a_modal_pane_and_a_killed_one_leaves_no_file() {
    let (mut bench, client) = bench();
    bench.lines(&["set-option -s editor ed", "set-buffer -b one text", "choose-buffer"]);
    bench.keys(client, b"e");
    assert_eq!(bench.world.files.len(), 1);
    bench.line("kill-pane -t %1");
    bench.keys(client, b"e");
    assert_eq!(bench.world.files.len(), 1);
    bench.line("choose-buffer -t %2");
    bench.keys(client, b"e");
    assert_eq!(bench.line("display-message -p '#{window_panes}'"), "2");
}

#[test]
fn a_pane_whose_program_ended_waits_for_a_key() {
    let (mut bench, client) = bench();
    bench.line("split-window -k cat");
    bench.end(PaneId(1), Exit::Status(0));
    assert_eq!(bench.line("display-message -p '#{pane_id} #{pane_dead}'"), "%1 1");
    bench.keys(client, b"x");
    assert_eq!(bench.line("display-message -p '#{pane_id} #{window_panes}'"), "%0 1");
    // One that has all keys has those too that are bound.
    bench.line("new-pane -OKk cat");
    bench.end(PaneId(2), Exit::Status(0));
    bench.keys(client, b"\x02");
    assert_eq!(bench.line("display-message -p '#{pane_id} #{window_panes}'"), "%0 1");
}

#[test]
fn a_modal_pane_has_no_keys_of_a_client_that_may_only_look() {
    let (mut bench, client) = bench();
    bench.line("new-pane -OK cat");
    bench.keys(client, b"a");
    assert_eq!(bench.typed(PaneId(1)), b"a");
    bench.line("refresh-client -f read-only");
    bench.keys(client, b"b\x02d");
    assert_eq!(bench.typed(PaneId(1)), b"");
    assert!(bench.mux.clients.get(&client).is_none_or(|client| client.session.is_none()), "it can still leave");
}

#[test]
fn lists_have_menus_and_previews_that_are_clicked() {
    let (mut bench, client) = bench();
    bench.lines(&[
        "new-window -d -n one cat",
        "new-window -d -n two cat",
        "choose-tree -t a:zero.0 'set -g @a \"%%\"'",
    ]);
    mouse(&mut bench, client, 2, (5, 0), 'M');
    let shown = menu(&bench, client).expect("the menu of a row");
    assert_eq!((shown.title.as_str(), shown.items.len()), ("#[align=centre]a", 12));
    bench.keys(client, b"t");
    assert!(menu(&bench, client).is_none());
    assert!(bench.mux.panes[&PaneId(0)].in_mode(), "tagging leaves the list open");
    bench.advance(std::time::Duration::from_secs(1));
    mouse(&mut bench, client, 2, (5, 20), 'M');
    assert_eq!(menu(&bench, client).expect("the menu of what is no row").items.len(), 4);
    bench.keys(client, b"q");
    assert!(bench.mux.panes[&PaneId(0)].modes.is_empty(), "its keys are the list's");
    bench.line("choose-tree -t a:zero.0 'set -g @a \"%%\"'");
    bench.keys(client, b"g");
    bench.advance(std::time::Duration::from_secs(1));
    mouse(&mut bench, client, 0, (40, 20), 'M');
    assert_eq!(chosen(&mut bench), "=a:1.");
}
