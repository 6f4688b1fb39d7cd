//! From model to cells: one frame for a tty client, composed of panes, borders, the status line and overlays.

#![warn(missing_docs)]
