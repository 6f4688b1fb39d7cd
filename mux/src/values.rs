//! Options as the model reads and sets them: which owner a name or flag means, what each inherits from.

use crate::id::{PaneId, SessionId, WindowId};
use crate::input::Now;
use crate::layout::{BorderStatus, PresetOptions, Scrollbar, Settings};
use crate::option::{self, Checks, OptionName, OptionStore, Scope};
use crate::queue::Context;
use crate::style::{Markup, Width};
use crate::world::World;
use crate::{Globals, Mux};

/// Whose options are meant.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, serde::Serialize, serde::Deserialize)]
pub enum OptionScope {
    /// The server's.
    Server,
    /// Those of sessions without their own.
    GlobalSession,
    /// A session's.
    Session(SessionId),
    /// Those of windows and panes without their own.
    GlobalWindow,
    /// A window's.
    Window(WindowId),
    /// A pane's.
    Pane(PaneId),
}

impl Globals {
    /// The options a server starts with.
    pub(crate) fn new(face: crate::Face) -> Globals {
        Globals {
            server: OptionStore::global(Scope::Server, face),
            session: OptionStore::global(Scope::Session, face),
            window: OptionStore::global(Scope::Window, face),
        }
    }
}

/// Checks values of options against the rest of the model.
pub struct Checker<'a> {
    /// The model.
    pub mux: &'a Mux,
    /// The outside.
    pub world: &'a dyn World,
}

impl Checks for Checker<'_> {
    fn key(&self, text: &str) -> Option<String> {
        keymap::parse_key(text).map(keymap::key_name)
    }

    fn colour(&self, text: &str) -> Option<String> {
        crate::style::Colour::parse(text).map(|colour| colour.to_string())
    }

    fn style(&self, text: &str) -> bool {
        text.contains("#{") || crate::style::Markup::parse(text).is_ok()
    }

    fn shell(&self, path: &str) -> bool {
        path.starts_with('/') && !self.world.is_directory(path) && self.world.is_program(path)
    }

    fn command(&self, text: &str) -> Result<String, String> {
        let (list, _) = self
            .mux
            .parse_in(text, &crate::commands::Source::PLAIN, self.world, true)
            .map_err(|error| error.message)?;
        Ok(crate::commands::Commands::new(list).print())
    }
}

impl Mux {
    /// A scope's own options, to be changed.
    pub(crate) fn option_store(&mut self, scope: OptionScope) -> Option<&mut OptionStore> {
        match scope {
            OptionScope::Server => Some(&mut self.globals.server),
            OptionScope::GlobalSession => Some(&mut self.globals.session),
            OptionScope::GlobalWindow => Some(&mut self.globals.window),
            OptionScope::Session(id) => self.sessions.get_mut(&id).map(|session| &mut session.options),
            OptionScope::Window(id) => self.windows.get_mut(&id).map(|window| &mut window.options),
            OptionScope::Pane(id) => self.panes.get_mut(&id).map(|pane| &mut pane.options),
        }
    }

    /// What a scope inherits from, nearest first, without its own options.
    pub(crate) fn inherited(&self, scope: OptionScope) -> Vec<&OptionStore> {
        match scope {
            OptionScope::Server | OptionScope::GlobalSession | OptionScope::GlobalWindow => Vec::new(),
            OptionScope::Session(_) => vec![&self.globals.session],
            OptionScope::Window(_) => vec![&self.globals.window],
            OptionScope::Pane(id) => {
                let window = self.panes.get(&id).and_then(|pane| self.windows.get(&pane.window));
                window.map(|window| &window.options).into_iter().chain([&self.globals.window]).collect()
            }
        }
    }

    /// A scope's own options and those it inherits, nearest first.
    pub fn option_chain(&self, scope: OptionScope) -> Vec<&OptionStore> {
        self.own_options(scope).into_iter().chain(self.inherited(scope)).collect()
    }

    /// A scope's own options; `None` when who has them is gone.
    pub(crate) fn own_options(&self, scope: OptionScope) -> Option<&OptionStore> {
        match scope {
            OptionScope::Server => Some(&self.globals.server),
            OptionScope::GlobalSession => Some(&self.globals.session),
            OptionScope::GlobalWindow => Some(&self.globals.window),
            OptionScope::Session(id) => self.sessions.get(&id).map(|session| &session.options),
            OptionScope::Window(id) => self.windows.get(&id).map(|window| &window.options),
            OptionScope::Pane(id) => self.panes.get(&id).map(|pane| &pane.options),
        }
    }

