//! Lists in the model: opening and leaving them, making their rows, and doing what their keys say.

use super::key::Step;
use super::source::{At, KEY_FORMAT, Making};
use super::{Ask, Draft, Item, List, Order, Preview, Settings, Sorting, Source, tree};
use crate::commands::Commands;
use crate::mode::Shown;
use crate::prompt::{Answer, Prompt, Question, Seat, Takes};
use crate::queue::{Context, State};
use crate::target::Found;
use crate::{ClientId, Mux, Now, PaneId, World};
use keymap::Key;
use std::cell::Cell;
use std::rc::Rc;

/// How a list is opened.
pub(crate) struct Opening {
    pub(crate) source: &'static Source,
    pub(crate) format: Option<String>,
    pub(crate) key_format: Option<String>,
    pub(crate) template: Option<String>,
    pub(crate) filter: Option<String>,
    pub(crate) order: Option<Order>,
    pub(crate) reversed: bool,
    pub(crate) preview: Preview,
    pub(crate) accepts: bool,
    pub(crate) squashes: bool,
    pub(crate) hides_own: bool,
    pub(crate) zooms: bool,
    /// The row to begin at, and how deep rows are expanded.
    pub(crate) begins_at: Option<(Item, usize)>,
}

impl Opening {
    /// A list of a source as it is without any flag.
    pub(crate) fn new(source: &'static Source) -> Opening {
        Opening {
            source,
            format: None,
            key_format: None,
            template: None,
            filter: None,
            order: None,
            reversed: false,
            preview: Preview::Normal,
            accepts: false,
            squashes: true,
            hides_own: false,
            zooms: false,
            begins_at: None,
        }
    }

    /// As the flags of a command say, which all such commands have.
    pub(crate) fn of_flags(source: &'static Source, context: &Context<'_>) -> Result<Opening, String> {
        let order = context.get('O').map(|name| Order::named(&name).ok_or("invalid sort order")).transpose()?;
        let count = context.arguments().count('N');
        Ok(Opening {
            format: context.get('F'),
            key_format: context.get('K'),
            template: context.argument(0),
            filter: context.get('f'),
            order,
            reversed: context.has('r'),
            preview: match count {
                0 => Preview::Normal,
                1 => Preview::Off,
                _ => Preview::Big,
            },
            accepts: context.has('y'),
            zooms: context.has('Z'),
            ..Opening::new(source)
        })
    }
}

impl Mux {
    /// The list that a pane shows.
    pub fn list(&self, pane: PaneId) -> Option<&List> {
        self.panes.get(&pane)?.modes.last()?.list()
    }

    pub(crate) fn list_mut(&mut self, pane: PaneId) -> Option<&mut List> {
        self.panes.get_mut(&pane)?.modes.last_mut()?.list_mut()
    }

    /// Show a list in a pane; one of that kind that is there already comes to the front.
    pub(crate) fn open_list(&mut self, context: &mut Context<'_>, pane: PaneId, place: Found, opening: Opening) {
        self.leave_panes_mode(pane);
        let Some(entry) = self.panes.get_mut(&pane) else { return };
        if let Some(at) = entry.modes.iter().position(|mode| mode.name() == opening.source.name) {
            let mode = entry.modes.remove(at);
            entry.modes.push(mode);
            return self.redraw();
        }
        let (window, size) = (entry.window, entry.terminal.size());
        let source = opening.source;
        let order = opening.order.or(source.orders.first().copied()).unwrap_or(Order::Unsorted);
        let settings = Settings {
            format: opening.format.unwrap_or_else(|| source.format.to_owned()),
            key_format: opening.key_format.unwrap_or_else(|| KEY_FORMAT.to_owned()),
            template: opening.template.unwrap_or_else(|| source.template.to_owned()),
            filter: opening.filter,
            sorting: Sorting { order, reversed: opening.reversed },
            preview: opening.preview,
            accepts: opening.accepts,
            squashes: opening.squashes,
            hides_own: opening.hides_own,
        };
        let mut list = List::new(source, settings, place, size);
        if let Some((item, opened)) = opening.begins_at {
            (list.begins_at, list.opened) = (Some(item), opened);
        }
        list.zoomed = opening.zooms && self.windows.get(&window).is_some_and(|window| !window.zoomed());
        let zooms = list.zoomed;
        let mut before = "";
        if let Some(entry) = self.panes.get_mut(&pane) {
            before = entry.mode_name();
            entry.modes.push(Shown::List(Box::new(list)));
        }
        if !self.lists.contains(&pane) {
            self.lists.push(pane);
        }
        if zooms {
            self.zoom(window, Some(pane));
            let zoomed = self.windows.get(&window).is_some_and(|window| window.zoomed());
            if let Some(list) = self.list_mut(pane) {
                list.zoomed = zoomed;
            }
        }
        self.make_list(context.now, context.world, pane);
        self.mode_changed(pane, true, before);
        self.redraw();
    }

