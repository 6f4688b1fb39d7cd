//! The bindings that rove has beside tmux's, as data: its prefix, the resume picker, and chords that need no prefix.

use super::DefaultBinding;

const fn prefixed(key: &'static str, command: &'static str, note: &'static str) -> DefaultBinding {
    DefaultBinding { table: "prefix", key, repeat: false, command, note }
}

const fn chord(key: &'static str, command: &'static str, note: &'static str) -> DefaultBinding {
    DefaultBinding { table: "root", key, repeat: false, command, note }
}

/// The rows: key, command, note. `C-=` only reaches us from terminals that report extended keys.
#[rustfmt::skip]
pub(super) const BINDINGS: &[DefaultBinding] = &[
    prefixed("C-a", "send-prefix", "Send the prefix key"),
    prefixed("y", "resume-picker", "Choose a conversation to resume"),
    chord("C-\\", "split-window -h", "Split the pane, the new one to the right"),
    chord("C-=", "split-window", "Split the pane, the new one below"),
    chord("C-q", "detach-client", "Detach; everything runs on"),
    chord("F1", "list-keys -N", "List key bindings"),
    prefixed("&", r##"if-shell -F "#{==:#{session_windows},1}" { display-message -d 5000 "the last window is not closed by a key: rove kill #S ends the session" } { confirm-before -p "kill-window #W? (y/n)" { kill-window } }"##, "Kill current window, unless it is the last one"),
    prefixed("x", r##"if-shell -F "#{==:#{session_windows}#{window_panes},11}" { display-message -d 5000 "the last pane is not closed by a key: rove kill #S ends the session" } { confirm-before -p "kill-pane #P? (y/n)" { kill-pane } }"##, "Kill the active pane, unless it is the last one"),
    chord("F2", r##"if-shell -F "#{==:#{window_panes},1}" { command-prompt -p "(rename-window)" -I "#W" { rename-window "%%" } } { command-prompt -p "(rename-pane)" -I "#T" { set-option -p allow-set-title off ; select-pane -T "%%" } }"##, "Rename the active pane, or the window of a single one"),
    chord("F3", "select-pane -t :.+", "Select the next pane"),
    chord("F5", r##"confirm-before -y -p "end what runs in pane #P and start it again? (Y/n)" { respawn-pane -k }"##, "Restart the active pane, ending what runs in it"),
];
