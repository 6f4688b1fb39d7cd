//! What a row of the table can't say: how the engines' files read. A file for each vendor.

pub mod claude;
pub mod codex;
pub mod opencode;

use crate::store::{Head, Store};

/// What the first line of a transcript says of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Meta {
    /// The conversation.
    pub id: String,
    /// The directory it was begun in, as the engine saw it.
    pub cwd: String,
}

/// Reads the first line of a transcript. `None` when it is none, or that of a sub-agent.
pub fn meta(store: &Store, first_line: &str) -> Option<Meta> {
    match store.head {
        Head::Plain => None,
        Head::SessionMeta => codex::meta(first_line),
    }
}
