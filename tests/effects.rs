//! Every option of tmux 3.7c does what it is for: a table of the tests that show it. (Hooks have one of their own,
//! `mux/src/hook/tests/fired.rs`.)
//!
//! A test of the table fails when the effect of its options is taken out. It is a function of a file, or the cases of a file
//! of cases; both must name the options.

use crate::tidy::root;
use mux::option::{OPTIONS, OptionDef};
use std::collections::BTreeSet;
use std::fs;

/// Options that tmux lists and that do nothing there.
pub(crate) const NOTHING: &[&str] = &["xterm-keys"];

/// The test, and the options whose effect it shows.
const TESTS: &[(&str, &[&str])] = &[
    (
        "draw/src/project/tests/options.rs::options_are_seen",
        &[
            "clock-mode-colour",
            "clock-mode-style",
            "copy-mode-current-line-number-style",
            "copy-mode-current-match-style",
            "copy-mode-line-number-style",
            "copy-mode-line-numbers",
            "copy-mode-mark-style",
            "copy-mode-match-style",
            "copy-mode-position-format",
            "copy-mode-position-style",
            "copy-mode-selection-style",
            "cursor-colour",
            "cursor-style",
            "display-panes-active-colour",
            "display-panes-colour",
            "fill-character",
            "menu-border-lines",
            "menu-border-style",
            "menu-selected-style",
            "menu-style",
            "message-command-style",
            "message-format",
            "message-line",
            "message-style",
            "mode-style",
            "pane-active-border-style",
            "pane-border-format",
            "pane-border-indicators",
            "pane-border-lines",
            "pane-border-status",
            "pane-border-style",
            "pane-colours",
            "pane-scrollbars",
            "pane-scrollbars-position",
            "pane-scrollbars-style",
            "pane-status-current-style",
            "pane-status-style",
            "popup-border-lines",
            "popup-border-style",
            "popup-style",
            "prompt-command-cursor-style",
            "prompt-cursor-colour",
            "prompt-cursor-style",
            "session-status-current-style",
            "session-status-style",
            "set-titles",
            "set-titles-string",
            "status",
            "status-bg",
            "status-fg",
            "status-format",
            "status-justify",
            "status-left",
            "status-left-length",
            "status-left-style",
            "status-position",
            "status-right",
            "status-right-length",
            "status-right-style",
            "status-style",
            "tree-mode-preview-format",
            "tree-mode-preview-style",
            "window-active-style",
            "window-pane-current-status-format",
            "window-pane-status-format",
            "window-status-activity-style",
            "window-status-bell-style",
            "window-status-current-format",
            "window-status-current-style",
            "window-status-format",
            "window-status-last-style",
            "window-status-separator",
            "window-status-style",
            "window-style",
        ],
    ),
    (
        "mux/cases/effects.case",
        &[
            "allow-rename",
            "allow-set-title",
            "alternate-screen",
            "automatic-rename",
            "automatic-rename-format",
            "base-index",
            "buffer-limit",
            "codepoint-widths",
            "command-alias",
            "default-size",
            "detach-on-destroy",
            "history-limit",
            "key-table",
            "main-pane-height",
            "main-pane-width",
            "mode-keys",
            "other-pane-height",
            "other-pane-width",
            "pane-base-index",
            "prefix",
            "prefix2",
            "prompt-history-limit",
            "renumber-windows",
            "scroll-on-clear",
            "tiled-layout-max-columns",
            "variation-selector-always-wide",
            "word-separators",
            "wrap-search",
        ],
    ),
    ("mux/src/attach.rs::a_client_without_a_command_runs_the_one_that_is_set", &["default-client-command"]),
    ("mux/src/attach.rs::sessions_that_nobody_shows_go_where_the_option_says_so", &["destroy-unattached"]),
    ("mux/src/keys/table.rs::a_prefix_lapses_when_nothing_follows", &["prefix-timeout"]),
    ("mux/src/keys/table.rs::a_sequence_of_the_users_is_a_key", &["user-keys"]),
    ("mux/src/keys/table.rs::the_first_repetition_may_have_more_time", &["initial-repeat-time"]),
    ("mux/src/overlay/tests.rs::a_buffer_is_edited_in_a_modal_pane", &["editor"]),
    ("mux/src/prompt/history.rs::what_was_typed_at_prompts_is_kept_in_the_history_file", &["history-file"]),
    ("mux/src/request.rs::a_program_gets_the_clipboard_where_it_may", &["get-clipboard"]),
    ("mux/src/scope/jobs.rs::the_status_line_runs_its_commands_by_its_interval", &["status-interval"]),
    ("mux/src/option/tests/effects.rs::a_dead_pane_says_what_remain_on_exit_format_is", &["remain-on-exit-format"]),
    ("mux/src/option/tests/effects.rs::a_dead_pane_stays_as_remain_on_exit_says", &["remain-on-exit"]),
    ("mux/src/option/tests/effects.rs::a_key_may_be_repeated_for_repeat_time", &["repeat-time"]),
    ("mux/src/option/tests/effects.rs::a_message_goes_when_display_time_is_over", &["display-time"]),
    ("mux/src/option/tests/effects.rs::a_prompt_has_the_keys_that_status_keys_says", &["status-keys"]),
    (
        "mux/src/option/tests/effects.rs::a_session_takes_over_update_environment_of_who_attaches",
        &["update-environment"],
    ),
    (
        "mux/src/option/tests/effects.rs::a_terminal_that_marks_no_pastes_has_what_is_typed_within_assume_paste_time_taken_for_text",
        &["assume-paste-time"],
    ),
    (
        "mux/src/option/tests/effects.rs::a_window_is_as_large_as_window_size_and_aggressive_resize_say",
        &["aggressive-resize", "window-size"],
    ),
    (
        "mux/src/option/tests/effects.rs::activity_is_told_as_activity_action_visual_activity_and_monitor_activity_say",
        &["activity-action", "monitor-activity", "visual-activity"],
    ),
    (
        "mux/src/option/tests/effects.rs::bells_are_told_as_bell_action_visual_bell_and_monitor_bell_say",
        &["bell-action", "monitor-bell", "visual-bell"],
    ),
    (
        "mux/src/option/tests/effects.rs::clients_are_locked_after_lock_after_time_by_lock_command",
        &["lock-after-time", "lock-command"],
    ),
    ("mux/src/option/tests/effects.rs::escape_counts_alone_after_escape_time", &["escape-time"]),
    (
        "mux/src/option/tests/effects.rs::keys_are_sent_as_backspace_extended_keys_and_extended_keys_format_say",
        &["backspace", "extended-keys", "extended-keys-format"],
    ),
    ("mux/src/option/tests/effects.rs::keys_go_to_all_panes_with_synchronize_panes", &["synchronize-panes"]),
    (
        "mux/src/option/tests/effects.rs::new_panes_run_default_command_in_default_shell_with_default_terminal",
        &["default-command", "default-shell", "default-terminal"],
    ),
    ("mux/src/option/tests/effects.rs::numbers_of_panes_go_when_display_panes_time_is_over", &["display-panes-time"]),
    (
        "mux/src/option/tests/effects.rs::programs_and_copies_reach_the_clipboard_as_set_clipboard_says",
        &["set-clipboard"],
    ),
    ("mux/src/option/tests/effects.rs::programs_are_told_of_focus_with_focus_events", &["focus-events"]),
    (
        "mux/src/option/tests/effects.rs::programs_pass_the_multiplexer_as_allow_passthrough_says",
        &["allow-passthrough"],
    ),
    (
        "mux/src/option/tests/effects.rs::silence_is_told_as_silence_action_visual_silence_and_monitor_silence_say",
        &["monitor-silence", "silence-action", "visual-silence"],
    ),
    ("mux/src/option/tests/effects.rs::strings_may_be_as_long_as_input_buffer_size", &["input-buffer-size"]),
    (
        "mux/src/option/tests/effects.rs::terminals_are_what_terminal_features_and_terminal_overrides_say",
        &["terminal-features", "terminal-overrides"],
    ),
    ("mux/src/option/tests/effects.rs::the_message_log_has_as_many_lines_as_message_limit_says", &["message-limit"]),
    (
        "mux/src/option/tests/effects.rs::the_mouse_is_taken_with_mouse_and_followed_with_focus_follows_mouse",
        &["focus-follows-mouse", "mouse"],
    ),
    (
        "mux/src/option/tests/effects.rs::the_server_ends_as_exit_empty_and_exit_unattached_say",
        &["exit-empty", "exit-unattached"],
    ),
    ("mux/src/option/tests/effects.rs::what_is_copied_is_piped_to_copy_command", &["copy-command"]),
];

