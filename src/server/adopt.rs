//! Taking over what a server before this one left with the host: the model, the panes' screens, their programs.

use super::live::{Metadata, PaneIo, store};
use super::{Server, marks};
use host::{Adopted, Adoption, PaneMemory};
use mux::{Input, Now, PaneId};
use persist::restore::Found;
use std::collections::HashMap;
use std::panic::AssertUnwindSafe;
use term::{Size, Terminal};

/// A pane as the host had it.
struct Kept {
    io: PaneIo,
    tty: String,
    exited: Option<host::Exit>,
    size: Size,
}

/// Take over. False when there is no model to be had: the panes are ended, and the disk is asked.
pub(super) fn adopt(server: &mut Server, now: Now, adoption: Adoption) -> bool {
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
        return drop_all(server, kept);
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
            server
                .mux
                .config_errors
                .push(format!("the server before this one left a model that can't be read: {error}"));
            return drop_all(server, kept);
        }
    };
    server.mux = restored.mux;
    server.mux.configured = true;
    server.mux.config_errors.extend(restored.problems);
    server.keeper.adopted(&mut server.mux, restored.baseline, &on_disk);
    server.live.asleep.extend(asleep);
    // What the model does not know is nobody's: it is ended rather than left to run unseen.
    drop_all(server, kept);
    for (pane, kept) in found_panes {
        let (exited, size) = (kept.exited, kept.size);
        server.live.add(pane, PaneIo { exit: exited, ..kept.io });
        server.parse_pane(now, pane);
        let wanted = server.mux.panes.get(&pane).map(|pane| pane.terminal.size());
        if let Some(wanted) = wanted.filter(|wanted| *wanted != size) {
            server.resize_pane(pane, (wanted.cols, wanted.rows));
        }
    }
    server.mux.handle(now, &mut server.live, Input::Tick);
    server.settle(now);
    true
}

fn drop_all(server: &mut Server, kept: HashMap<u128, Kept>) -> bool {
    for pane in kept.into_values() {
        let _ = server.live.host.kill(pane.io.id);
        let _ = server.live.host.forget(pane.io.id);
    }
    false
}

fn keep(pane: Adopted) -> Result<Kept, host::PaneUuid> {
    let metadata = Metadata::decode(&pane.metadata).ok_or(pane.id)?;
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
        held: false,
        stopping: None,
    };
    let size = Size { cols: pane.size.cols, rows: pane.size.rows };
    Ok(Kept { io, tty: pane.tty, exited: pane.exited, size })
}

/// The same as [`replay`], or a blank screen should the engine fail at it: a bug there is not to end every server that comes.
fn replay_or_blank(pane: &mut Kept) -> Terminal {
    let replayed = std::panic::catch_unwind(AssertUnwindSafe(|| replay(pane)));
    replayed.unwrap_or_else(|_| {
        let _ = pane.io.memory.reset();
        let (cols, rows) = pane.io.metadata.size;
        Terminal::with_store(Size { cols, rows }, pane.io.metadata.history_limit, store(&pane.io.memory))
    })
}

/// The screen as the server before had it: the newest checkpoint and what was parsed since, in the same order.
fn replay(pane: &mut Kept) -> Terminal {
    let (cols, rows) = pane.io.metadata.size;
    let blank =
        |memory: &PaneMemory| Terminal::with_store(Size { cols, rows }, pane.io.metadata.history_limit, store(memory));
    let memory = &mut pane.io.memory;
    let checkpoint = match memory.recover() {
        Ok(checkpoint) => checkpoint,
        Err(_) => {
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
