//! Waiting for conditions, with a limit and a name for what was waited for.

use std::time::{Duration, Instant};

/// How long a condition may take to come true. Generous: the machine may be busy with other tests.
pub const LIMIT: Duration = Duration::from_secs(15);
/// How often a condition is looked at.
const STEP: Duration = Duration::from_millis(10);

/// Waits until `condition` gives something; `None` when it does not within `limit`.
pub fn poll<T>(limit: Duration, mut condition: impl FnMut() -> Option<T>) -> Option<T> {
    let start = Instant::now();
    loop {
        if let Some(found) = condition() {
            return Some(found);
        }
        if start.elapsed() >= limit {
            return None;
        }
        std::thread::sleep(STEP);
    }
}

/// Waits until `condition` gives something, and fails the test with `what` when it never does.
#[track_caller]
pub fn wait_some<T>(what: &str, condition: impl FnMut() -> Option<T>) -> T {
    match poll(LIMIT, condition) {
        Some(found) => found,
        None => panic!("waited {} s for: {what}", LIMIT.as_secs()),
    }
}

/// Waits until `condition` is true, and fails the test with `what` when it never is.
#[track_caller]
pub fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    wait_some(what, || condition().then_some(()));
}

/// Looks at something for the whole of `time`, for what must not happen; fails the test when `holds` is false once.
#[track_caller]
pub fn observe_for(time: Duration, what: &str, mut holds: impl FnMut() -> bool) {
    let broken = poll(time, || (!holds()).then_some(()));
    assert!(broken.is_none(), "did not hold for {} ms: {what}", time.as_millis());
}
