//! Every hook of tmux 3.7c is fired when tmux fires it.

use crate::fake::Bench;
use crate::option::OPTIONS;
use crate::{ClientId, Exit, Face, Input, PaneId};
use std::collections::BTreeSet;
use std::time::Duration;

/// What fires a hook.
type Act = fn(&mut Bench, ClientId);

/// Hooks that tmux lists and never fires: there is no command of that name.
const NEVER: &[&str] = &["after-queue"];

/// What fires each hook that no command names. Session `a` has windows `zero`, with panes 0 and 1, and `one`, with pane 2; a
/// client shows it.
const EVENTS: &[(&str, Act)] = &[
    ("alert-activity", |bench, _| {
        bench.line("set-option -w -t a:one monitor-activity on");
        bench.output(PaneId(2), b"x");
    }),
    ("alert-bell", |bench, _| bench.output(PaneId(2), b"\x07")),
    ("alert-silence", |bench, _| {
        bench.line("set-option -w -t a:one monitor-silence 1");
        bench.advance(Duration::from_secs(2));
    }),
    ("client-active", |bench, client| {
        bench.terminal((80, 24), &["attach-session", "-t", "a"]);
        bench.keys(client, b"x");
    }),
    ("client-attached", |bench, _| {
        bench.terminal((80, 24), &["attach-session", "-t", "a"]);
    }),
    ("client-dark-theme", |bench, client| bench.keys(client, b"\x1b[?997;1n")),
    ("client-detached", |bench, client| bench.keys(client, b"\x02d")),
    ("client-focus-in", |bench, client| bench.keys(client, b"\x1b[O\x1b[I")),
    ("client-focus-out", |bench, client| bench.keys(client, b"\x1b[O")),
    ("client-light-theme", |bench, client| bench.keys(client, b"\x1b[?997;2n")),
    ("client-resized", |bench, client| bench.handle(Input::ClientResized(client, (70, 20)))),
    ("client-session-changed", |bench, client| {
        bench.line("new-session -d -s b cat");
        bench.keys(client, b"\x02)");
    }),
    ("command-error", |bench, _| drop(bench.line("select-window -t nope"))),
    ("pane-died", |bench, _| {
        bench.line("set-option -g remain-on-exit on");
        bench.end(PaneId(1), Exit::Status(0));
    }),
    ("pane-exited", |bench, _| bench.end(PaneId(1), Exit::Status(0))),
    ("pane-focus-in", |bench, client| bench.keys(client, b"\x1b[O\x1b[I")),
    ("pane-focus-out", |bench, client| bench.keys(client, b"\x1b[O")),
    ("pane-mode-changed", |bench, _| drop(bench.line("copy-mode -t a:zero.0"))),
    ("pane-set-clipboard", |bench, _| {
        bench.line("set-option -s set-clipboard on");
        bench.output(PaneId(0), b"\x1b]52;c;eA==\x07");
    }),
    ("pane-title-changed", |bench, _| bench.output(PaneId(0), b"\x1b]2;new\x07")),
    ("session-closed", |bench, _| bench.lines(&["new-session -d -s b cat", "kill-session -t b"])),
    ("session-created", |bench, _| drop(bench.line("new-session -d -s b cat"))),
    ("session-renamed", |bench, _| drop(bench.line("rename-session -t a b"))),
    ("session-window-changed", |bench, _| drop(bench.line("select-window -t a:one"))),
    ("window-layout-changed", |bench, _| drop(bench.line("select-layout -t a:zero even-horizontal"))),
    ("window-linked", |bench, _| drop(bench.line("new-window -d -t a: cat"))),
    ("window-pane-changed", |bench, _| drop(bench.line("last-pane -t a:zero"))),
    ("window-renamed", |bench, _| bench.output(PaneId(0), b"\x1bknew\x1b\\")),
    ("window-resized", |bench, _| drop(bench.line("resize-window -t a:zero -x 50 -y 10"))),
    ("window-unlinked", |bench, _| drop(bench.line("kill-window -t a:one"))),
];

