//! The line that runs an engine inside a login shell, in the shells that are installed: its words arrive as they are, and after the engine
//! the pane's process is the user's shell.

#![allow(clippy::disallowed_methods)]

use std::io::{Read, Write};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use portable_pty::{Child, CommandBuilder, PtySize, native_pty_system};

use crate::harness::wait::poll;

const SHELLS: [&str; 4] = ["/bin/bash", "/bin/dash", "/usr/bin/zsh", "/usr/bin/fish"];

struct Pane {
    child: Box<dyn Child + Send + Sync>,
    writer: Box<dyn Write + Send>,
    output: Arc<Mutex<String>>,
    home: std::path::PathBuf,
    _master: Box<dyn portable_pty::MasterPty + Send>,
}

impl Pane {
    fn run(shell: &str, argv: &[&str]) -> Pane {
        let home = std::env::temp_dir().join(format!("rove-shell-{}", uuid::Uuid::new_v4()));
        std::fs::create_dir_all(home.join("it's here")).unwrap();
        // Without one zsh asks whether it shall make one.
        std::fs::write(home.join(".zshrc"), "").unwrap();
        let argv: Vec<String> = argv.iter().map(|word| (*word).to_owned()).collect();
        let cwd = home.join("it's here").display().to_string();
        let wrapped = agents::shell::wrap(shell, &argv, Some(&cwd), "/nowhere/at all", "An engine", &[]);
        let pair = native_pty_system().openpty(PtySize { rows: 50, cols: 250, ..PtySize::default() }).unwrap();
        let mut command = CommandBuilder::new(&wrapped[0]);
        command.args(&wrapped[1..]);
        command.env_clear();
        for (name, value) in
            [("PATH", "/usr/local/bin:/usr/bin:/bin"), ("TERM", "dumb"), ("HOME", home.to_str().unwrap())]
        {
            command.env(name, value);
        }
        let child = pair.slave.spawn_command(command).unwrap();
        let mut reader = pair.master.try_clone_reader().unwrap();
        let writer = pair.master.take_writer().unwrap();
        let output = Arc::new(Mutex::new(String::new()));
        let kept = Arc::clone(&output);
        std::thread::spawn(move || {
            let mut buffer = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut buffer) {
                kept.lock().unwrap().push_str(&String::from_utf8_lossy(&buffer[..count]));
            }
        });
        Pane { child, writer, output, home, _master: pair.master }
    }

    fn wait_for(&self, text: &str) {
        let found = poll(Duration::from_secs(20), || self.output.lock().unwrap().contains(text).then_some(()));
        assert!(found.is_some(), "no {text:?} in {}", self.output.lock().unwrap());
    }

    /// Types a line into the shell until its answer comes: what is typed before its prompt may be thrown away.
    fn ask(&mut self, line: &str, answer: &str) {
        for _ in 0..20 {
            self.writer.write_all(format!("{line}\r").as_bytes()).unwrap();
            let answered = || self.output.lock().unwrap().contains(answer).then_some(());
            if poll(Duration::from_secs(1), answered).is_some() {
                return;
            }
        }
        panic!("no {answer:?} in {}", self.output.lock().unwrap());
    }
}

impl Drop for Pane {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.home);
    }
}

fn installed() -> impl Iterator<Item = &'static str> {
    SHELLS.into_iter().filter(|shell| std::path::Path::new(shell).exists())
}

#[test]
fn hostile_words_reach_the_engine_as_they_are() {
    let hostile = ["it's", "a\\b'c", "$HOME `id` !x", "two\nlines", "", "-n", "*?~#;&|<>(){}[]\"%"];
    let expected = format!("<{}>", hostile.join("|").replace('\n', "/"));
    for shell in installed() {
        let script = r#"out=; for word; do out="$out|$word"; done; printf '<%s>' "${out#|}" | tr '\n' '/'; printf ' in %s.' "${PWD##*/}""#;
        let argv: Vec<&str> = ["/bin/sh", "-c", script, "sh"].into_iter().chain(hostile).collect();
        let pane = Pane::run(shell, &argv);
        pane.wait_for(&expected);
        pane.wait_for("in it's here.");
    }
}

#[test]
fn after_the_engine_the_same_process_is_the_shell_and_a_failure_is_told_once() {
    for shell in installed() {
        let mut pane = Pane::run(shell, &["/bin/sh", "-c", "exit 3"]);
        pane.wait_for("An engine ended with status 3;");
        let pid = pane.child.process_id().unwrap();
        let name = if shell.ends_with("fish") { "fish_pid" } else { "$" };
        pane.ask(&format!("echo pid-${name}-"), &format!("pid-{pid}-"));
        assert_eq!(pane.output.lock().unwrap().matches("ended with status").count(), 1, "{shell}");
        let mut fine = Pane::run(shell, &["/bin/true"]);
        fine.ask("echo al''ive", "alive");
        assert!(!fine.output.lock().unwrap().contains("ended with status"), "{shell}");
    }
}

#[test]
fn an_engine_ended_by_an_interrupt_leaves_the_shell() {
    for shell in installed() {
        let mut pane = Pane::run(shell, &["/bin/sh", "-c", "echo run''ning; exec sleep 600"]);
        pane.wait_for("running");
        pane.writer.write_all(b"\x03").unwrap();
        pane.ask("echo al''ive", "alive");
    }
}
