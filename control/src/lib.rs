//! From model to text: control mode's framing, blocks, notifications and pacing.

#![warn(missing_docs)]
