//! When a value is written: at most once per five seconds a key while a pane streams, at once when it matters.
//!
//! Pure: times are milliseconds of any clock that does not go back, given in.

use crate::key::Key;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

/// Least time between two writes of a streaming key, and before a failed one is tried again, in milliseconds.
pub const INTERVAL_MS: u64 = 5_000;

/// Most deleted keys that are remembered.
const DELETED_MAX: usize = 16_384;

/// How soon a value is to be on disk.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Urgency {
    /// Structure, an exit, a shutdown: at once.
    Now,
    /// Output that goes on: at most once per [`INTERVAL_MS`] for each key.
    Streaming,
}

/// When each key was last handled. The side that makes snapshots keeps one too, so as not to make any in vain.
#[derive(Debug, Clone, Default)]
pub struct Throttle {
    last: HashMap<Key, u64>,
}

impl Throttle {
    /// When a value that came at `now_ms` may be written, in milliseconds.
    pub fn due_ms(&self, key: &Key, urgency: Urgency, now_ms: u64) -> u64 {
        match (urgency, self.last.get(key)) {
            (Urgency::Streaming, Some(last)) => now_ms.max(last.saturating_add(INTERVAL_MS)),
            _ => now_ms,
        }
    }

    /// Notes that `key` was handled.
    pub fn mark(&mut self, key: &Key, now_ms: u64) {
        self.last.insert(key.clone(), now_ms);
    }

    /// Forgets a key.
    pub fn forget(&mut self, key: &Key) {
        self.last.remove(key);
    }
}

/// One thing to do to the disk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Job {
    /// Replace the value of a key.
    Write(Key, Vec<u8>),
    /// Forget a key.
    Delete(Key),
}

#[derive(Debug)]
struct Waiting {
    // What is there is deleted first: a value of a new thing under an old name must not have the old one behind it.
    delete: bool,
    value: Option<Vec<u8>>,
    due_ms: u64,
    // Among what is due at one time: as it came. A session under a new name is written before the old name goes.
    order: u64,
}

/// What waits for the writer: for each key the newest value or its deletion, never more than one.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: BTreeMap<Key, Waiting>,
    throttle: Throttle,
    count: u64,
    deleted: HashSet<Key>,
    deleted_order: VecDeque<Key>,
}

impl Queue {
    /// A new value for a key; it takes the place of one that waits. For a pane or screen that was deleted it is
    /// dropped, for good: uuids do not come back.
    pub fn put(&mut self, key: Key, value: Vec<u8>, urgency: Urgency, now_ms: u64) {
        if self.deleted.contains(&key) {
            return;
        }
        let mut due_ms = self.throttle.due_ms(&key, urgency, now_ms);
        let mut order = self.next_order();
        let before = self.waiting.get(&key);
        if let Some(before) = before {
            due_ms = due_ms.min(before.due_ms);
            order = before.order;
        }
        let delete = before.is_some_and(|before| before.delete);
        self.waiting.insert(key, Waiting { delete, value: Some(value), due_ms, order });
    }

    /// Forgets a key: a value that waits is dropped, one that is being written is removed after.
    pub fn delete(&mut self, key: Key, now_ms: u64) {
        if key.kind().dies_for_good() && self.deleted.insert(key.clone()) {
            self.deleted_order.push_back(key.clone());
            if self.deleted_order.len() > DELETED_MAX {
                let oldest = self.deleted_order.pop_front();
                oldest.map(|oldest| self.deleted.remove(&oldest));
            }
        }
        self.throttle.forget(&key);
        let order = self.next_order();
        self.waiting.insert(key, Waiting { delete: true, value: None, due_ms: now_ms, order });
    }

    fn next_order(&mut self) -> u64 {
        self.count += 1;
        self.count
    }

