//! Sizes of windows: which client's size counts (options `window-size`, `aggressive-resize`, `default-size`).

use crate::Mux;
use crate::client::Client;
use crate::effect::Effect;
use crate::event::Event;
use crate::id::{ClientId, PaneId, SessionId, WindowId};
use crate::layout::Extent;
use std::collections::{BTreeMap, BTreeSet};

/// Least width and height of a window.
pub const WINDOW_MINIMUM: u32 = 1;
/// Most.
pub const WINDOW_MAXIMUM: u32 = 10_000;

/// An extent within the limits of a window.
pub fn within_limits(width: u32, height: u32) -> Extent {
    Extent { width: width.clamp(WINDOW_MINIMUM, WINDOW_MAXIMUM), height: height.clamp(WINDOW_MINIMUM, WINDOW_MAXIMUM) }
}

impl Mux {
    /// Lines that the status line of a session takes, 0 when it is off.
    pub fn status_lines(&self, session: SessionId) -> u32 {
        match self.session_text(session, "status").as_str() {
            "off" => 0,
            "on" => 1,
            lines => lines.parse().unwrap_or(1),
        }
    }

    /// Lines that the status line takes on a client: none where there is no room, and on control clients.
    pub fn client_status_lines(&self, client: &Client) -> u32 {
        let lines = client.session.map_or(0, |session| self.status_lines(session));
        match client.size {
            Some((_, rows)) if !client.is_control() && u32::from(rows) > lines => lines,
            _ => 0,
        }
    }

    /// The size a client offers a window: its own less the status line, or what a control client set for that window.
    fn offer(&self, client: &Client, window: Option<WindowId>) -> Option<Extent> {
        let own = window.and_then(|window| client.window_sizes.get(&window)).copied();
        let (cols, rows) = own.or(client.size)?;
        let rows = u32::from(rows).saturating_sub(self.client_status_lines(client));
        Some(Extent { width: u32::from(cols), height: rows })
    }

