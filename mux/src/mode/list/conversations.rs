//! Conversations of engines, as the program that reads their stores tells them, and the panes that are on them.

use super::source::{At, Making};
use super::{Align, Draft, Item, List, Order, search};
use crate::jobs::Start;
use crate::queue::Context;
use crate::target;
use crate::{JobId, Mux, PaneId, SessionId};
use agents::{Conversation, Told};
use std::cmp::Ordering;

/// How long an engine that was just launched may take until its process can be seen, in milliseconds.
const STARTING_MS: u64 = 3000;

/// Of which directories conversations are listed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Scope {
    /// The directory, with symbolic links resolved.
    pub(crate) directory: String,
    /// All of them.
    pub(crate) all: bool,
}

/// What is read of the engines' stores.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// The newest conversations.
    Listed(Scope),
    /// Those whose id begins so.
    Named(String),
}

/// The conversations that were told.
pub(crate) fn told(output: &[u8]) -> Vec<Conversation> {
    let mut store = Store::default();
    store.take(output);
    store.rows
}

/// What has been told so far.
#[derive(Debug, Default)]
pub(crate) struct Store {
    pub(crate) scope: Scope,
    pub(crate) rows: Vec<Conversation>,
    /// The engines that are not listed, and why.
    unlisted: Vec<(String, String)>,
    /// There were more.
    cut: bool,
    /// The program that reads; `None` once it has ended.
    pub(crate) job: Option<JobId>,
    /// Bytes of its output that have been read.
    pub(crate) read: usize,
}

impl Store {
    /// Take whole lines of what was told.
    pub(crate) fn take(&mut self, output: &[u8]) {
        let fresh = output.get(self.read..).unwrap_or_default();
        let Some(end) = fresh.iter().rposition(|byte| *byte == b'\n') else { return };
        self.read += end + 1;
        for line in fresh[..end].split(|byte| *byte == b'\n') {
            match std::str::from_utf8(line).ok().and_then(Told::read) {
                Some(Told::Conversation(row)) => self.rows.push(row),
                Some(Told::Unlisted { product, why }) => self.unlisted.push((product, why)),
                Some(Told::Cut) => self.cut = true,
                None => {}
            }
        }
    }

    /// Of what these are the conversations.
    pub(super) fn title(&self) -> String {
        if self.scope.all { "all directories".to_owned() } else { self.scope.directory.clone() }
    }

    /// What there is to say below the rows.
    fn notes(&self) -> Vec<String> {
        let mut notes = Vec::new();
        let place = if self.scope.all { "any directory" } else { self.scope.directory.as_str() };
        match (self.job, self.rows.is_empty()) {
            (Some(_), _) => notes.push("reading...".to_owned()),
            (None, true) if self.scope.all => notes.push("no conversation of any directory was found".to_owned()),
            (None, true) => {
                notes.push(format!("no conversation of {place} was found; a shows those of all directories"))
            }
            _ => {}
        }
        if self.cut {
            notes.push(format!("the newest {}; older ones are not listed", self.rows.len()));
        }
        if !self.unlisted.is_empty() {
            let each = self.unlisted.iter().map(|(product, why)| format!("{product} ({why})"));
            notes.push(format!("not listed: {}", each.collect::<Vec<_>>().join(", ")));
        }
        notes
    }
}

/// How long ago something was, in few characters.
fn age(now_ms: u64, then_ms: u64) -> String {
    let seconds = now_ms.saturating_sub(then_ms) / 1000;
    match seconds {
        0..60 => format!("{seconds}s"),
        60..3600 => format!("{}m", seconds / 60),
        3600..86_400 => format!("{}h", seconds / 3600),
        86_400..8_640_000 => format!("{}d", seconds / 86_400),
        _ => format!("{}y", seconds / 31_557_600),
    }
}

