//! The ids of sessions, windows and panes, and how tmux writes them. Knows nothing of what they name.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

/// A text that is not the id it was read as.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("not an id")]
pub struct NotAnId;

macro_rules! id {
    ($name:ident, $sigil:literal, $about:literal) => {
        #[doc = $about]
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
        pub struct $name(
            /// The number after the sigil; never used twice in the life of a server.
            pub u32,
        );

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($sigil, "{}"), self.0)
            }
        }

        impl FromStr for $name {
            type Err = NotAnId;

            fn from_str(text: &str) -> Result<Self, NotAnId> {
                let digits = text.strip_prefix($sigil).ok_or(NotAnId)?;
                if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
                    return Err(NotAnId);
                }
                digits.parse().map($name).map_err(|_| NotAnId)
            }
        }
    };
}

id!(SessionId, "$", "A session: `$3`.");
id!(WindowId, "@", "A window: `@3`.");
id!(PaneId, "%", "A pane: `%3`.");

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_read_as_they_are_written() {
        assert_eq!("$7".parse(), Ok(SessionId(7)));
        assert_eq!("@0".parse(), Ok(WindowId(0)));
        assert_eq!(PaneId(12).to_string().parse(), Ok(PaneId(12)));
        for bad in ["", "7", "%", "%-1", "%+1", "@1", "%4294967296"] {
            assert_eq!(bad.parse::<PaneId>(), Err(NotAnId), "{bad}");
        }
    }
}
