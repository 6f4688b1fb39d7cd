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
    chord("F2", r##"command-prompt -I "#W" { rename-window "%%" }"##, "Rename current window"),
    chord("F3", "select-pane -t :.+", "Select the next pane"),
    chord("F5", r##"confirm-before -p "respawn-pane #P? (y/n)" { respawn-pane -k }"##, "Restart the active pane, ending what runs in it"),
];
