//! Clicks and drags, as bindings meet them.

use crate::fake::Bench;
use crate::{ClientId, Face, PaneId};
use std::time::Duration;

fn bench() -> (Bench, ClientId) {
    let mut bench = Bench::new(Face::Tmux);
    let client = bench.terminal((80, 24), &["new-session", "-s", "a", "-n", "zero", "cat"]);
    bench.line("set-option -g mouse on");
    (bench, client)
}

fn report(bench: &mut Bench, client: ClientId, reports: &[&str]) {
    for report in reports {
        bench.keys(client, format!("\x1b[<{report}").as_bytes());
    }
}

/// What the bindings of these keys note, in order.
fn noted(bench: &mut Bench, client: ClientId, keys: &[&str], reports: &[&str]) -> String {
    for key in keys {
        bench.run(&["bind-key", "-n", key, "set-option", "-ag", "@keys", &format!("{key} ")]);
    }
    bench.line("set-option -g @keys ''");
    report(bench, client, reports);
    bench.advance(Duration::from_millis(400));
    bench.line("show-options -gv @keys").trim_end().to_owned()
}

const CLICKS: &[&str] = &["MouseDown1Pane", "SecondClick1Pane", "DoubleClick1Pane", "TripleClick1Pane"];

#[test]
fn clicks_that_follow_one_another_are_told_apart() {
    let (mut bench, client) = bench();
    let click = ["0;3;3M", "0;3;3m"];
    let times = |n: usize| click.iter().copied().cycle().take(2 * n).collect::<Vec<_>>();
    assert_eq!(noted(&mut bench, client, CLICKS, &times(1)), "MouseDown1Pane");
    let twice = "MouseDown1Pane SecondClick1Pane DoubleClick1Pane";
    assert_eq!(noted(&mut bench, client, CLICKS, &times(2)), twice);
    let thrice = "MouseDown1Pane SecondClick1Pane TripleClick1Pane";
    assert_eq!(noted(&mut bench, client, CLICKS, &times(3)), thrice);
    assert_eq!(noted(&mut bench, client, CLICKS, &times(4)), format!("{thrice} MouseDown1Pane"));
}

#[test]
fn a_click_too_late_or_elsewhere_is_a_first_one() {
    let (mut bench, client) = bench();
    bench.line("split-window -h cat");
    let elsewhere = ["0;3;3M", "0;3;3m", "0;60;3M", "0;60;3m"];
    assert_eq!(noted(&mut bench, client, CLICKS, &elsewhere), "MouseDown1Pane MouseDown1Pane");
    assert_eq!(noted(&mut bench, client, CLICKS, &["0;3;3M"]), "MouseDown1Pane");
    assert_eq!(noted(&mut bench, client, CLICKS, &["0;3;3M"]), "MouseDown1Pane");
}

#[test]
fn a_double_click_is_not_told_to_the_program_again() {
    let (mut bench, client) = bench();
    bench.output(PaneId(0), b"\x1b[?1000h\x1b[?1006h");
    report(&mut bench, client, &["0;3;3M", "0;3;3m", "0;3;3M", "0;3;3m"]);
    bench.advance(Duration::from_millis(400));
    assert_eq!(bench.typed(PaneId(0)), b"\x1b[<0;3;3M\x1b[<0;3;3m\x1b[<0;3;3M\x1b[<0;3;3m");
}

#[test]
fn a_drag_begins_where_the_button_went_down() {
    let (mut bench, client) = bench();
    bench.line("split-window -h cat");
    let keys = ["MouseDrag1Pane", "MouseDragEnd1Pane", "MouseUp1Pane"];
    let drag = ["0;3;3M", "32;60;3M", "32;61;3M", "0;61;3m"];
    assert_eq!(noted(&mut bench, client, &keys, &drag), "MouseDrag1Pane MouseDrag1Pane MouseDragEnd1Pane");
    // The border at column 40 moves with the mouse from the first step on.
    report(&mut bench, client, &["0;41;3M", "32;43;3M", "32;45;3M", "0;45;3m"]);
    assert_eq!(bench.format("%0", "#{pane_width}"), "44");
}