/// Whether a text has a name that is no part of a longer one.
fn names(text: &str, name: &str) -> bool {
    let inside = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
    text.match_indices(name)
        .any(|(at, _)| !text[..at].ends_with(inside) && !text[at + name.len()..].starts_with(inside))
}

/// What a test says: the body of the function, with the table it goes through, or the remarks of the cases.
fn said(test: &str) -> Result<String, String> {
    let (path, function) = test.split_once("::").map_or((test, None), |(path, function)| (path, Some(function)));
    let text = fs::read_to_string(root().join(path)).map_err(|error| format!("{path}: {error}"))?;
    let Some(function) = function else {
        return Ok(text.lines().filter(|line| line.starts_with("# ")).collect::<Vec<_>>().join("\n"));
    };
    let begin = text.find(&format!("fn {function}(")).ok_or(format!("{path} has no {function}"))?;
    let is_test = text[..begin].trim_end().ends_with("#[test]");
    let body = text[begin..].split("#[test]").next().unwrap_or_default();
    let table = body.contains(" in ALL ").then(|| text.split("const ALL:").nth(1)).flatten();
    is_test.then(|| format!("{body}{}", table.unwrap_or_default())).ok_or(format!("{function} is no test"))
}

#[test]
fn every_option_has_an_effect() {
    let mut wrong = Vec::new();
    let mut shown: BTreeSet<&str> = NOTHING.iter().copied().collect();
    for (test, options) in TESTS {
        let said = said(test).unwrap_or_else(|problem| {
            wrong.push(problem);
            String::new()
        });
        wrong.extend(
            options.iter().filter(|option| !names(&said, option)).map(|option| format!("{test} is not about {option}")),
        );
        shown.extend(options.iter());
    }
    let is_tmuxs = |row: &&OptionDef| !row.hook && !row.rove && !row.since_main;
    let all: BTreeSet<&str> = OPTIONS.iter().filter(is_tmuxs).map(|row| row.name).collect();
    wrong.extend(all.difference(&shown).map(|option| format!("no test shows what {option} does")));
    wrong.extend(shown.difference(&all).map(|option| format!("{option} is no option of tmux")));
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
