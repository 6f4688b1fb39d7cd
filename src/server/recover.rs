//! Live programs whose model is lost: they go on, where the disk knows their places, else in a session of their own.

use super::Server;
use super::adopt::{Kept, replay_or_blank, take_in};
use crate::os::facts;
use mux::{Now, Pane, PaneId, Program, WindowId};
use std::collections::HashMap;

/// Name of the session for programs whose place is not known.
const NAME: &str = "recovered";

/// Programs that no model has, and why.
pub(super) struct Lost {
    pub(super) panes: HashMap<u128, Kept>,
    pub(super) why: String,
}

/// Put lost programs into the model, with their screens, and say so in one message.
pub(super) fn recover(server: &mut Server, now: Now, lost: Lost) {
    let Lost { mut panes, why } = lost;
    let all = panes.len();
    let mut found = at_their_places(server, &mut panes);
    let strays = panes.len();
    found.extend(gather(server, now, panes));
    let place = if strays == 0 { String::new() } else { format!(", {strays} of them in session {NAME}") };
    server.mux.config_errors.push(format!("{why}; {all} running programs go on{place}"));
    take_in(server, now, found);
}

/// Those whose panes came from the disk.
fn at_their_places(server: &mut Server, lost: &mut HashMap<u128, Kept>) -> Vec<(PaneId, Kept)> {
    let mut found = Vec::new();
    for pane in server.mux.panes.values_mut().filter(|pane| !pane.running()) {
        let Some(mut kept) = lost.remove(&pane.uuid) else { continue };
        *pane.terminal = replay_or_blank(&mut kept);
        pane.program = Program::Running;
        pane.pid = kept.io.pid.unsigned_abs();
        pane.tty.clone_from(&kept.tty);
        found.push((pane.id, kept));
    }
    for (pane, _) in &found {
        let session = mux::target::from_pane(&server.mux, *pane).and_then(|found| found.session);
        if let Some(session) = session.and_then(|id| server.mux.sessions.get_mut(&id)) {
            session.frozen = false;
        }
    }
    found
}

/// The others. What was started in them can't be told, and is not guessed at: should they have to be started again it is
/// a login shell in their directory.
fn gather(server: &mut Server, now: Now, lost: HashMap<u128, Kept>) -> Vec<(PaneId, Kept)> {
    let shell = server.mux.globals.session.text("default-shell");
    let mut lost: Vec<(u128, Kept)> = lost.into_iter().collect();
    lost.sort_by_key(|(_, kept)| kept.metadata.pane);
    let mut panes = Vec::new();
    for (uuid, kept) in &mut lost {
        let terminal = replay_or_blank(kept);
        let pid = kept.io.pid;
        panes.push(Pane {
            program: Program::Running,
            pid: pid.unsigned_abs(),
            tty: kept.tty.clone(),
            cwd: facts::directory(pid).unwrap_or_else(|| "/".to_owned()),
            shell: shell.clone(),
            title: facts::command_name(pid).unwrap_or_default(),
            ..Pane::put_back(PaneId(kept.metadata.pane), *uuid, WindowId(0), terminal)
        });
    }
    server.mux.gather(now, NAME, panes);
    let places: HashMap<u128, PaneId> = server.mux.panes.values().map(|pane| (pane.uuid, pane.id)).collect();
    lost.into_iter().filter_map(|(uuid, kept)| Some((*places.get(&uuid)?, kept))).collect()
}