/// The format variables of a conversation.
pub(crate) fn values(mux: &Mux, row: &Conversation, now_ms: u64) -> Vec<(String, String)> {
    let pane = mux.pane_on(&row.engine, &row.id).map(|pane| mux.place_name(pane)).unwrap_or_default();
    [
        ("conversation_age", age(now_ms, row.changed_ms)),
        ("conversation_directory", row.directory.clone()),
        ("conversation_engine", row.engine.clone()),
        ("conversation_id", row.id.clone()),
        ("conversation_messages", row.messages.to_string()),
        ("conversation_more", u8::from(row.more).to_string()),
        ("conversation_pane", pane),
        ("conversation_title", row.title.clone()),
    ]
    .map(|(name, value)| (name.to_owned(), value))
    .to_vec()
}

pub(super) fn make(making: &Making<'_>) -> Vec<Draft> {
    let Some(store) = &making.list.found else { return Vec::new() };
    let now_ms = making.now.unix.as_millis() as u64;
    let sorting = making.list.settings.sorting;
    let mut rows: Vec<&Conversation> = store.rows.iter().collect();
    sorting.sort(&mut rows, |a, b| {
        let by = match sorting.order {
            Order::Activity => b.changed_ms.cmp(&a.changed_ms),
            Order::Size => b.messages.cmp(&a.messages),
            _ => Ordering::Equal,
        };
        by.then_with(|| a.title.cmp(&b.title)).then_with(|| a.id.cmp(&b.id))
    });
    let place = making.list.place;
    let row = |row: &Conversation| {
        let values = values(making.mux, row, now_ms);
        making.passes(None, place, &values).then(|| Draft {
            item: Item::Conversation(row.engine.clone(), row.id.clone()),
            depth: 0,
            name: age(now_ms, row.changed_ms),
            text: Some(making.text(None, place, &values)),
            expanded: true,
            align: Align::Right,
            values,
            place,
        })
    };
    let note = |(number, text): (usize, String)| Draft {
        item: Item::Note(u8::try_from(number).unwrap_or(u8::MAX)),
        depth: 0,
        name: text,
        text: None,
        expanded: true,
        align: Align::None,
        values: Vec::new(),
        place,
    };
    let mut drafts: Vec<Draft> = rows.into_iter().filter_map(row).collect();
    if making.filter.is_some() && drafts.is_empty() {
        return drafts;
    }
    drafts.extend(store.notes().into_iter().enumerate().map(note));
    drafts
}

pub(super) fn target(_: &Mux, item: &Item) -> Option<String> {
    match item {
        Item::Conversation(engine, id) => Some(format!("{engine}:{id}")),
        _ => None,
    }
}

pub(super) fn matches(making: &Making<'_>, item: &Item, _: &str, text: &str, ignore_case: bool) -> bool {
    let Some(row) = making.list.conversation(item) else { return false };
    [&row.opening, &row.engine, &row.id, &row.directory].iter().any(|part| search::holds(part, text, ignore_case))
}

pub(super) fn key(mux: &mut Mux, context: &mut Context<'_>, at: At, key: &str) -> bool {
    if key == "a"
        && let Some(list) = mux.list_mut(at.pane)
        && let Some(store) = &mut list.found
    {
        let scope = Scope { all: !store.scope.all, ..store.scope.clone() };
        mux.read_conversations(at.pane, scope);
        mux.make_list(context.now, context.world, at.pane);
    }
    false
}

impl List {
    fn conversation(&self, item: &Item) -> Option<&Conversation> {
        let Item::Conversation(engine, id) = item else { return None };
        self.found.as_ref()?.rows.iter().find(|row| row.engine == *engine && row.id == *id)
    }

    /// What the preview says of the current conversation.
    pub fn conversation_lines(&self, now_ms: u64) -> Option<Vec<String>> {
        let row = self.conversation(self.current_item()?)?;
        let more = if row.more { " at least" } else { "" };
        let mut lines = vec![
            format!("{} {}", row.engine, row.id),
            format!("{}, {} ago, {} messages{more}", row.directory, age(now_ms, row.changed_ms), row.messages),
            String::new(),
        ];
        lines.extend(row.opening.lines().map(str::to_owned));
        Some(lines)
    }
}

