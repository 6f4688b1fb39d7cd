//! When a server that ended unasked is started again: one that had served at once, one that fails at its start ever more
//! slowly and not for ever. Pure.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

/// Before each start of servers that fail one after the other.
const FAILED_DELAYS_MS: [u64; 5] = [0, 100, 500, 2000, 5000];
/// Before each start of servers that serve for a moment only.
const BRIEF_DELAYS_MS: [u64; 3] = [0, 0, 100];
/// Brief lives for one start that failed: whoever kills a server by hand is slower than a server that fails at its first client.
const BRIEF_FACTOR: usize = 8;
/// A server that served this long was a good one, however it ended.
const GOOD_LIFE: Duration = Duration::from_secs(1);
const WINDOW: Duration = Duration::from_secs(60);

/// How far a server came before it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Life {
    /// It never said how the next one is started, so it was not ready yet.
    Failed,
    /// It was ready since then.
    Served(Instant),
}

/// The starts of the last minute that count.
#[derive(Debug)]
pub(crate) struct Restarts {
    limit: usize,
    failed: VecDeque<Instant>,
    brief: VecDeque<Instant>,
}

impl Restarts {
    /// At most `limit` starts a minute that fail.
    pub(crate) fn new(limit: usize) -> Restarts {
        Restarts { limit, failed: VecDeque::new(), brief: VecDeque::new() }
    }

    /// A server is missing: when to start the next. `None` when it was tried too often.
    pub(crate) fn next(&mut self, now: Instant, life: Life) -> Option<Instant> {
        match life {
            Life::Served(since) if now.duration_since(since) >= GOOD_LIFE => {
                self.failed.clear();
                self.brief.clear();
                (self.limit > 0).then_some(now)
            }
            Life::Served(_) => after(&mut self.brief, self.limit.saturating_mul(BRIEF_FACTOR), &BRIEF_DELAYS_MS, now),
            Life::Failed => after(&mut self.failed, self.limit, &FAILED_DELAYS_MS, now),
        }
    }
}

/// Takes note of one more start, whose delay grows with their number.
fn after(recent: &mut VecDeque<Instant>, limit: usize, delays_ms: &[u64], now: Instant) -> Option<Instant> {
    while recent.front().is_some_and(|start| now.duration_since(*start) >= WINDOW) {
        recent.pop_front();
    }
    if recent.len() >= limit {
        return None;
    }
    let when = now + Duration::from_millis(delays_ms[recent.len().min(delays_ms.len() - 1)]);
    recent.push_back(when);
    Some(when)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_that_fail_get_rarer_end_at_the_limit_and_are_forgotten_after_a_minute() {
        let begin = Instant::now();
        let mut restarts = Restarts::new(8);
        let delays: Vec<_> =
            (0..9).map(|_| restarts.next(begin, Life::Failed).map(|at| (at - begin).as_millis())).collect();
        let expected = [0, 100, 500, 2000, 5000, 5000, 5000, 5000].map(Some);
        assert_eq!(delays[..8], expected);
        assert_eq!(delays[8], None);
        let later = begin + WINDOW + Duration::from_secs(6);
        assert_eq!(restarts.next(later, Life::Failed), Some(later));
    }

    #[test]
    fn a_server_that_served_for_a_second_is_followed_at_once_however_often() {
        let mut now = Instant::now();
        let mut restarts = Restarts::new(8);
        for _ in 0..8 {
            restarts.next(now, Life::Failed);
        }
        for _ in 0..100 {
            let since = now;
            now += GOOD_LIFE;
            assert_eq!(restarts.next(now, Life::Served(since)), Some(now));
        }
        assert_eq!(restarts.next(now, Life::Failed), Some(now), "what failed before counts no more");
    }

    #[test]
    fn twenty_brief_lives_are_followed_within_a_tenth_of_a_second_and_not_for_ever() {
        let now = Instant::now();
        let mut restarts = Restarts::new(8);
        for _ in 0..20 {
            let next = restarts.next(now, Life::Served(now)).unwrap();
            assert!(next - now <= Duration::from_millis(100));
        }
        let more = (0..1000).take_while(|_| restarts.next(now, Life::Served(now)).is_some()).count();
        assert_eq!(20 + more, 64);
    }
}