    /// The owner that flags name: -s, -w, -p, -g and the target.
    pub(crate) fn option_scope_of_flags(&self, context: &Context<'_>, window: bool) -> Result<OptionScope, String> {
        let target = context.get('t');
        let missing = |what: &str| match &target {
            Some(target) => format!("no such {what}: {target}"),
            None => format!("no current {what}"),
        };
        if context.has('s') {
            return Ok(OptionScope::Server);
        }
        if context.has('p') {
            return context.target.pane.map(OptionScope::Pane).ok_or_else(|| missing("pane"));
        }
        if window {
            if context.has('g') {
                return Ok(OptionScope::GlobalWindow);
            }
            return context.target.window.map(OptionScope::Window).ok_or_else(|| missing("window"));
        }
        if context.has('g') {
            return Ok(OptionScope::GlobalSession);
        }
        context.target.session.map(OptionScope::Session).ok_or_else(|| missing("session"))
    }

    /// The owner of a named option: its own scope decides, flags say which owner of that scope.
    pub(crate) fn option_scope(
        &self,
        context: &Context<'_>,
        name: &OptionName,
        window: bool,
    ) -> Result<OptionScope, String> {
        let Some(row) = name.def().filter(|_| !name.is_user()) else {
            return self.option_scope_of_flags(context, window);
        };
        let target = context.get('t');
        let missing = |what: &str| match &target {
            Some(target) => format!("no such {what}: {target}"),
            None => format!("no current {what}"),
        };
        let of_window = || match (context.has('g'), context.target.window) {
            (true, _) => Ok(OptionScope::GlobalWindow),
            (false, Some(window)) => Ok(OptionScope::Window(window)),
            (false, None) => Err(missing("window")),
        };
        match row.scope {
            Scope::Server => Ok(OptionScope::Server),
            Scope::Session if context.has('g') => Ok(OptionScope::GlobalSession),
            Scope::Session => context.target.session.map(OptionScope::Session).ok_or_else(|| missing("session")),
            Scope::WindowOrPane if context.has('p') => {
                context.target.pane.map(OptionScope::Pane).ok_or_else(|| missing("pane"))
            }
            Scope::Window | Scope::WindowOrPane => of_window(),
        }
    }

    fn session_chain(&self, id: SessionId) -> Vec<&OptionStore> {
        self.option_chain(OptionScope::Session(id))
    }

    /// A session option as text.
    pub fn session_text(&self, id: SessionId, name: &str) -> String {
        option::chain::text(&self.session_chain(id), name)
    }

    /// A session option as a number.
    pub fn session_number(&self, id: SessionId, name: &str) -> i64 {
        option::chain::number(&self.session_chain(id), name)
    }

    /// A session option as a flag.
    pub fn session_flag(&self, id: SessionId, name: &str) -> bool {
        option::chain::flag(&self.session_chain(id), name)
    }

    /// The items of a session option.
    pub fn session_array(&self, id: SessionId, name: &str) -> Vec<String> {
        let chain = self.session_chain(id);
        option::lookup(&chain, name)
            .map(|value| value.items().map(|(_, text)| text.to_owned()).collect())
            .unwrap_or_default()
    }

    /// A window option as text.
    pub fn window_text(&self, id: WindowId, name: &str) -> String {
        option::chain::text(&self.option_chain(OptionScope::Window(id)), name)
    }

    /// A window option as a flag.
    pub fn window_flag(&self, id: WindowId, name: &str) -> bool {
        option::chain::flag(&self.option_chain(OptionScope::Window(id)), name)
    }

    /// A window option as a number.
    pub fn window_number(&self, window: &crate::Window, name: &str) -> i64 {
        option::chain::number(&[&window.options, &self.globals.window], name)
    }

    /// A pane option as text.
    pub fn pane_text(&self, id: PaneId, name: &str) -> String {
        option::chain::text(&self.option_chain(OptionScope::Pane(id)), name)
    }

