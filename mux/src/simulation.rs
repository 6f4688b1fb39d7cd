//! Random commands of random clients: the model stays whole, and no input makes it fail.

use crate::fake::Bench;
use crate::{ClientId, Exit, Face, Input, PaneId};
use proptest::prelude::*;
use std::time::Duration;

/// Command lines; `@S`, `@W` and `@P` stand for a session, a window and a pane that may be there.
const LINES: &[&str] = &[
    "new-session -d -s a cat",
    "new-session -d -s b -x 40 -y 10 cat",
    "new-session -A -d -s a",
    "new-window -d -t @S cat",
    "new-window -a -t @W cat",
    "new-window -k -t @W cat",
    "split-window -t @P cat",
    "split-window -h -d -t @P cat",
    "split-window -f -b -l 30% -t @P cat",
    "split-window -Z -t @P cat",
    "kill-pane -t @P",
    "kill-pane -a -t @P",
    "kill-window -t @W",
    "kill-session -t @S",
    "select-pane -t @P",
    "select-pane -L -t @P",
    "select-pane -m -t @P",
    "select-pane -M",
    "last-pane -t @W",
    "select-window -t @W",
    "next-window -t @S",
    "previous-window -t @S",
    "last-window -t @S",
    "swap-pane -s @P -t @P",
    "swap-pane -U -t @P",
    "swap-pane -d -Z -s @P -t @P",
    "swap-window -s @W -t @W",
    "rotate-window -t @W",
    "rotate-window -D -Z -t @W",
    "break-pane -s @P",
    "break-pane -d -s @P -t @S",
    "join-pane -s @P -t @P",
    "join-pane -h -b -s @P -t @P",
    "join-pane -f -l 3 -s @P -t @P",
    "move-window -s @W -t @S",
    "move-window -k -s @W -t @W",
    "move-window -r -t @S",
    "link-window -s @W -t @S",
    "link-window -k -s @W -t @W",
    "unlink-window -t @W",
    "unlink-window -k -t @W",
    "resize-pane -Z -t @P",
    "new-pane -t @P cat",
    "new-pane -A -x 9 -y 4 -X -2 -Y 1 -t @P cat",
    "new-pane -O -d -t @P cat",
    "break-pane -W -s @P",
    "join-pane -s @P -t @P",
    "move-pane -P centre -t @P",
    "move-pane -z 1 -t @P",
    "resize-pane -R 5 -t @P",
    "copy-mode -k -t @P",
    "resize-pane -L 7 -t @P",
    "resize-pane -x 3 -y 2 -t @P",
    "resize-window -x 20 -y 6 -t @W",
    "resize-window -A -t @W",
    "select-layout -t @W tiled",
    "select-layout -t @W main-vertical",
    "select-layout -E -t @P",
    "next-layout -t @W",
    "respawn-pane -k -t @P cat",
    "respawn-window -k -t @W cat",
    "rename-window -t @W x",
    "rename-session -t @S a",
    "copy-mode -t @P",
    "send-keys -t @P -X cancel",
    "send-keys -t @P -X history-top",
    "send-keys -t @P a Enter C-b",
    "set-option -g remain-on-exit on",
    "set-option -g remain-on-exit off",
    "set-option -g status 3",
    "set-option -g pane-border-status top",
    "set-option -g base-index 1",
    "set-option -g renumber-windows on",
    "set-option -g window-size smallest",
    "set-option -g detach-on-destroy off",
    "set-hook -g after-split-window 'kill-pane'",
    "set-hook -gu after-split-window",
    "set-hook -g window-linked 'select-layout tiled'",
    "set-buffer x",
    "paste-buffer -d -t @P",
    "capture-pane -t @P",
    "switch-client -t @S",
    "switch-client -n",
    "detach-client -s @S",
    "command-prompt -b",
    "display-panes -b",
    "if-shell -F 1 'split-window ; kill-pane -t @P'",
    "run-shell -b 'echo x'",
    "wait-for -S ch",
    "wait-for ch",
    "refresh-client -C 30x9",
    "refresh-client -f ignore-size",
    "set-option -g mouse on",
    "kill-server",
];