    /// The next thing that is due, which has been due longest.
    pub fn next(&mut self, now_ms: u64) -> Option<Job> {
        let (key, _) = self
            .waiting
            .iter()
            .filter(|(_, waiting)| waiting.due_ms <= now_ms)
            .min_by_key(|(_, waiting)| (waiting.due_ms, waiting.order))?;
        let key = key.clone();
        let mut waiting = self.waiting.remove(&key)?;
        if waiting.delete {
            waiting.delete = false;
            if waiting.value.is_some() {
                self.waiting.insert(key.clone(), waiting);
            }
            return Some(Job::Delete(key));
        }
        self.throttle.mark(&key, now_ms);
        Some(Job::Write(key, waiting.value?))
    }

    /// True while nothing newer waits that makes a running write of `key` pointless.
    pub fn still_wanted(&self, key: &Key) -> bool {
        self.waiting.get(key).is_none_or(|waiting| !waiting.delete)
    }

    /// Puts back a job that failed, to be tried again after [`INTERVAL_MS`]; what came for its key meanwhile wins.
    pub fn retry(&mut self, job: Job, now_ms: u64) {
        let due_ms = now_ms.saturating_add(INTERVAL_MS);
        let order = self.next_order();
        match job {
            Job::Write(key, value) => {
                self.waiting.entry(key).or_insert(Waiting { delete: false, value: Some(value), due_ms, order });
            }
            Job::Delete(key) => {
                let nothing = Waiting { delete: true, value: None, due_ms, order };
                self.waiting.entry(key).or_insert(nothing).delete = true;
            }
        }
    }

    /// Makes all that waits due now.
    pub fn hurry(&mut self, now_ms: u64) {
        for waiting in self.waiting.values_mut() {
            waiting.due_ms = waiting.due_ms.min(now_ms);
        }
    }

    /// When the next thing is due; `None` when nothing waits.
    pub fn deadline_ms(&self) -> Option<u64> {
        self.waiting.values().map(|waiting| waiting.due_ms).min()
    }

