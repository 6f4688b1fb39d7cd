//! wait-for: block until another client wakes a channel, or takes turns on it, or until something happens.

use super::*;
use crate::input::Now;
use crate::payload::Payload;
use crate::world::World;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "wait-for",
        alias: Some("wait"),
        template: Template::text("EF:LSUlvw:", 1, Some(1)),
        usage: "[-L|-S|-U] channel",
    },
    "Wait for a channel",
    run,
);

/// Who waits for an event.
#[derive(Debug, Clone)]
pub(crate) struct EventWaiter {
    number: u64,
    pub(crate) name: String,
    /// A format that must hold of the event (-F).
    filter: Option<String>,
    /// It is told what the event says (-v).
    verbose: bool,
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let name = context.argument(0).unwrap_or_default();
    if context.has('E') {
        return event(mux, context, name);
    }
    if context.has('l') {
        for number in waiters(mux, &name) {
            let client = mux.waiting_client(number);
            mux.print(context, &client);
        }
        return DONE;
    }
    if let Some(client) = context.get('w') {
        wake_one(mux, &name, &client);
        return DONE;
    }
    channel(mux, context, name)
}

/// The numbers of all who wait for a channel or for the lock on it.
fn waiters(mux: &Mux, name: &str) -> Vec<u64> {
    let channel = mux.channels.get(name);
    channel.map_or(Vec::new(), |channel| channel.waiters.iter().chain(&channel.lockers).copied().collect())
}

/// -w: the one that a client is goes on.
fn wake_one(mux: &mut Mux, name: &str, client: &str) {
    let Some(number) = waiters(mux, name).into_iter().find(|number| mux.waiting_client(*number) == client) else {
        return;
    };
    if let Some(channel) = mux.channels.get_mut(name) {
        channel.waiters.retain(|other| *other != number);
        channel.lockers.retain(|other| *other != number);
        if channel.is_idle() {
            mux.channels.remove(name);
        }
    }
    mux.wake(&Wait::Channel(number));
}

fn channel(mux: &mut Mux, context: &mut Context<'_>, name: String) -> Outcome {
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
    if channel.is_idle() {
        mux.channels.remove(&name);
    }
    for number in woken {
        mux.wake(&Wait::Channel(number));
    }
    outcome
}

/// -E: an event in the place of a channel.
fn event(mux: &mut Mux, context: &mut Context<'_>, name: String) -> Outcome {
    let known = name.starts_with('@') || crate::option::find(&name).is_some_and(|row| row.hook);
    if !known {
        return Err(format!("invalid event: {name}").into());
    }
    let queues = &mux.queues;
    mux.event_waiters.retain(|waiter| queues.who_waits(&Wait::Channel(waiter.number)).is_some());
    let of_name = |waiter: &&EventWaiter| waiter.name == name;
    if context.has('l') {
        let all: Vec<u64> = mux.event_waiters.iter().filter(of_name).map(|waiter| waiter.number).collect();
        for number in all {
            let client = mux.waiting_client(number);
            mux.print(context, &client);
        }
        return DONE;
    }
    if let Some(client) = context.get('w') {
        let mut numbers = mux.event_waiters.iter().filter(of_name).map(|waiter| waiter.number);
        let Some(number) = numbers.find(|number| mux.waiting_client(*number) == client) else {
            return Err(format!("waiter {client} not found").into());
        };
        mux.event_waiters.retain(|waiter| waiter.number != number);
        mux.wake(&Wait::Channel(number));
        return DONE;
    }
    if context.client.is_none() {
        return Err("not able to wait".into());
    }
    let number = mux.next_wait();
    mux.event_waiters.push(EventWaiter { number, name, filter: context.get('F'), verbose: context.has('v') });
    Ok(Flow::Wait(Wait::Channel(number)))
}

impl Mux {
    /// The name of the client that waits; empty for one that is gone.
    fn waiting_client(&self, number: u64) -> String {
        let client = self.queues.who_waits(&Wait::Channel(number)).flatten();
        client.map_or(String::new(), |client| self.client_name(client))
    }

    /// An event has come: who waited for it goes on.
    pub(crate) fn wake_waiters(&mut self, name: &str, payload: &Payload, world: &dyn World, now: Now) {
        if self.event_waiters.is_empty() {
            return;
        }
        for waiter in self.event_waiters.clone().into_iter().filter(|waiter| waiter.name == name) {
            let Some(client) = self.queues.who_waits(&Wait::Channel(waiter.number)).flatten() else { continue };
            if waiter.verbose {
                payload.lines().for_each(|line| self.print_to(client, &line));
            }
            let holds = waiter.filter.is_none_or(|filter| {
                let formats = payload.formats("");
                let found = crate::target::from_client(self, Some(client), false).unwrap_or_default();
                crate::format::is_true(&self.expand_at(Some(client), found, &filter, &formats, world, now))
            });
            if holds {
                self.event_waiters.retain(|other| other.number != waiter.number);
                self.wake(&Wait::Channel(waiter.number));
            }
        }
    }
}
