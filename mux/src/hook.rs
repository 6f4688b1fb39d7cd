//! Hooks: commands that users tie to what happens (tmux(1), HOOKS). They are options that hold commands.

use crate::Mux;
use crate::command::Arguments;
use crate::event::Event;
use crate::id::PaneId;
use crate::input::Now;
use crate::option::OptionValue;
use crate::payload::Payload;
use crate::queue::{Item, State};
use crate::target::Found;
use crate::values::OptionScope;
use crate::world::World;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

/// What is told to hooks and waiters once the command at hand is done.
#[derive(Debug, Clone)]
pub(crate) struct Fired {
    name: String,
    payload: Payload,
    /// Waiters are told, hooks are not: a hook's own command did it.
    quiet: bool,
    /// Only the hook of this monitor runs.
    monitor: Option<OptionScope>,
}

/// How often a hook ran, and when last.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Runs {
    pub(crate) count: u32,
    pub(crate) last: i64,
}

/// What is known of hooks besides their commands.
#[derive(Debug, Default)]
pub(crate) struct Hooks {
    fired: Vec<Fired>,
    /// User options that were set as hooks.
    pub(crate) users: BTreeSet<String>,
    runs: HashMap<(OptionScope, String), Runs>,
    /// A command of a hook is running.
    pub(crate) running: bool,
}

impl Hooks {
    pub(crate) fn runs(&self, owner: OptionScope, name: &str) -> Runs {
        self.runs.get(&(owner, name.to_owned())).copied().unwrap_or_default()
    }
}

/// `#{hook_argument_N}` and `#{hook_flag_X}` of a command.
pub(crate) fn argument_formats(arguments: &Arguments) -> Vec<(String, String)> {
    let mut formats = vec![("hook_arguments".to_owned(), crate::command::print_arguments(arguments))];
    for at in 0..arguments.positional().len() {
        let text = arguments.string(at).map(|text| text.into_owned()).unwrap_or_default();
        formats.push((format!("hook_argument_{at}"), text));
    }
    for flag in ('a'..='z').chain('A'..='Z').chain('0'..='9').filter(|flag| arguments.has(*flag)) {
        formats.push((format!("hook_flag_{flag}"), arguments.get(flag).unwrap_or("1").to_owned()));
        for (at, value) in arguments.all(flag).enumerate() {
            formats.push((format!("hook_flag_{flag}_{at}"), value.to_owned()));
        }
    }
    formats
}

fn has_commands(value: &OptionValue) -> bool {
    !matches!(value, OptionValue::Array(items) if items.is_empty())
}

impl Mux {
    /// Whether an owner's user option is a hook: it was set as one, or a monitor runs it.
    pub(crate) fn is_user_hook(&self, owner: OptionScope, name: &str) -> bool {
        name.starts_with('@') && (self.hooks.users.contains(name) || self.monitors.get(owner, name).is_some())
    }

    /// Something happened: hooks of that name run once the commands at hand are done, and who waits for it goes on.
    pub(crate) fn fire(&mut self, name: &str, payload: Payload) {
        let payload = payload.with("event", name);
        self.hooks.fired.push(Fired { name: name.to_owned(), payload, quiet: self.hooks.running, monitor: None });
    }

    /// Whether anybody would be told of an event of a pane: for what happens too often to be told to nobody.
    pub(crate) fn is_heard(&self, name: &str, pane: PaneId) -> bool {
        let waits = || self.event_waiters.iter().any(|waiter| waiter.name == name);
        let window = self.panes.get(&pane).map(|pane| pane.window).unwrap_or_default();
        let owners = [OptionScope::Pane(pane), OptionScope::Window(window), OptionScope::GlobalWindow];
        let hooked = |owner| self.own_options(owner).and_then(|store| store.get(name)).is_some_and(has_commands);
        owners.into_iter().any(hooked) || waits()
    }

    /// A monitor saw another value: its own hook runs.
    pub(crate) fn fire_monitor(&mut self, name: &str, owner: OptionScope, payload: Payload) {
        let payload = payload.with("event", name);
        self.hooks.fired.push(Fired { name: name.to_owned(), payload, quiet: false, monitor: Some(owner) });
    }

