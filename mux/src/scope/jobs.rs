//! The shell commands in formats (`#()`): each runs at most once in each second that it is asked for, and shows what it
//! last said meanwhile. As what is drawn is expanded anew when `status-interval` is over, so are they run.

use crate::Mux;
use crate::client::Client;
use crate::effect::Effect;
use crate::id::{ClientId, JobId, PaneId, WindowId};
use crate::input::Now;
use crate::jobs::Start;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// What nobody asked for in so many seconds is forgotten.
const KEEP_SECONDS: i64 = 3600;

/// Most bytes of one line.
const LINE_LIMIT: usize = 1 << 20;

/// What a command runs for, besides whom: in loops each window and each pane has its own.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Tag {
    /// Nothing in particular.
    #[default]
    None,
    /// A window.
    Window(WindowId),
    /// A pane.
    Pane(PaneId),
}

/// Who asks for the output of a command.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Asked {
    /// The client it runs for, and goes with.
    pub(crate) client: Option<ClientId>,
    /// What it runs for.
    pub(crate) tag: Tag,
    /// It is part of what is drawn: new output is drawn at once.
    pub(crate) drawn: bool,
    /// How often the client wanted all of them run again (`refresh-client -S`).
    pub(crate) refreshes: u32,
}

type Key = (Option<ClientId>, Tag, String);

/// One command and what it last said.
#[derive(Debug, Default)]
struct FormatJob {
    expanded: String,
    /// What is shown for it.
    output: Option<String>,
    /// It is to be started.
    wanted: bool,
    job: Option<JobId>,
    /// The second in which it was started, or last drawn.
    last: i64,
    /// It has said something since its start.
    updated: bool,
    /// New output is drawn.
    drawn: bool,
    refreshes: u32,
    /// The line that has no end yet.
    rest: Vec<u8>,
}

/// All of them.
#[derive(Debug, Default)]
pub(crate) struct FormatJobs {
    jobs: RefCell<BTreeMap<Key, FormatJob>>,
    /// Jobs that run what nobody wants any more.
    stale: RefCell<Vec<JobId>>,
}

impl FormatJobs {
    /// What a command last said; it is noted to be run when that is due.
    pub(super) fn output(&self, now: Now, asked: Asked, command: &str, expanded: &str) -> String {
        let mut jobs = self.jobs.borrow_mut();
        let job = jobs.entry((asked.client, asked.tag, command.to_owned())).or_default();
        let force = job.expanded != expanded || job.refreshes != asked.refreshes;
        let second = now.seconds();
        if force {
            expanded.clone_into(&mut job.expanded);
            job.refreshes = asked.refreshes;
            self.stale.borrow_mut().extend(job.job.take());
        }
        let runs = job.job.is_some() || job.wanted;
        if force || (!runs && job.last != second) {
            job.wanted = true;
            job.last = second;
            job.updated = false;
            job.rest.clear();
        } else if runs && second - job.last > 1 && job.output.is_none() {
            job.output = Some(format!("<'{command}' not ready>"));
        }
        job.drawn |= asked.drawn;
        job.output.clone().unwrap_or_default()
    }

    /// Those that are to be started, after what is old has gone.
    fn take_wanted(&self, now: Now) -> Vec<(Key, String)> {
        let mut jobs = self.jobs.borrow_mut();
        let second = now.seconds();
        let old = |job: &FormatJob| job.last <= second && second - job.last >= KEEP_SECONDS;
        self.stale.borrow_mut().extend(jobs.values().filter(|job| old(job)).filter_map(|job| job.job));
        jobs.retain(|_, job| !old(job));
        let start = |(key, job): (&Key, &mut FormatJob)| {
            let wanted = std::mem::take(&mut job.wanted);
            wanted.then(|| (key.clone(), job.expanded.clone()))
        };
        jobs.iter_mut().filter_map(start).collect()
    }

    fn with<T>(&self, id: JobId, act: impl FnOnce(&mut FormatJob) -> T) -> Option<T> {
        self.jobs.borrow_mut().values_mut().find(|job| job.job == Some(id)).map(act)
    }
}

impl FormatJob {
    /// Takes what it wrote. True when it has said something new.
    fn take(&mut self, bytes: &[u8]) -> bool {
        self.rest.extend_from_slice(bytes);
        let mut line = None;
        let ends = |byte: &u8| matches!(byte, b'\r' | b'\n');
        while let Some(end) = self.rest.iter().position(ends) {
            let ending = self.rest[end..].iter().take_while(|byte| ends(byte)).count();
            line = Some(shown(&self.rest[..end]));
            self.rest.drain(..end + ending);
        }
        self.rest.truncate(LINE_LIMIT);
        self.updated |= line.is_some();
        let said = line.is_some();
        self.output = line.or(self.output.take());
        said
    }

