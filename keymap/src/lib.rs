//! Bytes to keys and back: decoding a client's input, encoding keys for a pane, key names and key tables.
//!
//! A leaf: no IO, no clock. Bytes and option values come in as arguments, keys and bytes go out.

#![warn(missing_docs)]

mod key;
mod name;

pub use key::{Key, KeyCode, KeyFlags, Modifiers, MouseAction, MouseKey, MouseLocation, Named};
pub use name::{key_name, parse_key};
