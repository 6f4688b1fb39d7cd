//! The command queue: one list of items for each client and one for the server itself, run until nothing can run.
//!
//! A command that waits (wait-for, run-shell) has ended as far as its block goes; what stands behind it on the same
//! queue runs when the wait is over.

use crate::Mux;
use crate::command::Arguments;
use crate::commands::{self, Commands, Row};
use crate::event::Event;
use crate::id::{ClientId, JobId, PaneId};
use crate::input::Now;
use crate::message::Logged;
use crate::target::{self, Found, MousePlace};
use crate::world::World;
use std::cell::Cell;
use std::collections::{BTreeMap, VecDeque};
use std::rc::Rc;

/// What a queue waits for.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Wait {
    /// A shell command's end.
    Job(JobId),
    /// A channel of `wait-for`: its number in the list of waiters.
    Channel(u64),
    /// A delay (`run-shell -d`).
    Delay(u64),
    /// An answer to a prompt.
    Answer(crate::prompt::Seat),
    /// The end of a popup.
    Popup(PaneId),
    /// The numbers of the panes on a client (`display-panes`).
    Numbers(ClientId),
    /// The client's standard input.
    Stdin(ClientId),
    /// The end of a pane's program (`new-pane -W`).
    Pane(PaneId),
}

/// What a command leaves its queue to do.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Flow {
    /// Go on.
    Done,
    /// Run nothing more until this has come.
    Wait(Wait),
}

/// Why a command failed. Shown to whoever ran it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct CommandError(pub String);

impl CommandError {
    /// An error without a text of its own: everything was said already.
    pub fn silent() -> CommandError {
        CommandError(String::new())
    }
}

impl From<String> for CommandError {
    fn from(text: String) -> CommandError {
        CommandError(text)
    }
}

impl From<&str> for CommandError {
    fn from(text: &str) -> CommandError {
        CommandError(text.to_owned())
    }
}

/// What running a command gives.
pub type Outcome = Result<Flow, CommandError>;

/// What the items of one line, binding or hook share.
#[derive(Clone, Debug, Default)]
pub struct State {
    /// Where the commands stand, when that is not the client's own place; a command may move the ones behind it.
    pub current: Cell<Option<Found>>,
    /// The key that ran them.
    pub key: Option<keymap::Key>,
    /// Where the mouse was.
    pub mouse: Option<MousePlace>,
    /// The mouse event itself, for passing it on.
    pub mouse_event: Option<crate::keys::Mouse>,
    /// Values for formats besides the usual ones (`#{hook}` and the like).
    pub formats: Vec<(String, String)>,
    /// A control client typed the line.
    pub typed: bool,
    /// No hooks are run for these commands, as they are a hook's own.
    pub no_hooks: bool,
    /// Only commands that change nothing are allowed.
    pub read_only: bool,
    /// How deep in files that source files.
    pub depth: usize,
}

impl State {
    /// Of the commands in a file.
    pub fn in_file(path: &str) -> State {
        State { formats: vec![("current_file".to_owned(), path.to_owned())], ..State::default() }
    }
}

