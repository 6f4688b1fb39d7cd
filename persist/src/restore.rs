//! Data back into the model: all of it from the host's memory. What is inconsistent is repaired or left out, with a
//! sentence about it; nothing is believed.

pub use crate::thaw::{Plan, Screens, from_store};

use crate::record::RecordError;
use crate::state::{Baseline, ID_MAX, Options, PaneState, ProgramState, SessionState, State, WindowState};
use mux::adopt::{self, Inner, KeyChange};
use mux::layout::{Extent, Preset};
use mux::option::OptionStore;
use mux::{Mux, Now, Pane, PaneId, Program, Session, SessionId, Window, WindowId, Winlink};
use std::collections::BTreeMap;
use term::Terminal;

/// What is found of a pane whose state was kept.
pub struct Found {
    /// Its screen.
    pub terminal: Terminal,
    /// Process and path of the terminal, when the host has its child or one that ended just now: the end is told
    /// after, as [`mux::Input::PaneExited`].
    pub process: Option<(u32, String)>,
}

/// A model that was put back.
#[derive(Debug)]
pub struct Restored {
    /// The model.
    pub mux: Mux,
    /// What the configuration gave, for the [`crate::saver::Saver`].
    pub baseline: Baseline,
    /// Sentences about what was not as it should be.
    pub problems: Vec<String>,
}

/// Puts a model back from the bytes that [`crate::save::state`] gave. `mux` is a new one. `find` gives what there is
/// of a pane; one whose program ran and that is found without a process waits for an attach to be started again.
///
/// # Errors
/// The bytes are no state that this version can read; then the caller goes on with a new model.
pub fn state(
    bytes: &[u8],
    mut mux: Mux,
    now: Now,
    find: &mut dyn FnMut(&PaneState) -> Found,
) -> Result<Restored, RecordError> {
    let state = State::decode(bytes)?;
    let mut problems = Vec::new();
    mux.configured = true;
    (mux.config_files, mux.config_errors) = state.config;
    mux.environment = state.environment;
    mux.access = state.access;
    for (store, options) in
        [&mut mux.globals.server, &mut mux.globals.session, &mut mux.globals.window].into_iter().zip(&state.options)
    {
        put_options(store, options);
    }
    put_keys(&mut mux, &state.keys, &mut problems);
    for buffer in state.buffers {
        let created = i64::try_from(buffer.created_s).unwrap_or(i64::MAX);
        if let Err(error) = mux.buffers.put_back(&buffer.name, buffer.data, buffer.automatic, created) {
            problems.push(format!("a paste buffer was not restored: {error}"));
        }
    }
    mux.buffers.set_next_number(state.next_buffer.min(ID_MAX));
    let uses = state.inner.uses.min(u64::MAX / 2);
    mux.set_inner(Inner { uses, ..state.inner });
    let panes: BTreeMap<PaneId, &PaneState> = state.panes.iter().map(|pane| (PaneId(pane.id), pane)).collect();
    for window in &state.windows {
        put_window(&mut mux, window, &panes, uses, find, &mut problems);
    }
    for session in &state.sessions {
        put_session(&mut mux, session, &mut problems);
    }
    crate::over::put_back(&mut mux, &state.over);
    drop_unlinked(&mut mux, &mut problems);
    let next = &mut mux.next;
    next.session = next.session.max(state.next.0.min(ID_MAX));
    next.window = next.window.max(state.next.1.min(ID_MAX));
    next.pane = next.pane.max(state.next.2.min(ID_MAX));
    mux.marked = state.marked.map(PaneId).filter(|pane| mux.panes.contains_key(pane));
    mux.settle(now);
    mux.set_heard(now, state.heard);
    Ok(Restored { mux, baseline: state.baseline, problems })
}

pub(crate) fn put_options(store: &mut OptionStore, options: &Options) {
    for (name, value) in options {
        store.put(name, value.clone());
    }
}

pub(crate) fn put_keys(mux: &mut Mux, keys: &[KeyChange], problems: &mut Vec<String>) {
    for change in keys {
        if let Err(error) = mux.apply_key_change(change) {
            problems.push(error);
        }
    }
}

