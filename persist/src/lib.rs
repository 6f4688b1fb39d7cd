//! From model to disk: records, frozen screens and the store that keeps them.
//!
//! [`save`] and [`restore`] are the two places that know the model: they turn it into plain data and back, as a whole
//! for the host's memory ([`state`]), as records for the disk ([`record`]), which go, encoded, to a [`Writer`]. Only
//! [`disk`] touches the world; all else is data in, data out.

#![warn(missing_docs)]

pub mod allow;
pub mod disk;
pub mod exits;
pub mod frame;
pub mod key;
pub mod over;
pub mod record;
pub mod restore;
pub mod save;
pub mod saver;
pub mod state;
pub mod store;
pub mod thaw;
pub mod throttle;
pub mod writer;

// They measure how long a bad file takes.
#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod fault_tests;
// Its tests measure, and a model's time begins at some instant.
#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod model_tests;
#[cfg(test)]
#[allow(clippy::disallowed_methods)]
mod rig;
#[cfg(test)]
mod sim;

pub use disk::{Disk, RealDisk};
pub use key::{Key, Kind};
pub use saver::{Change, Saver};
pub use store::{Entry, Loaded, Problem, Store, StoreError};
pub use throttle::{Throttle, Urgency};
pub use writer::{Report, Writer};
