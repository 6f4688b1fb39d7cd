//! What lies over a client's screen and takes its keys: a menu, a popup, the numbers of the panes.

mod editor;
mod menu;
mod numbers;
mod own_menu;
pub(crate) mod place;
mod popup;
#[cfg(test)]
mod tests;

pub(crate) use editor::{Edited, Editor};
pub(crate) use menu::Owner;
pub use menu::{Menu, MenuItem, MenuLook};
pub use numbers::Numbers;
pub(crate) use numbers::number_of;
pub use popup::Popup;
pub(crate) use popup::{Change, Ends, Opening};

use crate::Mux;
use crate::client::{ClientFlags, Overlay};
use crate::id::ClientId;
use crate::input::Now;
use crate::queue::{Context, Item, State, Wait};
use crate::timer::Timer;
use crate::world::World;
use keymap::{Key, MouseAction, MouseEvent, MouseKey, MouseLocation};
use menu::Outcome;
use std::rc::Rc;

impl Mux {
    /// Keys for what is drawn over everything. True when it took the key.
    pub(crate) fn overlay_key(
        &mut self,
        context: &mut Context<'_>,
        id: ClientId,
        key: Key,
        event: Option<&MouseEvent>,
    ) -> bool {
        let Some(client) = self.clients.get_mut(&id) else { return true };
        match client.overlay.take() {
            None => return false,
            Some(Overlay::Menu(menu)) => self.menu_key(context, id, menu, key, event),
            Some(Overlay::Popup(popup)) => {
                client.overlay = Some(Overlay::Popup(popup));
                self.popup_key(context, popup, key, event);
            }
            // Any key closes the help.
            Some(Overlay::Help { .. }) => {}
            Some(Overlay::PaneNumbers(numbers)) => {
                client.overlay = Some(Overlay::PaneNumbers(numbers));
                return self.number_key(context, id, key);
            }
        }
        self.update_client_focus(id);
        self.redraw();
        true
    }

    fn menu_key(
        &mut self,
        context: &mut Context<'_>,
        id: ClientId,
        menu: Box<Menu>,
        key: Key,
        event: Option<&MouseEvent>,
    ) {
        match menu::take(menu, key, event) {
            Outcome::Open(menu) => {
                if let Some(client) = self.clients.get_mut(&id) {
                    client.overlay = Some(Overlay::Menu(menu));
                }
            }
            Outcome::Closed => {}
            Outcome::Chosen(menu, at) => self.menu_chosen(context, id, &menu, at),
        }
    }

    /// True while the mouse belongs to what lies over a client's screen, wherever it is. A reader's never does.
    pub(crate) fn overlay_takes_mouse(&self, id: ClientId) -> bool {
        let Some(client) = self.clients.get(&id) else { return false };
        matches!(client.overlay, Some(Overlay::Menu(_) | Overlay::Popup(_)))
            && !client.flags.contains(ClientFlags::READ_ONLY)
    }

    /// True for what is only to be read, so that a reader may close it too.
    pub(crate) fn overlay_only_shows(&self, id: ClientId) -> bool {
        let overlay = self.clients.get(&id).and_then(|client| client.overlay.as_ref());
        matches!(overlay, Some(Overlay::Help { .. }))
    }

    pub(crate) fn overlay_mouse(&mut self, now: Now, world: &mut dyn World, id: ClientId, event: MouseEvent) {
        let key = Key::mouse(MouseKey { action: MouseAction::Move, button: 0, location: MouseLocation::Pane });
        let item = Item::callback(Rc::new(State::default()), move |mux, context| {
            mux.touch_client(context.now, id);
            mux.overlay_key(context, id, key, Some(&event));
            crate::jobs::DONE
        });
        self.run_item(world, now, Some(id), item);
    }

    /// Put something over a client's screen, in the place of what is there.
    pub(crate) fn set_overlay(&mut self, id: ClientId, overlay: Overlay) {
        self.clear_overlay(id);
        if let Some(client) = self.clients.get_mut(&id) {
            client.overlay = Some(overlay);
        }
        self.update_client_focus(id);
    }

    /// Take away what lies over a client's screen.
    pub(crate) fn clear_overlay(&mut self, id: ClientId) {
        self.timers.cancel(Timer::Overlay(id));
        let Some(overlay) = self.clients.get_mut(&id).and_then(|client| client.overlay.take()) else { return };
        match overlay {
            Overlay::Popup(popup) => self.end_popup(popup),
            Overlay::PaneNumbers(_) => self.wake(&Wait::Numbers(id)),
            Overlay::Menu(_) | Overlay::Help { .. } => {}
        }
        self.update_client_focus(id);
        self.redraw();
    }

    /// A client has another size: what can't be moved to fit goes.
    pub(crate) fn fit_overlay(&mut self, id: ClientId) {
        let Some(client) = self.clients.get_mut(&id) else { return };
        let size = client.size.unwrap_or_default();
        match &mut client.overlay {
            None => {}
            Some(Overlay::Menu(menu)) => menu.fit(size),
            Some(Overlay::Popup(popup)) => {
                let popup = *popup;
                self.fit_popup(popup, size);
            }
            Some(_) => self.clear_overlay(id),
        }
    }
}
