//! The real program, end to end, by what a user and a script see.

mod access;
mod attach;
mod control;
mod errors;
mod facts;
mod faults;
mod floating;
mod life;
mod limits;
mod options;
mod overlays;
mod scripting;
mod starting;
