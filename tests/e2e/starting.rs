//! Configurations, the server's start, and what is passed through as it is.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

use crate::harness::Control;
use crate::harness::{Home, observe_for, wait_for};

#[test]
fn the_configuration_is_read_where_the_server_was_started() {
    let home = Home::tmux();
    let said = home.path("work/said");
    let line = format!("new-session -d -s conf -- sh -c 'echo \"$TERM $(pwd)\" > {}; exec cat'", said.display());
    home.write_conf(&format!(
        "{line}\nif-shell '[ \"$TERM\" = vt220 ]' 'set -g @term outer' 'set -g @term \"\"'\n\
         if-shell 'cd /; {} list-sessions' 'set -g @inside yes' 'set -g @inside no'\n",
        home.call()
    ));
    let call = home.shell(&format!("cd {}; TERM=vt220 {} start-server", home.path("work").display(), home.call()));
    assert_eq!(call.code, 0, "{}", call.stderr);
    wait_for("the configuration", || !home.run(&["show-options", "-gqv", "@inside"]).stdout.trim().is_empty());
    assert_eq!(home.ok(&["show-options", "-gv", "@term"]), "outer");
    assert_eq!(
        home.ok(&["show-options", "-gv", "@inside"]),
        "yes",
        "a program of the configuration may ask the server"
    );
    wait_for("the session's program", || said.exists() && !fs::read_to_string(&said).unwrap().is_empty());
    let work = fs::canonicalize(home.path("work")).unwrap();
    let terminal = home.ok(&["show-options", "-gv", "default-terminal"]);
    assert_eq!(fs::read_to_string(&said).unwrap(), format!("{terminal} {}\n", work.display()));
}

#[test]
fn what_is_wrong_in_the_configuration_is_told_to_who_sources_a_file_next() {
    let home = Home::tmux();
    let said = home.path("work/said");
    let environment = "env | sed -n 's/^TERM=//p; s/^TERM_PROGRAM=/in /p; s/^COLORTERM=/with /p'";
    home.write_conf(&format!(
        "set -g no-such-option x\nrun-shell 'exit 3'\nlist-commands\nrun-shell \"{environment} > {}\"\n",
        said.display()
    ));
    let call = home.shell(&format!("unset COLORTERM TERM_PROGRAM; TERM=vt220 {} new-session -d -s a cat", home.call()));
    assert_eq!(call.code, 0, "{}", call.stderr);
    assert_eq!(fs::read_to_string(&said).unwrap(), "vt220\n", "its jobs have the terminal it was started in");
    let empty = home.path("work/empty");
    fs::write(&empty, "run-shell 'exit 0'\n").unwrap();
    let empty = empty.display().to_string();
    let told = home.run(&["source-file", &empty]);
    assert!(
        told.stdout.ends_with(":1: invalid option: no-such-option\n") && told.stdout.lines().count() == 1,
        "{told:?}"
    );
    assert_eq!(home.ok(&["source-file", &empty]), "", "once");
    // The last job's status is the client's, whatever failed before.
    fs::write(home.path("work/empty"), "set -g no-such-option x\nrun-shell 'exit 0'\n").unwrap();
    assert_eq!(home.run(&["source-file", &empty]).code, 0);
    fs::write(home.path("work/empty"), "run-shell 'exit 4'\n").unwrap();
    assert_eq!(home.run(&["source-file", &empty]).code, 4);
}

#[test]
fn the_users_editor_chooses_the_keys() {
    let shown = |visual: Option<&str>, editor: &str| {
        let mut home = Home::tmux();
        visual.iter().for_each(|visual| home.set("VISUAL", visual));
        home.set("EDITOR", editor);
        home.ok(&["new-session", "-d", "-s", "a", "cat"]);
        let value = |flags: &str, name: &str| home.ok(&["show-options", flags, name]);
        [value("-sv", "editor"), value("-gv", "status-keys"), value("-gwv", "mode-keys")]
    };
    assert_eq!(shown(None, "/usr/bin/nvim -e"), ["/usr/bin/nvim -e", "vi", "vi"]);
    assert_eq!(shown(Some("emacs"), "vim"), ["emacs", "emacs", "emacs"]);
}

