//! What options do, where no command tells it: each is off first, and then on. `tests/effects.rs` knows which test is
//! about which option.

use crate::fake::{Bench, hello};
use crate::{ClientId, Effect, Exit, Face, Hello, Manner, PaneId};
use std::time::Duration;

const PANE: PaneId = PaneId(0);

/// A server with session `a`, whose window `zero` has one pane, on a terminal; options are set before.
fn with(options: &[&str]) -> (Bench, ClientId) {
    let mut bench = Bench::new(Face::Tmux);
    bench.line("new-session -d -s a -n zero -x 80 -y 23 cat");
    bench.lines(options);
    let client = bench.terminal((80, 24), &["attach-session", "-t", "a"]);
    bench.typed(PANE);
    bench.effects.clear();
    (bench, client)
}

/// What is typed at a pane for some keys.
fn typed(options: &[&str], setup: &[u8], keys: &[u8]) -> String {
    let (mut bench, client) = with(options);
    bench.output(PANE, setup);
    bench.typed(PANE);
    bench.keys(client, keys);
    bench.advance(Duration::from_millis(20));
    String::from_utf8_lossy(&bench.typed(PANE)).into_owned()
}

fn message(bench: &Bench, client: ClientId) -> Option<&str> {
    bench.mux.clients[&client].message.as_ref().map(|message| message.text.as_str())
}

/// How often a client's terminal was rung.
fn rings(bench: &Bench) -> usize {
    let bell = |effect: &&Effect| matches!(effect, Effect::Terminal(_, bytes) if bytes == b"\x07");
    bench.effects.iter().filter(bell).count()
}

/// What is told of an alert in a window behind: the bells and the message.
fn alerted(options: &[&str], make: impl FnOnce(&mut Bench)) -> (usize, Option<String>) {
    let (mut bench, client) = with(options);
    bench.line("new-window -n one cat");
    bench.advance(Duration::from_secs(1));
    bench.effects.clear();
    make(&mut bench);
    bench.handle(crate::Input::Tick);
    (rings(&bench), message(&bench, client).map(str::to_owned))
}

fn told(rings: usize, message: &str) -> (usize, Option<String>) {
    (rings, Some(message.to_owned()).filter(|message| !message.is_empty()))
}

#[test]
fn bells_are_told_as_bell_action_visual_bell_and_monitor_bell_say() {
    let bell = |options: &[&str]| alerted(options, |bench| bench.output(PANE, b"\x07"));
    assert_eq!(bell(&[]), told(1, ""));
    assert_eq!(bell(&["set -g visual-bell on"]), told(0, "Bell in window 0"));
    assert_eq!(bell(&["set -g visual-bell both"]), told(1, "Bell in window 0"));
    assert_eq!(bell(&["set -g bell-action current"]), told(0, ""));
    assert_eq!(bell(&["set -g bell-action other"]), told(1, ""));
    assert_eq!(bell(&["set -g monitor-bell off"]), told(0, ""));
}

#[test]
fn activity_is_told_as_activity_action_visual_activity_and_monitor_activity_say() {
    let activity = |options: &[&str]| alerted(options, |bench| bench.output(PANE, b"x"));
    let on = "set -g monitor-activity on";
    assert_eq!(activity(&[]), told(0, ""));
    assert_eq!(activity(&[on]), told(1, ""));
    assert_eq!(activity(&[on, "set -g visual-activity on"]), told(0, "Activity in window 0"));
    assert_eq!(activity(&[on, "set -g activity-action current"]), told(0, ""));
}

#[test]
fn silence_is_told_as_silence_action_visual_silence_and_monitor_silence_say() {
    let silence = |options: &[&str]| {
        alerted(options, |bench| {
            bench.line("set -g display-time 0");
            bench.advance(Duration::from_secs(2));
        })
    };
    let on = "set -w -t a:0 monitor-silence 2";
    assert_eq!(silence(&[]), told(0, ""));
    assert_eq!(silence(&[on]), told(1, ""));
    assert_eq!(silence(&[on, "set -g visual-silence on"]), told(0, "Silence in window 0"));
    assert_eq!(silence(&[on, "set -g silence-action current"]), told(0, ""));
}

