//! Bytes to keys and back: decoding a client's input, encoding keys for a pane, key names and key tables.
//!
//! A leaf: no IO, no clock. Bytes and option values come in as arguments, keys and bytes go out.

#![warn(missing_docs)]

mod codes;
mod decode;
mod defaults;
mod encode;
mod key;
mod mouse;
mod name;
#[cfg(test)]
mod recorded;
mod table;

pub use decode::{Decoder, Input, ModeState, Paste, Rgb, TerminalReply, Theme, Wait};
pub use defaults::{DefaultBinding, ROVE_PREFIX, TMUX_PREFIX, later_bindings, rove_bindings, tmux_bindings};
pub use encode::{
    ExtendedFormat, ExtendedKeys, KeyModes, KittyFlags, MouseModes, MouseTracking, encode, encode_focus, encode_mouse,
    encode_paste,
};
pub use key::{Key, KeyCode, KeyFlags, Modifiers, MouseAction, MouseKey, MouseLocation, Named};
pub use mouse::{MouseEvent, MouseKind, SgrReport, button_number, is_motion};
pub use name::{key_name, parse_key};
pub use table::{Binding, Change, KeyTables};
