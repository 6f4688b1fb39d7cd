//! start-server: start a server without a session.

use super::*;

pub(crate) static ROW: Row = Row::new(
    Signature { name: "start-server", alias: Some("start"), template: Template::text("", 0, Some(0)), usage: "" },
    "Start the server, if it is not running",
    |_, _| DONE,
)
.starts_server()
.read_only();