#[test]
fn a_message_goes_when_display_time_is_over() {
    let (mut bench, client) = with(&["set -g display-time 400"]);
    let tell = |bench: &mut Bench| {
        let name = bench.mux.clients[&client].name.clone();
        bench.line(&format!("display-message -c {name} told"))
    };
    tell(&mut bench);
    assert_eq!(message(&bench, client), Some("told"));
    bench.advance(Duration::from_millis(300));
    assert_eq!(message(&bench, client), Some("told"));
    bench.advance(Duration::from_millis(200));
    assert_eq!(message(&bench, client), None);
    bench.line("set -g display-time 0");
    tell(&mut bench);
    bench.advance(Duration::from_secs(100));
    assert_eq!(message(&bench, client), Some("told"));
}

#[test]
fn the_message_log_has_as_many_lines_as_message_limit_says() {
    let (mut bench, _) = with(&["set -s message-limit 2"]);
    bench.lines(&["set -g @a 1", "set -g @a 2", "set -g @a 3"]);
    assert_eq!(bench.mux.message_log.len(), 2);
}

#[test]
fn programs_pass_the_multiplexer_as_allow_passthrough_says() {
    let passed = |option: &str, hidden: bool| {
        let (mut bench, client) = with(&[&format!("set -g allow-passthrough {option}")]);
        if hidden {
            bench.line("new-window cat");
        }
        bench.output(PANE, b"\x1bPtmux;\x1b\x1b]2;x\x07\x1b\\");
        bench.effects.contains(&Effect::Terminal(client, b"\x1b]2;x\x07".to_vec()))
    };
    let all = ["off", "on", "all"];
    assert_eq!(all.map(|option| passed(option, false)), [false, true, true]);
    assert_eq!(all.map(|option| passed(option, true)), [false, false, true]);
}

#[test]
fn programs_and_copies_reach_the_clipboard_as_set_clipboard_says() {
    let by = |option: &str, program: bool| {
        let (mut bench, _) = with(&[&format!("set -s set-clipboard {option}")]);
        match program {
            true => bench.output(PANE, b"\x1b]52;p;aGVsbG8=\x07"),
            false => {
                bench.output(PANE, b"hello");
                let copy = ["copy-mode", "send-keys -X select-line", "send-keys -X copy-selection"];
                bench.lines(&copy);
            }
        }
        let set = |effect: &Effect| matches!(effect, Effect::Terminal(_, bytes) if bytes.starts_with(b"\x1b]52;"));
        (bench.effects.iter().any(set), bench.mux.buffers.iter().count())
    };
    assert_eq!(["off", "external", "on"].map(|option| by(option, true)), [(false, 0), (false, 0), (true, 1)]);
    assert_eq!(["off", "external", "on"].map(|option| by(option, false)), [(false, 1), (true, 1), (true, 1)]);
}

#[test]
fn what_is_copied_is_piped_to_copy_command() {
    let (mut bench, _) = with(&["set -s copy-command 'xclip -i'"]);
    bench.keep_jobs = true;
    bench.output(PANE, b"hello");
    bench.lines(&["copy-mode", "send-keys -X select-line", "send-keys -X copy-pipe"]);
    let runs = |effect: &Effect| matches!(effect, Effect::RunJob(job) if job.command == "xclip -i");
    assert!(bench.effects.iter().any(runs));
}

#[test]
fn a_terminal_that_marks_no_pastes_has_what_is_typed_within_assume_paste_time_taken_for_text() {
    let fast = |options: &[&str]| typed(options, b"", b"xyz\x02cabc");
    let unmarked = "set -as terminal-overrides ',xterm*:Enbp@'";
    assert_eq!(fast(&[]), "xyz", "the prefix key means what it does, and what follows goes elsewhere");
    assert_eq!(fast(&[unmarked]), "xyz\x02cabc");
    assert_eq!(fast(&[unmarked, "set -g assume-paste-time 0"]), "xyz");
}

