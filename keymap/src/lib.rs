//! Bytes to keys and back: decoding a client's input, encoding keys for a pane, key names and key tables.

#![warn(missing_docs)]
