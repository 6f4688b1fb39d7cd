//! What scripts, configurations and plugins lean on.

use std::fs;
use std::time::Duration;

use crate::harness::{Home, observe_for, wait_for};

fn home_with(session: &str) -> Home {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", session, "-x", "80", "-y", "24"]);
    home
}

#[test]
fn a_configuration_with_a_bad_line_does_the_rest() {
    let home = Home::tmux();
    home.write_conf(
        "set -g status-left '[walrus] '\nset -g no-such-option on\nbind-key -T prefix z display-message zed\n",
    );
    home.ok(&["new-session", "-d", "-s", "main", "-x", "80", "-y", "24"]);
    assert_eq!(home.ok(&["show-options", "-gv", "status-left"]), "[walrus] ");
    let keys = home.ok(&["list-keys", "-T", "prefix"]);
    assert!(keys.lines().any(|line| line.contains(" z ") && line.ends_with("display-message zed")), "{keys}");
    let file = home.path("tmux.conf").display().to_string();
    let mut tty = crate::harness::Tty::open(&home, &["attach"], 80, 24);
    tty.wait_text(&format!("{file}:2: invalid option: no-such-option"));
}

#[test]
fn a_file_is_sourced_and_its_errors_have_their_line() {
    let home = home_with("main");
    let file = home.path("work/more.conf").display().to_string();
    fs::write(
        &file,
        "%if 1\nset -g @word marmot\n%else\nset -g @word tapir\n%endif\nWALRUS=ibis\nset -g @other \"$WALRUS\"\n",
    )
    .unwrap();
    home.ok(&["source-file", &file]);
    assert_eq!(home.ok(&["show-options", "-gv", "@word"]), "marmot");
    assert_eq!(home.ok(&["show-options", "-gv", "@other"]), "ibis");
    fs::write(&file, "set -g @word 1\nnonsense\n").unwrap();
    let call = home.run(&["source-file", &file]);
    let said = call.stdout + &call.stderr;
    assert_eq!((call.code, said.trim_end()), (1, format!("{file}:2: unknown command: nonsense").as_str()));
    home.ok(&["source-file", "-q", "/nonexistent"]);
}

#[test]
fn options_have_scopes_and_defaults() {
    let home = home_with("main");
    home.ok(&["set-option", "-g", "@user", "value with spaces"]);
    assert_eq!(home.ok(&["show-options", "-g", "@user"]), "@user \"value with spaces\"");
    assert_eq!(home.format("main", "#{@user}"), "value with spaces");
    home.ok(&["set-option", "-w", "-t", "main", "automatic-rename", "off"]);
    assert_eq!(home.ok(&["show-options", "-w", "-t", "main", "automatic-rename"]), "automatic-rename off");
    assert_eq!(home.ok(&["show-options", "-gwv", "automatic-rename"]), "on");
    home.ok(&["set-option", "-t", "main", "history-limit", "50"]);
    assert_eq!(home.ok(&["show-options", "-gv", "history-limit"]), "2000");
    home.ok(&["set-option", "-u", "-t", "main", "history-limit"]);
    assert_eq!(home.ok(&["show-options", "-t", "main", "history-limit"]), "");
    assert_eq!(home.ok(&["show-options", "-sv", "escape-time"]), "10");
}

#[test]
fn hooks_run() {
    let home = home_with("main");
    home.ok(&["set-hook", "-g", "after-new-window", "set-option -g @made '#{window_name}'"]);
    home.ok(&["set-hook", "-g", "session-created", "set-option -gF @session '#{hook_session_name}'"]);
    home.ok(&["new-window", "-n", "walrus", "cat"]);
    wait_for("the first hook", || !home.ok(&["show-options", "-gqv", "@made"]).is_empty());
    home.ok(&["new-session", "-d", "-s", "second"]);
    wait_for("the second hook", || home.ok(&["show-options", "-gqv", "@session"]) == "second");
}

#[test]
fn wait_for_joins_two_clients() {
    let home = home_with("main");
    let waiting = std::thread::scope(|scope| {
        let waiting = scope.spawn(|| home.run(&["wait-for", "signal"]));
        observe_for(Duration::from_millis(200), "it waits", || !waiting.is_finished());
        home.ok(&["wait-for", "-S", "signal"]);
        waiting.join().unwrap()
    });
    assert_eq!(waiting.code, 0);
    home.ok(&["wait-for", "-L", "lock"]);
    std::thread::scope(|scope| {
        let second = scope.spawn(|| home.run(&["wait-for", "-L", "lock"]));
        observe_for(Duration::from_millis(200), "it waits", || !second.is_finished());
        home.ok(&["wait-for", "-U", "lock"]);
        assert_eq!(second.join().unwrap().code, 0);
    });
}

