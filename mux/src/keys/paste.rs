//! Pastes: from a client's terminal, to its prompt or to the program in the active pane.

use crate::Mux;
use crate::client::{ClientFlags, Overlay};
use crate::effect::Effect;
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::prompt::Seat;
use crate::queue::{Item, State};
use crate::world::World;
use keymap::Key;
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
        if key.is_mouse() {
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

    pub(super) fn paste_piece(&mut self, now: Now, world: &mut dyn World, id: ClientId, piece: keymap::Paste) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        match piece {
            keymap::Paste::Start => client.paste = Some(Vec::new()),
            keymap::Paste::Data(data) => {
                let kept = client.paste.get_or_insert_default();
                let room = PASTE_LIMIT.saturating_sub(kept.len());
                kept.extend_from_slice(&data[..data.len().min(room)]);
            }
            keymap::Paste::End => {
                let data = client.paste.take().unwrap_or_default();
                self.pasted(now, world, id, &data);
            }
        }
    }

    fn pasted(&mut self, now: Now, world: &mut dyn World, id: ClientId, data: &[u8]) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        if client.flags.contains(ClientFlags::READ_ONLY) {
            return;
        }
        if let Some(Overlay::Popup(popup)) = client.overlay {
            return self.paste_to_popup(popup, data);
        }
        let pane = match client.prompt {
            Some(_) => None,
            None => self.active_pane_of(id),
        };
        let seat = pane.map_or(Seat::Client(id), Seat::Pane);
        if self.prompt_at(seat).is_some() {
            let text = String::from_utf8_lossy(data).into_owned();
            let item = Item::callback(Rc::new(State::default()), move |mux, context| {
                mux.paste_in_prompt(context, seat, &text);
                crate::jobs::DONE
            });
            return self.run_item(world, now, Some(id), item);
        }
        if let Some(pane) = pane {
            self.paste(pane, data, b"\n", true);
        }
    }
}
