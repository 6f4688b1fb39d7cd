//! What an engine is: the table of engines, how a conversation's identity is proven, how it is launched and resumed.
//!
//! Owns every vendor's name and file layout. Does no IO: what must be known of the world is asked for as a [`probe::Probe`] and comes in as
//! data; what must be done goes out as a plan (an argv, a record, files to move). Fresh ids and times come in as data too.

#![warn(missing_docs)]

pub mod args;
pub mod conversations;
pub mod custom;
pub mod detect;
pub mod engine;
pub mod engines;
pub mod hook;
pub mod identity;
pub mod launch;
pub mod probe;
pub mod record;
pub mod refusal;
pub mod resume;
pub mod row;
pub mod session;
pub mod shell;
pub mod store;
pub mod table;
pub mod trust;

pub use conversations::{Conversation, Told};
pub use engines::{ENGINES, Engine, find, listed};
pub use identity::{Evidence, How, Identity, prove};
pub use launch::{Launch, LaunchError, Request, launch};
pub use probe::{Answer, Facts, Probe};
pub use record::AgentRecord;
pub use resume::{Resume, plan};
pub use table::{Problem, Table};