/// Keys sent at once after a split were lost or mixed in several multiplexers (T7).
#[test]
fn t7_keys_sent_right_after_a_split_arrive_whole() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "main", "-x", "200", "-y", "50"]);
    (1..8).for_each(|_| drop(home.ok(&["new-window", "-t", "main"])));
    let rounds = if crate::harness::long() { 100 } else { 2 };
    for round in 0..rounds {
        let panes: Vec<(String, String)> = std::thread::scope(|scope| {
            let calls: Vec<_> = (0..8)
                .map(|number| {
                    let home = &home;
                    scope.spawn(move || {
                        let word = format!("word-{round}-{number}-{}", "x".repeat(40));
                        let target = format!("main:{number}");
                        let pane = home.ok(&["split-window", "-d", "-t", &target, "-P", "-F", "#{pane_id}", "cat"]);
                        home.ok(&["send-keys", "-t", &pane, &word, "Enter"]);
                        (pane, word)
                    })
                })
                .collect();
            calls.into_iter().map(|call| call.join().unwrap()).collect()
        });
        for (pane, word) in panes {
            wait_for("the line, typed and printed", || {
                home.screen(&pane).lines().filter(|line| *line == word).count() == 2
            });
            home.ok(&["kill-pane", "-t", &pane]);
        }
    }
}

#[test]
fn keys_are_sent_by_name_and_literally() {
    let home = home_with("main");
    home.ok(&["respawn-pane", "-k", "-t", "main", "stty raw -echo; echo ready; exec cat -v"]);
    home.wait_screen("main", "ready");
    home.ok(&["send-keys", "-t", "main", "C-c", "Up", "M-x", "F5", "Escape", "Space", "Enter"]);
    home.ok(&["send-keys", "-t", "main", "-l", "Enter,"]);
    home.ok(&["send-keys", "-t", "main", "-H", "41", "7a"]);
    home.wait_screen("main", "^C^[[A^[x^[[15~^[ ^MEnter,Az");
}

#[test]
fn shells_are_run_and_asked() {
    let home = home_with("main");
    assert_eq!(home.ok(&["run-shell", "echo walrus; echo marmot"]), "walrus\nmarmot");
    home.ok(&["if-shell", "true", "set -g @if yes", "set -g @if no"]);
    home.ok(&["if-shell", "-F", "#{==:a,b}", "set -g @format yes", "set -g @format no"]);
    assert_eq!(home.ok(&["show-options", "-gv", "@if"]), "yes");
    assert_eq!(home.ok(&["show-options", "-gv", "@format"]), "no");
    assert_eq!(home.run(&["run-shell", "exit 3"]).code, 3);
    let marker = home.path("work/marker");
    home.ok(&["run-shell", "-b", &format!("touch {}", marker.display())]);
    wait_for("the marker", || marker.exists());
    assert_eq!(home.ok(&["display-message", "-p", "#(echo fresh)"]), "");
}

#[test]
fn buffers_are_set_listed_pasted_and_saved() {
    let home = home_with("main");
    home.ok(&["set-buffer", "-b", "one", "first"]);
    assert_eq!(home.run_with(&["load-buffer", "-b", "two", "-"], b"from stdin\n").code, 0);
    assert_eq!(home.ok(&["show-buffer", "-b", "two"]), "from stdin");
    assert_eq!(home.ok(&["list-buffers", "-F", "#{buffer_name} #{buffer_size}"]), "two 11\none 5");
    let file = home.path("work/saved").display().to_string();
    home.ok(&["save-buffer", "-b", "one", &file]);
    assert_eq!(fs::read_to_string(file).unwrap(), "first");
    home.ok(&["respawn-pane", "-k", "-t", "main", "cat"]);
    home.ok(&["paste-buffer", "-b", "two", "-t", "main"]);
    home.wait_screen("main", "from stdin");
    // What would end the program is shown to it, not typed.
    home.ok(&["set-buffer", "-b", "three", "quit\x1c\r"]);
    home.ok(&["paste-buffer", "-b", "three", "-t", "main"]);
    home.wait_screen("main", "quit^\\\nquit^\\");
    home.ok(&["delete-buffer", "-b", "one"]);
    assert_eq!(home.fails(&["show-buffer", "-b", "one"]), "no buffer one");
}

#[test]
fn several_commands_are_one_call() {
    let home = Home::tmux();
    let line = [
        "new-session",
        "-d",
        "-s",
        "a",
        ";",
        "rename-window",
        "walrus",
        ";",
        "split-window",
        "-h",
        ";",
        "list-panes",
        "-F",
        "#{window_name} #{pane_index}",
    ];
    assert_eq!(home.ok(&line), "walrus 0\nwalrus 1");
    let call = home.run(&[
        "display-message",
        "-p",
        "one",
        ";",
        "kill-window",
        "-t",
        "a:9",
        ";",
        "display-message",
        "-p",
        "two",
    ]);
    assert_eq!((call.code, call.stdout.as_str()), (1, "one\n"), "what follows an error is not run");
}

