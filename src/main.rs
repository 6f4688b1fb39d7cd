//! The `rove` binary; called as `tmux` it is tmux.

fn main() {}