#[test]
fn the_mouse_acts_on_the_pane_it_is_over() {
    let (mut bench, client) = bench();
    let lines: String = (1..=100).map(|line| format!("{line}\r\n")).collect();
    bench.output(PaneId(0), lines.as_bytes());
    bench.line("split-window -h cat");
    let modes = |bench: &mut Bench| bench.line("list-panes -F '#{pane_in_mode}#{scroll_position}#{pane_active}'");
    // The wheel turns the text under it, which is not that of the active pane.
    report(&mut bench, client, &["64;3;3M"]);
    assert_eq!(modes(&mut bench), "100\n01");
    report(&mut bench, client, &["64;3;3M"]);
    assert_eq!(modes(&mut bench), "151\n00");
    // What is chosen from a menu is for the pane the menu was opened on.
    bench.line("split-window -v -t %1 cat");
    report(&mut bench, client, &["10;60;3M"]);
    bench.keys(client, b"X");
    assert_eq!(bench.line("list-panes -F '#{pane_id}'"), "%0\n%2");
    bench.line("split-window -t %2 -b cat");
    // On the status line there is no pane: the one typed into counts.
    bench.line("copy-mode -q -t %0");
    bench.line("kill-pane -t %2");
    bench.line("bind-key -n MouseDown1StatusDefault copy-mode");
    report(&mut bench, client, &["0;40;24M"]);
    assert_eq!(modes(&mut bench), "00\n101");
}

#[test]
fn formats_see_what_is_under_the_mouse() {
    let (mut bench, client) = bench();
    bench.output(PaneId(0), b"alpha beta\r\n\x1b]8;;http://x.y\x1b\\link\x1b]8;;\x1b\\ end");
    let format = "#{mouse_x},#{mouse_y},#{mouse_word},#{mouse_line},#{mouse_hyperlink},#{mouse_pane}";
    bench.run(&["bind-key", "-n", "MouseDown1Pane", "set-option", "-gF", "@m", format]);
    let mut at = |column: &str| {
        report(&mut bench, client, &[&format!("0;{column}M"), &format!("0;{column}m")]);
        bench.advance(Duration::from_millis(400));
        bench.line("show-options -gv @m")
    };
    assert_eq!(at("8;1"), "7,0,beta,alpha beta,,%0");
    assert_eq!(at("2;2"), "1,1,link,link end,http://x.y,%0");
    assert_eq!(at("70;9"), "69,8,,,,%0");
}

#[test]
fn formats_see_the_part_of_the_status_line() {
    use crate::client::{BorderRange, RangeOf, StatusRange};
    let (mut bench, client) = bench();
    let range = |from, to, what| StatusRange { row: 23, from, to, what };
    let entry = bench.mux.clients.get_mut(&client).expect("it is attached");
    entry.status_ranges = vec![
        range(0, 4, RangeOf::Left),
        range(4, 8, RangeOf::User("mine".to_owned())),
        range(8, 12, RangeOf::Control(3)),
    ];
    entry.border_ranges = vec![BorderRange { pane: PaneId(0), from: 1, to: 4, control: 9 }];
    for key in ["MouseDown1StatusLeft", "MouseDown1Status", "MouseDown1Control3", "MouseDown1StatusDefault"] {
        let format = format!("{key} #{{mouse_status_line}} #{{mouse_status_range}}");
        let words = ["bind-key", "-n", key, "set-option", "-gF", "@m", &format];
        bench.run(&words);
    }
    let mut at = |column: u32, row: u32| {
        report(&mut bench, client, &[&format!("0;{column};{row}M"), &format!("0;{column};{row}m")]);
        bench.advance(Duration::from_millis(400));
        bench.line("show-options -gv @m")
    };
    assert_eq!(at(1, 24), "MouseDown1StatusLeft 0 left");
    assert_eq!(at(5, 24), "MouseDown1Status 0 mine");
    assert_eq!(at(9, 24), "MouseDown1Control3 0 control");
    assert_eq!(at(40, 24), "MouseDown1StatusDefault 0 ");
}

#[test]
fn buttons_on_a_border_are_keys_of_their_own() {
    use crate::client::BorderRange;
    let (mut bench, client) = bench();
    bench.line("split-window -h cat");
    bench.line("set-option -g pane-border-status top");
    let entry = bench.mux.clients.get_mut(&client).expect("it is attached");
    entry.border_ranges = vec![BorderRange { pane: PaneId(0), from: 1, to: 4, control: 9 }];
    let noted = noted(&mut bench, client, &["MouseDown1Control9", "MouseDown1Border"], &["0;4;1M", "0;4;1m", "0;9;1M"]);
    assert_eq!(noted, "MouseDown1Control9 MouseDown1Border");
}
