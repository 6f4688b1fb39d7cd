//! Control mode, as programs use it.

use crate::harness::{Control, Home, wait_for};

#[test]
fn a_command_is_answered_in_a_block_and_its_effect_notified() {
    let home = Home::tmux();
    let mut control = Control::open(&home, &["new-session", "-s", "main", "-x", "80", "-y", "24", "cat"]);
    assert_eq!(control.notification("%session-changed"), "%session-changed $0 main");
    assert_eq!(control.command("display-message -p '#{session_name} #{client_control_mode}'"), ["main 1"]);
    control.command("new-window -n second cat");
    assert_eq!(control.notification("%window-add"), "%window-add @1");
    control.command("rename-session other");
    assert_eq!(control.notification("%session-renamed"), "%session-renamed $0 other");
    control.command("split-window -h cat");
    assert!(control.notification("%layout-change @1").contains("80x24"));
    assert_eq!(control.refused("no-such-command"), "parse error: unknown command: no-such-command");
    assert_eq!(control.refused("kill-window -t :9"), "can't find window: 9");
    control.send("detach-client");
    let (code, last) = control.wait_end();
    assert_eq!((code, last.last().map(String::as_str)), (0, Some("%exit")));
    home.ok(&["has-session", "-t", "other"]);
}

#[test]
fn output_is_complete_and_escaped() {
    let home = Home::tmux();
    let mut control = Control::open(
        &home,
        &["new-session", "-s", "main", "-x", "80", "-y", "24", "stty raw -echo; echo ready; exec cat"],
    );
    control.wait_output("%0", "ready");
    control.command(r"send-keys -t %0 -l 'back\slash é 你'");
    let bytes = control.wait_output("%0", "你");
    assert!(String::from_utf8_lossy(&bytes).ends_with(r"back\slash é 你"), "{:?}", String::from_utf8_lossy(&bytes));
}

#[test]
fn many_commands_at_once_are_answered_each_once_and_in_order() {
    let home = Home::tmux();
    let mut control = Control::open(&home, &["new-session", "-s", "main", "cat"]);
    let lines: String = (0..1000).map(|number| format!("display-message -p {number}\n")).collect();
    control.send_bytes(lines.as_bytes());
    for number in 0..1000 {
        let block = control.block();
        assert!(block.ok && block.lines == [number.to_string()], "{number}: {block:?}");
    }
}

#[test]
fn the_end_of_the_input_is_a_detach() {
    let home = Home::tmux();
    let mut control = Control::open(&home, &["new-session", "-s", "main", "cat"]);
    control.close();
    assert_eq!(control.wait_end().0, 0);
    wait_for("no client", || home.ok(&["list-clients"]).is_empty());
    home.ok(&["has-session", "-t", "main"]);
}

#[test]
fn the_size_of_a_control_client_is_what_it_says() {
    let home = Home::tmux();
    let mut control = Control::open(&home, &["new-session", "-s", "main", "cat"]);
    control.command("refresh-client -C 132x43");
    wait_for("the size", || home.format("main", "#{window_width}x#{window_height}") == "132x43");
    assert!(control.notification("%layout-change").contains("132x43"));
}

#[test]
fn a_killed_session_ends_its_control_client() {
    let home = Home::tmux();
    let mut control = Control::open(&home, &["new-session", "-s", "main", "cat"]);
    home.ok(&["kill-session", "-t", "main"]);
    let (code, last) = control.wait_end();
    assert_eq!((code, last.last().map(String::as_str)), (0, Some("%exit")));
}

/// Clients such as libtmux and tmuxp call `tmux -C` or plain `tmux` once for each command.
#[test]
fn one_shot_calls_answer_and_end() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "main", "cat"]);
    let call = home.run(&["-C", "list-sessions", "-F", "#{session_name}"]);
    assert_eq!(call.code, 0);
    let lines: Vec<_> = call.stdout.lines().collect();
    assert!(lines[0].starts_with("%begin ") && lines[2].starts_with("%end "), "{lines:?}");
    assert_eq!((lines[1], lines[3]), ("main", "%exit"));
}

#[test]
fn a_paused_pane_says_so_and_goes_on_when_asked() {
    let home = Home::tmux();
    let mut control = Control::open(&home, &["new-session", "-s", "main", "-x", "80", "-y", "24", "cat"]);
    control.command("refresh-client -f pause-after=5");
    // tmux 3.7 tells it inside the block, later ones after it.
    let told = |control: &mut Control, command: &str, line: &str| {
        let lines = control.command(command);
        assert!(lines == [line] || lines.is_empty() && control.notification(line) == line, "{command}: {lines:?}");
    };
    told(&mut control, "refresh-client -A '%0:pause'", "%pause %0");
    control.command("send-keys -t %0 -l unseen");
    told(&mut control, "refresh-client -A '%0:continue'", "%continue %0");
    control.command("refresh-client -f '!pause-after'");
    control.command("send-keys -t %0 -l seen");
    control.wait_output("%0", "seen");
}

#[test]
fn a_subscription_tells_of_changes() {
    let home = Home::tmux();
    let mut control = Control::open(&home, &["new-session", "-s", "main", "cat"]);
    control.command("refresh-client -B 'name:%0:#{window_name}'");
    control.notification("%subscription-changed name $0 @0 0 %0 :");
    control.command("rename-window walrus");
    assert_eq!(control.notification("%subscription-changed name"), "%subscription-changed name $0 @0 0 %0 : walrus");
}
