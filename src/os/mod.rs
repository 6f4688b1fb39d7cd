//! Where the program touches the world: paths, sockets, terminals, signals, processes. Knows nothing of sessions.

pub mod daemon;
pub mod facts;
pub mod paths;
pub mod poll;
pub mod signal;
pub mod socket;
pub mod tty;

/// The system's words for an error, without the number that std adds: `No such file or directory`.
pub fn words(error: &std::io::Error) -> String {
    let text = error.to_string();
    match text.rfind(" (os error ") {
        Some(end) => text[..end].to_owned(),
        None => text,
    }
}