    /// True when nothing waits.
    pub fn is_empty(&self) -> bool {
        self.waiting.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn screen() -> Key {
        Key::screen("u")
    }

    fn write(text: &[u8]) -> Option<Job> {
        Some(Job::Write(screen(), text.to_vec()))
    }

    // A pane that prints every 10 ms for `seconds`: the times of the writes.
    fn stream(queue: &mut Queue, seconds: u64) -> Vec<u64> {
        let mut writes = Vec::new();
        for now in (0..seconds * 1000).step_by(10) {
            queue.put(screen(), now.to_string().into_bytes(), Urgency::Streaming, now);
            while queue.next(now).is_some() {
                writes.push(now);
            }
        }
        writes
    }

    #[test]
    fn streaming_for_30_s_is_at_most_7_writes() {
        let writes = stream(&mut Queue::default(), 30);
        assert!((4..=7).contains(&writes.len()), "{writes:?}");
        assert!(writes.windows(2).all(|pair| pair[1] - pair[0] >= INTERVAL_MS), "{writes:?}");
    }

    #[test]
    fn an_exit_is_written_at_once() {
        let mut queue = Queue::default();
        stream(&mut queue, 7);
        queue.put(screen(), b"marker".to_vec(), Urgency::Now, 7_001);
        assert_eq!(queue.next(7_001), write(b"marker"));
        assert!(queue.is_empty());
    }

    #[test]
    fn streaming_after_urgent_does_not_delay_it() {
        let mut queue = Queue::default();
        queue.put(screen(), b"first".to_vec(), Urgency::Streaming, 0);
        queue.next(0);
        queue.put(screen(), b"urgent".to_vec(), Urgency::Now, 10);
        queue.put(screen(), b"newer".to_vec(), Urgency::Streaming, 11);
        assert_eq!(queue.next(11), write(b"newer"));
    }

    #[test]
    fn at_shutdown_the_last_value_goes_out() {
        let mut queue = Queue::default();
        stream(&mut queue, 7);
        assert_eq!(queue.next(7_000), None);
        queue.hurry(7_000);
        assert_eq!(queue.next(7_000), write(b"6990"));
    }

    #[test]
    fn each_key_has_its_own_slot() {
        let mut queue = Queue::default();
        for uuid in ["a", "b", "c"] {
            queue.put(Key::screen(uuid), vec![1], Urgency::Streaming, 0);
        }
        assert_eq!(std::iter::from_fn(|| queue.next(0)).count(), 3);
        assert_eq!(queue.deadline_ms(), None);
        queue.put(Key::screen("a"), vec![2], Urgency::Streaming, 100);
        assert_eq!(queue.deadline_ms(), Some(INTERVAL_MS));
    }

    #[test]
    fn a_delete_wins_over_what_waits_and_what_comes() {
        let mut queue = Queue::default();
        queue.put(screen(), vec![1], Urgency::Now, 0);
        queue.delete(screen(), 1);
        queue.put(screen(), vec![2], Urgency::Now, 2);
        assert_eq!(queue.next(2), Some(Job::Delete(screen())));
        queue.put(screen(), vec![3], Urgency::Now, 3);
        assert_eq!(queue.next(10_000), None);
    }

    #[test]
    fn a_delete_wins_over_a_write_that_runs() {
        let mut queue = Queue::default();
        queue.put(screen(), vec![1], Urgency::Now, 0);
        let running = queue.next(0).unwrap();
        assert!(queue.still_wanted(&screen()));
        queue.delete(screen(), 1);
        assert!(!queue.still_wanted(&screen()));
        queue.retry(running, 2);
        assert_eq!(queue.next(2), Some(Job::Delete(screen())));
        assert!(queue.is_empty());
    }

    #[test]
    fn a_session_name_can_be_used_again() {
        let mut queue = Queue::default();
        let key = Key::session("work");
        queue.delete(key.clone(), 0);
        queue.put(key.clone(), vec![1], Urgency::Now, 1);
        // The old one goes first, so that it can't stand behind the new one.
        let delete = queue.next(1).unwrap();
        assert_eq!(delete, Job::Delete(key.clone()));
        queue.retry(delete.clone(), 1);
        assert_eq!(queue.next(1), Some(delete));
        assert_eq!(queue.next(1), Some(Job::Write(key, vec![1])));
        assert!(queue.is_empty());
    }

    #[test]
    fn a_session_is_written_under_its_new_name_before_the_old_one_goes() {
        let mut queue = Queue::default();
        let (old, new) = (Key::session("a"), Key::session("b"));
        // In the order of the keys the old one would come first.
        queue.put(new.clone(), vec![1], Urgency::Now, 0);
        queue.delete(old.clone(), 0);
        queue.put(new.clone(), vec![2], Urgency::Now, 0);
        assert_eq!(queue.next(0), Some(Job::Write(new, vec![2])));
        assert_eq!(queue.next(0), Some(Job::Delete(old)));
    }

    #[test]
    fn a_failed_write_waits_and_yields_to_a_newer_value() {
        let mut queue = Queue::default();
        queue.put(screen(), vec![1], Urgency::Now, 0);
        let job = queue.next(0).unwrap();
        queue.retry(job.clone(), 0);
        assert_eq!(queue.next(INTERVAL_MS - 1), None);
        assert_eq!(queue.next(INTERVAL_MS), Some(job.clone()));
        queue.put(screen(), vec![2], Urgency::Now, INTERVAL_MS);
        queue.retry(job, INTERVAL_MS);
        assert_eq!(queue.next(INTERVAL_MS), write(&[2]));
        assert!(queue.is_empty());
    }

    #[test]
    fn memory_of_the_deleted_is_bounded() {
        let mut queue = Queue::default();
        for number in 0..DELETED_MAX + 10 {
            queue.delete(Key::pane(&number.to_string()), 0);
            queue.next(0);
        }
        assert_eq!(queue.deleted.len(), DELETED_MAX);
    }
}
