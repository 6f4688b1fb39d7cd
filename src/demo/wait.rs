//! Waiting for a condition with a limit, in a demo that may be interrupted at any moment.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Set by a signal that asks the demo to end.
static INTERRUPTED: AtomicBool = AtomicBool::new(false);

/// The error of a wait that was interrupted.
pub(super) const INTERRUPTION: &str = "interrupted";

/// How often a condition is looked at.
const STEP: Duration = Duration::from_millis(50);

/// Waits until `condition` gives something. The error says what was waited for and how long.
pub(super) fn until<T>(
    what: &str,
    limit: Duration,
    mut condition: impl FnMut() -> Result<Option<T>, String>,
) -> Result<T, String> {
    let start = Instant::now();
    loop {
        check()?;
        if let Some(found) = condition()? {
            return Ok(found);
        }
        if start.elapsed() >= limit {
            return Err(format!("waited {} s for {what}", limit.as_secs()));
        }
        std::thread::sleep(STEP);
    }
}

/// Lets `time` pass, for programs that take a quick burst of input for a paste.
pub(super) fn pause(time: Duration) -> Result<(), String> {
    let start = Instant::now();
    while start.elapsed() < time {
        check()?;
        std::thread::sleep(STEP.min(time));
    }
    Ok(())
}

fn check() -> Result<(), String> {
    if INTERRUPTED.load(Ordering::Relaxed) { Err(INTERRUPTION.to_owned()) } else { Ok(()) }
}

/// From now on ^C and the like end the wait at hand instead of the program, so that everything is put away first.
pub(super) fn catch_signals() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut interrupt, mut terminate, mut hangup) = {
        let _inside = runtime.enter();
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?, signal(SignalKind::hangup())?)
    };
    std::thread::spawn(move || {
        runtime.block_on(async {
            loop {
                tokio::select! { _ = interrupt.recv() => {} _ = terminate.recv() => {} _ = hangup.recv() => {} }
                INTERRUPTED.store(true, Ordering::Relaxed);
            }
        });
    });
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_wait_ends_with_its_condition_or_its_limit() {
        let mut looks = 0;
        let found = until("three looks", Duration::from_secs(5), || {
            looks += 1;
            Ok((looks == 3).then_some(looks))
        });
        assert_eq!(found, Ok(3));
        let none: Result<(), String> = until("nothing", Duration::ZERO, || Ok(None));
        assert_eq!(none, Err("waited 0 s for nothing".to_owned()));
        let broken: Result<(), String> = until("x", Duration::from_secs(5), || Err("broken".to_owned()));
        assert_eq!(broken, Err("broken".to_owned()));
    }
}