#[test]
fn a_server_starts_for_any_command_of_the_line() {
    let home = Home::tmux();
    home.ok(&["set-option", "-g", "@a", "b", ";", "new-session", "-d", "-s", "late", "cat"]);
    assert_eq!(home.ok(&["show-options", "-gv", "@a"]), "b");
    let other = Home::tmux();
    assert!(
        other.fails(&["set-option", "-g", "@a", "b"]).contains("no server running") || !other.tmux_socket().exists()
    );
}

#[test]
fn a_program_that_is_not_there_fails_in_its_pane() {
    let home = Home::tmux();
    home.ok(&["set-option", "-g", "remain-on-exit", "on", ";", "new-session", "-d", "-s", "a", "no-such-program", "x"]);
    wait_for("its end", || home.format("a", "#{pane_dead} #{pane_dead_status}") == "1 1");
    wait_for("its last words", || home.history("a").contains("No such file or directory"));
}

/// What a program in a new pane says of the `tmux` on its path.
fn told_by_a_pane(home: &Home, name: &str) -> Vec<String> {
    let said = home.path("work").join(name);
    let script = format!(
        "{{ command -v tmux || echo none; tmux display-message -p '#{{session_name}} #{{version}}'; tmux kill-server; }} \
         > {0}.part 2>&1; mv {0}.part {0}; exec cat",
        said.display()
    );
    home.ok(&["new-session", "-d", "-s", name, "sh", "-c", &script]);
    wait_for("what the pane says", || said.exists());
    fs::read_to_string(&said).unwrap().lines().map(str::to_owned).collect()
}

#[test]
fn tmux_in_a_pane_is_this_program_and_this_server() {
    let mut home = Home::rove();
    home.set("PATH", "/usr/bin:/bin");
    let said = told_by_a_pane(&home, "a");
    let link = std::path::PathBuf::from(&said[0]);
    assert_eq!(link.file_name().unwrap(), "tmux");
    assert_eq!(fs::canonicalize(&link).unwrap(), fs::canonicalize(home.program()).unwrap());
    assert_eq!(said[1], "a 3.7c");
    assert_eq!(said[2], "kill-server from inside a pane ends every session: use kill-server -f");
    assert_eq!(home.ok(&["run-shell", "command -v tmux"]), said[0], "plugins find it too");
    home.ok(&["set-option", "-s", "tmux-shim", "off"]);
    assert_ne!(told_by_a_pane(&home, "b")[0], said[0]);
    home.ok(&["kill-server"]);
    wait_for("the link's end", || !link.exists() && !link.parent().unwrap().exists());
}

#[test]
fn as_tmux_the_path_is_left_alone_until_it_is_asked_for() {
    let mut home = Home::tmux();
    home.set("PATH", "/usr/bin:/bin");
    home.ok(&["new-session", "-d", "-s", "first", "cat"]);
    assert_eq!(home.ok(&["run-shell", "echo $PATH"]), "/usr/bin:/bin");
    home.ok(&["set-option", "-s", "tmux-shim", "on"]);
    let directory = format!("{}.bin", home.tmux_socket().display());
    assert_eq!(home.ok(&["run-shell", "echo $PATH"]), format!("{directory}:/usr/bin:/bin"));
    // What somebody else may write into is not put on the path.
    fs::remove_file(format!("{directory}/tmux")).unwrap();
    home.ok(&["kill-server"]);
    wait_for("its end", || home.run(&["has-session"]).code == 1);
    fs::create_dir_all(&directory).unwrap();
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o777)).unwrap();
    home.ok(&["set-option", "-s", "tmux-shim", "on", ";", "new-session", "-d", "-s", "second", "cat"]);
    assert_eq!(home.ok(&["run-shell", "echo $PATH"]), "/usr/bin:/bin");
}