    /// It ended: what stands behind its last line counts when there is something, or when it has said nothing.
    fn end(&mut self) {
        let rest = std::mem::take(&mut self.rest);
        if !rest.is_empty() || !self.updated {
            self.output = Some(shown(&rest));
        }
        self.job = None;
    }
}

fn shown(line: &[u8]) -> String {
    String::from_utf8_lossy(line).chars().filter(|c| !c.is_control()).collect()
}

impl Mux {
    /// Start the shell commands that formats asked for since the last time, and end what nobody wants any more.
    pub fn start_format_jobs(&mut self, now: Now) {
        for (key, command) in self.format_jobs.take_wanted(now) {
            let client = key.0.and_then(|id| self.clients.get(&id));
            if key.0.is_some() && client.is_none() {
                self.format_jobs.jobs.borrow_mut().remove(&key);
                continue;
            }
            let start = Start { command, cwd: self.format_job_cwd(client), ..Start::default() };
            let id = self.start_job(start, Box::new(|mux, _, _, id, _, _| mux.format_job_done(id)));
            if let Some(job) = self.format_jobs.jobs.borrow_mut().get_mut(&key) {
                job.job = Some(id);
            }
        }
        let stale = self.format_jobs.stale.take();
        for id in stale {
            self.effect(Effect::KillJob(id));
        }
    }

    /// Where a command in a format starts: in the directory of the client's session.
    fn format_job_cwd(&self, client: Option<&Client>) -> String {
        let session = client.and_then(|client| self.sessions.get(&client.session?)).map(|session| &session.cwd);
        let cwd = session.or(client.map(|client| &client.cwd)).cloned();
        let home = || self.environment.get("HOME").unwrap_or("/").to_owned();
        cwd.filter(|cwd| !cwd.is_empty()).unwrap_or_else(home)
    }

    /// A client is gone, and what ran for it is ended.
    pub(crate) fn forget_format_jobs(&mut self, client: ClientId) {
        let jobs = &self.format_jobs;
        jobs.jobs.borrow_mut().retain(|(of, ..), job| {
            let stays = *of != Some(client);
            jobs.stale.borrow_mut().extend(job.job.filter(|_| !stays));
            stays
        });
    }

    /// A job wrote. True when it is a format's, which shows its newest line; it is drawn once a second at most.
    pub(crate) fn format_job_output(&mut self, now: Now, id: JobId, bytes: &[u8]) -> bool {
        let draws = self.format_jobs.with(id, |job| {
            let draws = job.take(bytes) && job.drawn && job.last != now.seconds();
            if draws {
                job.last = now.seconds();
            }
            draws
        });
        if draws == Some(true) {
            self.redraw();
        }
        draws.is_some()
    }