type Callback = Box<dyn FnOnce(&mut Mux, &mut Context<'_>) -> Outcome>;

enum Work {
    /// The command at this place of the list.
    Command(Commands, usize),
    /// An error found when the text was parsed.
    Failed(String),
    Callback(Callback),
}

/// Something to run.
pub struct Item {
    work: Work,
    state: Rc<State>,
    group: u64,
}

impl Item {
    /// Something to do that no command does.
    pub fn callback(state: Rc<State>, callback: impl FnOnce(&mut Mux, &mut Context<'_>) -> Outcome + 'static) -> Item {
        Item { work: Work::Callback(Box::new(callback)), state, group: 0 }
    }

    /// An error to be told in the place of a command.
    pub fn failed(state: Rc<State>, text: String) -> Item {
        Item { work: Work::Failed(text), state, group: 0 }
    }
}

#[derive(Default)]
struct Queue {
    items: VecDeque<Item>,
    waiting: Option<Wait>,
    /// Nothing runs before the configuration has been read.
    held: bool,
}

/// All queues. `None` is the server's own.
#[derive(Default)]
pub struct Queues {
    queues: BTreeMap<Option<ClientId>, Queue>,
    /// Number of the last item that ran; server-wide, shown in guards.
    number: u64,
    next_group: u64,
}

impl std::fmt::Debug for Queues {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Queues").field("number", &self.number).field("queues", &self.queues.len()).finish()
    }
}

impl Queues {
    /// True when nothing waits to be run for a client.
    pub fn is_idle(&self, client: Option<ClientId>) -> bool {
        self.queues.get(&client).is_none_or(|queue| queue.items.is_empty() && queue.waiting.is_none())
    }

    /// Put items at the end of a queue.
    pub fn append(&mut self, client: Option<ClientId>, items: impl IntoIterator<Item = Item>) {
        self.queues.entry(client).or_default().items.extend(items);
    }

    /// The items of a list of commands.
    pub fn items(&mut self, commands: &Commands, state: &Rc<State>) -> Vec<Item> {
        let base = self.next_group + 1;
        let mut top = self.next_group;
        let items = commands.list.iter().enumerate().map(|(at, command)| {
            let group = base + u64::from(command.group);
            top = top.max(group);
            Item { work: Work::Command(commands.clone(), at), state: state.clone(), group }
        });
        let items = items.collect();
        self.next_group = top;
        items
    }

    /// Forget everything of a client.
    pub fn remove(&mut self, client: ClientId) {
        self.queues.remove(&Some(client));
    }

    /// Let the queues that wait for this go on. True when there was one.
    pub fn wake(&mut self, wait: &Wait) -> bool {
        let mut woken = false;
        for queue in self.queues.values_mut().filter(|queue| queue.waiting.as_ref() == Some(wait)) {
            queue.waiting = None;
            woken = true;
        }
        woken
    }

    /// Whose queue waits for this; `None` when none does.
    pub fn who_waits(&self, wait: &Wait) -> Option<Option<ClientId>> {
        self.queues.iter().find(|(_, queue)| queue.waiting.as_ref() == Some(wait)).map(|(client, _)| *client)
    }

    /// Put items at the front of the queue that waits for this, and let it go on.
    pub fn wake_with(&mut self, wait: &Wait, items: Vec<Item>) -> bool {
        let Some(queue) = self.queues.values_mut().find(|queue| queue.waiting.as_ref() == Some(wait)) else {
            return false;
        };
        queue.waiting = None;
        for item in items.into_iter().rev() {
            queue.items.push_front(item);
        }
        true
    }

    /// Let nothing of this client run before the configuration has been read.
    pub fn hold(&mut self, client: ClientId) {
        self.queues.entry(Some(client)).or_default().held = true;
    }

    /// True for a client whose commands wait for the configuration.
    pub fn is_held(&self, client: ClientId) -> bool {
        self.queues.get(&Some(client)).is_some_and(|queue| queue.held)
    }

    /// The next item that can run.
    fn pop(&mut self, configured: bool) -> Option<(Option<ClientId>, Item)> {
        self.queues
            .iter_mut()
            .filter(|(_, queue)| queue.waiting.is_none() && (configured || !queue.held))
            .find_map(|(client, queue)| queue.items.pop_front().map(|item| (*client, item)))
    }

    /// Put items at the front of a queue.
    pub fn prepend(&mut self, client: Option<ClientId>, items: Vec<Item>) {
        self.push_front(client, items);
    }

    fn push_front(&mut self, client: Option<ClientId>, items: Vec<Item>) {
        if items.is_empty() {
            return;
        }
        let queue = self.queues.entry(client).or_default();
        for item in items.into_iter().rev() {
            queue.items.push_front(item);
        }
    }

    fn drop_group(&mut self, client: Option<ClientId>, group: u64) {
        if let Some(queue) = self.queues.get_mut(&client).filter(|_| group != 0) {
            queue.items.retain(|item| item.group != group);
        }
    }
}

/// What a command has at hand while it runs.
pub struct Context<'a> {
    /// The outside.
    pub world: &'a mut dyn World,
    /// The time of this turn.
    pub now: Now,
    /// Whose queue it runs on; `None` for the server's own.
    pub client: Option<ClientId>,
    /// The client that `-c` or `-t` names, or the best one.
    pub target_client: Option<ClientId>,
    /// What `-s` names.
    pub source: Found,
    /// What `-t` names.
    pub target: Found,
    /// The command's row; of a callback that of no command.
    pub row: Option<&'static Row>,
    /// The list it stands in, and its place there.
    pub running: Option<(Commands, usize)>,
    /// What it shares with its line.
    pub state: Rc<State>,
    /// Items that run right after this one.
    after: Vec<Item>,
}

