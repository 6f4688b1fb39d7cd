//! What commands do to windows and panes besides making and closing them: select, zoom, rename, move.

use crate::Mux;
use crate::alert::default_name;
use crate::event::Event;
use crate::id::{PaneId, SessionId, WindowId};
use crate::input::Now;
use crate::layout::{Extent, Layout};
use crate::session::{Session, Winlink};
use crate::timer::Timer;
use crate::window::Window;
use std::collections::BTreeSet;
use std::time::Duration;

/// How long a window's name stays as it is after it was worked out.
const RENAME_INTERVAL: Duration = Duration::from_millis(500);

/// Most bytes of a name.
const NAME_LIMIT: usize = 1024;

/// A name as it is kept: bounded, with control characters and backslashes made visible as tmux does.
pub fn clean_name(name: &str) -> String {
    let mut clean = String::with_capacity(name.len());
    for c in name.chars() {
        let before = clean.len();
        match c {
            '\\' => clean.push_str("\\\\"),
            '\n' => clean.push_str("\\n"),
            '\t' => clean.push_str("\\t"),
            '\r' => clean.push_str("\\r"),
            '\u{7}' => clean.push_str("\\a"),
            '\u{8}' => clean.push_str("\\b"),
            '\u{b}' => clean.push_str("\\v"),
            '\u{c}' => clean.push_str("\\f"),
            '\0' => clean.push_str("\\0"),
            c if crate::raw::byte(c).is_some() => {
                clean.push_str(&format!("\\{:03o}", crate::raw::byte(c).unwrap_or_default()))
            }
            c if c.is_ascii_control() => clean.push_str(&format!("\\{:03o}", u32::from(c))),
            // What would turn the text around or break the line of a list stays out.
            c if c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {}
            c => clean.push(c),
        }
        if clean.len() > NAME_LIMIT {
            clean.truncate(before);
            break;
        }
    }
    clean
}

/// A name that a program chose: what cannot be in a name is left out.
pub fn inert_name(name: &str) -> String {
    let kept: String = name.chars().filter(|c| !c.is_control()).collect();
    clean_name(&kept)
}

/// A window of a session that is to have another place, there or elsewhere.
pub(crate) struct Link {
    /// The session it is taken from, and its index there.
    pub(crate) from: (SessionId, i32),
    /// The window.
    pub(crate) window: WindowId,
    /// The session it goes to.
    pub(crate) session: SessionId,
    /// The index it is to have there; the first free one for `None`.
    pub(crate) index: Option<i32>,
}

impl Mux {
    /// Make a window of a session current.
    pub(crate) fn select_window(&mut self, session: SessionId, index: i32) {
        let Some(entry) = self.sessions.get_mut(&session) else { return };
        let left = entry.current_window();
        let before = left.map(|window| crate::spawn::was_current(window, entry.current));
        let changed = entry.select(index);
        if !changed {
            return;
        }
        let entered = entry.current_window();
        self.window_focus_moved(&[left, entered]);
        if let Some(window) = entered {
            self.clear_alerts(window);
            if let Some(now) = self.last_turn {
                self.note_activity(now, window);
            }
            if let Some(active) = self.windows.get(&window).map(|window| window.active) {
                self.use_pane(active);
            }
        }
        self.changed();
        self.event_with(Event::SessionWindowChanged(session), before.as_ref().map_or(&[], |before| before));
        self.recalculate_sizes();
    }

    /// Forget the alerts of a window in every place it has.
    pub(crate) fn clear_alerts(&mut self, window: WindowId) {
        let links = self.sessions.values_mut().flat_map(|session| session.windows.values_mut());
        links.filter(|link| link.window == window).for_each(Winlink::clear_alerts);
    }

    /// Make a pane active in its window.
    pub(crate) fn activate_pane(&mut self, window: WindowId, pane: PaneId) {
        let Some(entry) = self.windows.get_mut(&window) else { return };
        if entry.modal.is_some_and(|modal| modal != pane) {
            return;
        }
        if entry.layout.contains(pane) && !entry.shows(pane) {
            self.unzoom(window);
        }
        let Some(entry) = self.windows.get_mut(&window) else { return };
        let before = entry.active;
        if !entry.activate(pane) {
            return;
        }
        self.use_pane(pane);
        self.changed();
        self.focus_moved(&[before, pane]);
        // Colours may go with being active.
        [before, pane].into_iter().for_each(|pane| self.touch_terminal(pane));
        self.event_with(Event::WindowPaneChanged(window), &[("old_pane", before.to_string())]);
    }

