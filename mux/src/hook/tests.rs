//! What hooks, monitors and waiters are told.

mod fired;

use crate::fake::{Bench, NOON};
use crate::{Face, PaneId};
use std::time::Duration;

fn bench() -> Bench {
    let mut bench = Bench::new(Face::Tmux);
    bench.line("new-session -d -s a -n zero -x 80 -y 24 cat");
    bench
}

fn option(bench: &mut Bench, name: &str) -> String {
    bench.line(&format!("show-options -gqv {name}"))
}

/// Ties a format to a hook, and gives what it saw of the commands.
fn seen(bench: &mut Bench, hook: &str, format: &str, commands: &[&str]) -> String {
    bench.line("set-option -g @seen ''");
    bench.line(&format!("set-hook -g {hook} 'set-option -gaF @seen \"{format}|\"'"));
    bench.lines(commands);
    bench.line(&format!("set-hook -gu {hook}"));
    option(bench, "@seen")
}

#[test]
fn hooks_are_told_what_was_before_and_what_is_now() {
    let mut bench = bench();
    bench.line("split-window -d cat");
    bench.line("new-window -d -n one cat");
    for (hook, format, commands, told) in [
        ("session-renamed", "#{hook_old_name}>#{hook_new_name}", &["rename-session b"][..], "a>b|"),
        ("window-renamed", "#{hook_old_name}>#{hook_new_name}", &["rename-window -t b:0 first"][..], "zero>first|"),
        ("window-pane-changed", "#{hook_old_pane}>#{hook_new_pane}", &["select-pane -t b:0.1"][..], "%0>%1|"),
        (
            "session-window-changed",
            "#{hook_old_window}:#{hook_old_window_index}>#{hook_new_window}:#{hook_new_window_index}",
            &["select-window -t b:1"][..],
            "@0:0>@1:1|",
        ),
        (
            "window-resized",
            "#{hook_old_width},#{hook_old_height}>#{hook_width},#{hook_height}",
            &["resize-window -t b:1 -x 70 -y 20"][..],
            "80,24>70,20|",
        ),
        (
            "pane-resized",
            "#{hook_pane}:#{hook_old_height}>#{hook_height}",
            &["resize-pane -t b:0.1 -y 5"][..],
            "%0:12>18|%1:11>5|",
        ),
        (
            "marked-pane-changed",
            "#{hook_marked}:#{hook_new_pane}:#{hook_old_pane}",
            &["select-pane -m -t %1", "select-pane -M"][..],
            "1:%1:|0::%1|",
        ),
        (
            "pane-mode-entered",
            "#{hook_pane}:#{hook_current_mode}:#{hook_previous_mode}",
            &["copy-mode -t %1"][..],
            "%1:copy-mode:|",
        ),
        (
            "pane-mode-exited",
            "#{hook_current_mode}:#{hook_previous_mode}",
            &["send-keys -t %1 -X cancel"][..],
            ":copy-mode|",
        ),
        ("window-zoomed", "#{hook_window}", &["resize-pane -Z -t %1"][..], "@0|"),
        ("window-unzoomed", "#{hook_window}", &["resize-pane -Z -t %1"][..], "@0|"),
        ("window-created", "#{hook_window}:#{hook_window_name}", &["new-window -d -n two cat"][..], "@2:two|"),
        ("window-closed", "#{hook_window}:#{hook_window_name}", &["kill-window -t two"][..], "@2:two|"),
        (
            "pane-created",
            "#{hook_pane_command}:#{hook_created_empty}:#{hook_created_respawn}",
            &["respawn-pane -k -t %1 'cat -n'"][..],
            "\"cat -n\":0:1|",
        ),
        (
            "pane-moved",
            "#{hook_pane}:#{hook_old_window}>#{hook_new_window}:#{hook_new_window_index}",
            &["join-pane -d -s %1 -t b:1"][..],
            "%1:@0>@1:1|",
        ),
        ("after-swap-window", "#{hook_arguments}", &["swap-window -s b:0 -t b:1"][..], "-s b:0 -t b:1|"),
    ] {
        assert_eq!(seen(&mut bench, hook, format, commands), told, "{hook}");
    }
}

