//! When a server that ended unasked is started again: at once, then more slowly, and not for ever. Pure.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

const DELAYS_MS: [u64; 5] = [0, 100, 500, 2000, 5000];
const WINDOW: Duration = Duration::from_secs(60);

/// The starts of the last minute.
#[derive(Debug)]
pub(crate) struct Restarts {
    limit: usize,
    recent: VecDeque<Instant>,
}

impl Restarts {
    /// At most `limit` starts a minute.
    pub(crate) fn new(limit: usize) -> Restarts {
        Restarts { limit, recent: VecDeque::new() }
    }

    /// A server is missing: when to start the next. `None` when it was tried too often.
    pub(crate) fn next(&mut self, now: Instant) -> Option<Instant> {
        while self.recent.front().is_some_and(|start| now.duration_since(*start) >= WINDOW) {
            self.recent.pop_front();
        }
        if self.recent.len() >= self.limit {
            return None;
        }
        let delay = DELAYS_MS[self.recent.len().min(DELAYS_MS.len() - 1)];
        let when = now + Duration::from_millis(delay);
        self.recent.push_back(when);
        Some(when)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_get_rarer_end_at_the_limit_and_are_forgotten_after_a_minute() {
        let begin = Instant::now();
        let mut restarts = Restarts::new(8);
        let delays: Vec<_> = (0..9).map(|_| restarts.next(begin).map(|at| (at - begin).as_millis())).collect();
        let expected = [0, 100, 500, 2000, 5000, 5000, 5000, 5000].map(Some);
        assert_eq!(delays[..8], expected);
        assert_eq!(delays[8], None);
        let later = begin + WINDOW + Duration::from_secs(6);
        assert_eq!(restarts.next(later), Some(later));
    }
}
