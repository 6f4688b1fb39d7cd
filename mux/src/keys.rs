//! Keys from a client's terminal: to its prompt, to a binding, or to the program in the active pane.

mod paste;
mod table;

use crate::Mux;
use crate::client::ClientFlags;
use crate::effect::Effect;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::prompt::Seat;
use crate::queue::{Context, Item, State};
use crate::target::MousePlace;
use crate::timer::Timer;
use crate::world::World;
use keymap::{ExtendedFormat, ExtendedKeys, Input, Key, KeyModes, KittyFlags, Named};
use paste::is_paste_mark;
use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;
use term::Modes;

pub use crate::mouse::Mouse;

/// Most answers of a terminal that wait for who draws on it.
const REPLY_LIMIT: usize = 16;

impl Mux {
    /// The keys of this server's face, as far as its commands exist.
    pub(crate) fn bind_defaults(&mut self, face: crate::Face) {
        let rows: Vec<keymap::DefaultBinding> = match face {
            crate::Face::Tmux => keymap::tmux_bindings().collect(),
            crate::Face::Rove => keymap::rove_bindings().collect(),
        };
        let later = keymap::later_bindings().map(|row| (row, true));
        for (row, is_later) in rows.into_iter().map(|row| (row, false)).chain(later) {
            // The table has them as `list-keys` prints them, where what follows belongs to the binding.
            let text = row.command.replace(r" \; ", " ; ");
            let parsed = crate::command::parse(&text, &crate::command::ParseContext::PLAIN).and_then(|parsed| {
                let table = crate::commands::Table { mux: self };
                crate::command::build(parsed.commands, &table, &crate::command::ParseContext::PLAIN)
            });
            let key = keymap::parse_key(row.key);
            if let (Ok(list), Some(key)) = (parsed, key) {
                let commands = crate::commands::Commands::new(list);
                self.keys.bind(row.table, key, commands, row.note(), row.repeat);
                if is_later {
                    self.keys.hide(row.table, key);
                }
            }
        }
        self.keys.keep_as_defaults();
    }

    pub(crate) fn client_bytes(&mut self, now: Now, world: &mut dyn World, id: ClientId, bytes: &[u8]) {
        let Some(client) = self.clients.get_mut(&id).filter(|client| client.is_drawn()) else { return };
        client.decoder.feed(bytes);
        self.decode(now, world, id, false);
        self.set_escape_timer(now, id);
    }

    /// The escape time is over: what waits in the decoder is taken as it is.
    pub(crate) fn flush_keys(&mut self, now: Now, world: &mut dyn World, id: ClientId) {
        self.decode(now, world, id, true);
        self.set_escape_timer(now, id);
    }

    fn set_escape_timer(&mut self, now: Now, id: ClientId) {
        let escape = self.globals.server.number("escape-time").clamp(0, 60_000) as u64;
        let Some(client) = self.clients.get_mut(&id) else { return };
        let ms = match client.decoder.waits_for() {
            None => return self.timers.cancel(Timer::Escape(id)),
            Some(keymap::Wait::Key) => escape,
            Some(keymap::Wait::Rest) => escape.max(u64::from(keymap::Decoder::REPLY_WAIT_MS)),
        };
        self.timers.set_once(Timer::Escape(id), now.instant + Duration::from_millis(ms));
    }

    fn decode(&mut self, now: Now, world: &mut dyn World, id: ClientId, flush: bool) {
        loop {
            let Some(client) = self.clients.get_mut(&id).filter(|client| !client.leaving) else { return };
            let Some(input) = client.decoder.next(flush) else { return };
            match input {
                Input::Key(key) => self.take_key(now, world, id, key, None),
                Input::Mouse(event) => self.mouse_event(now, world, id, event),
                Input::Paste(piece) => self.paste_piece(now, world, id, piece),
                Input::Focus(on) => {
                    self.client_focus(id, on);
                    let name = if on { Named::FocusIn } else { Named::FocusOut };
                    self.take_key(now, world, id, Key::named(name), None);
                }
                Input::Reply(reply) => self.terminal_reply(now, id, reply),
            }
            // A key's commands run before the next key is looked up, as they may change what it means.
            self.run_queues(world, now);
        }
    }

