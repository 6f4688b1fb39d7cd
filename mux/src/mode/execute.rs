//! Modes in the model: entering and leaving them, giving them commands and the mouse, and doing what they say.

use super::{Action, Call, Copied, LineNumbers, Mode, Mouse, Pipe, Settings, Shown};
use crate::client::ClientFlags;
use crate::jobs::{DONE, Start};
use crate::prompt::{Answer, Prompt, Seat};
use crate::queue::{Context, Outcome};
use crate::timer::Timer;
use crate::{ClientId, Effect, Event, Mux, Now, PaneId, SessionId};
use term::Terminal;

/// How copy mode is entered.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Entry {
    /// The pane whose text is shown, when it is another.
    pub(crate) source: Option<PaneId>,
    /// Scrolling to the newest line ends it.
    pub(crate) scroll_exit: bool,
    /// The position is not shown.
    pub(crate) hides_position: bool,
    /// The mouse entered it, so that lines are not numbered.
    pub(crate) by_mouse: bool,
}

impl Mux {
    /// The options that the modes of a pane read; word separators are those of the session.
    pub(crate) fn mode_settings(&self, id: PaneId, session: Option<SessionId>) -> Settings {
        let separators = match session {
            Some(session) => self.session_text(session, "word-separators"),
            None => self.globals.session.text("word-separators"),
        };
        let Some(window) = self.panes.get(&id).map(|pane| pane.window) else {
            return Settings { separators, ..Settings::default() };
        };
        Settings {
            vi: self.window_text(window, "mode-keys") == "vi",
            separators,
            wrap_search: self.window_flag(window, "wrap-search"),
            line_numbers: LineNumbers::named(&self.window_text(window, "copy-mode-line-numbers")),
        }
    }

    /// Put a pane in copy mode, or bring the one it is in to the front.
    pub(crate) fn enter_copy_mode(&mut self, id: PaneId, session: Option<SessionId>, entry: Entry) {
        self.leave_fleeting_mode(id);
        let settings = self.mode_settings(id, session);
        let source = entry.source.filter(|source| *source != id).and_then(|source| self.panes.get(&source));
        let foreign = source.map(|source| Mode::copy(&source.terminal));
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let before = pane.modes.iter().position(|mode| mode.is(super::Kind::Copy));
        let entered = before.is_none_or(|at| at + 1 != pane.modes.len());
        let before = before.map(|at| pane.modes.remove(at));
        let mut shown = before.unwrap_or_else(|| {
            let mut mode = foreign.unwrap_or_else(|| Mode::copy(&pane.terminal));
            mode.set_source(entry.source.filter(|source| *source != id));
            mode.set_settings(&settings);
            mode.resized(&pane.terminal);
            mode.set_searched(pane.searched.clone());
            mode.set_scroll_exit(entry.scroll_exit);
            mode.set_hides_position(entry.hides_position);
            mode.into()
        });
        if let Some(mode) = shown.text_mut() {
            mode.set_numbers_lines(!entry.by_mouse);
        }
        let before = pane.mode_name();
        pane.modes.push(shown);
        if entered {
            self.mode_changed(id, true, before);
        }
        self.redraw();
    }

    /// End the newest mode of a pane; the one below it is as large as the pane now is.
    pub(crate) fn end_mode(&mut self, id: PaneId) {
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let before = pane.mode_name();
        let Some(left) = pane.modes.pop() else { return };
        pane.unseen_changes &= pane.in_mode();
        if let Some(below) = pane.modes.last_mut() {
            below.resized(&pane.terminal);
        }
        self.timers.cancel(Timer::Drag(id));
        match left {
            Shown::List(list) => {
                let asks = |prompt: &Prompt| matches!(prompt.answer, Answer::List(..));
                if self.prompt_at(Seat::Pane(id)).is_some_and(asks) {
                    self.drop_prompt(Seat::Pane(id));
                }
                self.list_left(id, &list);
            }
            Shown::Panes(panes) => self.panes_left(id, &panes),
            Shown::Switch(switch) => self.switch_left(id, &switch),
            Shown::Text(_) | Shown::Clock(_) => {}
        }
        self.mode_changed(id, false, before);
        self.redraw();
        let closes = self.panes.get(&id).is_some_and(|pane| pane.closes_with_mode == Some(pane.modes.len() + 1));
        if let Some(now) = self.last_turn.filter(|_| closes) {
            self.close_pane(now, id);
        }
    }

