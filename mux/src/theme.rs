//! Light or dark: what a client's terminal says of itself.

use crate::Mux;
use crate::id::ClientId;
use keymap::{TerminalReply, Theme};

impl Mux {
    /// A terminal answered; when it says that it is light or dark now, hooks are told.
    pub(crate) fn theme_told(&mut self, id: ClientId, reply: &TerminalReply) {
        let TerminalReply::Theme(theme) = reply else { return };
        let Some(client) = self.clients.get_mut(&id) else { return };
        if client.theme.replace(*theme) == Some(*theme) {
            return;
        }
        let hook = match theme {
            Theme::Light => "client-light-theme",
            Theme::Dark => "client-dark-theme",
        };
        self.fire(hook, self.client_payload(id));
        self.redraw();
    }
}