    /// Act on a key at once, beside the client's queue: a command that waits must not hold up typing.
    pub(crate) fn take_key(
        &mut self,
        now: Now,
        world: &mut dyn World,
        id: ClientId,
        key: Key,
        mouse: Option<(MousePlace, Mouse)>,
    ) {
        let place = mouse.as_ref().map(|(place, _)| *place);
        let state =
            State { key: Some(key), mouse: place, mouse_event: mouse.map(|(_, event)| event), ..State::default() };
        let item = Item::callback(Rc::new(state), move |mux, context| {
            mux.client_key(context, id, key, context.state.mouse_event.clone());
            crate::jobs::DONE
        });
        self.run_item(world, now, Some(id), item);
    }

    /// A key of a client: for what is drawn over everything, its prompt, a binding, or the active pane.
    pub(crate) fn client_key(&mut self, context: &mut Context<'_>, id: ClientId, key: Key, mouse: Option<Mouse>) {
        self.note_input(context.now, id);
        if key.as_named() != Some(Named::FocusOut) {
            self.make_latest(id);
        }
        let pasted = self.is_assumed_paste(context.now, id, key);
        if !key.is_mouse() {
            self.clear_message(id);
        }
        if self.passes_over(id, key) {
            return;
        }
        // A reader answers nothing, whoever opened it: his keys go past it to his bindings.
        let read_only = self.clients.get(&id).is_some_and(|client| client.flags.contains(ClientFlags::READ_ONLY));
        if (!read_only || self.overlay_only_shows(id)) && self.overlay_key(context, id, key, None) {
            return;
        }
        if self.clients.get(&id).is_some_and(|client| client.prompt.is_some() && !read_only)
            && (key.is_mouse() || self.prompt_key(context, Seat::Client(id), key))
        {
            return;
        }
        let pane = self.active_pane_of(id).filter(|pane| self.prompt_at(Seat::Pane(*pane)).is_some());
        if let Some(pane) = pane.filter(|_| !key.is_mouse() && !read_only) {
            self.prompt_key(context, Seat::Pane(pane), key);
            return;
        }
        if pasted {
            if let Some(pane) = self.active_pane_of(id).filter(|_| !read_only) {
                self.key_to_pane(pane, key);
            }
            return;
        }
        self.bound_key(context, id, key, mouse);
    }

    fn bound_key(&mut self, context: &mut Context<'_>, id: ClientId, key: Key, mouse: Option<Mouse>) {
        if let Some(pane) = self.takes_all_keys(id).filter(|_| !key.is_mouse()) {
            if is_paste_mark(key) || self.close_dead(context.now, pane) {
                return;
            }
            if self.panes.get(&pane).is_some_and(crate::pane::Pane::running) {
                return self.key_to_pane(pane, key);
            }
        }
        let Some(client) = self.clients.get(&id) else { return };
        let Some(session) = client.session else { return };
        // The mouse counts where it is, keys where they are typed.
        let under = context.state.mouse.and_then(|place| place.pane).filter(|_| key.is_mouse());
        let pane = under.or_else(|| self.active_pane_of(id));
        if key.is_mouse() && !self.session_flag(session, "mouse") {
            return self.forward_key(context, id, pane, key, mouse);
        }
        let mode_table = pane.and_then(|pane| self.mode_table(pane)).map(str::to_owned);
        let root = self.session_text(session, "key-table");
        let own = client.table.clone();
        let first = own.clone().or(mode_table).unwrap_or_else(|| root.clone());
        let prefixes = [self.session_text(session, "prefix"), self.session_text(session, "prefix2")];
        let is_prefix = prefixes
            .iter()
            .filter_map(|text| keymap::parse_key(text))
            .any(|prefix| prefix != Key::NONE && prefix.matches(key));
        if own.is_none() && is_prefix && !key.is_mouse() {
            return self.prefix_typed(context.now, id);
        }
        let repeating = client.repeat_until.is_some_and(|until| until > context.now.instant);
        let found = self.keys.resolve(&first, key).filter(|binding| !repeating || own.is_none() || binding.repeat);
        if let Some(binding) = found {
            let (commands, repeat) = (binding.command.clone(), binding.repeat);
            let repeat_ms = self.repeat_ms(session, client.last_bound == Some(key) && repeating);
            if repeat && own.is_some() && repeat_ms > 0 {
                let until = context.now.instant + Duration::from_millis(repeat_ms);
                if let Some(client) = self.clients.get_mut(&id) {
                    (client.repeat_until, client.last_bound) = (Some(until), Some(key));
                }
                self.timers.set(Timer::Repeat(id), until);
            } else {
                self.end_repeat(id);
                self.set_table(id, None);
            }
            return self.run_binding(context, id, &commands);
        }
        if own.is_some() {
            // Not bound there: the table is left, and after a repeat the key is looked up anew.
            self.end_repeat(id);
            self.set_table(id, None);
            if repeating {
                return self.bound_key(context, id, key, mouse);
            }
            return;
        }
        if first != root && first.starts_with("copy-mode") {
            // In a mode, root bindings still count.
            if let Some(binding) = self.keys.resolve(&root, key) {
                let commands = binding.command.clone();
                return self.run_binding(context, id, &commands);
            }
            return;
        }
        self.forward_key(context, id, pane, key, mouse);
    }

