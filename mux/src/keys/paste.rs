//! Pastes: from a client's terminal, to its prompt or to the program in the active pane.

use crate::Mux;
use crate::client::{ClientFlags, Overlay};
use crate::effect::Effect;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::prompt::{Prompt, Seat};
use crate::queue::{Item, State};
use crate::world::World;
use keymap::{Key, Named};
use std::rc::Rc;
use std::time::Duration;
use term::Modes;

/// Most bytes of a paste that is collected.
const PASTE_LIMIT: usize = 16 << 20;

impl Mux {
    /// Data for a pane's program as a paste: line feeds become the separator; bracketed when wanted and asked for.
    pub(crate) fn paste(&mut self, id: PaneId, data: &[u8], separator: &[u8], bracketed: bool) {
        let Some(pane) = self.panes.get(&id).filter(|pane| pane.running() && !pane.input_off) else { return };
        let bracketed = bracketed && pane.terminal.modes().contains(Modes::BRACKETED_PASTE);
        let mut text = Vec::with_capacity(data.len());
        for (at, line) in data.split(|byte| *byte == b'\n').enumerate() {
            if at > 0 {
                text.extend_from_slice(separator);
            }
            text.extend_from_slice(line);
        }
        let mut bytes = Vec::new();
        keymap::encode_paste(&text, bracketed, &mut bytes);
        self.effect(Effect::WritePane(id, bytes));
    }

    /// Whether a key came so soon after the one before it that it must be pasted text, which means no command. Terminals
    /// that mark what is pasted need no guess.
    pub(super) fn is_assumed_paste(&mut self, now: Now, id: ClientId, key: Key) -> bool {
        let Some(client) = self.clients.get_mut(&id) else { return false };
        let gap = client.typed_at.replace(now.instant).map(|before| now.instant.saturating_duration_since(before));
        if key.is_mouse() || is_focus(key) || is_paste_mark(key) {
            return false;
        }
        let Some(session) = client.session else { return false };
        let time = u64::try_from(self.session_number(session, "assume-paste-time")).unwrap_or(0);
        let fast = gap.is_some_and(|gap| gap < Duration::from_millis(time));
        let marks = |client| self.caps_of(client).has_named("Enbp");
        let fast = fast && !self.clients.get(&id).is_none_or(marks);
        let Some(client) = self.clients.get_mut(&id) else { return false };
        // The second key only shows that it is so.
        std::mem::replace(&mut client.assumes_paste, fast) && fast
    }

    /// A piece of a paste. Its ends are keys too, for bindings and for a prompt that asks for a key.
    pub(super) fn paste_piece(&mut self, now: Now, world: &mut dyn World, id: ClientId, piece: keymap::Paste) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        match piece {
            keymap::Paste::Start => {
                client.paste = Some(Vec::new());
                self.take_key(now, world, id, Key::named(Named::PasteStart), None);
            }
            keymap::Paste::Data(data) => {
                let kept = client.paste.get_or_insert_default();
                let room = PASTE_LIMIT.saturating_sub(kept.len());
                kept.extend_from_slice(&data[..data.len().min(room)]);
            }
            keymap::Paste::End => {
                if let Some(data) = client.paste.take() {
                    self.pasted(now, world, id, &data);
                }
                self.take_key(now, world, id, Key::named(Named::PasteEnd), None);
            }
        }
    }

    /// What takes a paste as a whole lies over the panes of a client.
    fn is_typed_over(&self, id: ClientId) -> bool {
        let overlay = self.clients.get(&id).and_then(|client| client.overlay.as_ref());
        matches!(overlay, Some(Overlay::Popup(_) | Overlay::Menu(_)))
    }

    /// What lies over the panes of a client is not told of this key: a paste comes to it as a whole, and text stays when
    /// the terminal is left for a while.
    pub(super) fn passes_over(&self, id: ClientId, key: Key) -> bool {
        is_paste_mark(key) && self.is_typed_over(id) || is_focus(key) && self.overlay_only_shows(id)
    }

    fn pasted(&mut self, now: Now, world: &mut dyn World, id: ClientId, data: &[u8]) {
        let Some(client) = self.clients.get(&id) else { return };
        if client.flags.contains(ClientFlags::READ_ONLY) {
            return;
        }
        if let Some(Overlay::Popup(popup)) = client.overlay {
            return self.paste_to_popup(popup, data);
        }
        if self.is_typed_over(id) {
            return;
        }
        let Some(pane) = self.active_pane_of(id) else { return };
        let seat = [Seat::Client(id), Seat::Pane(pane)].into_iter().find(|seat| self.prompt_at(*seat).is_some());
        match seat {
            Some(seat) => self.paste_to_prompt(now, world, id, seat, &String::from_utf8_lossy(data)),
            None => self.paste_to_panes(pane, data),
        }
    }

    /// A prompt for one key is answered by the first character, and the rest is not let through to a program.
    fn paste_to_prompt(&mut self, now: Now, world: &mut dyn World, id: ClientId, seat: Seat, text: &str) {
        let takes_key = self.prompt_at(seat).is_some_and(Prompt::takes_key);
        match text.chars().next().filter(|_| takes_key) {
            Some(first) => self.take_key(now, world, id, Key::char(first), None),
            None => {
                let text = text.to_owned();
                let item = Item::callback(Rc::new(State::default()), move |mux, context| {
                    mux.paste_in_prompt(context, seat, &text);
                    crate::jobs::DONE
                });
                self.run_item(world, now, Some(id), item);
            }
        }
    }

    /// A paste for the program of a pane, and with `synchronize-panes` for those beside it.
    fn paste_to_panes(&mut self, pane: PaneId, data: &[u8]) {
        if self.panes.get(&pane).is_some_and(crate::pane::Pane::in_mode) {
            return;
        }
        for pane in self.typed_with(pane) {
            if self.panes.get(&pane).is_some_and(|pane| !pane.in_mode()) {
                self.paste(pane, data, b"\n", true);
            }
        }
    }
}

/// The keys that say that the terminal got or lost the focus.
fn is_focus(key: Key) -> bool {
    matches!(key.as_named(), Some(Named::FocusIn | Named::FocusOut))
}

/// The keys that say where a paste begins and ends. Programs are sent the paste as a whole, with brackets if they asked.
pub(super) fn is_paste_mark(key: Key) -> bool {
    matches!(key.as_named(), Some(Named::PasteStart | Named::PasteEnd))
}
