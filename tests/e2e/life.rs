//! Sessions, windows and panes made, listed, changed and ended by calls.

use crate::harness::{Home, Lines, feeder, process, wait_for};

fn home_with(session: &str) -> Home {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", session, "-x", "80", "-y", "24"]);
    home
}

#[test]
fn a_session_is_made_listed_and_ended() {
    let home = home_with("one");
    assert_eq!(home.ok(&["has-session", "-t", "one"]), "");
    assert_eq!(home.ok(&["list-sessions", "-F", "#{session_id} #{session_name} #{session_windows}"]), "$0 one 1");
    assert_eq!(home.ok(&["list-windows", "-F", "#{window_index} #{window_width}x#{window_height}"]), "0 80x24");
    assert!(home.ok(&["list-sessions"]).starts_with("one: 1 windows (created "));
    let shell = home.pane_pid("one");
    assert!(process::alive(shell));
    home.ok(&["kill-session", "-t", "one"]);
    home.wait_empty();
    assert!(!process::alive(shell));
}

#[test]
fn a_server_ends_with_its_last_session_and_with_kill_server() {
    let home = home_with("one");
    let server = home.server();
    home.ok(&["send-keys", "-t", "one", "exit", "Enter"]);
    wait_for("the server's end", || !process::alive(server));
    home.wait_empty();
    home.ok(&["new-session", "-d"]);
    home.ok(&["new-session", "-d"]);
    assert_eq!(home.ok(&["list-sessions", "-F", "#{session_name}"]), "0\n1");
    home.ok(&["kill-server"]);
    home.wait_empty();
}

#[test]
fn windows_are_made_named_moved_and_ended() {
    let home = home_with("w");
    home.ok(&["rename-window", "-t", "w:0", "first"]);
    assert_eq!(
        home.ok(&["new-window", "-t", "w", "-n", "second", "-P", "-F", "#{window_id} #{window_index}", "cat"]),
        "@1 1"
    );
    home.ok(&["new-window", "-d", "-t", "w:7", "-n", "seventh", "cat"]);
    let list = ["list-windows", "-t", "w", "-F", "#{window_index} #{window_name} #{window_active}"];
    assert_eq!(home.ok(&list), "0 first 0\n1 second 1\n7 seventh 0");
    home.ok(&["previous-window", "-t", "w"]);
    home.ok(&["last-window", "-t", "w"]);
    assert_eq!(home.format("w", "#{window_name}"), "second");
    home.ok(&["swap-window", "-d", "-s", "w:0", "-t", "w:7"]);
    home.ok(&["move-window", "-s", "w:1", "-t", "w:3"]);
    assert_eq!(home.ok(&list), "0 seventh 0\n3 second 1\n7 first 0");
    home.ok(&["kill-window", "-t", "w:3"]);
    assert_eq!(home.ok(&["list-windows", "-t", "w", "-F", "#{window_name}"]), "seventh\nfirst");
}

