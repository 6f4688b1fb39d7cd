//! The real program, end to end, by what a user and a script see.

mod agents;
mod attach;
mod clients;
mod coming_back;
mod control;
mod daemon;
mod errors;
mod faults;
mod life;
mod limits;
mod scripting;
mod stop;