/// What is typed at terminals.
const KEYS: &[&[u8]] = &[
    b"\x02%",
    b"\x02\"",
    b"\x02x",
    b"y",
    b"\x02c",
    b"\x02n",
    b"\x02z",
    b"\x02[",
    b"q",
    b"\r",
    b"\x1b[<0;10;5M",
    b"\x02:",
];

#[derive(Clone, Debug)]
enum Step {
    Line(usize, u32),
    Control(usize, u32),
    Terminal(u16, u16),
    Keys(usize),
    Resize(u16, u16),
    Output(u32, Vec<u8>),
    End(u32),
    Gone(u32),
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    prop_oneof![
        12 => (0..LINES.len(), any::<u32>()).prop_map(|(line, seed)| Step::Line(line, seed)),
        4 => (0..LINES.len(), any::<u32>()).prop_map(|(line, seed)| Step::Control(line, seed)),
        1 => (1..120u16, 1..50u16).prop_map(|(cols, rows)| Step::Terminal(cols, rows)),
        3 => (0..KEYS.len()).prop_map(Step::Keys),
        1 => (0..200u16, 0..60u16).prop_map(|(cols, rows)| Step::Resize(cols, rows)),
        2 => (0..12u32, prop::collection::vec(any::<u8>(), 0..40)).prop_map(|(pane, bytes)| Step::Output(pane, bytes)),
        2 => (0..12u32).prop_map(Step::End),
        1 => (0..12u32).prop_map(Step::Gone),
        2 => (0..3000u64).prop_map(Step::Wait),
    ]
}

/// The line with places in it that the seed chooses.
fn line(at: usize, mut seed: u32) -> String {
    let mut line = LINES[at].to_owned();
    for (mark, prefix) in [("@S", "$"), ("@W", "@"), ("@P", "%")] {
        while let Some(place) = line.find(mark).filter(|_| line.contains(mark)) {
            let id = format!("{prefix}\u{1}{}", seed % 7);
            line.replace_range(place..place + mark.len(), &id);
            seed = seed.rotate_left(7).wrapping_mul(31).wrapping_add(1);
        }
    }
    line.replace('\u{1}', "")
}

/// Takes a step; the clients are those of terminals and of control.
fn take(bench: &mut Bench, step: &Step, terminal: &mut Option<ClientId>, control: &mut Option<ClientId>) {
    match step {
        Step::Line(at, seed) => drop(bench.line(&line(*at, *seed))),
        Step::Control(at, seed) => {
            let client = *control.get_or_insert_with(|| bench.control(&["new-session", "-A", "-s", "c", "cat"]));
            bench.control_line(client, &line(*at, *seed));
        }
        Step::Terminal(cols, rows) => {
            *terminal = Some(bench.terminal((*cols, *rows), &["new-session", "-A", "-s", "a", "cat"]))
        }
        Step::Keys(at) => {
            if let Some(client) = *terminal {
                bench.keys(client, KEYS[*at]);
            }
        }
        Step::Resize(cols, rows) => {
            if let Some(client) = *terminal {
                bench.handle(Input::ClientResized(client, (*cols, *rows)));
            }
        }
        Step::Output(pane, bytes) => bench.output(PaneId(*pane), bytes),
        Step::End(pane) => bench.end(PaneId(*pane), Exit::Status(0)),
        Step::Gone(client) => bench.handle(Input::ClientGone(ClientId(*client))),
        Step::Wait(ms) => bench.advance(Duration::from_millis(*ms)),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(192))]

    #[test]
    fn the_model_stays_whole(steps in prop::collection::vec(step(), 1..60)) {
        let mut bench = Bench::new(Face::Tmux);
        bench.line("new-session -d -s a -x 80 -y 24 cat");
        let (mut terminal, mut control) = (None, None);
        for step in &steps {
            take(&mut bench, step, &mut terminal, &mut control);
            bench.mux.check();
        }
    }
}