#[test]
fn panes_are_split_selected_swapped_zoomed_and_ended() {
    let home = home_with("p");
    assert_eq!(home.ok(&["split-window", "-h", "-t", "p", "-P", "-F", "#{pane_id}", "cat"]), "%1");
    assert_eq!(home.ok(&["split-window", "-v", "-l", "5", "-t", "p", "-P", "-F", "#{pane_id}", "cat"]), "%2");
    let list = [
        "list-panes",
        "-t",
        "p",
        "-F",
        "#{pane_id} #{pane_left},#{pane_top} #{pane_width}x#{pane_height} #{pane_active}",
    ];
    assert_eq!(home.ok(&list), "%0 0,0 40x24 0\n%1 41,0 39x18 0\n%2 41,19 39x5 1");
    assert_eq!(
        home.format("p", "#{window_layout}"),
        "78ba,80x24,0,0{40x24,0,0,0,39x24,41,0[39x18,41,0,1,39x5,41,19,2]}"
    );
    home.ok(&["select-pane", "-t", "p", "-L"]);
    assert_eq!(home.format("p", "#{pane_id}"), "%0");
    home.ok(&["resize-pane", "-t", "p", "-R", "4"]);
    assert_eq!(home.format("p", "#{pane_width}"), "44");
    home.ok(&["resize-pane", "-t", "p", "-Z"]);
    assert_eq!(home.format("p", "#{pane_width}x#{pane_height} #{window_zoomed_flag}"), "80x24 1");
    home.ok(&["resize-pane", "-t", "p", "-Z"]);
    home.ok(&["swap-pane", "-s", "%0", "-t", "%2"]);
    assert_eq!(home.ok(&["list-panes", "-t", "p", "-F", "#{pane_id}"]), "%2\n%1\n%0");
    home.ok(&["kill-pane", "-t", "%1"]);
    assert_eq!(home.ok(&["list-panes", "-t", "p", "-F", "#{pane_id}"]), "%2\n%0");
    home.ok(&["select-layout", "-t", "p", "even-vertical"]);
    assert_eq!(home.ok(&["list-panes", "-t", "p", "-F", "#{pane_width}"]), "80\n80");
}

#[test]
fn a_pane_knows_its_size_its_terminal_and_where_it_is() {
    let home = home_with("s");
    home.ok(&["send-keys", "-t", "s", "stty size; tty; echo $TMUX_PANE $TERM", "Enter"]);
    home.wait_screen("s", "%0 tmux-256color");
    let screen = home.screen("s");
    assert!(screen.contains("24 80") && screen.contains(&home.format("s", "#{pane_tty}")), "{screen}");
    home.ok(&["resize-window", "-t", "s", "-x", "100", "-y", "30"]);
    home.ok(&["send-keys", "-t", "s", "stty size", "Enter"]);
    home.wait_screen("s", "30 100");
    let socket = home.tmux_socket().display().to_string();
    home.ok(&["send-keys", "-t", "s", "clear; echo $TMUX", "Enter"]);
    home.wait_screen("s", &format!("{socket},{},0", home.server()));
}

#[test]
fn a_directory_and_variables_reach_the_new_pane() {
    let home = home_with("d");
    let directory = home.path("user").display().to_string();
    home.ok(&["new-window", "-t", "d", "-c", &directory, "-e", "WORD=walrus", "echo $PWD $WORD; exec cat"]);
    home.wait_screen("d", &format!("{directory} walrus"));
    assert_eq!(home.format("d", "#{pane_current_path}"), directory);
}

#[test]
fn a_dead_pane_that_remains_tells_how_it_ended_and_runs_again() {
    let home = home_with("r");
    home.ok(&["set-option", "-t", "r", "-w", "remain-on-exit", "on"]);
    home.ok(&["respawn-pane", "-k", "-t", "r", "printf 'first\\nonce\\n'; exit 3"]);
    wait_for("the pane's end", || home.format("r", "#{pane_dead} #{pane_dead_status}") == "1 3");
    home.wait_screen("r", "once");
    assert!(home.fails(&["respawn-pane", "-t", "nobody", "cat"]).starts_with("can't find"));
    home.ok(&["respawn-pane", "-t", "r", "echo twice; exec cat"]);
    home.wait_screen("r", "twice");
    assert_eq!(home.format("r", "#{pane_dead}"), "0");
    assert_eq!(home.fails(&["respawn-pane", "-t", "r", "cat"]), "respawn pane failed: pane r:0.0 still active");
}

#[test]
fn a_program_that_stays_deaf_to_hangup_ends_with_its_pane() {
    let home = home_with("k");
    home.ok(&["new-window", "-t", "k", "trap '' HUP TERM INT; echo deaf; while :; do sleep 1; done"]);
    home.wait_screen("k", "deaf");
    home.ok(&["kill-server"]);
    wait_for("the server's end", || home.run(&["has-session"]).code == 1);
}