    /// Fill a window with one of its panes, the active one for `None`.
    pub(crate) fn zoom(&mut self, window: WindowId, pane: Option<PaneId>) {
        let Some(entry) = self.windows.get(&window) else { return };
        let pane = pane.unwrap_or(entry.active);
        // One that floats over a zoom goes on being the active one.
        if !entry.layout.is_floating(entry.active) || !self.stays_over_zoom(entry.active) {
            self.activate_pane(window, pane);
        }
        let kept: Vec<PaneId> = self.windows.get(&window).map_or(Vec::new(), |entry| entry.panes().to_vec());
        let kept: Vec<PaneId> = kept.into_iter().filter(|pane| self.stays_over_zoom(*pane)).collect();
        if self.windows.get_mut(&window).is_some_and(|entry| entry.zoom_in(pane, |other| kept.contains(&other))) {
            self.fire_window("window-zoomed", window);
            self.touch_layout_settings(window);
            self.layout_changed(window);
        }
    }

    /// End a zoom of a window. True when there was one.
    pub(crate) fn unzoom(&mut self, id: WindowId) -> bool {
        let unzoomed = self.windows.get_mut(&id).is_some_and(Window::zoom_out);
        if unzoomed {
            self.fire_window("window-unzoomed", id);
            self.layout_changed(id);
        }
        unzoomed
    }

    /// Give a window a name.
    pub(crate) fn rename_window(&mut self, id: WindowId, name: String) {
        let Some(window) = self.windows.get_mut(&id).filter(|window| window.name != name) else { return };
        let names = [("old_name", std::mem::replace(&mut window.name, name.clone())), ("new_name", name)];
        self.changed();
        self.event_with(Event::WindowRenamed(id), &names);
    }

    /// Give a pane a title.
    pub(crate) fn set_pane_title(&mut self, id: PaneId, title: &str) {
        let title: String = title.chars().filter(|c| !c.is_control()).take(NAME_LIMIT).collect();
        let Some(pane) = self.panes.get_mut(&id).filter(|pane| pane.title != title) else { return };
        pane.title = title;
        self.redraw();
        self.event(Event::PaneTitleChanged(id));
    }

    /// The name a new window gets: of what it was told to run, else of its shell.
    pub(crate) fn default_window_name(&self, id: WindowId) -> String {
        let active = self.windows.get(&id).and_then(|window| self.panes.get(&window.active));
        active.map_or(String::new(), |pane| {
            let command = if pane.argv.is_empty() { pane.shell.clone() } else { pane.argv.join(" ") };
            inert_name(&default_name(&command))
        })
    }

    /// Work a window's name out soon, if it is named automatically.
    pub(crate) fn schedule_rename(&mut self, now: Now, id: WindowId) {
        let Some(window) = self.windows.get(&id) else { return };
        let at = window.named_at.map_or(now.instant, |last| (last + RENAME_INTERVAL).max(now.instant));
        self.timers.set_once(Timer::Rename(id), at);
    }

    /// Work a window's name out soon after what it may follow besides output: which pane is active, its mode, its end.
    pub(crate) fn rename_after(&mut self, event: &Event) {
        let window = match event {
            Event::WindowPaneChanged(window) => Some(*window),
            Event::PaneModeChanged(pane) | Event::PaneDied(pane) => self.panes.get(pane).map(|pane| pane.window),
            _ => None,
        };
        if let (Some(now), Some(window)) = (self.last_turn, window) {
            self.schedule_rename(now, window);
        }
    }