    /// A list was left: what it asked for ends, and its window is no longer zoomed for it.
    pub(crate) fn list_left(&mut self, pane: PaneId, list: &List) {
        if let Some(job) = list.found.as_ref().and_then(|store| store.job) {
            self.effect(crate::Effect::KillJob(job));
        }
        if list.zoomed
            && let Some(window) = self.panes.get(&pane).map(|pane| pane.window)
        {
            self.unzoom(window);
        }
    }

    /// Make the rows of a list anew.
    pub(crate) fn make_list(&mut self, now: Now, world: &dyn World, pane: PaneId) {
        self.make_rows(now, world, pane, false);
    }

    /// Make the rows of all lists anew when something has changed that can be seen.
    pub(crate) fn refresh_lists(&mut self, now: Now, world: &dyn World) {
        if self.lists.is_empty() {
            return;
        }
        let mut lists = std::mem::take(&mut self.lists);
        lists.retain(|pane| {
            self.panes.get(pane).is_some_and(|pane| pane.modes.iter().any(|mode| mode.list().is_some()))
        });
        self.lists = lists;
        let visible = self.visible;
        for pane in self.lists.clone() {
            if self.list(pane).is_some_and(|list| list.made_at != visible) {
                self.make_rows(now, world, pane, true);
            }
        }
    }

    fn make_rows(&mut self, now: Now, world: &dyn World, pane: PaneId, keeps_place: bool) {
        let Some(list) = self.list(pane) else { return };
        let rows_of = |filter: Option<&str>| {
            let making = Making { mux: self, world, now, list, pane, filter };
            (list.source.make)(&making)
        };
        let filter = list.settings.filter.as_deref();
        let mut drafts = rows_of(filter);
        let no_matches = drafts.is_empty();
        if no_matches && filter.is_some() {
            drafts = rows_of(None);
        }
        // A setting that somebody else took away stays until its row is left, so that no key is for another.
        if keeps_place
            && let Some(current @ Item::Setting(_)) = list.current_item()
            && drafts.iter().all(|draft| draft.item != *current)
        {
            let visible = self.visible;
            if let Some(list) = self.list_mut(pane) {
                list.made_at = visible;
            }
            return;
        }
        let key_format = list.settings.key_format.clone();
        // Where there was nothing to choose from one begins at the first row.
        let current = list.current_item().filter(|_| !list.has_only_notes()).cloned();
        let visible = self.visible;
        let Some(list) = self.list_mut(pane) else { return };
        list.made_at = visible;
        list.set_rows(drafts, no_matches);
        let begin = list.begins_at.take();
        if current.is_none() {
            list.go_to_line(0);
        }
        list.opened = super::ALL;
        let item = begin.or(current).or_else(|| list.current_item().cloned());
        let fits = list.height;
        if let Some(item) = item {
            match keeps_place {
                true => list.keep_current(&item),
                false => drop(list.set_current(&item)),
            }
        }
        list.fit();
        if !keeps_place || fits != list.height {
            list.see_current();
        }
        self.set_list_keys(now, world, pane, &key_format);
    }

    /// The keys that choose rows.
    fn set_list_keys(&mut self, now: Now, world: &dyn World, pane: PaneId, format: &str) {
        let Some(list) = self.list(pane) else { return };
        let name = |line: usize, draft: &Draft| {
            if matches!(draft.item, Item::Note(_)) || (format == KEY_FORMAT && line >= 36) {
                return None;
            }
            let mut values = draft.values.clone();
            values.push(("line".to_owned(), line.to_string()));
            let text = self.expand_at(None, draft.place, format, &values, world, now);
            keymap::parse_key(&text).filter(|key| *key != Key::NONE).map(keymap::key_name)
        };
        let drafts = list.lines.iter().map(|at| &list.rows[*at].draft).enumerate();
        let keys: Vec<Option<String>> = drafts.map(|(line, draft)| name(line, draft)).collect();
        if let Some(list) = self.list_mut(pane) {
            list.set_keys(|_, line| keys[line].clone());
        }
    }