    /// A key that is bound to nothing: for what a pane shows, or its program.
    fn forward_key(
        &mut self,
        context: &mut Context<'_>,
        id: ClientId,
        pane: Option<PaneId>,
        key: Key,
        mouse: Option<Mouse>,
    ) {
        let read_only = self.clients.get(&id).is_some_and(|client| client.flags.contains(ClientFlags::READ_ONLY));
        if let Some(pane) = pane.filter(|_| !read_only) {
            if self.key_to_mode_without_table(context, pane, Some(id), key, mouse.as_ref(), true) {
                return;
            }
            match mouse {
                Some(mouse) => self.mouse_to_pane(pane, &mouse),
                None if key.is_mouse() => {}
                None if is_paste_mark(key) => {}
                None if self.close_dead(context.now, pane) => {}
                None => self.key_to_pane(pane, key),
            }
        }
    }

    pub(crate) fn run_binding(
        &mut self,
        context: &mut Context<'_>,
        id: ClientId,
        commands: &crate::commands::Commands,
    ) {
        let read_only = self.clients.get(&id).is_some_and(|client| client.flags.contains(ClientFlags::READ_ONLY));
        // The mouse runs them in the pane it is over, keys in the one that is typed into.
        let current = crate::target::under_mouse(self, context.state.mouse);
        let state = State { read_only, current: Cell::new(current), ..(*context.state).clone() };
        self.enqueue(Some(id), commands, state);
    }

    fn set_table(&mut self, id: ClientId, table: Option<String>) {
        if let Some(client) = self.clients.get_mut(&id).filter(|client| client.table != table) {
            client.table = table;
            self.redraw();
        }
    }

    pub(crate) fn end_repeat(&mut self, id: ClientId) {
        self.timers.cancel(Timer::Repeat(id));
        if let Some(client) = self.clients.get_mut(&id)
            && client.repeat_until.take().is_some()
        {
            self.set_table(id, None);
        }
    }