    /// With -k a pane is closed when the mode that it is in now ends.
    pub(crate) fn close_with_mode(&mut self, id: PaneId, before: usize) {
        if let Some(pane) = self.panes.get_mut(&id).filter(|pane| pane.modes.len() > before) {
            pane.closes_with_mode = Some(pane.modes.len());
        }
    }

    /// The text that a pane shows in the place of its program's screen.
    pub(crate) fn text_mode(&mut self, id: PaneId) -> Option<&mut Mode> {
        self.panes.get_mut(&id)?.modes.last_mut()?.text_mut()
    }

    /// A command of the mode that a pane is in (`send-keys -X`). A wrong one does nothing, as in tmux.
    pub(crate) fn mode_command(
        &mut self,
        context: &mut Context<'_>,
        id: PaneId,
        words: &[String],
        times: u64,
    ) -> Outcome {
        if self.panes.get(&id).is_none_or(|pane| pane.modes.is_empty()) {
            return Err("not in a mode".into());
        }
        let Some(mut call) = Call::parse(words) else { return DONE };
        if let Some(client) = context.target_client.filter(|client| self.is_read_only(*client) && !call.row().read_only)
        {
            self.show_message(context.now, client, "client is read-only".into(), None);
            return DONE;
        }
        for format in call.formats(context.has('F')) {
            *format = self.expand_in(context, context.target, format);
        }
        let session = context.target.session;
        let settings = self.mode_settings(id, session);
        let mouse = context.state.mouse_event.as_ref().and_then(|mouse| self.mouse_in_pane(id, mouse));
        let source = self.panes.get(&id).and_then(|pane| pane.modes.last()?.text()?.source());
        let source =
            source.and_then(|source| self.panes.get(&source)).filter(|_| call.row().name == "refresh-from-pane");
        // Another pane's text is taken over as a copy, since two panes can't be borrowed at once.
        let source: Option<Terminal> = source.map(|source| super::frozen(&source.terminal));
        let Some(pane) = self.panes.get_mut(&id) else { return DONE };
        let Some(mode) = pane.modes.last_mut().and_then(Shown::text_mut) else { return DONE };
        if times > 1 {
            mode.set_repeat(times);
        }
        let action = mode.run(&settings, &call, mouse.as_ref(), source.as_ref().unwrap_or(&pane.terminal));
        if let Some(searched) = mode.searched() {
            pane.searched = Some(searched.clone());
        }
        self.do_action(context, id, action);
        self.redraw();
        DONE
    }

    fn is_read_only(&self, client: ClientId) -> bool {
        self.clients.get(&client).is_some_and(|client| client.flags.contains(ClientFlags::READ_ONLY))
    }

    fn do_action(&mut self, context: &Context<'_>, id: PaneId, action: Action) {
        if action.drag
            && let Some(client) = context.client
        {
            self.begin_mode_drag(context.now, id, client);
        }
        if let Some(pipe) = action.pipe {
            self.pipe_selection(context, pipe);
        }
        if let Some(copied) = action.copy {
            self.keep_copied(context.now, id, copied);
        }
        if action.cancel {
            self.end_mode(id);
        }
    }

    fn pipe_selection(&mut self, context: &Context<'_>, pipe: Pipe) {
        let command = pipe.command.unwrap_or_else(|| self.globals.server.text("copy-command"));
        if command.is_empty() {
            return;
        }
        let start = Start {
            command,
            cwd: self.job_cwd(context),
            session: context.target.session,
            input: true,
            ..Start::default()
        };
        let job = self.start_job(start, Box::new(|_, _, _, _, _, _| {}));
        if !pipe.text.is_empty() {
            self.effect(Effect::WriteJob(job, pipe.text.into_bytes()));
        }
        self.effect(Effect::WriteJob(job, Vec::new()));
    }