    /// Work a window's name out.
    pub(crate) fn rename_automatically(&mut self, now: Now, world: &dyn crate::World, id: WindowId) {
        if !self.windows.contains_key(&id) || !self.window_flag(id, "automatic-rename") {
            return;
        }
        let format = self.window_text(id, "automatic-rename-format");
        let Some(active) = self.windows.get(&id).map(|window| window.active) else { return };
        // What is to come back keeps the name it had.
        if self.panes.get(&active).is_some_and(|pane| pane.program == crate::Program::Frozen) {
            return;
        }
        let name = inert_name(&self.expand_for_pane(&format, active, world, now));
        if let Some(window) = self.windows.get_mut(&id) {
            window.named_at = Some(now.instant);
        }
        if !name.is_empty() {
            self.rename_window(id, name);
        }
    }

    /// Free an index after (or before) another one by moving the windows behind it on. Gives the free index.
    pub(crate) fn make_room(&mut self, session: SessionId, index: Option<i32>, before: bool) -> Option<i32> {
        let entry = self.sessions.get_mut(&session)?;
        let index = index.unwrap_or(entry.current);
        let free = if before { index } else { index + 1 };
        let mut last = free;
        while entry.windows.contains_key(&last) {
            last += 1;
        }
        for at in (free..last).rev() {
            if let Some(link) = entry.windows.remove(&at) {
                entry.windows.insert(at + 1, link);
            }
            for place in entry.last.iter_mut().chain([&mut entry.current]).filter(|place| **place == at) {
                *place = at + 1;
            }
        }
        self.changed();
        Some(free)
    }

    /// Take a window that is closed out of every session; then the others are numbered anew where that is wanted.
    pub(crate) fn unlink_everywhere(&mut self, now: Now, id: WindowId) {
        let links = self.links(id);
        for (session, index) in &links {
            self.unlink_window(now, *session, *index);
        }
        let sessions: BTreeSet<SessionId> = links.into_iter().map(|(session, _)| session).collect();
        for session in sessions.into_iter().filter(|id| self.sessions.contains_key(id)).collect::<Vec<_>>() {
            if self.session_flag(session, "renumber-windows") {
                self.renumber(session);
            }
        }
    }

    pub(crate) fn drop_window(&mut self, id: WindowId) {
        self.fire_window("window-closed", id);
        let Some(window) = self.windows.remove(&id) else { return };
        for pane in window.panes() {
            self.drop_pane(*pane);
        }
        self.close_panes_modes(id);
    }

    /// Forget a window that no session has any more.
    pub(crate) fn drop_if_unlinked(&mut self, id: WindowId) {
        if self.sessions_with(id).next().is_none() {
            self.drop_window(id);
        }
    }

    /// Let two panes change places, also between windows.
    pub(crate) fn swap_panes(&mut self, (window_a, a): (WindowId, PaneId), (window_b, b): (WindowId, PaneId)) {
        if window_a == window_b {
            if let Some(window) = self.windows.get_mut(&window_a) {
                window.layout.swap(a, b);
            }
            return;
        }
        let of = |mux: &Mux, pane| crate::target::from_pane(mux, pane).and_then(|found| found.index);
        let places = [(a, window_a, of(self, a)), (b, window_b, of(self, b))];
        for (window, old, new) in [(window_a, a, b), (window_b, b, a)] {
            if let Some(entry) = self.windows.get_mut(&window) {
                entry.layout.replace(old, new);
                entry.last_panes.retain(|pane| *pane != old);
            }
            if let Some(pane) = self.panes.get_mut(&new) {
                pane.window = window;
            }
        }
        for (pane, window, index) in places {
            let name = self.windows.get(&window).map_or(String::new(), |window| window.name.clone());
            self.fire_moved(pane, (window, index), name);
        }
    }

    /// After a swap with -d the place stays active, not the pane; within a window the one before is the last one then.
    pub(crate) fn keep_active(&mut self, window: WindowId, old: PaneId, new: PaneId) {
        if self.windows.get(&window).is_some_and(|entry| entry.active == old && entry.layout.contains(new)) {
            if let Some(entry) = self.windows.get_mut(&window) {
                entry.active = new;
                entry.last_panes.retain(|pane| *pane != new && *pane != old);
                if entry.layout.contains(old) {
                    entry.last_panes.push(old);
                }
            }
            self.use_pane(new);
            self.focus_moved(&[old, new]);
            self.event_with(Event::WindowPaneChanged(window), &[("old_pane", old.to_string())]);
        }
    }

