//! The program's command line, as the demo's user calls it: each call has a limit, and its words are the error when it fails.

use std::fs::{self, File};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::scratch::Scratch;
use super::{Cast, Return, wait};

/// How long one call may take.
const LIMIT: Duration = Duration::from_secs(20);

/// Variables by which a program inside another multiplexer's pane takes itself for a part of it.
const SURROUNDINGS: [&str; 6] = ["TMUX", "TMUX_PANE", "TMUX_TMPDIR", "ROVE", "ROVE_PANE", "ROVE_SOCKET"];

/// How to call the program.
pub(super) struct Rove {
    program: PathBuf,
    run: PathBuf,
    before: Vec<String>,
    environment: Vec<(&'static str, String)>,
}

/// A pane, as `list-panes` tells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pane {
    pub(super) id: String,
    pub(super) shell: u32,
}

impl Rove {
    pub(super) fn new(scratch: &Scratch, cast: Cast, coming_back: Return) -> Result<Rove, String> {
        let program = std::env::current_exe().map_err(|error| format!("cannot find this program: {error}"))?;
        let part = |name: &str| scratch.part(name).display().to_string();
        let mut environment = vec![
            ("ROVE_HOME_DIR", part("home")),
            ("ROVE_DEMO_HOME", part("engines")),
            ("XDG_RUNTIME_DIR", part("run")),
            ("TERM", "xterm-256color".to_owned()),
        ];
        if cast.is_stand_in() {
            // A shell without the user's own files, so that the demo is the same everywhere.
            environment.extend([("HOME", part("user")), ("SHELL", "/bin/sh".to_owned())]);
        }
        let mut before = Vec::new();
        if coming_back == Return::PlainShell {
            // In a file, as the server that comes back must know it too.
            let file = scratch.part("run").join("demo.conf");
            fs::write(&file, "set -s resume off\n")
                .map_err(|error| format!("cannot write {}: {error}", file.display()))?;
            before = vec!["-f".to_owned(), file.display().to_string()];
        }
        Ok(Rove { program, run: scratch.part("run"), before, environment })
    }

    /// The whole command line of a call, for who starts it in another way.
    pub(super) fn words(&self, args: &[&str]) -> Vec<String> {
        let program = self.program.display().to_string();
        [program]
            .into_iter()
            .chain(self.before.iter().cloned())
            .chain(args.iter().map(|word| (*word).to_owned()))
            .collect()
    }

    /// What to set in its environment.
    pub(super) fn environment(&self) -> &[(&'static str, String)] {
        &self.environment
    }

    /// What to take out of its environment.
    pub(super) fn surroundings() -> &'static [&'static str] {
        &SURROUNDINGS
    }

    /// Calls it and gives what it printed. Its output goes to a file: a server that it starts could hold a pipe open for ever.
    pub(super) fn call(&self, args: &[&str]) -> Result<String, String> {
        let words = self.words(args);
        let called = format!("rove {}", words[1..].join(" "));
        let failed = |error: std::io::Error| format!("{called}: {error}");
        let (out, err) = (self.run.join("stdout"), self.run.join("stderr"));
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).envs(self.environment.iter().map(|(name, value)| (*name, value.as_str())));
        SURROUNDINGS.iter().for_each(|name| {
            command.env_remove(name);
        });
        command
            .stdin(Stdio::null())
            .stdout(File::create(&out).map_err(failed)?)
            .stderr(File::create(&err).map_err(failed)?);
        let mut child = command.spawn().map_err(failed)?;
        let ended = wait::until(&called, LIMIT, || child.try_wait().map_err(failed));
        let status = match ended {
            Ok(status) => status,
            Err(why) => {
                let _ = child.kill();
                let _ = child.wait();
                return Err(why);
            }
        };
        let text =
            |path: &PathBuf| fs::read(path).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()).map_err(failed);
        if !status.success() {
            return Err(format!("{called}: {status}: {}", text(&err)?.trim()));
        }
        text(&out)
    }

    /// The panes of the demo's session.
    pub(super) fn panes(&self) -> Result<Vec<Pane>, String> {
        let text = self.call(&["list-panes", "-s", "-t", "work", "-F", "#{pane_id} #{pane_pid}"])?;
        parse_panes(&text)
    }

    /// What stands on a pane's screen, wrapped lines joined.
    pub(super) fn screen(&self, pane: &str) -> Result<String, String> {
        self.call(&["capture-pane", "-p", "-J", "-t", pane])
    }

    /// Types a line into a pane, then Enter. `rest` lies between them, for programs that take one burst for a paste.
    pub(super) fn type_line(&self, pane: &str, text: &str, rest: Duration) -> Result<(), String> {
        self.call(&["send-keys", "-t", pane, "-l", text])?;
        wait::pause(rest)?;
        self.call(&["send-keys", "-t", pane, "Enter"]).map(|_| ())
    }
}

fn parse_panes(text: &str) -> Result<Vec<Pane>, String> {
    let pane = |line: &str| {
        let (id, shell) = line.split_once(' ')?;
        Some(Pane { id: id.to_owned(), shell: shell.parse().ok()? })
    };
    text.lines().map(|line| pane(line).ok_or_else(|| format!("list-panes said: {line}"))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_read() {
        let panes = parse_panes("%0 12\n%3 13\n").unwrap();
        assert_eq!(panes, [Pane { id: "%0".into(), shell: 12 }, Pane { id: "%3".into(), shell: 13 }]);
        assert_eq!(parse_panes("%0 \n"), Err("list-panes said: %0 ".to_owned()));
    }

    #[test]
    fn a_call_says_what_it_printed_or_what_it_complained_of() {
        let scratch = Scratch::new().unwrap();
        let mut rove = Rove::new(&scratch, Cast::StandIn, Return::Resume).unwrap();
        rove.program = "/bin/sh".into();
        assert_eq!(rove.call(&["-c", "echo $ROVE_HOME_DIR"]).unwrap(), format!("{}\n", scratch.part("home").display()));
        let refused = rove.call(&["-c", "echo no server >&2; exit 1"]).unwrap_err();
        assert!(refused.ends_with("exit status: 1: no server"), "{refused}");
    }

    #[test]
    fn without_a_return_the_option_is_in_a_file_that_every_server_reads() {
        let scratch = Scratch::new().unwrap();
        let rove = Rove::new(&scratch, Cast::StandIn, Return::PlainShell).unwrap();
        let words = rove.words(&["attach", "work"]);
        assert_eq!((words[1].as_str(), &words[3..]), ("-f", &["attach".to_owned(), "work".to_owned()][..]));
        assert_eq!(fs::read_to_string(&words[2]).unwrap(), "set -s resume off\n");
    }
}