fn put_window(
    mux: &mut Mux,
    state: &WindowState,
    panes: &BTreeMap<PaneId, &PaneState>,
    uses: u64,
    find: &mut dyn FnMut(&PaneState) -> Found,
    problems: &mut Vec<String>,
) {
    let id = WindowId(state.id);
    if state.id >= ID_MAX || mux.windows.contains_key(&id) {
        problems.push(format!("window {id} was not restored"));
        return;
    }
    let mut places: Vec<(PaneId, Option<PaneId>)> = Vec::new();
    for number in &state.panes {
        let pane = PaneId(*number);
        let usable =
            pane.0 < ID_MAX && !mux.panes.contains_key(&pane) && places.iter().all(|(other, _)| *other != pane);
        let known = panes.get(&pane).filter(|_| usable);
        if let Some(kept) = known {
            let found = find(kept);
            mux.free_pane_id(pane);
            mux.panes.insert(pane, put_pane(kept, id, uses, found));
        } else {
            problems.push(format!("pane {pane} of window {id} was not restored"));
        }
        places.push((pane, known.map(|_| pane)));
    }
    let size = Extent {
        width: state.size.0.clamp(1, mux::size::WINDOW_MAXIMUM),
        height: state.size.1.clamp(1, mux::size::WINDOW_MAXIMUM),
    };
    let Some(mut layout) = adopt::layout_for(&state.layout, &places, size) else {
        problems.push(format!("window {id} has no pane left"));
        return;
    };
    layout.last_preset = state.preset.as_deref().and_then(Preset::named);
    let active = Some(PaneId(state.active)).filter(|pane| layout.contains(*pane));
    let mut window = Window {
        id,
        name: state.name.clone(),
        active: active.unwrap_or(layout.panes()[0]),
        zoom: None,
        modal: None,
        modal_before: None,
        last_panes: Vec::new(),
        options: OptionStore::default(),
        created: state.created,
        activity: state.activity,
        latest: None,
        manual_size: state.manual_size.map(|(width, height)| mux::size::within_limits(width, height)),
        old_layout: state.old_layout.clone(),
        named_at: None,
        bars: mux::scrollbar::Bars::default(),
        layout,
    };
    put_options(&mut window.options, &state.options);
    for pane in state.last.iter().map(|pane| PaneId(*pane)) {
        if window.layout.contains(pane) && pane != window.active && !window.last_panes.contains(&pane) {
            window.last_panes.push(pane);
        }
    }
    if state.zoomed {
        window.zoom_in(window.active, |_| false);
    }
    mux.free_window_id(id);
    mux.windows.insert(id, window);
}

fn put_pane(state: &PaneState, window: WindowId, uses: u64, found: Found) -> Pane {
    let (program, (pid, tty)) = match (found.process, state.program) {
        (Some(process), _) => (Program::Running, process),
        (None, ProgramState::Dead(exit, when)) => (Program::Dead(exit, when), (0, state.tty.clone())),
        (None, ProgramState::None) => (Program::None, (0, state.tty.clone())),
        (None, ProgramState::Running | ProgramState::Frozen) => (Program::Frozen, (0, state.tty.clone())),
    };
    let mut pane = Pane {
        agent_runs: state.agent_runs && program == Program::Running,
        program,
        pid,
        tty,
        cwd: state.cwd.clone(),
        argv: state.argv.clone(),
        shell: state.shell.clone(),
        title: state.title.clone(),
        input_off: state.input_off,
        agent: state.agent.clone(),
        used: state.used.min(uses),
        ..Pane::put_back(PaneId(state.id), state.uuid, window, found.terminal)
    };
    put_options(&mut pane.options, &state.options);
    pane
}

fn put_session(mux: &mut Mux, state: &SessionState, problems: &mut Vec<String>) {
    let links = state.windows.iter().filter(|(_, window, _)| mux.windows.contains_key(&WindowId(*window)));
    let windows: BTreeMap<i32, Winlink> = links
        .map(|(index, window, [bell, activity, silence])| {
            let link = Winlink { window: WindowId(*window), bell: *bell, activity: *activity, silence: *silence };
            (*index, link)
        })
        .collect();
    let Some(first) = windows.keys().next().copied() else {
        problems.push(format!("session {} has no window left", state.name));
        return;
    };
    let current = if windows.contains_key(&state.current) { state.current } else { first };
    let id = mux.free_session_id(SessionId(state.id.min(ID_MAX)));
    let mut session = Session {
        id,
        name: mux.free_session_name(&state.name),
        created: state.created,
        activity: state.activity,
        last_attached: state.last_attached,
        cwd: state.cwd.clone(),
        last: last_indexes(&state.last, &windows, current),
        windows,
        current,
        options: OptionStore::default(),
        environment: state.environment.clone(),
        group: state.group.clone(),
        frozen: state.frozen,
    };
    put_options(&mut session.options, &state.options);
    mux.sessions.insert(id, session);
}

fn last_indexes(last: &[i32], windows: &BTreeMap<i32, Winlink>, current: i32) -> Vec<i32> {
    let mut kept = Vec::new();
    for index in last {
        if windows.contains_key(index) && *index != current && !kept.contains(index) {
            kept.push(*index);
        }
    }
    kept
}

/// Windows that are in no session go: nobody could reach them.
fn drop_unlinked(mux: &mut Mux, problems: &mut Vec<String>) {
    let lost: Vec<WindowId> =
        mux.windows.keys().copied().filter(|id| mux.sessions_with(*id).next().is_none()).collect();
    for id in lost {
        problems.push(format!("window {id} is in no session and was left out"));
        mux.windows.remove(&id);
        mux.panes.retain(|_, pane| pane.window != id);
    }
}
