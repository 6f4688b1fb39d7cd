//! Variables of a client.

use super::{At, Variable, flag, number, text};
use crate::Client;
use crate::client::ClientFlags;

fn client<'a>(at: &At<'a>) -> Option<&'a Client> {
    at.client()
}

/// What a terminal said of itself, else what its background shows.
fn theme(client: &Client) -> Option<&'static str> {
    let by_background = || crate::theme::of_background(client.terminal_bg?);
    Some(match client.theme.or_else(by_background)? {
        keymap::Theme::Dark => "dark",
        keymap::Theme::Light => "light",
    })
}

pub(super) const VARIABLES: &[Variable] = &[
    Variable {
        name: "client_activity",
        about: "When it was last used",
        get: |at| client(at).and_then(|client| number(client.activity.as_secs())),
    },
    Variable {
        name: "client_cell_height",
        about: "Height of a cell in pixels",
        get: |at| client(at).filter(|client| client.is_drawn()).and_then(|_| number(0)),
    },
    Variable {
        name: "client_cell_width",
        about: "Width of a cell in pixels",
        get: |at| client(at).filter(|client| client.is_drawn()).and_then(|_| number(0)),
    },
    Variable {
        name: "client_control_mode",
        about: "Whether it speaks control mode",
        get: |at| client(at).and_then(|client| flag(client.is_control())),
    },
    Variable {
        name: "client_created",
        about: "When it connected",
        get: |at| client(at).and_then(|client| number(client.created.as_secs())),
    },
    Variable {
        name: "client_discarded",
        about: "Bytes that were dropped as it was behind",
        get: |at| client(at).and_then(|_| number(0)),
    },
    Variable {
        name: "client_flags",
        about: "Its flags",
        get: |at| client(at).map(|client| client.flag_names().into()),
    },
    Variable {
        name: "client_height",
        about: "Its rows",
        get: |at| client(at).and_then(|client| client.size).and_then(|size| number(size.1)),
    },
    Variable {
        name: "client_key_table",
        about: "Its key table",
        get: |at| {
            let client = client(at)?;
            let root = || client.session.map_or("root".to_owned(), |id| at.mux.session_text(id, "key-table"));
            Some(client.table.clone().unwrap_or_else(root).into())
        },
    },
    Variable {
        name: "client_last_session",
        about: "The session it showed before",
        get: |at| {
            let last = client(at)?.last_session?;
            at.mux.sessions.get(&last).and_then(|session| text(&session.name))
        },
    },
    Variable { name: "client_name", about: "Its name", get: |at| client(at).and_then(|client| text(&client.name)) },
    Variable { name: "client_pid", about: "Its process", get: |at| client(at).and_then(|client| number(client.pid)) },
    Variable {
        name: "client_prefix",
        about: "Whether the prefix key was pressed",
        get: |at| client(at).and_then(|client| flag(client.table.as_deref() == Some("prefix"))),
    },
    Variable {
        name: "client_readonly",
        about: "Whether it may only read",
        get: |at| client(at).and_then(|client| flag(client.flags.contains(ClientFlags::READ_ONLY))),
    },
    Variable {
        name: "client_session",
        about: "The session it shows",
        get: |at| at.mux.sessions.get(&client(at)?.session?).and_then(|session| text(&session.name)),
    },
    Variable {
        name: "client_termfeatures",
        about: "What its terminal can do",
        get: |at| client(at).map(|client| client.features.join(",").into()),
    },
    Variable {
        name: "client_termname",
        about: "Name of its terminal",
        get: |at| client(at).and_then(|client| text(&client.term)),
    },
    Variable {
        name: "client_termtype",
        about: "Type that its terminal told",
        get: |at| client(at).and_then(|client| text(&client.term_type)),
    },
    Variable {
        name: "client_theme",
        about: "Whether its terminal is dark or light",
        get: |at| client(at).and_then(|client| text(theme(client)?)),
    },
    Variable {
        name: "client_tty",
        about: "Path of its terminal",
        get: |at| client(at).and_then(|client| text(&client.tty)),
    },
    Variable {
        name: "client_uid",
        about: "User it runs as",
        get: |at| client(at).and_then(|client| number(client.uid)),
    },
    Variable {
        name: "client_user",
        about: "Name of that user",
        get: |at| at.world.user_name(client(at)?.uid).map(Into::into),
    },
    Variable {
        name: "client_utf8",
        about: "Whether it shows UTF-8",
        get: |at| client(at).and_then(|client| flag(client.utf8)),
    },
    Variable {
        name: "client_width",
        about: "Its columns",
        get: |at| {
            let client = client(at)?;
            // A control client without a size is as wide as tmux takes it for until it says otherwise.
            client.size.map(|size| size.0).or(client.is_control().then_some(80)).and_then(number)
        },
    },
    Variable { name: "client_written", about: "Bytes written to it", get: |at| client(at).and_then(|_| number(0)) },
];
