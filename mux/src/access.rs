//! Who may use a server besides its owner (`server-access`), and what a client that may only read can do.

use crate::Mux;
use crate::client::{Client, ClientFlags};
use crate::commands::Row;
use crate::effect::Farewell;
use crate::id::ClientId;
use crate::queue::Context;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What is told to whom may not use the server.
pub const NOT_ALLOWED: &str = "access not allowed";

/// Somebody who is let in.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub enum Who {
    /// A user by number.
    User(u32),
    /// The users whose group has this number.
    Group(u32),
}

/// What somebody may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Right {
    /// Look on.
    Read,
    /// Everything.
    Write,
}

/// Those who are let in.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Access {
    rights: BTreeMap<Who, Right>,
}

impl Access {
    /// Let somebody in, or change what he may do.
    pub fn allow(&mut self, who: Who, right: Right) {
        self.rights.insert(who, right);
    }

    /// Let somebody in no more; false when he was not.
    pub fn deny(&mut self, who: Who) -> bool {
        self.rights.remove(&who).is_some()
    }

    /// What somebody was given.
    pub fn right(&self, who: Who) -> Option<Right> {
        self.rights.get(&who).copied()
    }

    /// All, users first.
    pub fn iter(&self) -> impl Iterator<Item = (Who, Right)> {
        self.rights.iter().map(|(who, right)| (*who, *right))
    }
}

impl Mux {
    /// What the user at the other end of a connection may do. The owner and root may do everything; a user's own entry
    /// counts more than that of his group.
    pub fn right_of(&self, uid: u32, gid: u32) -> Option<Right> {
        if uid == self.identity.uid || uid == 0 {
            return Some(Right::Write);
        }
        self.access.right(Who::User(uid)).or_else(|| self.access.right(Who::Group(gid)))
    }

    /// Let the clients that are there feel a change of [`Mux::access`].
    pub(crate) fn access_changed(&mut self) {
        let foreign = |client: &&Client| client.uid != self.identity.uid && client.uid != 0;
        let clients: Vec<_> =
            self.clients.values().filter(foreign).map(|client| (client.id, client.uid, client.gid)).collect();
        for (id, uid, gid) in clients {
            match self.right_of(uid, gid) {
                None => self.turn_away(id),
                Some(right) => {
                    if let Some(client) = self.clients.get_mut(&id) {
                        client.flags.set(ClientFlags::READ_ONLY, right == Right::Read);
                    }
                }
            }
        }
        self.changed();
    }

    fn turn_away(&mut self, id: ClientId) {
        let control = self.clients.get(&id).is_some_and(Client::is_control);
        let farewell = match control {
            true => Farewell::Control(Some(NOT_ALLOWED.to_owned()), 1),
            false => Farewell::Exited(NOT_ALLOWED.to_owned()),
        };
        self.send_away(id, farewell);
    }

    /// Whether the command at hand is of somebody who may only read, whatever the path by which it came.
    pub(crate) fn only_reads(&self, context: &Context<'_>) -> bool {
        let client = context.client.and_then(|id| self.clients.get(&id));
        context.state.read_only || client.is_some_and(|client| client.flags.contains(ClientFlags::READ_ONLY))
    }

    /// Whether a reader may run the command at hand: one that changes nothing, without the flags that do.
    pub(crate) fn reader_may_run(&self, context: &Context<'_>, row: &Row) -> bool {
        row.read_only && !row.changing_flags.chars().any(|flag| context.has(flag))
    }

    /// Whether a reader's command may be about a client: itself, or another reader of the same user.
    pub(crate) fn reader_may_reach(&self, context: &Context<'_>) -> bool {
        let (Some(target), Some(own)) = (context.target_client, context.client) else { return true };
        let entry = |id| self.clients.get(&id);
        let (Some(there), Some(here)) = (entry(target), entry(own)) else { return true };
        target == own || (there.uid == here.uid && there.flags.contains(ClientFlags::READ_ONLY))
    }
}

#[cfg(test)]
mod tests;