    /// The key table of the mode that a pane is in.
    fn mode_table(&self, id: PaneId) -> Option<&'static str> {
        let pane = self.panes.get(&id)?;
        pane.modes.last()?.key_table(self.window_text(pane.window, "mode-keys") == "vi")
    }

    /// A key for a pane: its mode's binding, or its program.
    pub(crate) fn key_to_pane_or_mode(&mut self, context: &mut Context<'_>, id: PaneId, key: Key) {
        let Some(pane) = self.panes.get(&id) else { return };
        if pane.prompt.is_some() {
            self.prompt_key(context, Seat::Pane(id), key);
            return;
        }
        if !pane.in_mode() {
            return self.key_to_pane(id, key);
        }
        let client = context.target_client.or(context.client);
        if self.key_to_mode_without_table(context, id, client, key, None, false) {
            return;
        }
        let Some(table) = self.mode_table(id) else { return };
        if let Some(binding) = self.keys.resolve(table, key) {
            let commands = binding.command.clone();
            let found = crate::target::from_pane(self, id);
            let state = Rc::new(State { current: Cell::new(found), ..(*context.state).clone() });
            let items = self.queues.items(&commands, &state);
            context.run_after(items);
        }
    }

    /// A key for the program of a pane, and with `synchronize-panes` for those beside it.
    pub(crate) fn key_to_pane(&mut self, id: PaneId, key: Key) {
        for pane in self.typed_with(id) {
            let Some(entry) = self.panes.get(&pane).filter(|pane| pane.running() && !pane.input_off && !pane.in_mode())
            else {
                continue;
            };
            let mut bytes = Vec::new();
            if keymap::encode(key, &self.key_modes(&entry.terminal), &mut bytes) && !bytes.is_empty() {
                self.effect(Effect::WritePane(pane, bytes));
            }
        }
    }

    /// A pane, and with `synchronize-panes` those that are typed into with it.
    fn typed_with(&self, id: PaneId) -> Vec<PaneId> {
        let mut panes = vec![id];
        if let Some(pane) = self.panes.get(&id).filter(|_| self.pane_flag(id, "synchronize-panes")) {
            let window = self.windows.get(&pane.window).filter(|window| !window.zoomed());
            let others = window.map_or(&[][..], |window| window.panes());
            panes.extend(others.iter().filter(|other| **other != id && self.pane_flag(**other, "synchronize-panes")));
        }
        panes
    }

    /// How a pane's program wants its keys.
    pub(crate) fn key_modes(&self, terminal: &term::Terminal) -> KeyModes {
        let modes = terminal.modes();
        let allowed = self.globals.server.text("extended-keys");
        let extended = match (allowed.as_str(), modes) {
            ("off", _) => ExtendedKeys::Off,
            (_, modes) if modes.contains(Modes::KEYS_EXTENDED_2) => ExtendedKeys::All,
            (_, modes) if modes.contains(Modes::KEYS_EXTENDED) => ExtendedKeys::Some,
            ("always", _) => ExtendedKeys::Some,
            _ => ExtendedKeys::Off,
        };
        let format = if self.globals.server.text("extended-keys-format") == "csi-u" {
            ExtendedFormat::CsiU
        } else {
            ExtendedFormat::Xterm
        };
        let backspace = keymap::parse_key(&self.globals.server.text("backspace"));
        KeyModes {
            cursor_keys: modes.contains(Modes::APPLICATION_CURSOR),
            keypad: modes.contains(Modes::APPLICATION_KEYPAD),
            bracketed_paste: modes.contains(Modes::BRACKETED_PASTE),
            extended,
            format,
            kitty: KittyFlags::from_bits_truncate(terminal.keyboard_flags()),
            backspace: backspace.unwrap_or(Key::char('\x7f')),
        }
    }

    fn terminal_reply(&mut self, now: Now, id: ClientId, reply: keymap::TerminalReply) {
        use crate::request::Told;
        use keymap::TerminalReply as Reply;
        let Some(client) = self.clients.get_mut(&id) else { return };
        match reply {
            Reply::Foreground(colour) => {
                client.terminal_fg = Some(rgb(colour));
                self.touch_terminals();
            }
            Reply::Background(colour) => {
                self.background_told(id, rgb(colour));
            }
            Reply::Palette { index, color } => {
                self.told(now, id, &Told::Palette(index, color));
            }
            Reply::Clipboard { selection, data } => {
                let answered = self.told(now, id, &Told::Clipboard(selection, &data));
                if !answered || self.globals.server.text("get-clipboard") == "both" {
                    self.add_buffer(data, now.seconds());
                }
            }
            Reply::Version(_) | Reply::PrimaryAttributes(_) | Reply::SecondaryAttributes(_)
                if client.replies.len() < REPLY_LIMIT =>
            {
                client.replies.push(reply);
                self.redraw();
            }
            reply => self.theme_told(id, &reply),
        }
    }

    /// Ask for a whole repaint of a client.
    pub(crate) fn redraw_client(&mut self, id: ClientId) {
        self.repaint.push(id);
        self.redraw();
    }

    /// Colours of a pane as a control client reports them: `%N:` and an OSC 10 or 11 answer.
    pub(crate) fn report_colours(&mut self, report: &str) {
        let Some((pane, answer)) = report.split_once(':') else { return };
        let Some(pane) = PaneId::parse(pane).and_then(|id| self.panes.get_mut(&id)) else { return };
        let mut decoder = keymap::Decoder::new();
        decoder.feed(answer.as_bytes());
        while let Some(input) = decoder.next(true) {
            match input {
                Input::Reply(keymap::TerminalReply::Foreground(colour)) => pane.reported_fg = Some(rgb(colour)),
                Input::Reply(keymap::TerminalReply::Background(colour)) => pane.reported_bg = Some(rgb(colour)),
                _ => {}
            }
        }
    }
}

fn rgb(colour: keymap::Rgb) -> term::style::Color {
    term::style::Color::rgb(colour.red, colour.green, colour.blue)
}

#[cfg(test)]
mod tests;
