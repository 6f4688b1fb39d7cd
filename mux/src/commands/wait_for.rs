//! wait-for: block until another client wakes a channel, or takes turns on it.

use super::*;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "wait-for",
        alias: Some("wait"),
        template: Template::text("LSU", 1, Some(1)),
        usage: "[-L|-S|-U] channel",
    },
    "Wait for a channel",
    run,
);

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let name = context.argument(0).unwrap_or_default();
    let number = mux.next_wait();
    let waits = context.client.is_some();
    let channel = mux.channels.entry(name.clone()).or_default();
    let mut woken = Vec::new();
    let mut outcome = DONE;
    if context.has('S') {
        if channel.waiters.is_empty() {
            channel.woken = true;
        }
        woken.extend(channel.waiters.drain(..));
    } else if context.has('L') {
        if !waits {
            outcome = Err("not able to lock".into());
        } else if channel.locked {
            channel.lockers.push_back(number);
            outcome = Ok(Flow::Wait(Wait::Channel(number)));
        } else {
            channel.locked = true;
        }
    } else if context.has('U') {
        if !channel.locked {
            outcome = Err(format!("channel {name} not locked").into());
        } else if let Some(next) = channel.lockers.pop_front() {
            woken.push(next);
        } else {
            channel.locked = false;
        }
    } else if !waits {
        outcome = Err("not able to wait".into());
    } else if std::mem::take(&mut channel.woken) {
    } else {
        channel.waiters.push_back(number);
        outcome = Ok(Flow::Wait(Wait::Channel(number)));
    }
    let idle = channel.waiters.is_empty() && channel.lockers.is_empty() && !channel.woken && !channel.locked;
    if idle {
        mux.channels.remove(&name);
    }
    for number in woken {
        mux.wake(&Wait::Channel(number));
    }
    outcome
}