    /// A key for a list: from a client, with the mouse event that it is, or from a command.
    pub(crate) fn list_key(
        &mut self,
        context: &mut Context<'_>,
        pane: PaneId,
        client: Option<ClientId>,
        key: Key,
        mouse: Option<&crate::keys::Mouse>,
        typed: bool,
    ) {
        let at = At { pane, client };
        let mut name = keymap::key_name(key);
        if key.is_mouse() {
            let Some(mouse) = mouse else { return };
            match self.list_mouse(context, at, key, mouse) {
                Some(instead) => name = instead.to_owned(),
                None => return,
            }
        }
        let Some(list) = self.list_mut(pane) else { return };
        if list.lines.is_empty() {
            return self.end_mode(pane);
        }
        let before = list.current_item().cloned();
        let step = list.key(&name, typed);
        if list.current_item() != before.as_ref() {
            list.shift = 0;
        }
        let ends = match step {
            Step::Stay => false,
            Step::Build => {
                self.make_list(context.now, context.world, pane);
                false
            }
            Step::End => true,
            Step::Choose if self.list(pane).is_some_and(|list| list.source.template.is_empty()) => {
                let Some(source) = self.list(pane).map(|list| list.source) else { return };
                (source.key)(self, context, at, "Enter")
            }
            Step::Choose => {
                // What can't be chosen leaves the list as it is.
                let item = self.list(pane).and_then(List::current_item).cloned();
                let is_note = matches!(item, Some(Item::Note(_)));
                item.is_some_and(|item| self.run_template(context, at, &item)) || !is_note
            }
            Step::Search => {
                self.search_list(context, pane);
                false
            }
            Step::Ask(ask) => {
                self.ask_common(context, at, ask);
                false
            }
            Step::Help => {
                self.show_list_help(at);
                false
            }
            Step::Swap(other) => {
                self.swap_in_list(context, pane, &other);
                false
            }
            Step::Other => {
                let Some(source) = self.list(pane).map(|list| list.source) else { return };
                (source.key)(self, context, at, &name)
            }
        };
        if ends {
            self.end_mode(pane);
        }
        self.redraw();
    }

    fn ask_common(&mut self, context: &mut Context<'_>, at: At, ask: Ask) {
        let initial = match &ask {
            Ask::Filter => self.list(at.pane).and_then(|list| list.settings.filter.clone()).unwrap_or_default(),
            _ => String::new(),
        };
        let question = if ask == Ask::Filter { "(filter) " } else { "(search) " };
        self.ask_for_list(context, at, ask, question.to_owned(), initial);
    }

    /// Ask something over the list.
    pub(super) fn ask_for_list(
        &mut self,
        context: &mut Context<'_>,
        at: At,
        ask: Ask,
        question: String,
        initial: String,
    ) {
        let single = match &ask {
            Ask::KillCurrent | Ask::KillTagged => true,
            Ask::Change(change) => change.is_single(),
            _ => false,
        };
        let prompt = Prompt {
            questions: vec![Question { text: question, initial }],
            takes: if single { Takes::Character } else { Takes::Line },
            history: if matches!(ask, Ask::Search | Ask::Filter) { "search" } else { "command" }.to_owned(),
            ..Prompt::new(Answer::List(at.pane, ask), context.state.clone())
        };
        self.ask(context, Seat::Pane(at.pane), prompt);
    }

    /// What was answered to a list; `None` when the question was given up.
    pub(crate) fn list_answered(&mut self, context: &mut Context<'_>, pane: PaneId, ask: Ask, answer: Option<&str>) {
        let at = At {
            pane,
            client: context.client.filter(|id| self.clients.get(id).is_some_and(|it| it.session.is_some())),
        };
        let Some(list) = self.list_mut(pane) else { return };
        if let Ask::Change(change) = ask {
            let accepts = list.settings.accepts;
            super::customize::answered(self, context, at, *change, answer, accepts);
            return self.redraw();
        }
        let answer = answer.filter(|answer| !answer.is_empty());
        match (&ask, answer) {
            (Ask::Search, answer) => {
                list.set_search(answer.map(str::to_owned));
                self.search_list(context, pane);
            }
            (Ask::Filter, answer) => {
                list.settings.filter = answer.map(str::to_owned);
                self.make_list(context.now, context.world, pane);
            }
            (Ask::Command, Some(command)) => {
                for item in self.chosen_items(pane) {
                    self.run_with_item(context, at, command, &item);
                }
            }
            (Ask::KillCurrent | Ask::KillTagged, Some(answer)) => {
                let accepts = list.settings.accepts && matches!(answer, "\r" | "\n");
                if answer.eq_ignore_ascii_case("y") || accepts {
                    let items = match (&ask, list.current_item()) {
                        (Ask::KillCurrent, current) => current.cloned().into_iter().collect(),
                        _ => self.chosen_items(pane),
                    };
                    for item in items {
                        if let Some(words) = tree::kill(self, &item) {
                            self.run_for_list(context, at, &words.each_ref().map(String::as_str));
                        }
                    }
                }
            }
            _ => {}
        }
        self.redraw();
    }

