//! has-session: does it exist? Finding the target is the whole work.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "has-session",
        alias: Some("has"),
        template: Template::text("t:", 0, Some(0)),
        usage: "[-t target-session]",
    },
    "Exit with 0 when the session exists",
    |_, _| DONE,
)
.target(Spec::of('t', Kind::Session))
.read_only();
