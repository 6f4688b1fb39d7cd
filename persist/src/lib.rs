//! From model to disk: records, snapshots, the store and the plan by which a saved server comes back.

#![warn(missing_docs)]