/// What runs each command that has a hook after it.
const COMMANDS: &[&str] = &[
    "bind-key x list-keys",
    "capture-pane -t a:zero",
    "copy-mode -t a:zero",
    "display-message -p x",
    "display-panes -b -t CLIENT",
    "kill-pane -t a:zero.1",
    "list-buffers",
    "list-clients",
    "list-keys",
    "list-panes",
    "list-sessions",
    "list-windows",
    "load-buffer /tmp/some",
    "lock-server",
    "new-session -d -s b cat",
    "new-window -d -t a: cat",
    "paste-buffer -b some -t a:zero",
    "pipe-pane -t a:zero cat",
    "refresh-client -t CLIENT",
    "rename-session -t a b",
    "rename-window -t a:zero new",
    "resize-pane -t a:zero.1 -y 5",
    "resize-window -t a:zero -x 50",
    "save-buffer -b some /tmp/other",
    "select-layout -t a:zero tiled",
    "select-pane -t a:zero.1",
    "select-window -t a:one",
    "send-keys -t a:zero x",
    "set-buffer x",
    "set-environment -g NAME x",
    "set-hook -g @mine x",
    "set-option -g @other x",
    "show-environment -g",
    "show-messages",
    "show-options -g",
    "split-window -d -t a:zero cat",
    "unbind-key x",
];

fn bench(hook: &str) -> (Bench, ClientId) {
    let mut bench = Bench::new(Face::Tmux);
    bench.world.files.insert("/tmp/some".to_owned(), b"some".to_vec());
    bench.lines(&["new-session -d -s a -n zero -x 80 -y 23 cat", "split-window -d -t a: cat"]);
    bench.lines(&["new-window -d -t a: -n one cat", "set-buffer -b some text", "select-pane -t a:zero.1"]);
    bench.lines(&["select-pane -t a:zero.0", "set-option -g allow-rename on", "set-option -s focus-events on"]);
    let client = bench.terminal((80, 24), &["attach-session", "-t", "a"]);
    bench.advance(Duration::from_secs(1));
    bench.run(&["set-hook", "-g", hook, "set-environment -g FIRED '#{hook}'"]);
    (bench, client)
}

/// Whether the hook's command ran.
fn fired(bench: &Bench) -> bool {
    bench.mux.environment.get("FIRED").is_some()
}

#[test]
fn every_hook_is_fired() {
    let mut done = BTreeSet::new();
    let mut silent = Vec::new();
    for (hook, act) in EVENTS {
        let (mut bench, client) = bench(hook);
        assert!(!fired(&bench), "{hook} has not happened yet");
        act(&mut bench, client);
        bench.mux.check();
        silent.extend((!fired(&bench)).then_some(*hook));
        done.insert((*hook).to_owned());
    }
    for line in COMMANDS {
        let hook = format!("after-{}", line.split(' ').next().unwrap_or_default());
        let (mut bench, client) = bench(&hook);
        // The commands with which the hook itself is tied and read are among them.
        bench.mux.environment.unset("FIRED");
        let name = bench.mux.clients[&client].name.clone();
        bench.line(&line.replace("CLIENT", &name));
        if !fired(&bench) {
            silent.push(line);
        }
        done.insert(hook);
    }
    assert_eq!(silent, [""; 0], "these fired no hook");
    let hooks = OPTIONS.iter().filter(|row| row.hook && !row.since_main).map(|row| row.name);
    let missing: Vec<&str> = hooks.filter(|hook| !done.contains(*hook) && !NEVER.contains(hook)).collect();
    assert_eq!(missing, [""; 0], "nothing fires these");
}

#[test]
fn focus_goes_with_panes_windows_and_what_lies_over_them() {
    let (mut bench, client) = bench("pane-focus-out");
    let log = "set-hook -g HOOK 'set-option -gaF @log \"#{hook_pane}:HOOK|\"'";
    for hook in ["pane-focus-in", "pane-focus-out"] {
        bench.line(&log.replace("HOOK", hook));
    }
    let told = |bench: &mut Bench| {
        let log = bench.line("show-options -gqv @log");
        bench.line("set-option -gu @log");
        log
    };
    for (line, log) in [
        ("select-pane -t a:zero.1", "%0:pane-focus-out|%1:pane-focus-in|"),
        ("select-window -t a:one", "%1:pane-focus-out|%2:pane-focus-in|"),
        ("kill-window -t a:one", "%2:pane-focus-out|%1:pane-focus-in|"),
        ("kill-pane -t a:zero.1", "%0:pane-focus-in|"),
    ] {
        bench.line(line);
        assert_eq!(told(&mut bench), log, "{line}");
    }
    bench.keys(client, b"\x02<");
    assert_eq!(told(&mut bench), "%0:pane-focus-out|", "a menu takes the keys");
    bench.keys(client, b"q");
    assert_eq!(told(&mut bench), "%0:pane-focus-in|");
    bench.keys(client, b"\x1b[O");
    bench.keys(client, b"\x1b[O");
    assert_eq!(told(&mut bench), "%0:pane-focus-out|", "told once");
}