    /// The size of all clients that count together, by the rule that `kind` names.
    fn combined<'a>(
        &'a self,
        kind: &str,
        window: Option<WindowId>,
        clients: impl Iterator<Item = &'a Client>,
    ) -> Option<Extent> {
        let counting: Vec<&Client> = clients.filter(|client| client.counts_for_size()).collect();
        match kind {
            "manual" => None,
            "latest" => {
                let latest = window.and_then(|id| self.windows.get(&id)?.latest);
                let one = counting.iter().find(|client| Some(client.id) == latest);
                let newest = || counting.iter().max_by_key(|client| client.activity);
                one.or_else(newest).and_then(|client| self.offer(client, window))
            }
            _ => {
                let pick = if kind == "largest" { u32::max } else { u32::min };
                counting
                    .into_iter()
                    .filter_map(|client| self.offer(client, window))
                    .reduce(|a, b| Extent { width: pick(a.width, b.width), height: pick(a.height, b.height) })
            }
        }
    }

    /// The size of a new window of a session, made by `client`.
    pub fn new_window_size(&self, client: Option<ClientId>, session: SessionId) -> Extent {
        let kind = self.globals.window.text("window-size");
        let given = client.and_then(|id| self.clients.get(&id));
        let latest = given.filter(|client| kind == "latest" && client.counts_for_size());
        let size = latest.and_then(|client| self.offer(client, None));
        let size = size.or_else(|| self.combined(&kind, None, self.clients_of(session)));
        let size = size.unwrap_or_else(|| self.default_size(session));
        within_limits(size.width, size.height)
    }

    /// Option `default-size`.
    pub fn default_size(&self, session: SessionId) -> Extent {
        parse_size(&self.session_text(session, "default-size")).unwrap_or(Extent { width: 80, height: 24 })
    }

    /// Give every window the size its clients ask for.
    pub(crate) fn recalculate_sizes(&mut self) {
        let mut shown: BTreeMap<WindowId, Vec<SessionId>> = BTreeMap::new();
        let attached: BTreeSet<SessionId> = self.clients.values().filter_map(|client| client.session).collect();
        for session in attached.iter().filter_map(|id| self.sessions.get(id)) {
            for link in session.windows.values() {
                shown.entry(link.window).or_default().push(session.id);
            }
        }
        // Others keep the size they have; one that was given by hand may be the window's no more, as by an option.
        let manual = self.windows.values().filter(|window| window.manual_size.is_some()).map(|window| window.id);
        let others: Vec<WindowId> = manual.filter(|id| !shown.contains_key(id)).collect();
        for id in others {
            self.recalculate_size_for(id, &[]);
        }
        for (id, sessions) in shown {
            self.recalculate_size_for(id, &sessions);
        }
    }

    /// Give a window the size its clients ask for: at once where one shows it or `window-size` is manual, else when one
    /// does, as in tmux, so that programs nobody sees are not told of sizes that pass.
    pub(crate) fn recalculate_size(&mut self, id: WindowId) {
        let sessions = self.session_ids_with(id);
        self.recalculate_size_for(id, &sessions);
    }

    /// The same; `sessions` are those of its sessions that have clients, others don't matter.
    fn recalculate_size_for(&mut self, id: WindowId, sessions: &[SessionId]) {
        let Some((size, manual)) = self.wanted_size(id, sessions) else { return };
        if manual || self.is_shown(id) {
            self.resize_window(id, size);
        } else {
            self.unfitted.insert(id);
        }
    }

    /// The same for every window, shown or not (`refresh-client -C`).
    pub(crate) fn recalculate_sizes_now(&mut self) {
        let ids: Vec<WindowId> = self.windows.keys().copied().collect();
        for id in ids {
            if let Some((size, _)) = self.wanted_size(id, &self.session_ids_with(id)) {
                self.resize_window(id, size);
            }
        }
    }

    /// Give windows that are shown by now the size they waited for. True when there were any.
    pub(crate) fn fit_shown_windows(&mut self) -> bool {
        if self.unfitted.is_empty() {
            return false;
        }
        let shown: Vec<WindowId> = self.unfitted.iter().copied().filter(|id| self.is_shown(*id)).collect();
        for id in &shown {
            self.unfitted.remove(id);
            self.recalculate_size(*id);
        }
        self.unfitted.retain(|id| self.windows.contains_key(id));
        !shown.is_empty()
    }

    /// Some client shows this window.
    fn is_shown(&self, id: WindowId) -> bool {
        let mut sessions = self.clients.values().filter_map(|client| self.sessions.get(&client.session?));
        sessions.any(|session| session.current_window() == Some(id))
    }

    fn session_ids_with(&self, id: WindowId) -> Vec<SessionId> {
        self.sessions_with(id).map(|session| session.id).collect()
    }

    /// The size that a window's clients ask for, and whether it was given by hand.
    fn wanted_size(&self, id: WindowId, sessions: &[SessionId]) -> Option<(Extent, bool)> {
        let kind = self.window_text(id, "window-size");
        let aggressive = self.window_flag(id, "aggressive-resize");
        let shows = |session: &SessionId| {
            !aggressive || self.sessions.get(session).is_some_and(|session| session.current_window() == Some(id))
        };
        let clients = self
            .clients
            .values()
            .filter(|client| client.session.is_some_and(|session| sessions.contains(&session) && shows(&session)));
        let size = match kind.as_str() {
            "manual" => self.windows.get(&id).and_then(|window| window.manual_size),
            kind => self.combined(kind, Some(id), clients),
        };
        size.map(|size| (within_limits(size.width, size.height), kind == "manual"))
    }

    /// The largest or smallest size of the clients that show a window.
    pub(crate) fn clients_size(&self, id: WindowId, largest: bool) -> Option<Extent> {
        let sessions = self.session_ids_with(id);
        let clients =
            self.clients.values().filter(|client| client.session.is_some_and(|session| sessions.contains(&session)));
        let size = self.combined(if largest { "largest" } else { "smallest" }, Some(id), clients)?;
        Some(within_limits(size.width, size.height))
    }

    /// Give a window a size; its panes follow.
    pub fn resize_window(&mut self, id: WindowId, size: Extent) {
        self.unfitted.remove(&id);
        let Some(window) = self.windows.get_mut(&id).filter(|window| window.size() != size) else { return };
        let old = window.size();
        window.resize(size);
        self.layout_changed(id);
        let payload = self.window_payload(id).sizes((old.width, old.height), (size.width, size.height));
        self.fire("window-resized", payload);
    }

    /// A window's layout is another one: size its panes and tell of it.
    pub(crate) fn layout_changed(&mut self, id: WindowId) {
        if let Some(window) = self.windows.get_mut(&id) {
            window.settle_modal();
        }
        self.fit_panes(id);
        self.changed();
        self.event(Event::LayoutChanged(id));
    }

    /// Give each pane of a window the size its place has.
    pub(crate) fn fit_panes(&mut self, id: WindowId) {
        let Some(window) = self.windows.get(&id) else { return };
        let places: Vec<(PaneId, (u16, u16))> = window
            .panes()
            .iter()
            .filter_map(|pane| {
                let rect = window.rect(*pane)?;
                Some((*pane, (clamp(rect.width), clamp(rect.height))))
            })
            .collect();
        for (id, size) in places {
            self.resize_pane_screen(id, size);
        }
    }

    /// Give a pane that is hidden by a zoom the window's own size, until its window's layout is put on it again: a pane
    /// that is made zoomed has that size from the start (`split-window -dZ`).
    pub(crate) fn fill_window(&mut self, window: WindowId, pane: PaneId) {
        if let Some(size) = self.windows.get(&window).map(crate::Window::size) {
            self.resize_pane_screen(pane, (clamp(size.width), clamp(size.height)));
        }
    }

    fn resize_pane_screen(&mut self, id: PaneId, (cols, rows): (u16, u16)) {
        let Some(pane) = self.panes.get_mut(&id) else { return };
        let size = term::Size { cols, rows };
        if pane.terminal.size() == size {
            return;
        }
        let old = pane.terminal.size();
        pane.terminal.resize(size);
        for mode in &mut pane.modes {
            mode.resized(&pane.terminal);
        }
        self.effect(Effect::MarkPane(id, crate::Mark::Resized(cols, rows)));
        self.effect(Effect::ResizePane(id, (cols, rows)));
        let sizes = ((u32::from(old.cols), u32::from(old.rows)), (u32::from(cols), u32::from(rows)));
        let payload = self.pane_payload(id).sizes(sizes.0, sizes.1);
        self.fire("pane-resized", payload);
    }
}

