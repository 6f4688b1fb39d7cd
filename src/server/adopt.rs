//! Taking over what a server before this one left with the host: the model, the panes' screens, their programs.

use super::live::{Metadata, PaneIo, store};
use super::recover::Lost;
use super::{Server, marks};
use host::{Adopted, Adoption, PaneMemory};
use mux::{Input, Now, PaneId};
use persist::restore::Found;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use term::{Size, Terminal};

/// Lines of history of a pane of which nothing is known.
const STRANGE_HISTORY: u32 = 2000;

/// A pane as the host had it.
pub(super) struct Kept {
    pub(super) io: PaneIo,
    pub(super) tty: String,
    exited: Option<host::Exit>,
    size: Size,
    /// Its metadata could not be read, and is made up.
    is_strange: bool,
    /// Its screen could not be read.
    lost_screen: bool,
}

/// What there was to take over.
pub(super) enum Taken {
    /// A model, and maybe programs that it can't know.
    Model(Option<Lost>),
    /// No model that can be read, but programs.
    Lost(Lost),
    /// Nothing.
    Nothing,
}

/// Take over.
pub(super) fn adopt(server: &mut Server, now: Now, adoption: Adoption) -> Taken {
    let mut kept: HashMap<u128, Kept> = HashMap::new();
    for pane in adoption.panes {
        match keep(pane) {
            Ok(pane) => drop(kept.insert(pane.io.metadata.uuid, pane)),
            Err(id) => {
                let _ = server.live.host.kill(id);
                let _ = server.live.host.forget(id);
            }
        }
    }
    let Some(state) = adoption.state.filter(|state| !state.is_empty()) else {
        // The server before ended within its first turn: nobody was told of anything.
        drop_all(server, kept);
        return Taken::Nothing;
    };
    let identity = server.mux.identity.clone();
    let environment = server.mux.environment.clone();
    let mut fresh = mux::Mux::new(identity, environment);
    let shell = server.mux.globals.session.text("default-shell");
    fresh.set_default_shell(&shell);
    let mut found_panes: Vec<(PaneId, Kept)> = Vec::new();
    let mut asleep: Vec<(PaneId, host::PaneUuid)> = Vec::new();
    let mut on_disk: Vec<PaneId> = Vec::new();
    let restored = persist::restore::state(&state, fresh, now, &mut |record| {
        let size = Size { cols: record.size.0, rows: record.size.1 };
        match kept.remove(&record.uuid) {
            Some(mut pane) if pane.io.metadata.stopped => {
                let mut terminal = replay_or_blank(&mut pane);
                terminal.resize(size);
                asleep.push((PaneId(record.id), pane.io.id));
                Found { terminal, process: None }
            }
            Some(mut pane) => {
                let terminal = replay_or_blank(&mut pane);
                let process = Some((pane.io.pid.unsigned_abs(), pane.tty.clone()));
                found_panes.push((PaneId(record.id), pane));
                Found { terminal, process }
            }
            None => {
                on_disk.push(PaneId(record.id));
                Found { terminal: Terminal::new(size, record.history_limit), process: None }
            }
        }
    });
    let restored = match restored {
        Ok(restored) => restored,
        Err(error) => {
            let why = format!("the model that the server before this one left {error}");
            return Taken::Lost(Lost { panes: kept, why });
        }
    };
    server.mux = restored.mux;
    server.mux.configured = true;
    server.mux.config_errors.extend(restored.problems);
    server.keeper.adopted(&mut server.mux, restored.baseline, &on_disk);
    server.live.asleep.extend(asleep);
    let (strange, unknown): (HashMap<u128, Kept>, HashMap<u128, Kept>) =
        kept.into_iter().partition(|(_, pane)| pane.is_strange);
    // What the model does not know is nobody's: it is ended rather than left to run unseen.
    drop_all(server, unknown);
    take_in(server, now, found_panes);
    server.mux.handle(now, &mut server.live, Input::Tick);
    server.settle(now);
    let why = "what the server before this one noted of some panes can't be read".to_owned();
    Taken::Model((!strange.is_empty()).then_some(Lost { panes: strange, why }))
}

/// Read the panes of the model from now on.
pub(super) fn take_in(server: &mut Server, now: Now, panes: Vec<(PaneId, Kept)>) {
    for (pane, kept) in panes {
        let (exited, size) = (kept.exited, kept.size);
        server.live.add(pane, PaneIo { exit: exited, ..kept.io });
        if kept.lost_screen {
            server.tell_of_lost_screen(pane);
        }
        server.parse_pane(now, pane);
        let wanted = server.mux.panes.get(&pane).map(|pane| pane.terminal.size());
        if let Some(wanted) = wanted.filter(|wanted| *wanted != size) {
            server.resize_pane(pane, (wanted.cols, wanted.rows));
        }
    }
}

