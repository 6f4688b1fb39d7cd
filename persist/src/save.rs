//! The model as data: all of it for the host's memory ([`state`]), what outlives the host for the disk
//! ([`crate::saver`]). Reads the model and changes nothing.

use crate::record::BufferRecord;
use crate::state::{
    BUFFER_MAX, BUFFERS_MAX, Baseline, Options, PaneState, ProgramState, SessionState, State, WindowState,
};
use mux::buffer::Buffer;
use mux::layout::Extent;
use mux::option::OptionStore;
use mux::{Mux, Pane, Program, Session, Window};

/// The whole durable model as bytes for the host's state memory, with what the configuration gave.
pub fn state(mux: &Mux, baseline: &Baseline) -> Vec<u8> {
    State {
        next: (mux.next.session, mux.next.window, mux.next.pane),
        marked: mux.marked.map(|pane| pane.0),
        options: global_options(mux),
        environment: mux.environment.clone(),
        keys: mux.key_changes(),
        buffers: buffers(mux, BUFFER_MAX, BUFFERS_MAX),
        next_buffer: mux.buffers.next_number(),
        inner: mux.inner(),
        config: (mux.config_files.clone(), mux.config_errors.clone()),
        baseline: baseline.clone(),
        panes: mux.panes.values().map(pane).collect(),
        windows: mux.windows.values().map(window).collect(),
        sessions: mux.sessions.values().map(session).collect(),
        access: mux.access.clone(),
        heard: mux.heard(),
        over: crate::over::records(mux, mux.windows.values()),
    }
    .encode()
}

/// What the configuration gave: taken once, when it has been read.
pub fn baseline(mux: &Mux) -> Baseline {
    Baseline { options: global_options(mux), keys: mux.key_changes() }
}

/// The changed global options: of the server, of sessions, of windows.
pub(crate) fn global_options(mux: &Mux) -> [Options; 3] {
    [&mux.globals.server, &mux.globals.session, &mux.globals.window].map(options)
}

/// The options of an owner that are to be saved.
pub(crate) fn options(store: &OptionStore) -> Options {
    store.changed().map(|(name, value)| (name.to_owned(), value.clone())).collect()
}

/// The newest paste buffers that fit, oldest first.
pub(crate) fn buffers(mux: &Mux, one: usize, all: usize) -> Vec<BufferRecord> {
    let mut room = all;
    let fits = |buffer: &&Buffer| {
        let fits = buffer.data.len() <= one.min(room);
        room -= if fits { buffer.data.len() } else { 0 };
        fits
    };
    let mut kept: Vec<BufferRecord> = mux.buffers.iter().filter(fits).map(buffer).collect();
    kept.reverse();
    kept
}

fn buffer(buffer: &Buffer) -> BufferRecord {
    BufferRecord {
        name: buffer.name.clone(),
        automatic: buffer.automatic,
        created_s: buffer.created.max(0) as u64,
        data: buffer.data.clone(),
    }
}

fn pane(pane: &Pane) -> PaneState {
    let size = pane.terminal.size();
    PaneState {
        id: pane.id.0,
        uuid: pane.uuid,
        window: pane.window.0,
        program: match pane.program {
            Program::Running => ProgramState::Running,
            Program::Dead(exit, when) => ProgramState::Dead(exit, when),
            Program::Frozen => ProgramState::Frozen,
            Program::None => ProgramState::None,
        },
        pid: pane.pid,
        tty: pane.tty.clone(),
        cwd: pane.cwd.clone(),
        argv: pane.argv.clone(),
        shell: pane.shell.clone(),
        title: pane.title.clone(),
        options: options(&pane.options),
        input_off: pane.input_off,
        agent: pane.agent.clone(),
        agent_runs: pane.agent_runs,
        used: pane.used,
        size: (size.cols, size.rows),
        history_limit: pane.terminal.history_limit(),
    }
}

fn window(window: &Window) -> WindowState {
    let extent = |extent: Extent| (extent.width, extent.height);
    WindowState {
        id: window.id.0,
        name: window.name.clone(),
        layout: window.layout.dump(),
        size: extent(window.size()),
        panes: window.panes().iter().map(|pane| pane.0).collect(),
        preset: window.layout.last_preset.map(|preset| preset.name().to_owned()),
        old_layout: window.old_layout.clone(),
        zoomed: window.zoomed(),
        active: window.active.0,
        last: window.last_panes.iter().map(|pane| pane.0).collect(),
        manual_size: window.manual_size.map(extent),
        options: options(&window.options),
        created: window.created,
        activity: window.activity,
    }
}

fn session(session: &Session) -> SessionState {
    let link = |(index, link): (&i32, &mux::Winlink)| (*index, link.window.0, [link.bell, link.activity, link.silence]);
    SessionState {
        id: session.id.0,
        name: session.name.clone(),
        created: session.created,
        activity: session.activity,
        last_attached: session.last_attached,
        cwd: session.cwd.clone(),
        windows: session.windows.iter().map(link).collect(),
        current: session.current,
        last: session.last.clone(),
        options: options(&session.options),
        environment: session.environment.clone(),
        frozen: session.frozen,
        group: session.group.clone(),
    }
}
