//! Every option and every hook of tmux 3.7c does what it is for: a table of the tests that show it.
//!
//! Each row names a test that fails when the effect is taken out: a function of a file, which must name the option, or a
//! case of a file of cases, whose remark must.

use crate::tidy::root;
use mux::Face;
use mux::option::OPTIONS;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;

/// Where most options are shown that no command tells.
const MODEL: &str = "mux/src/option/effects.rs";
/// Where the visible ones are shown.
const DRAWN: &str = "draw/src/project/tests/options.rs::options_are_seen";
/// Where those are shown that commands tell, recorded from tmux.
const CASES: &str = "mux/cases/effects.case";

/// Options whose test is not the one in [`DRAWN`] or [`CASES`].
const OPTION_TESTS: &[(&str, &str)] = &[
    ("activity-action", "mux/src/option/effects.rs::activity_is_told_as_activity_action_visual_activity_and_monitor_activity_say"),
];