fn drop_all(server: &mut Server, kept: HashMap<u128, Kept>) {
    for pane in kept.into_values() {
        let _ = server.live.host.kill(pane.io.id);
        let _ = server.live.host.forget(pane.io.id);
    }
}

fn keep(pane: Adopted) -> Result<Kept, host::PaneUuid> {
    let size = Size { cols: pane.size.cols, rows: pane.size.rows };
    let metadata = Metadata::decode(&pane.metadata);
    let is_strange = metadata.is_none();
    let metadata = metadata.unwrap_or(Metadata {
        pane: 0,
        uuid: pane.id,
        size: (size.cols, size.rows),
        history_limit: STRANGE_HISTORY,
        stopped: false,
    });
    let lost_screen = pane.memory.is_err();
    let memory = match pane.memory {
        Ok(memory) => memory,
        Err(_) => PaneMemory::create().map_err(|_| pane.id)?,
    };
    let io = PaneIo {
        id: pane.id,
        metadata,
        master: pane.master,
        memory,
        pid: pane.pid,
        out: Vec::new(),
        waits: false,
        exit: None,
        ended: false,
        told_at: None,
        told: false,
        held: false,
        stopping: None,
        start: std::cell::RefCell::default(),
    };
    Ok(Kept { io, tty: pane.tty, exited: pane.exited, size, is_strange, lost_screen })
}

/// The same as [`replay`], or a blank screen should the engine fail at it: a bug there is not to end every server that comes.
pub(super) fn replay_or_blank(pane: &mut Kept) -> Terminal {
    let replayed = std::panic::catch_unwind(AssertUnwindSafe(|| replay(pane)));
    replayed.unwrap_or_else(|_| {
        pane.lost_screen = true;
        let _ = pane.io.memory.reset();
        let (cols, rows) = pane.io.metadata.size;
        Terminal::with_store(Size { cols, rows }, pane.io.metadata.history_limit, store(&pane.io.memory))
    })
}

/// The screen as the server before had it: the newest checkpoint and what was parsed since, in the same order.
fn replay(pane: &mut Kept) -> Terminal {
    let ((cols, rows), limit) = (pane.io.metadata.size, pane.io.metadata.history_limit);
    let blank = |memory: &PaneMemory| Terminal::with_store(Size { cols, rows }, limit, store(memory));
    let memory = &mut pane.io.memory;
    let checkpoint = match memory.recover() {
        Ok(checkpoint) => checkpoint,
        Err(_) => {
            pane.lost_screen = true;
            let _ = memory.reset();
            return blank(memory);
        }
    };
    let restored = checkpoint
        .as_ref()
        .filter(|checkpoint| !checkpoint.bytes.is_empty())
        .map(|checkpoint| Terminal::from_checkpoint(&checkpoint.bytes, store(memory)));
    let mut terminal = match restored {
        None => blank(memory),
        Some(Ok(terminal)) => terminal,
        Some(Err(_)) => {
            pane.lost_screen = true;
            let _ = memory.reset();
            return blank(memory);
        }
    };
    let journal = memory.journal_ref();
    let parsed = journal.parsed();
    let mut offset = checkpoint.as_ref().map_or(0, |checkpoint| checkpoint.offset);
    if offset < journal.oldest() {
        terminal.feed(b"\r\nrove: some output was lost while no server was there\r\n");
        offset = journal.oldest();
    }
    let mut told = memory.marks_since(checkpoint.as_ref()).into_iter().peekable();
    while offset < parsed || told.peek().is_some() {
        let until = told.peek().map_or(parsed, |mark| mark.offset.clamp(offset, parsed));
        feed(&mut terminal, memory, offset, until);
        offset = until;
        if let Some(mark) = told.next()
            && mark.kind == marks::RESIZED
        {
            terminal.resize(Size { cols: mark.cols, rows: mark.rows });
        }
    }
    // Answers to what the server before had read were given by it.
    terminal.take_events();
    terminal
}

fn feed(terminal: &mut Terminal, memory: &PaneMemory, from: u64, until: u64) {
    let since = memory.journal_ref().since(from);
    let mut left = (until - from) as usize;
    for part in since.parts {
        let count = part.len().min(left);
        terminal.feed(&part[..count]);
        left -= count;
    }
}
