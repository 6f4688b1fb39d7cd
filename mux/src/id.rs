//! The names of sessions, windows, panes and clients: `$1`, `@2`, `%3`. Plain numbers that are never used again.

use std::fmt;

macro_rules! id {
    ($name:ident, $mark:literal, $what:literal) => {
        #[doc = concat!("The id of a ", $what, ", written `", $mark, "N`.")]
        #[derive(
            Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default, serde::Serialize, serde::Deserialize,
        )]
        pub struct $name(pub u32);

        impl $name {
            /// The id that `text` writes, mark included.
            pub fn parse(text: &str) -> Option<$name> {
                let digits = text.strip_prefix($mark)?;
                if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
                    return None;
                }
                digits.parse().ok().map($name)
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}{}", $mark, self.0)
            }
        }
    };
}

id!(SessionId, '$', "session");
id!(WindowId, '@', "window");
id!(PaneId, '%', "pane");

/// A connected client; never shown to users, who know clients by name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct ClientId(pub u32);

/// A shell command run for somebody (run-shell, if-shell, `#()`).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct JobId(pub u32);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_written_and_read_back() {
        assert_eq!(PaneId(3).to_string(), "%3");
        assert_eq!(PaneId::parse("%3"), Some(PaneId(3)));
        assert_eq!(WindowId::parse("%3"), None);
        assert_eq!(SessionId::parse("$"), None);
        assert_eq!(SessionId::parse("$-1"), None);
    }
}