    /// Note the hook of an event, to be run once the commands at hand are done.
    pub(crate) fn hook_event(&mut self, event: &Event, more: &[(&str, String)]) {
        let Some((name, mut payload)) = self.hook_of(event) else { return };
        for (name, value) in more {
            payload = payload.with(name, value);
        }
        self.fire(name, payload);
    }

    /// Tell waiters of what happened, and put hooks on the server's own queue.
    pub(crate) fn run_fired(&mut self, world: &dyn World, now: Now) {
        for fired in std::mem::take(&mut self.hooks.fired) {
            self.wake_waiters(&fired.name, &fired.payload, world, now);
            if fired.quiet {
                continue;
            }
            let items = match fired.monitor {
                None => {
                    let formats = fired.payload.formats("hook_");
                    self.hook_items(&fired.name, fired.payload.found, &State::default(), &formats, world, now)
                }
                Some(owner) => self.monitor_items(&fired.name, owner, &fired.payload, world, now),
            };
            self.queues.append(None, items);
        }
    }

    /// The commands of a hook, as items; none when the state says that it is a hook's own.
    pub(crate) fn hook_items(
        &mut self,
        name: &str,
        found: Found,
        state: &State,
        formats: &[(String, String)],
        world: &dyn World,
        now: Now,
    ) -> Vec<Item> {
        if state.no_hooks {
            return Vec::new();
        }
        let Some((owner, value)) = self.hook_value(name, found) else { return Vec::new() };
        let texts: Vec<String> = match value {
            OptionValue::Array(items) => items.values().cloned().collect(),
            value => vec![value.text()],
        };
        self.count_run(owner, name, now);
        self.text_items(name, &texts, found, state, formats, world)
    }

    fn count_run(&mut self, owner: OptionScope, name: &str, now: Now) {
        let runs = self.hooks.runs.entry((owner, name.to_owned())).or_default();
        *runs = Runs { count: runs.count.saturating_add(1), last: now.seconds() };
    }

    fn text_items(
        &mut self,
        name: &str,
        texts: &[String],
        found: Found,
        state: &State,
        formats: &[(String, String)],
        world: &dyn World,
    ) -> Vec<Item> {
        let mut values = vec![("hook".to_owned(), name.to_owned())];
        values.extend_from_slice(formats);
        let state = Rc::new(State {
            current: std::cell::Cell::new(
                Some(found).filter(|found| *found != Found::default()).or(state.current.get()),
            ),
            key: state.key,
            mouse: state.mouse,
            mouse_event: state.mouse_event.clone(),
            formats: values,
            typed: false,
            no_hooks: true,
            read_only: state.read_only,
            depth: state.depth,
        });
        let mut items = Vec::new();
        for text in texts {
            match self.commands(text, None, world) {
                Ok(commands) => items.extend(self.queues.items(&commands, &state)),
                Err(error) => items.push(Item::failed(state.clone(), error)),
            }
        }
        items
    }

    /// The commands of a monitor's hook. They are formats: the value that was seen is put into them.
    fn monitor_items(
        &mut self,
        name: &str,
        owner: OptionScope,
        payload: &Payload,
        world: &dyn World,
        now: Now,
    ) -> Vec<Item> {
        let Some(text) = self.option_chain(owner).first().and_then(|store| store.get(name)).map(|value| value.text())
        else {
            return Vec::new();
        };
        let mut formats = payload.formats("hook_");
        formats.push(("hook".to_owned(), name.to_owned()));
        let text = self.expand_at(None, payload.found, &text, &formats, world, now);
        self.text_items(name, &[text], payload.found, &State::default(), &formats, world)
    }

    /// Whether a hook of this name would be run there.
    pub(crate) fn is_hooked(&self, name: &str, found: Found) -> bool {
        self.hook_value(name, found).is_some()
    }

    /// The commands tied to a hook and whose they are: the session's, pane's or window's own, else the global ones.
    fn hook_value(&self, name: &str, found: Found) -> Option<(OptionScope, &OptionValue)> {
        let owners = [
            found.session.map(OptionScope::Session),
            Some(OptionScope::GlobalSession),
            found.pane.map(OptionScope::Pane),
            found.window.map(OptionScope::Window),
            Some(OptionScope::GlobalWindow),
        ];
        let mut owners = owners.into_iter().flatten();
        let found = owners.find_map(|owner| Some((owner, self.own_options(owner)?.get(name)?)));
        found.filter(|(_, value)| has_commands(value))
    }
}

#[cfg(test)]
mod tests;