    /// The tagged rows, or the current one when there are none.
    fn chosen_items(&self, pane: PaneId) -> Vec<Item> {
        let Some(list) = self.list(pane) else { return Vec::new() };
        let tagged = list.tagged();
        if tagged.is_empty() { list.current_item().cloned().into_iter().collect() } else { tagged }
    }

    fn search_list(&mut self, context: &mut Context<'_>, pane: PaneId) {
        let Some(list) = self.list(pane) else { return };
        let Some((text, ignore_case)) = list.searched() else { return };
        let making = Making { mux: self, world: context.world, now: context.now, list, pane, filter: None };
        let matches = |item: &Item, name: &str| (list.source.matches)(&making, item, name, &text, ignore_case);
        let found: Vec<Item> = list
            .rows
            .iter()
            .filter(|row| matches(&row.draft.item, &row.draft.name))
            .map(|row| row.draft.item.clone())
            .collect();
        let Some(list) = self.list_mut(pane) else { return };
        let Some(item) = list.search(|item, _| found.contains(item)) else { return };
        self.make_list(context.now, context.world, pane);
        if let Some(list) = self.list_mut(pane) {
            list.set_current(&item);
        }
    }

    fn swap_in_list(&mut self, context: &mut Context<'_>, pane: PaneId, other: &Item) {
        let Some(list) = self.list(pane) else { return };
        let (Some(swap), Some(current)) = (list.source.swap, list.current_item().cloned()) else { return };
        let sorting = list.settings.sorting;
        if swap(self, &current, other, sorting) {
            self.make_list(context.now, context.world, pane);
            if let Some(list) = self.list_mut(pane) {
                list.set_current(other);
            }
        }
    }

    fn show_list_help(&mut self, at: At) {
        let Some(source) = self.list(at.pane).map(|list| list.source) else { return };
        let lines = super::source::help(source);
        let columns = super::source::help_columns(source);
        let Some(client) = at.client.and_then(|client| self.clients.get(&client)) else { return };
        let id = client.id;
        let fits = client.size.is_some_and(|(cols, rows)| cols >= columns && usize::from(rows) >= lines.len());
        if fits {
            self.set_overlay(id, crate::client::Overlay::Help { lines, columns });
        }
    }

    /// Run the list's template with the current row.
    pub(super) fn choose_in_list(&mut self, context: &mut Context<'_>, at: At) {
        if let Some(item) = self.list(at.pane).and_then(List::current_item).cloned() {
            self.run_template(context, at, &item);
        }
    }

    /// Run the list's template with a row. False when the row can't be chosen.
    pub(super) fn run_template(&mut self, context: &mut Context<'_>, at: At, item: &Item) -> bool {
        let Some(template) = self.list(at.pane).map(|list| list.settings.template.clone()) else { return false };
        self.run_with_item(context, at, &template, item)
    }

    fn run_with_item(&mut self, context: &mut Context<'_>, at: At, template: &str, item: &Item) -> bool {
        let Some(target) = self.list(at.pane).map(|list| list.source.target).and_then(|target| target(self, item))
        else {
            return false;
        };
        let text = crate::command::template::replace_all(template, &[target]);
        match self.commands(&text, None, context.world) {
            Ok(commands) => self.enqueue_for_list(context, at, &commands, tree::place(self, item)),
            Err(error) => {
                let mut shown = error.chars();
                let text = shown.next().map(|first| first.to_uppercase().chain(shown).collect()).unwrap_or_default();
                if let Some(client) = at.client {
                    self.show_message(context.now, client, text, None);
                }
            }
        }
        true
    }

    /// Run a command given as words, for who typed.
    pub(super) fn run_for_list(&mut self, context: &Context<'_>, at: At, words: &[&str]) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        if let Ok(commands) = self.commands_of_words(&words) {
            self.enqueue_for_list(context, at, &commands, None);
        }
    }

    fn enqueue_for_list(&mut self, context: &Context<'_>, at: At, commands: &Commands, found: Option<Found>) {
        let state = State { key: context.state.key, current: Cell::new(found), ..State::default() };
        let items = self.queues.items(commands, &Rc::new(state));
        self.queues.append(at.client, items);
    }
}