#[test]
fn keys_are_sent_as_backspace_extended_keys_and_extended_keys_format_say() {
    assert_eq!(typed(&[], b"", b"\x7f"), "\x7f");
    assert_eq!(typed(&["set -s backspace C-h"], b"", b"\x7f"), "\x08");
    let tab = |options: &[&str], asked: &[u8]| typed(options, asked, b"\x1b[27;5;9~");
    let (on, always) = ("set -s extended-keys on", "set -s extended-keys always");
    assert_eq!(tab(&[], b"\x1b[>4;2m"), "\t");
    assert_eq!(tab(&[on], b""), "\t");
    assert_eq!(tab(&[on], b"\x1b[>4;2m"), "\x1b[27;5;9~");
    assert_eq!(tab(&[always], b""), "\x1b[27;5;9~");
    assert_eq!(tab(&[always, "set -s extended-keys-format csi-u"], b""), "\x1b[9;5u");
}

#[test]
fn escape_counts_alone_after_escape_time() {
    let (mut bench, client) = with(&["set -s escape-time 300"]);
    bench.keys(client, b"\x1b");
    bench.advance(Duration::from_millis(200));
    assert_eq!(bench.typed(PANE), b"");
    bench.advance(Duration::from_millis(200));
    assert_eq!(bench.typed(PANE), b"\x1b");
    bench.line("set -s escape-time 50");
    bench.keys(client, b"\x1b");
    bench.advance(Duration::from_millis(100));
    assert_eq!(bench.typed(PANE), b"\x1b");
}

#[test]
fn a_key_may_be_repeated_for_repeat_time() {
    let after = |option: &str, pause: u64| {
        let (mut bench, client) = with(&[option, "bind-key -r r set -ga @n x"]);
        bench.keys(client, b"\x02r");
        bench.advance(Duration::from_millis(pause));
        bench.keys(client, b"r");
        bench.line("show -gv @n")
    };
    assert_eq!(after("set -g repeat-time 300", 200), "xx");
    assert_eq!(after("set -g repeat-time 300", 400), "x");
    assert_eq!(after("set -g repeat-time 0", 0), "x");
}

#[test]
fn strings_may_be_as_long_as_input_buffer_size() {
    let taken = |options: &[&str]| {
        let (mut bench, _) = with(options);
        let title = "x".repeat(1 << 20);
        bench.output(PANE, format!("\x1b]2;{title}\x07").as_bytes());
        bench.format("", "#{n:pane_title}") != "2"
    };
    assert!(!taken(&[]), "the title stays that of the host");
    assert!(taken(&["set -s input-buffer-size 4194304"]));
}

#[test]
fn keys_go_to_all_panes_with_synchronize_panes() {
    let (mut bench, client) = with(&["split-window -d -t a: cat"]);
    bench.keys(client, b"a");
    assert_eq!(bench.typed(PaneId(1)), b"");
    bench.line("set -w -t a: synchronize-panes on");
    bench.keys(client, b"b");
    assert_eq!((bench.typed(PANE), bench.typed(PaneId(1))), (b"ab".to_vec(), b"b".to_vec()));
}

#[test]
fn the_mouse_is_taken_with_mouse_and_followed_with_focus_follows_mouse() {
    let active = |options: &[&str], report: &[u8]| {
        let (mut bench, client) = with(&[&["split-window -h -t a: cat"], options].concat());
        bench.keys(client, report);
        bench.format("a:", "#{pane_index}")
    };
    let (click, over) = (&b"\x1b[<0;3;3M"[..], &b"\x1b[<35;3;3M"[..]);
    assert_eq!(active(&[], click), "1");
    assert_eq!(active(&["set -g mouse on"], click), "0");
    assert_eq!(active(&["set -g mouse on"], over), "1");
    assert_eq!(active(&["set -g focus-follows-mouse on"], over), "0");
}

