//! From model to disk: records, frozen screens and the store that keeps them.
//!
//! The crate never looks at the model: the caller turns its state into the plain records of [`record`] and hands
//! them, encoded, to a [`Writer`]. Only [`disk`] touches the world; all else is data in, data out.

#![warn(missing_docs)]

pub mod disk;
pub mod exits;
pub mod frame;
pub mod key;
pub mod record;
pub mod store;
pub mod throttle;
pub mod writer;

#[cfg(test)]
mod sim;

pub use disk::{Disk, RealDisk};
pub use key::{Key, Kind};
pub use store::{Entry, Loaded, Problem, Store, StoreError};
pub use throttle::{Throttle, Urgency};
pub use writer::{Report, Writer};