impl Context<'_> {
    /// The flags and arguments of the command.
    pub fn arguments(&self) -> &Arguments {
        static NONE: std::sync::LazyLock<Arguments> = std::sync::LazyLock::new(Arguments::default);
        self.running.as_ref().map_or(&NONE, |(commands, at)| &commands.list[*at].arguments)
    }

    /// The file and line the command stood in, for messages.
    pub fn place(&self) -> Option<String> {
        let (commands, at) = self.running.as_ref()?;
        commands.file.as_ref().map(|file| format!("{file}:{}", commands.list[*at].line))
    }

    /// True when the flag was given.
    pub fn has(&self, flag: char) -> bool {
        self.arguments().has(flag)
    }

    /// The value of a flag; a copy, so that the model can be changed meanwhile.
    pub fn get(&self, flag: char) -> Option<String> {
        self.arguments().get(flag).map(str::to_owned)
    }

    /// A positional argument as text; a copy.
    pub fn argument(&self, at: usize) -> Option<String> {
        self.arguments().string(at).map(|text| text.into_owned())
    }

    /// Run these right after this item, before what stands behind it.
    pub fn run_after(&mut self, items: Vec<Item>) {
        self.after.extend(items);
    }

    /// All positional arguments as text.
    pub fn words(&self) -> Vec<String> {
        (0..self.arguments().positional().len()).filter_map(|at| self.argument(at)).collect()
    }

    /// Run a hook right after this item.
    pub fn hook_after(&mut self, mux: &mut Mux, name: &str, found: Found) {
        if !mux.is_hooked(name, found) {
            return;
        }
        let state = self.state.clone();
        let formats = crate::hook::argument_formats(self.arguments());
        let items = mux.hook_items(name, found, &state, &formats, self.world, self.now);
        self.run_after(items);
    }

    /// Run these commands right after this item, with the same state.
    pub fn run_commands_after(&mut self, mux: &mut Mux, commands: &Commands) {
        let state = self.state.clone();
        let items = mux.queues.items(commands, &state);
        self.run_after(items);
    }
}

impl Mux {
    /// Run what can be run, until nothing can.
    pub(crate) fn run_queues(&mut self, world: &mut dyn World, now: Now) {
        loop {
            self.run_fired(world, now);
            let configured = self.configured;
            match self.queues.pop(configured) {
                Some((client, item)) => self.run_item(world, now, client, item),
                None if self.fit_shown_windows() || self.check_alerts() => {}
                None => break,
            }
        }
        self.end_idle_clients();
    }

    pub(crate) fn run_item(&mut self, world: &mut dyn World, now: Now, client: Option<ClientId>, item: Item) {
        self.queues.number += 1;
        let number = self.queues.number;
        let Item { work, state, group } = item;
        let mut context = Context {
            world,
            now,
            client,
            target_client: None,
            source: Found::default(),
            target: Found::default(),
            row: None,
            running: None,
            state: state.clone(),
            after: Vec::new(),
        };
        let guarded = client.filter(|id| self.clients.get(id).is_some_and(|client| client.is_control()));
        let guarded = guarded.filter(|_| !matches!(work, Work::Callback(_)));
        let guard = |mux: &mut Mux, begin: bool, failed: bool| {
            let Some(client) = guarded else { return };
            let (time, typed) = (now.seconds(), state.typed);
            mux.event(if begin {
                Event::CommandBegan { client, time, number, typed }
            } else {
                Event::CommandEnded { client, time, number, typed, failed }
            });
        };
        guard(self, true, false);
        // A line that is no command leaves a control client's status as it was.
        let unread = state.typed && matches!(work, Work::Failed(_));
        self.hooks.running = state.no_hooks;
        let outcome = match work {
            Work::Command(commands, at) => self.run_command(&mut context, commands, at),
            Work::Failed(text) => Err(CommandError(text)),
            Work::Callback(callback) => callback(self, &mut context),
        };
        self.sync_groups();
        self.hooks.running = false;
        let mut after = std::mem::take(&mut context.after);
        match outcome {
            Ok(flow) => {
                guard(self, false, false);
                after.extend(self.after_hook(&mut context));
                self.queues.push_front(client, after);
                if let Flow::Wait(wait) = flow {
                    self.queues.queues.entry(client).or_default().waiting = Some(wait);
                }
            }
            Err(error) => {
                let status = client.and_then(|id| self.clients.get(&id)).map(|client| client.status);
                if !error.0.is_empty() {
                    self.report_error(&context, &error.0);
                    if let Some(client) = client.and_then(|id| self.clients.get_mut(&id)).filter(|_| unread) {
                        client.status = status.unwrap_or_default();
                    }
                } else if let Some(client) = client.and_then(|id| self.clients.get_mut(&id)) {
                    client.status = 1;
                }
                guard(self, false, true);
                self.queues.drop_group(client, group);
                after.extend(self.hook_items("command-error", context.target, &state, &[], context.world, now));
                self.queues.push_front(client, after);
            }
        }
    }