#[test]
fn programs_are_told_of_focus_with_focus_events() {
    let heard = |option: &str| {
        let (mut bench, _) = with(&[option]);
        bench.output(PANE, b"\x1b[?1004h");
        bench.line("split-window -h -t a: cat");
        bench.typed(PANE)
    };
    assert_eq!(heard("set -s focus-events off"), b"");
    assert_eq!(heard("set -s focus-events on"), b"\x1b[O");
}

/// The last program that was started.
fn started(options: &[&str], command: &str) -> crate::Spawn {
    let (mut bench, _) = with(options);
    bench.line(command);
    bench.world.started.last().expect("a program was started").1.clone()
}

#[test]
fn new_panes_run_default_command_in_default_shell_with_default_terminal() {
    let words = |options: &[&str]| {
        let spawn = started(options, "new-window");
        (spawn.argv.join(" "), spawn.argv0)
    };
    assert_eq!(words(&["set -g default-shell /bin/dash"]), ("/bin/dash".to_owned(), Some("-dash".to_owned())));
    assert_eq!(words(&["set -g default-command 'top -b'"]).0, "/bin/sh -c top -b");
    let term = |options: &[&str]| {
        let environment = started(options, "new-window").environment;
        environment.into_iter().find(|(name, _)| name == "TERM").map(|(_, value)| value).unwrap_or_default()
    };
    assert_eq!(term(&[]), "tmux-256color");
    assert_eq!(term(&["set -s default-terminal screen"]), "screen");
}

#[test]
fn a_dead_pane_stays_as_remain_on_exit_says() {
    let stays = |option: &str, status: i32| {
        let (mut bench, client) = with(&["split-window -t a: cat", option]);
        bench.end(PaneId(1), Exit::Status(status));
        let stays = bench.mux.panes.contains_key(&PaneId(1));
        (stays, bench, client)
    };
    assert!(!stays("set -g remain-on-exit off", 1).0);
    assert!(stays("set -g remain-on-exit on", 0).0);
    assert!(!stays("set -g remain-on-exit failed", 0).0);
    assert!(stays("set -g remain-on-exit failed", 1).0);
    let (_, mut bench, client) = stays("set -g remain-on-exit key", 0);
    bench.keys(client, b"x");
    assert!(!bench.mux.panes.contains_key(&PaneId(1)));
}

#[test]
fn a_dead_pane_says_what_remain_on_exit_format_is() {
    let (mut bench, _) = with(&["set -g remain-on-exit on", "set -g remain-on-exit-format 'gone #{pane_dead_status}'"]);
    bench.end(PANE, Exit::Status(7));
    assert!(bench.line("capture-pane -p -t a:").ends_with("gone 7"));
}

#[test]
fn windows_are_named_as_automatic_rename_and_its_format_say() {
    let (mut bench, _) = with(&["set -w -t a: automatic-rename on"]);
    let named = |bench: &mut Bench| {
        bench.output(PANE, b"x");
        bench.advance(Duration::from_secs(1));
        bench.format("a:", "#W")
    };
    assert_eq!(named(&mut bench), "cat");
    bench.line("set -g automatic-rename-format 'it is #{pane_current_command}'");
    assert_eq!(named(&mut bench), "it is cat");
    bench.lines(&["set -w -t a: automatic-rename off", "set -g automatic-rename-format other"]);
    assert_eq!(named(&mut bench), "it is cat");
}

#[test]
fn clients_are_locked_after_lock_after_time_by_lock_command() {
    let (mut bench, client) = with(&["set -g lock-command vlock", "set -g lock-after-time 60"]);
    let locked = |bench: &Bench| bench.effects.contains(&Effect::ExecClient(client, "vlock".to_owned()));
    bench.advance(Duration::from_secs(50));
    bench.keys(client, b"x");
    bench.advance(Duration::from_secs(50));
    assert!(!locked(&bench));
    bench.advance(Duration::from_secs(11));
    assert!(locked(&bench));
}

