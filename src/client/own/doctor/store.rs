//! What the store holds, for people: in a few lines, or with every command that would be run.

use super::{Check, Invocation, SocketPath, complain, line};
use crate::kept::{self, Back, Kept, KeptPane, Running};

/// Where it is and how much, and each file that can't be used.
pub(super) fn checks(kept: &Kept) -> Vec<Check> {
    let path = kept.directory.display();
    let first = match kept.space {
        None if kept.problems.is_empty() => format!("kept: nothing, {path} is not there"),
        space => {
            let space = space.unwrap_or_default();
            let panes: usize = kept.sessions.iter().map(|session| session.panes.len()).sum();
            let sessions = kept.sessions.len();
            let size = size(space.bytes);
            format!("kept: {sessions} sessions, {panes} panes in {path} ({} files, {size})", space.files)
        }
    };
    let problems = kept.problems.iter().map(|problem| (false, format!("kept: {problem}")));
    [(true, first)].into_iter().chain(problems).collect()
}

/// What would come back, a line for each pane.
pub(super) fn list(kept: &Kept) {
    for session in &kept.sessions {
        line(&format!("     session {}, {} windows", session.name, session.windows));
        for pane in &session.panes {
            let runs = if pane.runs { " (runs now)" } else { "" };
            line(&format!("       {} {} {}{runs}", pane.place, pane.id, words(pane)));
        }
    }
}

/// Exactly what would be run, and where.
pub(super) fn dry_run(socket: &SocketPath, invocation: &Invocation, running: &Running) -> i32 {
    let Some(kept) = kept::look(invocation.face, &socket.path, running) else {
        return complain("neither ROVE_HOME_DIR nor HOME is set, so nothing is kept", 1);
    };
    for session in &kept.sessions {
        line(&format!("session {}", session.name));
        for pane in &session.panes {
            line(&format!("  pane {} {}, window {}", pane.place, pane.id, pane.window));
            for (name, value) in details(pane) {
                line(&format!("    {name:<13}{value}"));
            }
        }
    }
    for problem in &kept.problems {
        complain(problem, 1);
    }
    i32::from(!kept.problems.is_empty())
}

/// What would come back in a pane, in one line.
fn words(pane: &KeptPane) -> String {
    let directory = &pane.directory;
    let moved = pane.moved.as_ref().map_or(String::new(), |moved| format!(" ({moved})"));
    match &pane.back {
        Back::Shell(shell) => format!("login shell {shell} in {directory}{moved}"),
        Back::Command(argv) => format!("command {} in {directory}{moved}", kept::typed(argv)),
        Back::Conversation { product, id, .. } => format!("conversation {id} of {product} in {directory}{moved}"),
        Back::Fresh { why, .. } => format!("{why}; in {directory}{moved}"),
        Back::Refused { why, remedy, .. } => format!("a login shell only: {why}; {remedy}"),
        Back::Nothing(why) => format!("its screen only: {why}"),
    }
}

/// The parts of that, by name.
fn details(pane: &KeptPane) -> Vec<(&'static str, String)> {
    let login = |shell: &str| format!("{shell} (login shell)");
    let mut details = match &pane.back {
        Back::Shell(shell) => vec![("command", login(shell))],
        Back::Command(argv) => vec![("command", kept::typed(argv))],
        Back::Conversation { product, id, argv } => {
            vec![("command", kept::typed(argv)), ("conversation", format!("{id} ({product})"))]
        }
        Back::Fresh { argv, why } => {
            vec![("command", kept::typed(argv)), ("conversation", format!("a new one: {why}"))]
        }
        Back::Refused { shell, why, remedy } => {
            vec![("command", login(shell)), ("conversation", format!("none: {why}; {remedy}"))]
        }
        Back::Nothing(why) => return vec![("command", format!("none: {why}"))],
    };
    let moved = pane.moved.as_ref().map_or(String::new(), |moved| format!(" ({moved})"));
    details.push(("directory", format!("{}{moved}", pane.directory)));
    if pane.runs {
        details.push(("now", "runs, and is not started again while it does".to_owned()));
    }
    details
}

fn size(bytes: u64) -> String {
    match bytes {
        0..1024 => format!("{bytes} bytes"),
        1024..1_048_576 => format!("{:.1} KiB", bytes as f64 / 1024.0),
        _ => format!("{:.1} MiB", bytes as f64 / 1_048_576.0),
    }
}