    fn format_job_done(&mut self, id: JobId) {
        let drawn = self.format_jobs.with(id, |job| {
            job.end();
            std::mem::take(&mut job.drawn)
        });
        if drawn == Some(true) {
            self.redraw();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::Bench;
    use crate::{Exit, Face, Input, Job};
    use std::time::Duration;

    /// A bench with a client, and what it draws.
    fn bench() -> (Bench, ClientId) {
        let mut bench = Bench::new(Face::Tmux);
        bench.keep_jobs = true;
        let client = bench.terminal((80, 24), &["new-session", "-s", "a", "cat"]);
        (bench, client)
    }

    fn draw(bench: &mut Bench, client: ClientId, format: &str) -> String {
        let shown = bench.mux.expand_status(client, format, &bench.world, bench.now);
        bench.mux.start_format_jobs(bench.now);
        bench.handle(Input::Tick);
        shown
    }

    /// The jobs that were started since the last call.
    fn started(bench: &mut Bench) -> Vec<Job> {
        let effects = std::mem::take(&mut bench.effects);
        let jobs =
            effects.into_iter().filter_map(|effect| if let Effect::RunJob(job) = effect { Some(job) } else { None });
        jobs.collect()
    }

    fn says(bench: &mut Bench, job: &Job, output: &[u8]) {
        bench.handle(Input::JobOutput(job.id, output));
    }

    fn ends(bench: &mut Bench, job: &Job) {
        bench.handle(Input::JobDone(job.id, Exit::Status(0)));
    }

    #[test]
    fn a_command_is_run_once_in_a_second_and_shows_what_it_said() {
        let (mut bench, client) = bench();
        started(&mut bench);
        assert_eq!(draw(&mut bench, client, "#(date)"), "");
        assert_eq!(draw(&mut bench, client, "#(date)"), "");
        let jobs = started(&mut bench);
        assert_eq!(jobs.len(), 1);
        let visible = bench.mux.visible;
        says(&mut bench, &jobs[0], b"one\ntwo");
        ends(&mut bench, &jobs[0]);
        assert!(bench.mux.visible > visible, "what it said is drawn");
        assert_eq!(draw(&mut bench, client, "#(date)"), "two");
        assert!(started(&mut bench).is_empty(), "not again in the same second");
        bench.now.unix += Duration::from_secs(1);
        assert_eq!(draw(&mut bench, client, "#(date)"), "two");
        let jobs = started(&mut bench);
        assert_eq!(jobs.len(), 1);
        // Neither while it runs, however long.
        bench.now.unix += Duration::from_secs(5);
        assert_eq!(draw(&mut bench, client, "#(date)"), "two");
        assert!(started(&mut bench).is_empty());
    }

    #[test]
    fn the_status_line_runs_its_commands_by_its_interval() {
        let (mut bench, client) = bench();
        bench.line("set -g status-interval 5");
        draw(&mut bench, client, "#(date)");
        let first = started(&mut bench).remove(0);
        ends(&mut bench, &first);
        let visible = bench.mux.visible;
        bench.advance(Duration::from_secs(4));
        assert_eq!(bench.mux.visible, visible, "nothing is drawn before it is over");
        bench.advance(Duration::from_secs(2));
        assert!(bench.mux.visible > visible);
        draw(&mut bench, client, "#(date)");
        assert_eq!(started(&mut bench).len(), 1);
    }

    #[test]
    fn one_that_says_nothing_is_not_ready() {
        let (mut bench, client) = bench();
        assert_eq!(draw(&mut bench, client, "#(sleep #{session_name})"), "");
        bench.now.unix += Duration::from_secs(1);
        assert_eq!(draw(&mut bench, client, "#(sleep #{session_name})"), "");
        bench.now.unix += Duration::from_secs(1);
        assert_eq!(draw(&mut bench, client, "#(sleep #{session_name})"), "<'sleep a' not ready>");
        let job = started(&mut bench).remove(0);
        assert_eq!(job.command, "sleep a");
        ends(&mut bench, &job);
        assert_eq!(draw(&mut bench, client, "#(sleep #{session_name})"), "");
    }

    #[test]
    fn another_command_and_a_refresh_run_at_once() {
        let (mut bench, client) = bench();
        bench.line("set -g @word one");
        draw(&mut bench, client, "#(echo #{@word})");
        let first = started(&mut bench).remove(0);
        bench.line("set -g @word two");
        draw(&mut bench, client, "#(echo #{@word})");
        assert!(bench.effects.contains(&Effect::KillJob(first.id)));
        let second = started(&mut bench).remove(0);
        assert_eq!(second.command, "echo two");
        says(&mut bench, &first, b"one\n");
        says(&mut bench, &second, b"two\n");
        ends(&mut bench, &second);
        assert_eq!(draw(&mut bench, client, "#(echo #{@word})"), "two");
        assert!(started(&mut bench).is_empty());
        bench.line("refresh-client -S -t /dev/tty1");
        draw(&mut bench, client, "#(echo #{@word})");
        draw(&mut bench, client, "#(echo #{@word})");
        assert_eq!(started(&mut bench).len(), 1);
    }

    #[test]
    fn each_window_of_a_loop_has_its_own() {
        let (mut bench, client) = bench();
        bench.line("new-window -d cat");
        draw(&mut bench, client, "#{W:#(echo #{window_index})}");
        let jobs = started(&mut bench);
        let commands: Vec<&str> = jobs.iter().map(|job| job.command.as_str()).collect();
        assert_eq!(commands, ["echo 0", "echo 1"]);
        says(&mut bench, &jobs[0], b"a\n");
        says(&mut bench, &jobs[1], b"b\n");
        assert_eq!(draw(&mut bench, client, "#{W:#(echo #{window_index})}"), "ab");
    }

    #[test]
    fn lines_are_parted_as_they_come() {
        let mut job = FormatJob::default();
        assert!(job.take(b"one\r\n\ntw"));
        assert_eq!(job.output.as_deref(), Some("one"));
        assert!(!job.take(b"o"));
        assert!(job.take(b"\n"));
        assert_eq!(job.output.as_deref(), Some("two"));
        assert!(job.take(b"\n"));
        assert_eq!(job.output.as_deref(), Some(""));
        job.take(b"three");
        job.end();
        assert_eq!(job.output.as_deref(), Some("three"));
    }

    #[test]
    fn what_ran_for_a_client_goes_with_it_and_what_is_old_goes() {
        let (mut bench, client) = bench();
        draw(&mut bench, client, "#(tail -f)");
        let job = started(&mut bench).remove(0);
        bench.handle(Input::ClientGone(client));
        bench.mux.start_format_jobs(bench.now);
        bench.handle(Input::Tick);
        assert!(bench.effects.contains(&Effect::KillJob(job.id)));
        let client = bench.terminal((80, 24), &["attach"]);
        draw(&mut bench, client, "#(tail -f)");
        let job = started(&mut bench).remove(0);
        bench.now.unix += Duration::from_secs(3600);
        bench.mux.start_format_jobs(bench.now);
        bench.handle(Input::Tick);
        assert!(bench.effects.contains(&Effect::KillJob(job.id)));
    }
}
