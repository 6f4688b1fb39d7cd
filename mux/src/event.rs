//! What happened in the model, for those who tell others of it: control clients, hooks, records.

use crate::id::{ClientId, PaneId, SessionId, WindowId};

/// Something that happened. Names say what, in the past.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Event {
    /// A command of a client begins: its number, and whether the client typed it.
    CommandBegan {
        /// Whose queue runs it.
        client: ClientId,
        /// Seconds since the epoch.
        time: i64,
        /// The server-wide number of the queue item.
        number: u64,
        /// True when the client itself sent the line.
        typed: bool,
    },
    /// The command printed text (no line feed at its end).
    CommandPrinted(ClientId, Vec<u8>),
    /// The command ended: `CommandBegan` with the same fields, and whether it failed.
    CommandEnded {
        /// Whose queue ran it.
        client: ClientId,
        /// Seconds since the epoch at its begin.
        time: i64,
        /// The server-wide number of the queue item.
        number: u64,
        /// True when the client itself sent the line.
        typed: bool,
        /// True when it failed.
        failed: bool,
    },
    /// A message for a control client (display-message without -p).
    Message(ClientId, String),
    /// A problem in a configuration file, for the control client that started the server.
    ConfigError(ClientId, String),
    /// A window was linked into a session.
    WindowLinked(SessionId, WindowId),
    /// A window was unlinked from a session.
    WindowUnlinked(SessionId, WindowId),
    /// A window has a new name.
    WindowRenamed(WindowId),
    /// A window's active pane is another one.
    WindowPaneChanged(WindowId),
    /// A window's layout or size changed.
    LayoutChanged(WindowId),
    /// A client shows another session, or the same one anew.
    ClientSessionChanged(ClientId),
    /// An attached client is gone; its name.
    ClientDetached(ClientId, String),
    /// A client was attached.
    ClientAttached(ClientId),
    /// A client's size changed.
    ClientResized(ClientId),
    /// A client's focus came or went.
    ClientFocus(ClientId, bool),
    /// A session has a new name.
    SessionRenamed(SessionId),
    /// A session was created.
    SessionCreated(SessionId),
    /// A session is gone; its name.
    SessionClosed(SessionId, String),
    /// A session's current window is another one.
    SessionWindowChanged(SessionId),
    /// A pane entered or left a mode.
    PaneModeChanged(PaneId),
    /// A pane's program ended and the pane stays (remain-on-exit).
    PaneDied(PaneId),
    /// A pane is gone with its program.
    PaneExited(PaneId, WindowId),
    /// A pane's title changed.
    PaneTitleChanged(PaneId),
    /// A pane rang its bell.
    Bell(PaneId),
    /// A program in a pane set the clipboard.
    PaneSetClipboard(PaneId),
    /// A control client wants a pane's output `on`, `off`, `pause`d or `continue`d.
    PaneFlow(ClientId, PaneId, String),
    /// A control client ended a subscription.
    Unsubscribed(ClientId, String),
    /// A subscription has this value now; the place is what stands between name and colon.
    Subscription {
        /// Whose.
        client: ClientId,
        /// Its name.
        name: String,
        /// Session, window, index and pane as they are told.
        place: String,
        /// The value.
        value: String,
    },
    /// A paste buffer was set.
    BufferChanged(String),
    /// A paste buffer was deleted.
    BufferDeleted(String),
}