#[test]
fn bytes_that_are_no_text_are_passed_through_and_name_nothing() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "a", "cat"]);
    let call = home.shell(&format!("{} set-buffer -b raw \"$(printf 'a\\302b')\"", home.call()));
    assert_eq!(call.code, 0, "{}", call.stderr);
    home.ok(&["set-buffer", "data"]);
    let file = home.path("work/buffer");
    home.ok(&["save-buffer", "-b", "raw", &file.display().to_string()]);
    assert_eq!(fs::read(&file).unwrap(), b"a\xc2b");
    for command in ["rename-session -t a", "rename-window -t a:", "set-buffer -n"] {
        let call = home.shell(&format!("{} {command} \"$(printf 'bad\\302name')\"", home.call()));
        assert_eq!(call.code, 1, "{command}");
        assert!(call.stderr.starts_with("invalid "), "{command}: {}", call.stderr);
    }
    assert_eq!(home.format("a", "#{session_name}"), "a");
}

#[test]
fn errors_of_a_sourced_file_and_of_what_it_runs_have_their_place() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "a", "cat"]);
    let file = home.path("work/bad.conf").display().to_string();
    fs::write(&file, "wibble wobble\n").unwrap();
    let mut control = Control::open(&home, &["attach", "-t", "a"]);
    control.command(&format!("source-file {file}"));
    assert_eq!(control.notification("%config-error"), format!("%config-error {file}:1: unknown command: wibble"));
    fs::write(&file, "\nif-shell true 'wibble wobble'\n").unwrap();
    assert_eq!(control.command(&format!("source-file {file}")), Vec::<String>::new());
    wait_for("the message", || home.ok(&["show-messages"]).contains(&format!("{file}:2: unknown command: wibble")));
}

#[test]
fn a_control_client_that_lingers_reads_its_input_itself() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "other", "cat"]);
    let mut control = Control::open(&home, &["new-session", "-s", "lingers", "cat"]);
    control.command("refresh-client -f wait-exit");
    home.ok(&["detach-client", "-s", "lingers"]);
    control.notification("%exit");
    control.send_bytes(b"a\n\n");
    assert_eq!(control.wait_end().0, 0);
}

#[test]
fn what_a_client_is_on_is_a_target_of_its_own() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "a", "cat"]);
    assert_eq!(home.fails(&["has-session", "-t", "{active}"]), "no current client");
    let mut control = Control::open(&home, &["attach", "-t", "a"]);
    home.ok(&["new-session", "-d", "-s", "b", "cat"]);
    assert_eq!(control.command("display-message -p -t '{active}' '#{session_name}'"), ["a"]);
    assert_eq!(control.command("display-message -p -t @ '#{session_name}'"), ["a"]);
    // A line that can't be read leaves the status of the client as it was.
    assert_eq!(control.refused("no-such-command"), "parse error: unknown command: no-such-command");
    control.send("");
    assert_eq!(control.wait_end().0, 0);
}

#[test]
fn what_a_job_says_of_errors_is_shown_when_wanted() {
    let home = Home::tmux();
    home.ok(&["new-session", "-d", "-s", "a", "cat"]);
    assert_eq!(home.ok(&["run-shell", "echo out; echo err >&2"]), "out");
    assert_eq!(home.ok(&["run-shell", "-E", "echo out; echo err >&2"]), "out\nerr");
}

/// A server that was told to end takes nobody in any more: what it began would end with it.
#[test]
fn a_session_made_right_after_kill_server_stays() {
    let home = Home::tmux();
    for round in 0..20 {
        let name = format!("s{round}");
        home.ok(&["new-session", "-d", "-s", &name, "cat"]);
        observe_for(Duration::from_millis(60), &name, || home.run(&["has-session", "-t", &name]).code == 0);
        home.ok(&["kill-server"]);
    }
}