#[test]
fn the_end_of_a_session_tells_of_its_windows_too() {
    let mut bench = bench();
    bench.line("new-session -d -s other -n there cat");
    bench.line("set-option -g @log ''");
    bench.line("set-hook -g session-closed 'set-option -gaF @log \"closed:#{hook_session_name}|\"'");
    bench.line(
        "set-hook -g window-unlinked 'set-option -gaF @log \"unlinked:#{hook_session_name}:#{hook_window_name}|\"'",
    );
    bench.line("kill-session -t other");
    assert_eq!(option(&mut bench, "@log"), "closed:other|unlinked:other:there|");
}

#[test]
fn groups_tell_who_comes_and_goes() {
    let mut bench = bench();
    let format = "#{hook_session_name}:#{hook_group}:#{hook_group_size}";
    assert_eq!(seen(&mut bench, "session-added-to-group", format, &["new-session -d -s b -t a"]), "a:a:1|b:a:2|");
    assert_eq!(seen(&mut bench, "session-removed-from-group", format, &["kill-session -t b"]), "b:a:2|");
}

#[test]
fn commands_of_a_hook_run_no_hooks() {
    let mut bench = bench();
    bench.line("set-option -g @runs ''");
    bench.line("set-hook -g window-renamed 'set-option -ga @runs x ; rename-window inner'");
    bench.line("rename-window outer");
    assert_eq!(option(&mut bench, "@runs"), "x");
}

#[test]
fn hooks_of_tmux_after_3_7_are_in_no_list() {
    let mut bench = bench();
    assert!(!bench.line("show-hooks -gw").contains("window-zoomed"));
    bench.line("set-hook -g window-zoomed 'display-message x'");
    assert_eq!(bench.line("show-hooks -g window-zoomed"), "window-zoomed[0] display-message x");
    assert!(!bench.run(&["set-hook", "-g", "no-such-hook", "x"]).stderr.is_empty());
}

#[test]
fn the_users_own_hooks_are_listed_and_counted() {
    let mut bench = bench();
    bench.line("set-option -g @plain value");
    bench.line("set-hook -g @mine 'set-option -gF @seen \"#{hook}:#{session_name}:#{pane_id}\"'");
    let listed = bench.line("show-hooks -g");
    assert!(listed.starts_with("@mine "), "{listed}");
    assert!(!listed.contains("@plain"));
    bench.line("set-hook -R -t a:0.0 @mine");
    assert_eq!(option(&mut bench, "@seen"), "@mine:a:%0");
    bench.line("set-option -g @seen ''");
    bench.line("set-hook -E -t a:0.0 @mine");
    assert_eq!(option(&mut bench, "@seen"), "@mine:a:%0");
    let told = bench.line("show-hooks -g -F '#{option_name} #{hook_fire_count} #{hook_fire_time}' @mine");
    assert_eq!(told, format!("@mine 2 {NOON}"));
    for wrong in
        [&["set-hook", "-E", "window-renamed"][..], &["set-hook", "-E"], &["set-hook"], &["set-hook", "-B", "x::y"]]
    {
        assert!(!bench.run(wrong).stderr.is_empty(), "{wrong:?}");
    }
}

#[test]
fn a_monitor_runs_its_hook_when_the_value_is_another() {
    let mut bench = bench();
    let second = Duration::from_millis(1100);
    bench.line("set-option -g @seen none");
    bench.line("set-hook -g -B '@name::#{session_name}' 'set-option -g @seen \"#{hook_last}->#{hook_value}\"'");
    assert_eq!(bench.line("show-hooks -g -B"), "@name::#{session_name}");
    bench.advance(second);
    assert_eq!(option(&mut bench, "@seen"), "none");
    bench.line("rename-session b");
    bench.advance(second);
    assert_eq!(option(&mut bench, "@seen"), "a->b");
    assert_eq!(bench.line("show-hooks -g -BF '#{hook_fire_count}' @name"), "1");
    bench.line("set-hook -gu -B @name");
    bench.line("rename-session c");
    bench.advance(second);
    assert_eq!(option(&mut bench, "@seen"), "a->b");
    bench.line("split-window -d cat");
    bench.line("set-hook -g -B '@width:%*:#{pane_height}' 'set-option -ga @seen \" #{pane_id}:#{hook_value}\"'");
    bench.advance(second);
    bench.line("resize-pane -t %1 -y 5");
    bench.advance(second);
    assert_eq!(option(&mut bench, "@seen"), "a->b %0:18 %1:5");
}