#[test]
fn history_is_captured_plain_joined_and_with_colours() {
    let home = home_with("h");
    home.ok(&["respawn-pane", "-k", "-t", "h", r"seq 1 50; printf '\033[1;31mred\033[0m %0100d\n' 7; exec cat"]);
    home.wait_screen("h", "red");
    let history = home.history("h");
    let numbers: Vec<_> = history.lines().take(50).map(str::to_owned).collect();
    assert_eq!(numbers, (1..=50).map(|number| number.to_string()).collect::<Vec<_>>());
    assert!(history.contains(&format!("red {:0100}", 7)), "the wrapped line is one: {history}");
    assert!(home.ok(&["capture-pane", "-p", "-e", "-t", "h"]).contains("\u{1b}[1m\u{1b}[31mred\u{1b}[0m"));
    home.ok(&["clear-history", "-t", "h"]);
    assert_eq!(home.format("h", "#{history_size}"), "0");
}

#[test]
fn a_stream_is_remembered_whole() {
    let home = Home::tmux();
    let stop = home.path("work/stop");
    let start =
        ["start-server", ";", "set-option", "-g", "history-limit", "200000", ";", "new-session", "-d", "-s", "main"];
    home.ok(&[&start[..], &["-x", "40", "-y", "10", &feeder(&stop)]].concat());
    wait_for("two thousand rows", || home.format("main", "#{history_size}").parse().is_ok_and(|rows: u32| rows > 2000));
    std::fs::write(&stop, "").unwrap();
    home.wait_screen("main", " printed");
    assert!(Lines::read(&home.history("main")).last >= 1000);
}

#[test]
fn one_process_of_a_server_is_called_tmux() {
    let home = home_with("a");
    let named = || {
        let names = home.processes().into_iter().filter_map(|pid| Some((pid, process::argv(pid).first()?.clone())));
        names.filter(|(_, name)| name.starts_with("tmux") || name.contains(": ")).collect::<Vec<_>>()
    };
    let both = [(home.server(), "tmux: server".to_owned()), (home.host_of("a"), "rove: host".to_owned())];
    let mut found = named();
    found.sort_by_key(|(_, name)| name.starts_with("rove"));
    assert_eq!(found, both);
    assert!(process::argv(home.host_of("a"))[1..].iter().all(String::is_empty));
}

#[test]
fn a_killed_server_leaves_its_monitors_hooks_and_marks_to_the_next() {
    let home = home_with("a");
    home.ok(&["set-hook", "-g", "after-rename-window", "set-option -g @renamed yes"]);
    home.ok(&["rename-window", "-t", "a", "x"]);
    home.ok(&["set-hook", "-g", "-B", "@seen::#{@value}", "set-option -gF @log '#{hook_last}>#{hook_value}'"]);
    home.ok(&["respawn-pane", "-k", "-t", "a", r"printf '\033]133;A\007\033]133;C\007\033]133;D;7\007'; exec cat"]);
    wait_for("the shell's marks", || home.format("a", "#{pane_command_status}") == "7");
    let marks = home.format("a", "#{pane_last_prompt_time} #{pane_command_start_time}");
    let log = || home.ok(&["show-options", "-gqv", "@log"]);
    let mut value = 0;
    wait_for("a first look and another", || {
        value += 1;
        home.ok(&["set-option", "-g", "@value", &value.to_string()]);
        !log().is_empty()
    });
    home.ok(&["set-option", "-g", "@value", "one"]);
    wait_for("the last look", || log().ends_with(">one"));
    process::signal(home.server(), process::Signal::KILL);
    let count = ["show-hooks", "-g", "-F", "#{hook_fire_count}", "after-rename-window"];
    wait_for("the next server", || home.run(&count).stdout.trim_end() == "1");
    assert_eq!(home.format("a", "#{pane_command_status}"), "7");
    assert_eq!(home.format("a", "#{pane_last_prompt_time} #{pane_command_start_time}"), marks);
    home.ok(&["set-option", "-g", "@value", "two"]);
    wait_for("the next look", || log() == "one>two");
}