    /// A pane option as a flag.
    pub fn pane_flag(&self, id: PaneId, name: &str) -> bool {
        option::chain::flag(&self.option_chain(OptionScope::Pane(id)), name)
    }

    /// The text of the user's alias of a command.
    pub(crate) fn command_alias(&self, name: &str) -> Option<String> {
        let value = self.globals.server.get("command-alias")?;
        value.items().find_map(|(_, text)| Some(text.strip_prefix(name)?.strip_prefix('=')?.to_owned()))
    }

    /// An option has another value: what follows from it.
    pub(crate) fn option_changed(&mut self, now: Now, name: &str) {
        match name {
            "status" | "window-size" | "aggressive-resize" | "default-size" => self.recalculate_sizes(),
            "status-interval" => self.schedule_status(now),
            "pane-border-status" | "pane-scrollbars" | "pane-scrollbars-style" | "pane-scrollbars-position" => {
                let windows: Vec<WindowId> = self.windows.keys().copied().collect();
                for window in windows {
                    self.touch_layout_settings(window);
                    self.layout_changed(window);
                }
            }
            "automatic-rename" | "automatic-rename-format" => {
                let windows: Vec<WindowId> = self.windows.keys().copied().collect();
                for window in windows {
                    self.schedule_rename(now, window);
                }
            }
            "monitor-silence" => {
                let windows: Vec<WindowId> = self.windows.keys().copied().collect();
                for window in windows {
                    self.watch_silence(now, window);
                }
            }
            "user-keys" => {
                for client in self.clients.keys().copied().collect::<Vec<_>>() {
                    self.define_user_keys(client);
                }
            }
            "codepoint-widths" => self.touch_widths(),
            "history-limit" => self.touch_history_limits(),
            name if Mux::shapes_terminals(name) => self.touch_terminals(),
            _ => {}
        }
        self.changed();
    }

    /// Take the options that shape a layout into it.
    pub(crate) fn touch_layout_settings(&mut self, id: WindowId) {
        let border_status = match self.window_text(id, "pane-border-status").as_str() {
            "top" => BorderStatus::Top,
            "bottom" => BorderStatus::Bottom,
            _ => BorderStatus::Off,
        };
        let bars = self.window_text(id, "pane-scrollbars");
        let scrollbar = (bars != "off").then(|| {
            let style = Markup::parse(&self.window_text(id, "pane-scrollbars-style")).unwrap_or_default();
            let width = match style.width {
                Some(Width::Columns(columns)) => columns.clamp(1, 100),
                _ => 1,
            };
            let left = self.window_text(id, "pane-scrollbars-position") == "left";
            Scrollbar { width, pad: style.pad.unwrap_or(0).min(100), left }
        });
        let settings = Settings { border_status, scrollbar };
        let bare = self.windows.get(&id).is_some_and(|window| self.zoom_is_bare(window));
        if let Some(window) = self.windows.get_mut(&id) {
            window.layout.settings = settings;
            window.bars.in_modes = bars == "modal";
            if let Some(zoom) = &mut window.zoom {
                zoom.settings = if bare { Settings::default() } else { settings };
            }
        }
    }

    /// The options that preset layouts read.
    pub(crate) fn preset_options(&self, id: WindowId) -> OwnedPresetOptions {
        let text = |name: &str| self.window_text(id, name);
        OwnedPresetOptions {
            main_pane_width: text("main-pane-width"),
            main_pane_height: text("main-pane-height"),
            other_pane_width: text("other-pane-width"),
            other_pane_height: text("other-pane-height"),
            tiled_layout_max_columns: text("tiled-layout-max-columns").parse().unwrap_or(0),
        }
    }
}

/// [`PresetOptions`] with their texts.
pub(crate) struct OwnedPresetOptions {
    main_pane_width: String,
    main_pane_height: String,
    other_pane_width: String,
    other_pane_height: String,
    tiled_layout_max_columns: u32,
}

impl OwnedPresetOptions {
    pub(crate) fn borrow(&self) -> PresetOptions<'_> {
        PresetOptions {
            main_pane_width: &self.main_pane_width,
            main_pane_height: &self.main_pane_height,
            other_pane_width: &self.other_pane_width,
            other_pane_height: &self.other_pane_height,
            tiled_layout_max_columns: self.tiled_layout_max_columns,
        }
    }
}