#[test]
fn a_client_waits_for_what_happens() {
    let mut bench = bench();
    let waiter = bench.start(&["wait-for", "-E", "-v", "-F", "#{==:#{new_name},right}", "window-renamed"]);
    let name = bench.line("wait-for -E -l window-renamed");
    assert!(!name.is_empty());
    bench.line("rename-window wrong");
    assert_eq!(bench.ran(waiter).status, None);
    bench.line("rename-window right");
    let ran = bench.ran(waiter);
    assert_eq!(ran.status, Some(0));
    assert!(ran.stdout.contains("event=window-renamed\nnew_name=right\nold_name=wrong\n"), "{}", ran.stdout);
    assert_eq!(bench.line("wait-for -E -l window-renamed"), "");

    let waiter = bench.start(&["wait-for", "-E", "@never"]);
    let name = bench.line("wait-for -E -l @never");
    assert!(!bench.run(&["wait-for", "-E", "-w", "nobody", "@never"]).stderr.is_empty());
    bench.line(&format!("wait-for -E -w {name} @never"));
    assert_eq!(bench.ran(waiter).status, Some(0));

    let waiter = bench.start(&["wait-for", "channel"]);
    let name = bench.line("wait-for -l channel");
    bench.line(&format!("wait-for -w {name} channel"));
    assert_eq!(bench.ran(waiter).status, Some(0));
    assert!(bench.run(&["wait-for", "-E", "nothing"]).stderr.contains("invalid event: nothing"));
}

#[test]
fn alerts_tell_their_hooks_once_for_each_place() {
    let mut bench = bench();
    bench.line("new-window -d -n back cat");
    bench.line("new-session -d -s b cat");
    bench.line("link-window -d -s a:back -t b:5");
    bench.line("set-option -g @log ''");
    for hook in ["alert-bell", "alert-activity", "alert-silence"] {
        bench.line(&format!("set-hook -g {hook} 'set-option -gaF @log \"#{{hook}}:#{{hook_session_name}}|\"'"));
    }
    bench.output(PaneId(1), b"\x07");
    assert_eq!(option(&mut bench, "@log"), "alert-bell:a|alert-bell:b|");
    assert_eq!(bench.format("a:back", "#{window_bell_flag}#{window_flags}"), "1!");
    bench.line("select-window -t b:5");
    assert_eq!(bench.format("a:back", "#{window_bell_flag}"), "0");
    bench.line("select-window -t b:0");
    bench.line("set-option -g @log ''");
    bench.line("set-option -w -t a:back monitor-activity on");
    bench.output(PaneId(1), b"x");
    bench.output(PaneId(1), b"y");
    assert_eq!(option(&mut bench, "@log"), "alert-activity:a|alert-activity:b|");
    bench.line("set-option -w -t a:back monitor-activity off");
    bench.line("set-option -g @log ''");
    bench.line("set-option -w -t a:back monitor-silence 2");
    bench.advance(Duration::from_secs(5));
    assert_eq!(option(&mut bench, "@log"), "alert-silence:a|alert-silence:b|");
}

#[test]
fn shells_tell_of_their_commands() {
    let mut bench = bench();
    let format = "#{pane_command_running}:#{pane_command_status}:#{pane_command_duration}";
    assert_eq!(bench.format("a:", format), "0::");
    bench.line(
        "set-hook -g pane-command-finished 'set-option -gF @seen \"#{hook_command_status}:#{hook_command_duration}\"'",
    );
    bench.output(PaneId(0), b"\x1b]133;A\x07\x1b]133;C\x07");
    bench.advance(Duration::from_secs(3));
    assert_eq!(bench.format("a:", format), "1::3");
    bench.output(PaneId(0), b"\x1b]133;D;7\x07");
    assert_eq!(bench.format("a:", format), "0:7:3");
    assert_eq!(option(&mut bench, "@seen"), "7:3");
    assert_eq!(bench.format("a:", "#{pane_last_prompt_time}"), NOON.to_string());
}
