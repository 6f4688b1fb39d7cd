//! Options whose effect is outside of the model: files, jobs, the terminal itself.

use std::fs;

use crate::harness::{Home, Tty, wait_for};

fn attached(home: &Home) -> Tty {
    let mut tty = Tty::open(home, &["new-session", "-s", "main"], 80, 24);
    tty.wait_until("the prompt", |screen| screen.rows.iter().any(|row| row.starts_with('$')));
    tty
}

#[test]
fn what_was_typed_at_prompts_outlives_the_server() {
    let home = Home::tmux();
    home.write_conf(&format!("set -s history-file {}\n", home.path("typed").display()));
    let mut tty = attached(&home);
    tty.type_keys("\u{2}:");
    tty.wait_until("the prompt for a command", |screen| screen.bottom().starts_with(':'));
    tty.type_keys("set -g @walrus 1\r");
    wait_for("the command", || home.run(&["show-options", "-gv", "@walrus"]).stdout.trim() == "1");
    home.ok(&["kill-server"]);
    wait_for("the file", || {
        let text = fs::read_to_string(home.path("typed")).unwrap_or_default();
        text.lines().any(|line| line == "command:set -g @walrus 1")
    });
    wait_for("the end of the server", || !home.run(&["has-session"]).stderr.is_empty());
    home.ok(&["new-session", "-d"]);
    assert!(home.ok(&["show-prompt-history", "-T", "command"]).contains("set -g @walrus 1"));
}

#[test]
fn the_status_line_runs_its_commands_again_by_its_interval() {
    let home = Home::tmux();
    let count = home.path("count").display().to_string();
    home.write_conf(&format!(
        "set -g status-interval 1\nset -g status-right '#(echo x >> {count}; wc -l < {count})'\nset -g status-left '#(exec sleep 1000)'\nset -g status-left-length 40\n"
    ));
    let mut tty = attached(&home);
    tty.wait_until("what it says the first time", |screen| screen.bottom().ends_with('1'));
    tty.wait_until("what it says later", |screen| screen.bottom().ends_with('4'));
    tty.wait_until("what says nothing", |screen| screen.bottom().starts_with("<'exec sleep 1000' not ready>"));
    home.ok(&["set-option", "-g", "status-right", "#(printf 'one\\ntwo')"]);
    tty.wait_until("its last line", |screen| screen.bottom().ends_with("two"));
}

#[test]
fn a_border_and_a_window_name_run_commands() {
    let home = Home::tmux();
    home.write_conf(
        "set -g pane-border-status top\nset -g pane-border-format '#(echo bor''der) #{pane_index}'\nset -g automatic-rename-format '#(echo wal''rus)'\n",
    );
    let mut tty = attached(&home);
    home.ok(&["split-window", "-h"]);
    tty.wait_until("both borders", |screen| screen.has("border 0") && screen.has("border 1"));
    tty.type_keys("true\r");
    tty.wait_until("the prompt", |screen| screen.has("$ true"));
    tty.type_keys("true\r");
    wait_for("the name", || {
        home.ok(&["send-keys", "Enter"]);
        home.format("main", "#W") == "walrus"
    });
}