#[test]
fn the_output_of_a_pane_is_piped() {
    let home = home_with("main");
    let file = home.path("work/piped");
    home.ok(&["pipe-pane", "-t", "main", &format!("cat > {}", file.display())]);
    home.ok(&["send-keys", "-t", "main", "echo wal''rus", "Enter"]);
    wait_for("the output in the file", || fs::read_to_string(&file).is_ok_and(|text| text.contains("walrus")));
    home.ok(&["pipe-pane", "-t", "main"]);
    wait_for("no pipe", || home.format("main", "#{pane_pipe}") == "0");
}

#[test]
fn the_environment_of_a_session_is_set_shown_and_inherited() {
    let home = home_with("main");
    home.ok(&["set-environment", "-t", "main", "WORD", "walrus"]);
    home.ok(&["set-environment", "-g", "GLOBAL", "marmot"]);
    assert_eq!(home.ok(&["show-environment", "-t", "main", "WORD"]), "WORD=walrus");
    home.ok(&["new-window", "-t", "main", "echo $WORD $GLOBAL; exec cat"]);
    home.wait_screen("main", "walrus marmot");
    home.ok(&["set-environment", "-t", "main", "-r", "GLOBAL"]);
    home.ok(&["new-window", "-t", "main", "echo $WORD-$GLOBAL-; exec cat"]);
    home.wait_screen("main", "walrus--");
}

/// Names from outside must never become lines of the control protocol or commands (F17).
#[test]
fn f17_hostile_names_stay_names() {
    let home = home_with("main");
    let (marker, file) = (home.path("work/owned"), home.path("work/bytes"));
    let touch = format!("touch {}", marker.display());
    let mut control = crate::harness::Control::open(&home, &["attach"]);
    let mut tty = crate::harness::Tty::open(&home, &["attach"], 80, 24);
    home.ok(&["set-option", "-g", "set-titles", "on"]);
    home.ok(&["set-option", "-g", "status-right", "#{pane_title} #{window_name} #{pane_path}"]);
    home.ok(&["set-option", "-wg", "allow-rename", "on"]);
    let names = [
        format!("#({touch})"),
        format!("#{{l:#({touch})}}"),
        format!("#{{E:#({touch})}}"),
        "a\n%exit\n".to_owned(),
        "\u{202e}right".to_owned(),
        "%begin 1 1 1".to_owned(),
        "'; kill-server; '".to_owned(),
        "x".repeat(60_000),
    ];
    for (number, name) in names.iter().enumerate() {
        let mut bytes = Vec::new();
        for (start, end) in [("\x1b]2;", "\x07"), ("\x1bk", "\x1b\\"), ("\x1b]7;", "\x07")] {
            bytes.extend([start.as_bytes(), name.as_bytes(), b"\xff", end.as_bytes()].concat());
        }
        bytes.extend(format!("\r\nnumber {number}\r\n").into_bytes());
        fs::write(&file, bytes).unwrap();
        home.ok(&["respawn-pane", "-k", "-t", "main", &format!("cat {}; exec cat", file.display())]);
        tty.wait_text(&format!("number {number}"));
        assert_eq!(control.command("display-message -p alive"), ["alive"], "after {:?}", &name[..name.len().min(40)]);
        home.ok(&["list-windows", "-a", "-F", "#{window_name} #{pane_title} #{pane_path}"]);
        if !name.contains('#') {
            home.run(&["rename-window", "-t", "main", name]);
            home.run(&["rename-session", "-t", "$0", name]);
            home.run(&["rename-session", "-t", "$0", "main"]);
        }
    }
    assert_eq!(home.ok(&["list-windows", "-a", "-F", "x"]), "x");
    assert!(!marker.exists(), "a name was run as a command");
}

/// libtmux is the library of most programs that script tmux. Skipped when it isn't installed.
#[test]
fn libtmux_works() {
    let home = Home::tmux();
    if !home.shell("python3 -c 'import libtmux'").stderr.is_empty() {
        println!("skipped: there is no python3 with libtmux");
        return;
    }
    let script = home.path("work/script.py");
    fs::write(
        &script,
        r#"
import libtmux, time
from libtmux.constants import PaneDirection
server = libtmux.Server()
session = server.new_session(session_name="made", x=100, y=30)
assert server.sessions.get(session_name="made").session_id == session.session_id
window = session.active_window
pane = window.split(direction=PaneDirection.Right, shell="cat")
assert len(window.panes) == 2
pane.send_keys("walrus", enter=True)
for _ in range(500):
    if pane.capture_pane()[:2] == ["walrus", "walrus"]:
        break
    time.sleep(0.01)
else:
    raise SystemExit("not shown: %r" % pane.capture_pane())
window.rename_window("named")
assert session.windows[0].window_name == "named"
session.kill()
print("fine")
"#,
    )
    .unwrap();
    let bin = home.path("bin").display().to_string();
    assert_eq!(home.shell(&format!("PATH={bin}:$PATH python3 {}", script.display())).ok(), "fine\n");
}
