//! Shell commands that somebody waits for, and the end of their wait.

use crate::Mux;
use crate::effect::{Effect, Job};
use crate::id::{JobId, PaneId, SessionId};
use crate::input::{Exit, Now};
use crate::queue::{Context, Outcome};
use crate::world::World;

/// Most output of a job that is kept, in bytes.
const OUTPUT_LIMIT: usize = 4 << 20;

/// What is done when a job ends: its output, and how it ended.
pub(crate) type Then = Box<dyn FnOnce(&mut Mux, Now, &mut dyn World, JobId, Vec<u8>, Exit)>;

/// A job that runs.
pub(crate) struct Pending {
    output: Vec<u8>,
    /// The pane its output is typed into, for `pipe-pane -I`.
    pub(crate) into_pane: Option<PaneId>,
    pub(crate) command: String,
    /// It has an input that is written to.
    input: bool,
    /// Its process, once it was started.
    pub(crate) pid: Option<u32>,
    then: Then,
}

impl Pending {
    /// What it wrote so far.
    pub(crate) fn output(&self) -> &[u8] {
        &self.output
    }
}

impl std::fmt::Debug for Pending {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Pending").field("command", &self.command).field("output", &self.output.len()).finish()
    }
}

/// How a job is started.
#[derive(Debug, Clone, Default)]
pub(crate) struct Start {
    pub(crate) command: String,
    pub(crate) cwd: String,
    pub(crate) session: Option<SessionId>,
    pub(crate) input: bool,
    pub(crate) into_pane: Option<PaneId>,
    /// The plain shell runs it, not the user's.
    pub(crate) posix: bool,
    /// What it writes to its standard error is output too.
    pub(crate) errors: bool,
}

impl Mux {
    /// Run a shell command; `then` is called at its end.
    pub(crate) fn start_job(&mut self, start: Start, then: Then) -> JobId {
        self.next_job += 1;
        let id = JobId(self.next_job);
        let mut environment = self.child_environment(start.session, None);
        // The configuration may ask what terminal it was started in.
        for name in ["TERM", "TERM_PROGRAM", "TERM_PROGRAM_VERSION", "COLORTERM"].iter().filter(|_| !self.configured) {
            match self.environment.get(name) {
                Some(value) => environment.set(name, value),
                None => environment.unset(name),
            }
        }
        let shell = start.session.map_or_else(
            || self.globals.session.text("default-shell"),
            |session| self.session_text(session, "default-shell"),
        );
        let shell = if shell.starts_with('/') && !start.posix { shell } else { "/bin/sh".to_owned() };
        self.jobs.insert(
            id,
            Pending {
                output: Vec::new(),
                into_pane: start.into_pane,
                command: start.command.clone(),
                input: start.input,
                pid: None,
                then,
            },
        );
        self.effect(Effect::RunJob(Job {
            id,
            command: start.command,
            shell,
            cwd: start.cwd,
            environment: environment
                .iter_for_child()
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            input: start.input,
            output: true,
            errors: start.errors,
        }));
        id
    }

    /// A job runs: its process.
    pub fn job_started(&mut self, id: JobId, pid: u32) {
        if let Some(job) = self.jobs.get_mut(&id) {
            job.pid = Some(pid);
        }
    }

    pub(crate) fn job_output(&mut self, now: Now, id: JobId, bytes: &[u8]) {
        if self.format_job_output(now, id, bytes) {
            return;
        }
        let Some(job) = self.jobs.get_mut(&id) else { return };
        if let Some(pane) = job.into_pane {
            self.effect(Effect::WritePane(pane, bytes.to_vec()));
            return;
        }
        let room = OUTPUT_LIMIT.saturating_sub(job.output.len());
        job.output.extend_from_slice(&bytes[..bytes.len().min(room)]);
        self.conversations_told(id);
    }

    pub(crate) fn job_done(&mut self, now: Now, world: &mut dyn World, id: JobId, exit: Exit) {
        if let Some(job) = self.jobs.remove(&id) {
            (job.then)(self, now, world, id, job.output, exit);
        }
    }

    /// True for a job that runs and is written to.
    pub(crate) fn job_takes_input(&self, id: JobId) -> bool {
        self.jobs.get(&id).is_some_and(|job| job.input)
    }

    /// The directory a job of a command starts in.
    pub(crate) fn job_cwd(&self, context: &Context<'_>) -> String {
        self.default_cwd(context.client, context.target.session, context.world)
    }

    /// The directory that a pipe starts in: where the server was started, as long as that is known.
    pub(crate) fn pipe_cwd(&self, context: &Context<'_>) -> String {
        match self.identity.cwd.as_str() {
            "" | "/" => self.job_cwd(context),
            cwd => cwd.to_owned(),
        }
    }
}

/// The status a shell reports of an end: the exit status, or 128 and the signal.
pub(crate) fn status_of(exit: Exit) -> i32 {
    match exit {
        Exit::Status(status) => status,
        Exit::Signal(signal) => signal + 128,
    }
}

/// A command that did its work at once.
pub(crate) const DONE: Outcome = Ok(crate::queue::Flow::Done);