impl Mux {
    /// The pane that has a conversation: it runs it, is about to, or comes back to it.
    pub(crate) fn pane_on(&self, engine: &str, id: &str) -> Option<PaneId> {
        let now_ms = self.last_turn.map_or(0, |now| now.unix.as_millis() as u64);
        let has = |pane: &&crate::Pane| {
            let Some(agent) = &pane.agent else { return false };
            let waits = !pane.running() && !pane.dead();
            let starts = agent.launched_ms.saturating_add(STARTING_MS) > now_ms;
            (pane.agent_runs || waits || starts) && agent.engine == engine && agent.id.as_deref() == Some(id)
        };
        self.panes.values().find(has).map(|pane| pane.id)
    }

    /// A pane by its session, window and index, as users write it.
    pub(crate) fn place_name(&self, pane: PaneId) -> String {
        let found = target::from_pane(self, pane).unwrap_or_default();
        let session = found.session.and_then(|id| self.sessions.get(&id)).map_or("", |session| session.name.as_str());
        format!("{session}:{} {pane}", found.index.unwrap_or_default())
    }

    /// The command that reads the engines' stores and tells what it finds. The environment is that of a session, and of
    /// the program that a pane was started with.
    pub(crate) fn reading(&self, what: &Reading, session: Option<SessionId>, pane: Option<PaneId>) -> Start {
        let quote = agents::shell::quote_posix;
        let mut command = format!("exec {} __conversations", quote(&self.identity.executable));
        if let Some(pid) = pane.and_then(|id| self.panes.get(&id)).map(|pane| pane.pid).filter(|pid| *pid != 0) {
            command.push_str(&format!(" --pid {pid}"));
        }
        match what {
            Reading::Listed(scope) if scope.all => {}
            Reading::Listed(scope) => command.push_str(&format!(" --directory {}", quote(&scope.directory))),
            Reading::Named(id) => command.push_str(&format!(" --id {}", quote(id))),
        }
        Start { command, cwd: "/".to_owned(), session, posix: true, ..Start::default() }
    }

    /// Read the stores for the list in a pane; one that reads already is ended.
    pub(crate) fn read_conversations(&mut self, pane: PaneId, scope: Scope) {
        let session = target::from_pane(self, pane).and_then(|found| found.session);
        let start = self.reading(&Reading::Listed(scope.clone()), session, Some(pane));
        let job = self.start_job(
            start,
            Box::new(move |mux, now, world, id, output, _| {
                if let Some(store) =
                    mux.list_mut(pane).and_then(|list| list.found.as_mut()).filter(|it| it.job == Some(id))
                {
                    store.take(&output);
                    store.job = None;
                    mux.make_list(now, world, pane);
                    mux.redraw();
                }
            }),
        );
        let store = Store { scope, job: Some(job), ..Store::default() };
        let before = self.list_mut(pane).and_then(|list| list.found.replace(Box::new(store)));
        if let Some(before) = before.and_then(|before| before.job) {
            self.effect(crate::Effect::KillJob(before));
        }
    }

    /// The program that reads stores told more.
    pub(crate) fn conversations_told(&mut self, id: JobId) {
        let Some(pane) = self.lists.iter().copied().find(|pane| {
            self.list(*pane).and_then(|list| list.found.as_ref()).is_some_and(|store| store.job == Some(id))
        }) else {
            return;
        };
        let Some(output) = self.jobs.get(&id).map(|job| job.output().to_vec()) else { return };
        if let Some(store) = self.list_mut(pane).and_then(|list| list.found.as_mut()) {
            store.take(&output);
            self.redraw();
        }
    }
}
