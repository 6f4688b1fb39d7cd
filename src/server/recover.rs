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

/// Put lost programs into the model, with their screens, and say so in one message. Those that were stopped sleep on.
pub(super) fn recover(server: &mut Server, now: Now, lost: Lost) {
    let Lost { mut panes, why } = lost;
    let running = panes.values().filter(|kept| !kept.io.metadata.stopped).count();
    let mut found = at_their_places(server, &mut panes);
    let strays = panes.len();
    found.extend(gather(server, now, panes));
    let place = if strays == 0 { String::new() } else { format!(", {strays} panes are in session {NAME}") };
    server.mux.config_errors.push(format!("{why}; {running} running programs go on{place}"));
    let (asleep, awake): (Vec<_>, Vec<_>) = found.into_iter().partition(|(_, kept)| kept.io.metadata.stopped);
    server.live.asleep.extend(asleep.into_iter().map(|(pane, kept)| (pane, kept.io.id)));
    take_in(server, now, awake);
}

/// What a pane's program is by what the host had of it.
fn program(kept: &Kept) -> (Program, u32) {
    if kept.io.metadata.stopped { (Program::Frozen, 0) } else { (Program::Running, kept.io.pid.unsigned_abs()) }
}

/// Those whose panes came from the disk.
fn at_their_places(server: &mut Server, lost: &mut HashMap<u128, Kept>) -> Vec<(PaneId, Kept)> {
    let mut found = Vec::new();
    for pane in server.mux.panes.values_mut().filter(|pane| !pane.running()) {
        let Some(mut kept) = lost.remove(&pane.uuid) else { continue };
        *pane.terminal = replay_or_blank(&mut kept);
        (pane.program, pane.pid) = program(&kept);
        pane.tty.clone_from(&kept.tty);
        found.push((pane.id, kept));
    }
    for (pane, _) in found.iter().filter(|(_, kept)| !kept.io.metadata.stopped) {
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
    lost.sort_by_key(|(_, kept)| kept.io.metadata.pane);
    let mut panes = Vec::new();
    for (uuid, kept) in &mut lost {
        let terminal = replay_or_blank(kept);
        let (program, pid) = program(kept);
        panes.push(Pane {
            program,
            pid,
            tty: kept.tty.clone(),
            cwd: facts::directory(kept.io.pid).unwrap_or_else(|| "/".to_owned()),
            shell: shell.clone(),
            title: facts::command_name(kept.io.pid).unwrap_or_default(),
            ..Pane::put_back(PaneId(kept.io.metadata.pane), *uuid, WindowId(0), terminal)
        });
    }
    server.mux.gather(now, NAME, panes);
    let places: HashMap<u128, PaneId> = server.mux.panes.values().map(|pane| (pane.uuid, pane.id)).collect();
    lost.into_iter().filter_map(|(uuid, kept)| Some((*places.get(&uuid)?, kept))).collect()
}
