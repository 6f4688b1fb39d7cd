//! Shell commands that the model wants run: their processes, output and input.

use crate::os::poll::{Poll, Token};
use mux::{Exit, Job, JobId};
use rustix::process::{PidfdFlags, Signal};
use std::io::{self, Read};
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, Command, Stdio};

/// A job's process and pipes.
pub(super) struct JobIo {
    child: Child,
    end: OwnedFd,
    /// What it writes, until its end.
    output: Option<io::PipeReader>,
    out: Vec<u8>,
    /// Its input is closed when what waits has been written.
    closing: bool,
    exit: Option<Exit>,
}

impl JobIo {
    /// Start it.
    pub(super) fn start(job: &Job, poll: &Poll) -> io::Result<JobIo> {
        let mut command = Command::new(&job.shell);
        command.arg("-c").arg(&job.command).env_clear();
        command.envs(job.environment.iter().map(|(name, value)| (name, value)));
        let cwd = std::path::Path::new(&job.cwd);
        command.current_dir(if cwd.is_dir() { cwd } else { std::path::Path::new("/") });
        command.stdin(if job.input { Stdio::piped() } else { Stdio::null() });
        let (output, writer) = io::pipe()?;
        command.stderr(if job.errors { Stdio::from(writer.try_clone()?) } else { Stdio::null() });
        command.stdout(writer).process_group(0);
        let child = command.spawn()?;
        // The command has the writing ends of the pipe; they are closed here.
        drop(command);
        let pid = rustix::process::Pid::from_child(&child);
        let end = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
        poll.add(end.as_fd(), Token::JobEnd(job.id.0), true, false);
        rustix::io::ioctl_fionbio(&output, true)?;
        poll.add(output.as_fd(), Token::JobOutput(job.id.0), true, false);
        if let Some(input) = &child.stdin {
            rustix::io::ioctl_fionbio(input, true)?;
        }
        Ok(JobIo { child, end, output: Some(output), out: Vec::new(), closing: false, exit: None })
    }

    /// Its process.
    pub(super) fn pid(&self) -> u32 {
        self.child.id()
    }

    /// What it wrote; `None` at the end.
    pub(super) fn read(&mut self, poll: &Poll) -> Option<Vec<u8>> {
        let mut bytes = vec![0; 64 * 1024];
        let output = self.output.as_mut()?;
        match output.read(&mut bytes) {
            Ok(0) => {}
            Ok(count) => {
                bytes.truncate(count);
                return Some(bytes);
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted) => {
                return Some(Vec::new());
            }
            Err(_) => {}
        }
        poll.remove(output.as_fd());
        self.output = None;
        None
    }

    /// Its process may have ended.
    pub(super) fn reap(&mut self, poll: &Poll) {
        if let Ok(Some(status)) = self.child.try_wait() {
            poll.remove(self.end.as_fd());
            self.exit = Some(match status.code() {
                Some(code) => Exit::Status(code),
                None => Exit::Signal(status.signal().unwrap_or(0)),
            });
        }
    }

    /// How it ended, once its output has been read: at once when something else holds the pipe open.
    pub(super) fn done(&mut self, poll: &Poll) -> Option<(Vec<u8>, Exit)> {
        let exit = self.exit?;
        let mut last = Vec::new();
        while self.output.is_some() {
            match self.read(poll) {
                Some(bytes) if bytes.is_empty() => break,
                Some(bytes) => last.extend(bytes),
                None => {}
            }
        }
        if let Some(output) = &self.output {
            poll.remove(output.as_fd());
        }
        self.child.stdin = None;
        Some((last, exit))
    }

    /// Write to its input; nothing closes it.
    pub(super) fn write(&mut self, id: JobId, data: &[u8], poll: &Poll) {
        const LIMIT: usize = 16 << 20;
        if self.child.stdin.is_none() {
            return;
        }
        if data.is_empty() {
            self.closing = true;
        } else if self.out.len() < LIMIT {
            self.out.extend_from_slice(data);
        }
        self.flush(id, poll);
    }

    /// Write what waits for its input.
    pub(super) fn flush(&mut self, id: JobId, poll: &Poll) {
        let Some(input) = &self.child.stdin else { return };
        let mut broken = false;
        while !self.out.is_empty() {
            match rustix::io::write(input, &self.out) {
                Ok(count) => drop(self.out.drain(..count)),
                Err(rustix::io::Errno::INTR) => {}
                Err(rustix::io::Errno::AGAIN) => break,
                Err(_) => {
                    broken = true;
                    break;
                }
            }
        }
        poll.remove(input.as_fd());
        if broken || (self.closing && self.out.is_empty()) {
            self.child.stdin = None;
        } else if !self.out.is_empty() {
            poll.add(input.as_fd(), Token::JobInput(id.0), false, true);
        }
    }

    /// End it and everything it started.
    pub(super) fn kill(&self) {
        let _ = rustix::process::kill_process_group(rustix::process::Pid::from_child(&self.child), Signal::TERM);
    }
}