    /// Give a window another place in a session, and with `moves` take it from where it was; the place it got.
    ///
    /// # Errors
    /// tmux's words.
    pub(crate) fn link_window(
        &mut self,
        link: Link,
        kill: bool,
        select: bool,
        moves: Option<Now>,
    ) -> Result<i32, String> {
        let Link { from: (from, old), window, session, index } = link;
        if from != session && self.grouped_together(from, session) {
            return Err("sessions are grouped".into());
        }
        let old = self.moved_on(from, old, window);
        let base = self.session_number(session, "base-index") as i32;
        let Some(entry) = self.sessions.get_mut(&session) else { return Err("session is gone".into()) };
        let index = index.unwrap_or_else(|| entry.free_index(base));
        let mut select = select;
        let taken = entry.windows.get(&index).map(|link| link.window);
        if taken == Some(window) {
            return Err(format!("same index: {index}"));
        }
        if taken.is_some() && !kill {
            return Err(format!("index in use: {index}"));
        }
        select |= taken.is_some() && entry.current == index;
        entry.windows.insert(index, Winlink::new(window));
        if let Some(taken) = taken {
            self.event(Event::WindowUnlinked(session, taken));
            self.drop_if_unlinked(taken);
        }
        self.event(Event::WindowLinked(session, window));
        if select {
            self.select_window(session, index);
        }
        if let Some(now) = moves {
            self.unlink_window(now, from, old);
        }
        Ok(index)
    }

    /// Where the link of a window is now that was at `index` before room was made.
    fn moved_on(&self, session: SessionId, index: i32, window: WindowId) -> i32 {
        let stays = self.sessions.get(&session).and_then(|entry| entry.windows.get(&index));
        if stays.is_some_and(|link| link.window == window) { index } else { index + 1 }
    }

    /// Give a pane that is not alone a window of its own.
    pub(crate) fn break_pane(
        &mut self,
        now: Now,
        session: SessionId,
        index: Option<i32>,
        name: Option<String>,
        old: WindowId,
        pane: PaneId,
    ) -> (i32, WindowId) {
        let base = self.session_number(session, "base-index") as i32;
        let free = self.sessions.get(&session).map_or(base, |entry| entry.free_index(base));
        let index = index.unwrap_or(free);
        let from = (old, crate::target::from_pane(self, pane).and_then(|found| found.index));
        let window = self.window_for(now, session, old, pane);
        if let Some(entry) = self.sessions.get_mut(&session) {
            entry.windows.insert(index, Winlink::new(window));
        }
        let named = name.is_some();
        let name = name.unwrap_or_else(|| self.default_window_name(window));
        if let Some(entry) = self.windows.get_mut(&window) {
            entry.name = name;
        }
        if named {
            self.keep_name(window);
        }
        self.schedule_rename(now, window);
        self.fire_window("window-created", window);
        let name = self.windows.get(&old).map_or(String::new(), |window| window.name.clone());
        self.fire_moved(pane, from, name);
        self.layout_changed(old);
        self.changed();
        (index, window)
    }

    /// A name that was given is not changed any more.
    pub(crate) fn keep_name(&mut self, window: WindowId) {
        if let Some(entry) = self.windows.get_mut(&window) {
            entry.options.set_flag("automatic-rename", false);
        }
    }

    fn window_for(&mut self, now: Now, _session: SessionId, old: WindowId, pane: PaneId) -> WindowId {
        self.remove_from_window(old, pane);
        let id = WindowId(self.next.window);
        self.next.window += 1;
        let size = self.windows.get(&old).map_or(Extent { width: 80, height: 24 }, Window::size);
        self.windows.insert(id, Window::new(id, pane, size, now));
        if let Some(entry) = self.panes.get_mut(&pane) {
            entry.window = id;
        }
        self.touch_layout_settings(id);
        self.fit_panes(id);
        id
    }