    fn run_command(&mut self, context: &mut Context<'_>, commands: Commands, at: usize) -> Outcome {
        let row = commands::row(commands.list[at].signature.name);
        context.row = Some(row);
        context.running = Some((commands, at));
        if self.configured {
            self.log_command(context);
        }
        self.may_run(context, row)?;
        let client = context.client;
        context.target_client = match row.client {
            ClientFlag::None => target::find_client(self, client, None).ok(),
            ClientFlag::Named { flag, can_fail } => {
                match target::find_client(self, client, context.arguments().get(flag)) {
                    Ok(client) => Some(client),
                    Err(_) if can_fail => None,
                    Err(text) => return Err(text.into()),
                }
            }
            ClientFlag::OrPane(flag) => {
                let given = context.arguments().get(flag);
                match target::find_client(self, client, given) {
                    Ok(client) => Some(client),
                    Err(_) if given.is_some() => None,
                    Err(text) => return Err(text.into()),
                }
            }
        };
        let named = row.client != ClientFlag::None && !context.has('p');
        if named && self.only_reads(context) && !self.reader_may_reach(context) {
            return Err("client is read-only".into());
        }
        context.source = self.find_flag(context, row.source)?;
        context.target = self.find_flag(context, row.target)?;
        (row.run)(self, context)
    }

    /// Every command stands in the message log. It is put into words when somebody reads that.
    fn log_command(&mut self, context: &Context<'_>) {
        let Some((commands, at)) = context.running.clone() else { return };
        let who = match context.client.and_then(|id| self.clients.get(&id)) {
            None => String::new(),
            Some(client) => {
                let user = match client.uid == self.identity.uid {
                    true => String::new(),
                    false => {
                        format!("[{}]", context.world.user_name(client.uid).unwrap_or_else(|| "unknown".to_owned()))
                    }
                };
                match context.state.key.filter(|_| client.session.is_some()) {
                    Some(key) => format!("{}{user} key {}: ", client.name, keymap::key_name(key)),
                    None => [&client.name, &*user, " command: "].concat(),
                }
            }
        };
        let who = if who.is_empty() { "command: ".to_owned() } else { who };
        self.log(context.now, Logged::Command { who, commands, at });
    }

    /// A read-only client may run only what changes nothing, whatever the path by which the command came.
    fn may_run(&self, context: &Context<'_>, row: &Row) -> Result<(), CommandError> {
        let refused = self.only_reads(context) && !self.reader_may_run(context, row);
        if refused { Err("client is read-only".into()) } else { Ok(()) }
    }

    fn find_flag(&self, context: &Context<'_>, spec: target::Spec) -> Result<Found, CommandError> {
        if spec.flag == '\0' {
            let found = target::from_client(self, context.target_client.or(context.client), false);
            return Ok(found.unwrap_or_default());
        }
        let current = self.current(context, spec.prefer_unattached);
        if target::is_active(context.arguments().get(spec.flag).unwrap_or_default()) {
            let session = context.client.and_then(|id| self.clients.get(&id)).and_then(|client| client.session);
            let found = session.and_then(|session| target::current_of(self, session));
            return found.ok_or_else(|| "no current client".into());
        }
        match target::find(self, spec, context.arguments().get(spec.flag), current, context.state.mouse) {
            Ok(found) => Ok(found),
            Err(_) if spec.can_fail => {
                Ok(target::partial(self, spec, context.arguments().get(spec.flag).unwrap_or_default(), current))
            }
            Err(text) => Err(text.into()),
        }
    }

    /// Where commands of this item stand.
    pub(crate) fn current(&self, context: &Context<'_>, prefer_unattached: bool) -> Option<Found> {
        let valid = |found: &Found| {
            found.session.is_some_and(|id| self.sessions.contains_key(&id))
                && found.window.is_none_or(|id| self.windows.contains_key(&id))
                && found.pane.is_none_or(|id| self.panes.contains_key(&id))
        };
        let given = context.state.current.get().filter(valid);
        given.or_else(|| target::from_client(self, context.client, prefer_unattached))
    }

    fn after_hook(&mut self, context: &mut Context<'_>) -> Vec<Item> {
        // What a reader looks at has no consequences.
        let row = context.row.filter(|row| row.after_hook && !self.only_reads(context));
        let Some(row) = row else { return Vec::new() };
        let target = if context.target == Found::default() {
            self.current(context, false).unwrap_or_default()
        } else {
            context.target
        };
        let name = ["after-", row.signature.name].concat();
        if !self.is_hooked(&name, target) {
            return Vec::new();
        }
        let formats = crate::hook::argument_formats(context.arguments());
        let state = context.state.clone();
        self.hook_items(&name, target, &state, &formats, context.world, context.now)
    }
}

/// Which flag of a command names a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientFlag {
    /// None does.
    None,
    /// This one does.
    Named {
        /// The flag.
        flag: char,
        /// Finding none is no error.
        can_fail: bool,
    },
    /// This one does, or else a pane.
    OrPane(char),
}

impl std::fmt::Debug for Item {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Item").field("group", &self.group).finish_non_exhaustive()
    }
}
