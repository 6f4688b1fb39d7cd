//! Keys that are no letters: the ends of a paste, the focus.

use crate::fake::Bench;
use crate::{ClientId, Face, PaneId};

const PASTE: &[u8] = b"\x1b[200~two words\x1b[201~";

/// Two panes side by side that a client shows; the second one is active.
fn bench() -> (Bench, ClientId) {
    let mut bench = Bench::new(Face::Tmux);
    let client = bench.terminal((80, 24), &["new-session", "cat"]);
    bench.line("split-window -h cat");
    (bench, client)
}

fn told(bench: &mut Bench) -> String {
    bench.format("%0", "#{@told}")
}

#[test]
fn a_prompt_for_a_key_takes_every_key() {
    let keys: [(&[u8], &str); 4] = [
        (b"\x1b[I", "FocusIn"),
        (b"\x1b[O", "FocusOut"),
        (b"\x1b[200~\x1b[201~", "PasteStart"),
        (b"\x1b[201~", "PasteEnd"),
    ];
    for (bytes, name) in keys {
        let (mut bench, client) = bench();
        bench.start(&["command-prompt", "-k", "set-option -g @told '%%'"]);
        bench.keys(client, bytes);
        assert_eq!(told(&mut bench), name);
        assert!(bench.mux.clients[&client].prompt.is_none());
    }
}

#[test]
fn the_focus_and_the_ends_of_a_paste_are_keys_for_a_binding_of_any_key() {
    for (bytes, count) in [(&b"\x1b[I"[..], "1"), (b"\x1b[O", "1"), (PASTE, "2"), (b"\x1b[201~", "1")] {
        let (mut bench, client) = bench();
        bench.line("bind-key -n Any set-option -gaF @told 1");
        bench.keys(client, bytes);
        assert_eq!(told(&mut bench).len().to_string(), count);
    }
}

#[test]
fn losing_the_focus_does_not_make_a_client_the_latest() {
    let (mut bench, first) = bench();
    let window = *bench.mux.windows.keys().next().expect("there is a window");
    let second = bench.terminal((60, 20), &["attach-session"]);
    assert_eq!(bench.mux.windows[&window].latest, Some(second));
    bench.keys(first, b"\x1b[O");
    assert_eq!(bench.mux.windows[&window].latest, Some(second));
    bench.keys(first, b"\x1b[I");
    assert_eq!(bench.mux.windows[&window].latest, Some(first));
}

#[test]
fn a_paste_is_typed_into_panes_that_are_synchronized() {
    let (mut bench, client) = bench();
    bench.line("set-option -w synchronize-panes on");
    bench.output(PaneId(1), b"\x1b[?2004h");
    bench.keys(client, PASTE);
    assert_eq!(bench.typed(PaneId(0)), b"two words");
    assert_eq!(bench.typed(PaneId(1)), PASTE);
    // The one that is zoomed is typed into alone.
    bench.line("resize-pane -Z");
    bench.keys(client, PASTE);
    bench.keys(client, b"x");
    assert_eq!(bench.typed(PaneId(0)), b"");
    assert_eq!(bench.typed(PaneId(1)), [PASTE, b"x"].concat());
}

#[test]
fn a_paste_stays_out_of_a_mode() {
    let (mut bench, client) = bench();
    bench.line("copy-mode");
    bench.keys(client, PASTE);
    assert_eq!(bench.typed(PaneId(1)), b"");
    assert!(bench.mux.panes[&PaneId(1)].in_mode());
}

#[test]
fn a_prompt_takes_a_paste_as_it_takes_keys() {
    let (mut bench, client) = bench();
    bench.start(&["command-prompt", "set-option -g @told '%%'"]);
    bench.keys(client, PASTE);
    bench.keys(client, b"\r");
    assert_eq!(told(&mut bench), "two words");
    // One character is enough for this one, and the program is sent nothing of the rest.
    bench.start(&["command-prompt", "-1", "set-option -g @told '%%'"]);
    bench.keys(client, PASTE);
    assert_eq!(told(&mut bench), "t");
    assert_eq!(bench.typed(PaneId(1)), b"");
}

#[test]
fn text_over_the_panes_stays_when_the_terminal_is_left() {
    let (mut bench, client) = bench();
    let lines = vec![("q".to_owned(), "a line".to_owned())];
    bench.mux.set_overlay(client, crate::client::Overlay::Help { lines, columns: 20 });
    bench.keys(client, b"\x1b[O\x1b[I");
    assert!(bench.mux.clients[&client].overlay.is_some());
    bench.keys(client, b"q");
    assert!(bench.mux.clients[&client].overlay.is_none());
}