    /// Put a pane into a window whose layout has it already, out of the one it was in.
    pub(crate) fn move_pane(&mut self, now: Now, pane: PaneId, old: WindowId, new: WindowId, layout: Layout) {
        if self.marked == Some(pane) {
            self.marked = None;
        }
        if let Some(window) = self.windows.get_mut(&new) {
            // Also a pane that only gets another place in its window is lost to it for a moment.
            let heir = window.heir(pane).filter(|_| old == new && window.active == pane);
            window.last_panes.retain(|other| *other != pane && Some(*other) != heir);
            window.active = heir.unwrap_or(window.active);
            window.layout = layout;
        }
        if old == new {
            return;
        }
        let from = crate::target::from_pane(self, pane).and_then(|found| found.index);
        if let Some(entry) = self.panes.get_mut(&pane) {
            entry.window = new;
        }
        let name = self.windows.get(&old).map_or(String::new(), |window| window.name.clone());
        self.fire_moved(pane, (old, from), name);
        let alone = self.windows.get(&old).is_some_and(|window| window.panes().len() == 1);
        if !alone {
            self.remove_from_window(old, pane);
            self.layout_changed(old);
            return;
        }
        self.windows.remove(&old);
        self.unlink_everywhere(now, old);
    }

    /// Where a window is linked.
    pub(crate) fn links(&self, window: WindowId) -> Vec<(SessionId, i32)> {
        let of = |session: &Session| -> Vec<(SessionId, i32)> {
            let id = session.id;
            session.windows.iter().filter(|(_, link)| link.window == window).map(|(index, _)| (id, *index)).collect()
        };
        self.sessions.values().flat_map(of).collect()
    }

    /// Flags of a window in a session, as the status line shows them: `*` current, `-` last, `#` activity, `!` bell,
    /// `~` silence, `M` marked, `Z` zoomed. With `escape` a `#` is doubled.
    pub fn window_flags(&self, session: &Session, index: i32, escape: bool) -> String {
        let Some(link) = session.windows.get(&index) else { return String::new() };
        let window = self.windows.get(&link.window);
        let mut flags = String::new();
        if link.activity {
            flags.push_str(if escape { "##" } else { "#" });
        }
        if link.bell {
            flags.push('!');
        }
        if link.silence {
            flags.push('~');
        }
        if session.current == index {
            flags.push('*');
        }
        if session.last_index() == Some(index) {
            flags.push('-');
        }
        if self.marked.and_then(|pane| self.panes.get(&pane)).is_some_and(|pane| pane.window == link.window) {
            flags.push('M');
        }
        if window.is_some_and(|window| window.modal.is_some()) {
            flags.push('O');
        }
        if window.is_some_and(Window::zoomed) {
            flags.push('Z');
        }
        flags
    }
}

#[cfg(test)]
mod tests {
    use crate::fake::Bench;
    use crate::{Exit, Face, PaneId};
    use std::time::Duration;

    #[test]
    fn a_name_follows_what_becomes_active_and_what_becomes_of_it() {
        let mut bench = Bench::new(Face::Tmux);
        bench.lines(&["new-session -d -s a cat", "split-window -d -t a cat", "set -g remain-on-exit on"]);
        bench.line("set -g automatic-rename-format '#D#{?pane_in_mode,+,}#{?pane_dead,-,}'");
        let name = |bench: &mut Bench, line: &str| {
            bench.line(line);
            bench.advance(Duration::from_secs(1));
            bench.line("list-windows -t a -F '#W'")
        };
        assert_eq!(name(&mut bench, "select-pane -t a.1"), "%1");
        assert_eq!(name(&mut bench, "copy-mode -t a"), "%1+");
        assert_eq!(name(&mut bench, "send-keys -X -t a cancel"), "%1");
        assert_eq!(name(&mut bench, "swap-pane -d -s %0 -t %1"), "%0");
        assert_eq!(name(&mut bench, "last-pane -t a"), "%1");
        bench.end(PaneId(1), Exit::Status(0));
        assert_eq!(name(&mut bench, "refresh-client"), "%1-");
        assert_eq!(name(&mut bench, "respawn-pane -t %1 cat"), "%1");
        assert_eq!(name(&mut bench, "break-pane -d -s %1"), "%0\n%1");
        assert_eq!(name(&mut bench, "join-pane -s %1 -t %0"), "%1");
        assert_eq!(name(&mut bench, "kill-pane -t %1"), "%0");
    }
}