#[test]
fn the_server_ends_as_exit_empty_and_exit_unattached_say() {
    let ends = |options: &[&str], last: &str| {
        let (mut bench, _) = with(&[]);
        bench.lines(options);
        bench.line(last);
        bench.effects.iter().any(|effect| matches!(effect, Effect::Exit(_)))
    };
    assert!(ends(&[], "kill-session -t a"));
    assert!(!ends(&["set -s exit-empty off"], "kill-session -t a"));
    assert!(!ends(&[], "detach-client -s a"));
    assert!(ends(&["set -s exit-unattached on"], "detach-client -s a"));
}

#[test]
fn a_session_takes_over_update_environment_of_who_attaches() {
    let mut bench = Bench::new(Face::Tmux);
    bench.lines(&["set -g update-environment 'MINE GONE'", "new-session -d -s a cat", "set-environment GONE 1"]);
    let environment = ["MINE", "OTHER"].map(|name| (name.to_owned(), "new".to_owned())).to_vec();
    bench.connect(Hello { environment, ..hello(Manner::Control, None, &["attach-session", "-t", "a"]) });
    assert_eq!(bench.line("show-environment -t a"), "-GONE\nMINE=new");
}

#[test]
fn terminals_are_what_terminal_features_and_terminal_overrides_say() {
    let caps = |options: &[&str]| {
        let (bench, client) = with(options);
        bench.mux.caps_of(&bench.mux.clients[&client])
    };
    assert!(!caps(&[]).feature_names().contains("sixel"));
    assert!(caps(&["set -as terminal-features ',xterm*:sixel'"]).feature_names().contains("sixel"));
    assert!(!caps(&["set -as terminal-features ',screen*:sixel'"]).feature_names().contains("sixel"));
    assert!(caps(&[]).has_named("Enbp"));
    assert!(!caps(&["set -as terminal-overrides ',xterm*:Enbp@'"]).has_named("Enbp"));
}

#[test]
fn a_prompt_has_the_keys_that_status_keys_says() {
    let left = |options: &[&str]| {
        let (mut bench, client) = with(options);
        bench.keys(client, b"\x02:");
        bench.keys(client, b"abc\x1b");
        bench.advance(Duration::from_secs(1));
        bench.keys(client, b"x");
        bench.mux.clients[&client].prompt.as_ref().map(|prompt| prompt.text())
    };
    assert_eq!(left(&[]), None, "escape gives the prompt up");
    assert_eq!(left(&["set -g status-keys vi"]).as_deref(), Some("ab"));
}

#[test]
fn a_window_is_as_large_as_window_size_and_aggressive_resize_say() {
    let size = |options: &[&str]| {
        let (mut bench, _) = with(options);
        bench.line("new-session -d -s b -t a");
        bench.line("new-window -d -t a: -n two cat");
        bench.terminal((40, 12), &["attach-session", "-t", "b"]);
        bench.line("select-window -t b:two");
        bench.format("a:zero", "#{window_width}")
    };
    assert_eq!(size(&["set -g window-size largest"]), "80");
    assert_eq!(size(&["set -g window-size smallest"]), "40");
    assert_eq!(size(&["set -g window-size smallest", "set -g aggressive-resize on"]), "80");
}

#[test]
fn numbers_of_panes_go_when_display_panes_time_is_over() {
    let (mut bench, client) = with(&["set -g display-panes-time 3000"]);
    let name = bench.mux.clients[&client].name.clone();
    bench.line(&format!("display-panes -b -t {name}"));
    let shown = |bench: &Bench| bench.mux.clients[&client].overlay.is_some();
    bench.advance(Duration::from_secs(2));
    assert!(shown(&bench));
    bench.advance(Duration::from_secs(2));
    assert!(!shown(&bench));
}
