//! The thread that writes: takes the newest value of each key, says an error once, tries again.
//!
//! [`Writer::put`] and [`Writer::delete`] never wait for the disk: the lock they take is never held during IO.

use crate::disk;
use crate::key::Key;
use crate::store::{Store, StoreError};
use crate::throttle::{Job, Queue, Urgency};
use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// What the writer tells its owner, from its own thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    /// Writing fails; said once, until it works again. The text names the file and the reason.
    Failing(String),
    /// Writing works again.
    Recovered,
}

/// The way to the disk: hands values to a thread of its own.
pub struct Writer {
    shared: Arc<Shared>,
    thread: Option<std::thread::JoinHandle<()>>,
}

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    // Told of anything new, to the thread; of anything done, to who waits in `flush`.
    news: Condvar,
    done: Condvar,
}

#[derive(Default)]
struct State {
    queue: Queue,
    now_ms: Option<Box<dyn Fn() -> u64 + Send>>,
    running: bool,
    ended: bool,
    // Keys whose last write failed. An episode of failing lasts while there are any.
    failing: BTreeSet<Key>,
    failures: u64,
}

impl State {
    fn now_ms(&self) -> u64 {
        self.now_ms.as_ref().map_or(0, |clock| clock())
    }
}

impl Writer {
    /// Starts the thread. `report` is called on it, seldom, and must not block.
    pub fn start(store: Store, report: impl Fn(Report) + Send + 'static) -> std::io::Result<Writer> {
        let shared = Arc::new(Shared::default());
        shared.lock().now_ms = Some(Box::new(disk::clock()));
        let for_thread = Arc::clone(&shared);
        let thread = disk::start_thread(move || run(&for_thread, store, &report))?;
        Ok(Writer { shared, thread: Some(thread) })
    }

    /// A new value for a key. Newer ones take the place of one that still waits.
    pub fn put(&self, key: Key, payload: Vec<u8>, urgency: Urgency) {
        let mut state = self.shared.lock();
        let now = state.now_ms();
        state.queue.put(key, payload, urgency, now);
        self.shared.news.notify_one();
    }

    /// Forgets a key, whatever is queued or being written for it.
    pub fn delete(&self, key: Key) {
        let mut state = self.shared.lock();
        let now = state.now_ms();
        state.queue.delete(key, now);
        self.shared.news.notify_one();
    }

    /// Writes all that waits now, and waits for it, `limit_ms` at most. True when all of it is on disk; false when
    /// the time is up or some of it failed (it is tried again later).
    pub fn flush(&self, limit_ms: u64) -> bool {
        let mut state = self.shared.lock();
        let now = state.now_ms();
        let (deadline, failures) = (now.saturating_add(limit_ms), state.failures);
        state.queue.hurry(now);
        self.shared.news.notify_one();
        loop {
            if state.queue.is_empty() && !state.running {
                return true;
            }
            let now = state.now_ms();
            let rest_failed = state.failures != failures && state.queue.deadline_ms().is_none_or(|due| due > now);
            if now >= deadline || rest_failed && !state.running {
                return false;
            }
            let wait = Duration::from_millis(deadline - now);
            let waited = self.shared.done.wait_timeout(state, wait);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

impl Drop for Writer {
    /// Ends the thread after the write that runs; what waits is not written ([`Writer::flush`] does that).
    fn drop(&mut self) {
        self.shared.lock().ended = true;
        self.shared.news.notify_one();
        if let Some(thread) = self.thread.take() {
            // It has nothing to say; a panic in it was already printed.
            let _ = thread.join();
        }
    }
}

impl Shared {
    // Nothing under the lock can leave the state half changed, so a panic elsewhere does not spoil it.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    // The next job, once one is due; `None` at the end.
    fn wait_for_job(&self) -> Option<Job> {
        let mut state = self.lock();
        loop {
            if state.ended {
                return None;
            }
            let now = state.now_ms();
            if let Some(job) = state.queue.next(now) {
                state.running = true;
                return Some(job);
            }
            state = match state.queue.deadline_ms() {
                Some(due) => {
                    let wait = Duration::from_millis(due.saturating_sub(now).max(1));
                    self.news.wait_timeout(state, wait).unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.news.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }

    // Notes how a job ended, and gives what there is to say about it.
    fn finish(&self, job: Job, result: Result<(), StoreError>) -> Option<Report> {
        let mut state = self.lock();
        state.running = false;
        let was_failing = !state.failing.is_empty();
        let (Job::Write(key, _) | Job::Delete(key)) = &job;
        let report = match result {
            Ok(()) => {
                state.failing.remove(key);
                if was_failing {
                    // The disk takes things again: what failed before need not wait.
                    let now = state.now_ms();
                    state.queue.hurry(now);
                }
                (was_failing && state.failing.is_empty()).then_some(Report::Recovered)
            }
            Err(error) => {
                state.failures += 1;
                state.failing.insert(key.clone());
                // Too large a value will be too large again.
                if !matches!(error, StoreError::Frame { .. }) {
                    let now = state.now_ms();
                    state.queue.retry(job, now);
                }
                (!was_failing).then(|| Report::Failing(error.to_string()))
            }
        };
        self.done.notify_all();
        report
    }
}

fn run(shared: &Shared, mut store: Store, report: &dyn Fn(Report)) {
    while let Some(job) = shared.wait_for_job() {
        let result = match &job {
            Job::Write(key, payload) => store.write(key, payload, &|| shared.lock().queue.still_wanted(key)),
            Job::Delete(key) => store.delete(key),
        };
        if let Some(news) = shared.finish(job, result) {
            report(news);
        }
    }
}

#[cfg(test)]
#[path = "writer_tests.rs"]
mod tests;