    fn keep_copied(&mut self, now: Now, id: PaneId, copied: Copied) {
        let data = copied.text.into_bytes();
        if copied.clipboard && self.globals.server.text("set-clipboard") != "off" {
            self.set_clipboards(id, "", &data);
        }
        if !copied.buffer {
            return;
        }
        match self.buffers.top().filter(|_| copied.append) {
            Some(top) => {
                let name = top.name.clone();
                let data = [top.data.as_slice(), &data].concat();
                if let Ok(true) = self.buffers.set(&name, data, now.seconds()) {
                    self.event(Event::BufferChanged(name));
                }
            }
            None => self.add_buffer_named(copied.prefix.as_deref(), data, now.seconds()),
        }
    }

    /// The mouse event in cells of a pane, when it is over that.
    pub(super) fn mouse_in_pane(&self, id: PaneId, mouse: &crate::keys::Mouse) -> Option<Mouse> {
        let rect = self.windows.get(&self.panes.get(&id)?.window)?.rect(id)?;
        let column = i64::from(mouse.x) - i64::from(rect.x);
        let row = i64::from(mouse.y) - i64::from(rect.y);
        let inside = (0..i64::from(rect.width)).contains(&column) && (0..i64::from(rect.height)).contains(&row);
        let short = |n: i64| u16::try_from(n.max(0)).unwrap_or(u16::MAX);
        let event = &mouse.event;
        let last = |at: i64, now: u16, before: u16| short(at - i64::from(now) + i64::from(before));
        inside.then(|| Mouse {
            column: short(column),
            row: short(row),
            last: (last(column, event.x, event.last_x), last(row, event.y, event.last_y)),
            wheel: matches!(event.kind(), keymap::MouseKind::WheelUp | keymap::MouseKind::WheelDown),
            slider: None,
        })
    }

    fn begin_mode_drag(&mut self, now: Now, id: PaneId, client: ClientId) {
        if let Some(mode) = self.text_mode(id) {
            mode.set_dragger(Some(client));
            if mode.is_dragging() {
                self.timers.set(Timer::Drag(id), now.instant + Mode::DRAG_DELAY);
            }
        }
    }

    /// The pane in whose mode a client's mouse drags a selection.
    fn dragged_pane(&self, client: ClientId) -> Option<PaneId> {
        let dragged = |pane: &&crate::Pane| {
            pane.modes.last().and_then(Shown::text).is_some_and(|mode| mode.dragger() == Some(client))
        };
        self.panes.values().find(dragged).map(|pane| pane.id)
    }

    /// A client's mouse, at a place of its window, drags a selection on: false when it drags none.
    pub(crate) fn drag_in_mode(&mut self, now: Now, client: ClientId, (x, y): (u32, u32)) -> bool {
        let Some(id) = self.dragged_pane(client) else { return false };
        let Some(at) = self.clamped_to_pane(id, (x, y)) else { return false };
        if let Some(mode) = self.text_mode(id) {
            if mode.drag(at) {
                self.timers.set(Timer::Drag(id), now.instant + Mode::DRAG_DELAY);
            } else {
                self.timers.cancel(Timer::Drag(id));
            }
        }
        self.redraw();
        true
    }

    /// A client's mouse was let go: true when it dragged a selection.
    pub(crate) fn end_drag_in_mode(&mut self, client: ClientId, at: (u32, u32)) -> bool {
        let Some(id) = self.dragged_pane(client) else { return false };
        let place = self.clamped_to_pane(id, at);
        if let Some(mode) = self.text_mode(id) {
            mode.set_dragger(None);
            if let Some(place) = place {
                mode.end_drag(place);
            }
        }
        self.timers.cancel(Timer::Drag(id));
        true
    }

    /// The mouse is still held at the edge of a pane.
    pub(crate) fn drag_due(&mut self, now: Now, id: PaneId) {
        if let Some(mode) = self.text_mode(id)
            && mode.drag_tick()
        {
            self.timers.set(Timer::Drag(id), now.instant + Mode::DRAG_DELAY);
            self.redraw();
        }
    }

    fn clamped_to_pane(&self, id: PaneId, (x, y): (u32, u32)) -> Option<(u16, u16)> {
        let rect = self.windows.get(&self.panes.get(&id)?.window)?.rect(id)?;
        let within = |at: u32, from: i64, length: i64| (i64::from(at) - from).clamp(0, (length - 1).max(0)) as u16;
        Some((within(x, rect.x.into(), rect.width.into()), within(y, rect.y.into(), rect.height.into())))
    }
}

#[cfg(test)]
mod tests;