fn clamp(cells: u32) -> u16 {
    cells.clamp(1, u32::from(u16::MAX)) as u16
}

/// A size written as `80x24`.
pub fn parse_size(text: &str) -> Option<Extent> {
    let (width, height) = text.split_once('x')?;
    Some(Extent { width: width.parse().ok()?, height: height.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use crate::Face;
    use crate::fake::Bench;

    #[test]
    fn a_window_nobody_shows_is_fitted_when_somebody_does() {
        let mut bench = Bench::new(Face::Tmux);
        bench.lines(&["new-session -d -x 40 -y 12 cat", "new-window -d cat", "new-window -d cat", "new-window -d cat"]);
        let client = bench.terminal((80, 24), &["attach"]);
        let sizes =
            |bench: &mut Bench| bench.line("list-windows -F '#{window_width}x#{window_height}'").replace('\n', " ");
        assert_eq!(sizes(&mut bench), "80x23 40x12 40x12 40x12");
        bench.line("select-window -t :1");
        assert_eq!(sizes(&mut bench), "80x23 80x23 40x12 40x12");
        // Also where it becomes current by the end of another, or when its client goes to its session.
        bench.lines(&["select-window -t :2", "kill-window"]);
        assert_eq!(sizes(&mut bench), "80x23 80x23 40x12");
        bench.lines(&["new-session -d -s b -x 30 -y 9 cat", "link-window -s :3 -t b:7", "switch-client -t b:7"]);
        assert_eq!(sizes(&mut bench), "80x23 80x23 80x23");
        // A size given by hand and a control client's own count at once.
        bench.line("new-window -d -t b:9 cat");
        bench.handle(crate::Input::ClientResized(client, (90, 30)));
        assert_eq!(bench.line("list-windows -t b -F '#{window_width}'"), "30\n90\n80");
        bench.line("resize-window -t b:9 -x 33");
        assert_eq!(bench.line("list-windows -t b -F '#{window_width}'"), "30\n90\n33");
        let control = bench.control(&["attach", "-t", "b"]);
        bench.line("set -g window-size largest");
        bench.control_line(control, "refresh-client -C 100x40");
        assert_eq!(bench.line("list-windows -t b -F '#{window_width}'"), "100\n100\n33");
    }

    #[test]
    fn scrollbars_take_their_columns_from_the_panes() {
        let mut bench = Bench::new(Face::Tmux);
        bench.lines(&["new-session -d -x 40 -y 12 cat", "set -g pane-scrollbars on"]);
        let place = "#{pane_left},#{pane_width}";
        assert_eq!(bench.format("", place), "0,39");
        bench.line("set -g pane-scrollbars-style width=2,pad=1");
        bench.line("set -g pane-scrollbars-position left");
        assert_eq!(bench.format("", place), "3,37");
        bench.line("set -gu pane-scrollbars-style");
        bench.line("set -gu pane-scrollbars-position");
        bench.line("split-window -h cat");
        assert_eq!(bench.format("%0", place), "0,19");
        assert_eq!(bench.format("%1", place), "21,18");
        bench.line("set -g pane-scrollbars off");
        assert_eq!(bench.format("%1", place), "21,19");
    }
}
