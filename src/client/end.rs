//! The end of a client: the terminal given back, the last words, the exit status, or another program in its place.

use std::io::{self, Read};
use std::os::unix::process::CommandExt;

use super::complain;
use super::serve::{Client, write_all};
use crate::cli;
use crate::os::{signal, tty};
use crate::protocol::{Exit, How};

/// How it came to the end.
#[derive(Debug)]
pub(super) enum End {
    /// The server said so.
    Told(Exit),
    /// The server is gone, or does not answer.
    Lost,
    /// The server is not understood, in these words.
    Refused(String),
    /// The server that took over is of a newer program: become that.
    Renew,
}

/// Why a client goes that the server did not send away.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Reason {
    LostTty,
    Terminated,
    LostServer,
}

impl Reason {
    fn words(self) -> &'static str {
        match self {
            Reason::LostTty => "lost tty",
            Reason::Terminated => "terminated",
            Reason::LostServer => "server exited unexpectedly",
        }
    }
}

/// The last words of an attached client, without their brackets. `None` when another program follows.
pub(super) fn last_words(exit: &Exit, reason: Option<Reason>) -> Option<String> {
    if let Some(reason) = reason {
        return Some(reason.words().to_owned());
    }
    if let Some(message) = &exit.message {
        return Some(message.clone());
    }
    let from = |what: &str, session: &str| Some(format!("{what} (from session {session})"));
    match &exit.how {
        How::Done => Some("exited".to_owned()),
        How::Detached(session) => from("detached", session),
        How::DetachedKill(session) => from("detached and SIGHUP", session),
        How::ServerExited => Some("server exited".to_owned()),
        How::Exec { .. } | How::Shell(_) => None,
    }
}

impl Client<'_> {
    /// Ends. Gives the exit status, unless it becomes another program.
    pub(super) fn finish(mut self, end: End) -> i32 {
        let lost = !matches!(end, End::Told(_) | End::Renew);
        let terminal = self.terminal.take();
        if let Some(terminal) = &terminal {
            terminal.restore();
        }
        let failed = i32::from(self.reason.is_some());
        let refused = matches!(end, End::Refused(_));
        let exit = match end {
            End::Told(exit) => Exit { code: exit.code.max(failed), ..exit },
            End::Lost => Exit::done(failed),
            End::Refused(words) => Exit { message: Some(words), ..Exit::done(1) },
            End::Renew => {
                self.signals = None;
                let words = super::renew(self.socket, &self.session.unwrap_or_default());
                return complain(&words, 1);
            }
        };
        if terminal.is_some() || self.is_control() {
            // The server shared them, and they are our caller's too.
            tty::set_blocking(io::stdin());
            tty::set_blocking(io::stdout());
            tty::set_blocking(io::stderr());
        }
        // From here on what would end any program ends this one too.
        self.signals = None;
        if let Some(terminal) = terminal.as_ref().filter(|_| lost) {
            terminal.leave();
        }
        match terminal {
            Some(_) => self.part(exit),
            // Nobody spoke the protocol yet: it is told as to any command.
            None if self.is_control() && refused => {
                self.restore_lines();
                self.end_command(exit)
            }
            None if self.is_control() => self.end_control(exit),
            None => self.end_command(exit),
        }
    }

    /// An attached client.
    fn part(self, exit: Exit) -> i32 {
        if let Some(words) = last_words(&exit, self.reason) {
            write_all(io::stdout(), format!("[{words}]\n").as_bytes());
        }
        match exit.how {
            How::DetachedKill(_) => signal::hang_up_parent(),
            How::Exec { command, shell } => return self.become_shell(&shell, &command.into()),
            How::ServerExited => return exit.code.max(1),
            _ => {}
        }
        exit.code
    }

    /// A control client. What the server wrote to its stdout is there already.
    fn end_control(self, exit: Exit) -> i32 {
        let reason = self.reason.map(|reason| reason.words().to_owned()).or(exit.message);
        let line = match reason {
            Some(reason) => format!("%exit {reason}\n"),
            None => "%exit\n".to_owned(),
        };
        write_all(io::stdout(), line.as_bytes());
        if exit.wait_exit {
            drain_lines();
        }
        if self.lines.is_some() {
            write_all(io::stdout(), b"\x1b\\");
        }
        self.restore_lines();
        match exit.how {
            How::Exec { command, shell } => self.become_shell(&shell, &command.into()),
            _ => exit.code,
        }
    }

    /// Gives the terminal of `-CC` its modes back.
    fn restore_lines(&self) {
        if let Some(saved) = &self.lines {
            let _ = saved.restore_flushed(io::stdout());
        }
    }

    fn end_command(self, exit: Exit) -> i32 {
        if let Some(words) = self.reason.map(|reason| reason.words().to_owned()).or(exit.message) {
            complain(&words, 1);
        }
        match exit.how {
            How::Exec { command, shell } => return self.become_shell(&shell, &command.into()),
            How::Shell(shell) => {
                let command = self.invocation.shell_command.clone().unwrap_or_default();
                return self.become_shell(&shell, &command);
            }
            _ => {}
        }
        match self.uncertain {
            Some(_) if exit.code != 0 && self.was_unknown => complain(cli::hint().trim_end(), 2).max(exit.code),
            _ => exit.code,
        }
    }

    fn become_shell(self, shell: &str, command: &std::ffi::OsString) -> i32 {
        let name = shell.rsplit('/').next().filter(|name| !name.is_empty()).unwrap_or(shell);
        let name = if self.invocation.login { format!("-{name}") } else { name.to_owned() };
        let error = std::process::Command::new(shell).arg0(name).arg("-c").arg(command).env("SHELL", shell).exec();
        complain(&format!("{shell}: {}", crate::os::words(&error)), 1)
    }
}

/// Reads and drops lines up to an empty one or the end, so that what a terminal had typed ahead is not run by a shell.
fn drain_lines() {
    let (mut at_start, mut byte) = (true, [0]);
    let mut stdin = io::stdin().lock();
    while let Ok(1) = stdin.read(&mut byte) {
        if byte[0] == b'\n' && at_start {
            return;
        }
        at_start = byte[0] == b'\n';
    }
}
