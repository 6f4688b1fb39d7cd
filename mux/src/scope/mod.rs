//! Formats over the model: where one is expanded, what its variables are, and the shell commands in it.

mod client;
mod expand;
mod jobs;
mod newer;
mod pane;
mod rows;
mod session;
mod window;

pub(crate) use jobs::FormatJobs;
pub(crate) use pane::start_command;

use jobs::{Asked, Tag};

use crate::format::{self, Item, Local, Order, Scope, Sort, Template, TerminalFact};
use crate::id::{ClientId, PaneId};
use crate::input::Now;
use crate::queue::Context;
use crate::style::Depth;
use crate::target::{self, Found};
use crate::world::World;
use crate::{Client, Event, Mux, Pane, Session, Window};
use std::borrow::Cow;
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;
use std::time::Duration;
use term::caps::Colors;

/// A format variable.
pub(crate) struct Variable {
    /// Its name.
    pub(crate) name: &'static str,
    /// What it is, in a sentence.
    pub(crate) about: &'static str,
    /// Its value at a place; `None` when it has none there.
    pub(crate) get: for<'a> fn(&At<'a>) -> Option<Cow<'a, str>>,
}

/// Every variable, sorted by name.
static VARIABLES: LazyLock<Vec<&'static Variable>> = LazyLock::new(|| {
    let mut all: Vec<&Variable> =
        [SERVER, session::VARIABLES, window::VARIABLES, pane::VARIABLES, pane::MODE_VARIABLES, client::VARIABLES]
            .into_iter()
            .chain([newer::BUFFER])
            .flatten()
            .collect();
    all.sort_by_key(|variable| variable.name);
    all
});

/// Name and meaning of every format variable, sorted by name.
pub fn variables() -> impl Iterator<Item = (&'static str, &'static str)> {
    VARIABLES.iter().map(|variable| (variable.name, variable.about))
}

fn find(name: &str) -> Option<&'static Variable> {
    static INDEX: LazyLock<HashMap<&'static str, &'static Variable>> = LazyLock::new(|| {
        VARIABLES.iter().copied().chain(newer::VARIABLES).map(|variable| (variable.name, variable)).collect()
    });
    INDEX.get(name).copied()
}

/// A place at which a format is expanded.
#[derive(Clone, Copy)]
pub(crate) struct At<'a> {
    pub(crate) mux: &'a Mux,
    pub(crate) world: &'a dyn World,
    pub(crate) now: Now,
    pub(crate) client: Option<ClientId>,
    pub(crate) found: Found,
    pub(crate) extra: &'a [(String, String)],
    /// Who runs `#()` here; nobody may for `None`.
    pub(crate) jobs: Option<Asked>,
    /// It is part of what is drawn again and again: animations move.
    pub(crate) status: bool,
}

impl<'a> At<'a> {
    pub(crate) fn session(&self) -> Option<&'a Session> {
        self.mux.sessions.get(&self.found.session?)
    }

    pub(crate) fn window(&self) -> Option<&'a Window> {
        self.mux.windows.get(&self.found.window?)
    }

    pub(crate) fn pane(&self) -> Option<&'a Pane> {
        self.mux.panes.get(&self.found.pane?)
    }

    pub(crate) fn client(&self) -> Option<&'a Client> {
        self.mux.clients.get(&self.client?)
    }

    fn at(&self, found: Found) -> At<'a> {
        At { found, ..*self }
    }

    /// The same where what stands in a loop is expanded for each: shell commands run for each of them.
    fn for_each(&self, found: Found, tag: Tag) -> At<'a> {
        At { found, jobs: self.jobs.map(|asked| Asked { tag, ..asked }), ..*self }
    }
}

/// A yes or no as formats show it.
pub(crate) fn flag<'a>(on: bool) -> Option<Cow<'a, str>> {
    Some(Cow::Borrowed(if on { "1" } else { "0" }))
}

/// A number as formats show it.
pub(crate) fn number<'a>(number: impl ToString) -> Option<Cow<'a, str>> {
    Some(Cow::Owned(number.to_string()))
}

/// A text of the model.
pub(crate) fn text<'a>(text: &'a str) -> Option<Cow<'a, str>> {
    Some(Cow::Borrowed(text))
}

/// A colour as formats show it.
pub(crate) fn colour<'a>(colour: Option<term::style::Color>) -> Option<Cow<'a, str>> {
    let name = colour.map_or("default".to_owned(), |colour| crate::style::Colour::from_cell(colour).to_string());
    Some(Cow::Owned(name))
}

impl Scope for At<'_> {
    fn option(&self, name: &str) -> Option<Cow<'_, str>> {
        let option = crate::option::named(name)?;
        let pane = self.pane().map(|pane| &pane.options);
        let window = self.window().map(|window| &window.options);
        let session = self.session().map(|session| &session.options);
        let globals = &self.mux.globals;
        let chain = [Some(&globals.server), pane, window, session, Some(&globals.window), Some(&globals.session)];
        let value = chain.into_iter().flatten().find_map(|store| store.get(&option.name))?;
        Some(Cow::Owned(match &option.key {
            Some(key) => value.items().find(|(at, _)| *at == key)?.1.to_owned(),
            None => match value {
                crate::option::OptionValue::Flag(on) => if *on { "1" } else { "0" }.to_owned(),
                value => value.text(),
            },
        }))
    }

    fn variable(&self, name: &str) -> Option<Cow<'_, str>> {
        if let Some((_, value)) = self.extra.iter().find(|(other, _)| other == name) {
            return Some(Cow::Borrowed(value));
        }
        find(name).and_then(|variable| (variable.get)(self))
    }

    fn environment(&self, name: &str) -> Option<Cow<'_, str>> {
        let own = self.session().and_then(|session| session.environment.get(name));
        own.or_else(|| self.mux.environment.get(name)).map(Cow::Borrowed)
    }

    fn sessions(&self, sort: Sort) -> Vec<Item<'_>> {
        let mut sessions: Vec<&Session> = self.mux.sessions.values().collect();
        sessions.sort_by(|a, b| {
            match sort.order {
                Order::Activity => b.activity.cmp(&a.activity),
                Order::Creation => a.created.cmp(&b.created),
                Order::Index => a.id.cmp(&b.id),
                Order::Natural | Order::Name | Order::Stacking => std::cmp::Ordering::Equal,
            }
            .then_with(|| a.name.cmp(&b.name))
        });
        if sort.reversed {
            sessions.reverse();
        }
        let own = self.client().and_then(|client| client.session);
        let item = |session: &Session| Item {
            scope: Box::new(self.at(target::current_of(self.mux, session.id).unwrap_or_default())),
            active: own == Some(session.id),
        };
        sessions.into_iter().map(item).collect()
    }

    fn windows(&self, sort: Sort) -> Option<Vec<Item<'_>>> {
        let session = self.session()?;
        let mut links: Vec<(i32, &Window)> = session
            .windows
            .iter()
            .filter_map(|(index, link)| Some((*index, self.mux.windows.get(&link.window)?)))
            .collect();
        match sort.order {
            Order::Name => links.sort_by(|a, b| a.1.name.cmp(&b.1.name)),
            Order::Activity => links.sort_by_key(|link| std::cmp::Reverse(link.1.activity)),
            Order::Creation => links.sort_by_key(|a| a.1.created),
            Order::Natural | Order::Index | Order::Stacking => {}
        }
        if sort.reversed {
            links.reverse();
        }
        let item = |(index, window): (i32, &Window)| Item {
            scope: Box::new(self.for_each(
                Found {
                    session: Some(session.id),
                    index: Some(index),
                    window: Some(window.id),
                    pane: Some(window.active),
                    ..Found::default()
                },
                Tag::Window(window.id),
            )),
            active: session.current == index,
        };
        Some(links.into_iter().map(item).collect())
    }

    fn panes(&self, sort: Sort) -> Option<Vec<Item<'_>>> {
        let window = self.window()?;
        let mut panes: Vec<&Pane> = window.panes().iter().filter_map(|id| self.mux.panes.get(id)).collect();
        match sort.order {
            Order::Name => panes.sort_by(|a, b| a.title.cmp(&b.title)),
            Order::Activity => panes.sort_by_key(|pane| std::cmp::Reverse(pane.used)),
            Order::Creation => panes.sort_by_key(|pane| pane.id),
            Order::Stacking => {
                // All tiled panes lie equally deep, so they keep their order both ways.
                let depth = |pane: &&Pane| window.shown().depth(pane.id);
                match sort.reversed {
                    true => panes.sort_by_key(|pane| std::cmp::Reverse(depth(pane))),
                    false => panes.sort_by_key(depth),
                }
            }
            Order::Natural | Order::Index => {}
        }
        if sort.reversed && sort.order != Order::Stacking {
            panes.reverse();
        }
        let item = |pane: &Pane| Item {
            scope: Box::new(self.for_each(Found { pane: Some(pane.id), ..self.found }, Tag::Pane(pane.id))),
            active: window.active == pane.id,
        };
        Some(panes.into_iter().map(item).collect())
    }

    fn clients(&self, sort: Sort) -> Vec<Item<'_>> {
        let mut clients: Vec<&Client> = self.mux.clients.values().filter(|client| client.session.is_some()).collect();
        match sort.order {
            Order::Name => clients.sort_by(|a, b| a.name.cmp(&b.name)),
            Order::Activity => clients.sort_by_key(|client| std::cmp::Reverse(client.activity)),
            Order::Creation => clients.sort_by_key(|a| a.created),
            Order::Natural | Order::Index | Order::Stacking => {}
        }
        if sort.reversed {
            clients.reverse();
        }
        let item = |client: &Client| {
            let found = client.session.and_then(|id| target::current_of(self.mux, id)).unwrap_or_default();
            let scope = At { client: Some(client.id), found, ..*self };
            Item { scope: Box::new(scope), active: self.client == Some(client.id) }
        };
        clients.into_iter().map(item).collect()
    }

    fn has_session(&self, name: &str) -> bool {
        self.mux.session_named(name).is_some()
    }

    fn has_window(&self, name: &str) -> Option<bool> {
        let session = self.session()?;
        let named =
            |link: &crate::Winlink| self.mux.windows.get(&link.window).is_some_and(|window| window.name == name);
        Some(session.windows.values().any(named))
    }

    fn search(&self, pattern: &str, regex: bool, ignore_case: bool) -> Option<u32> {
        let pane = self.pane()?;
        Some(pane.search(pattern, regex, ignore_case))
    }

    fn job(&self, command: &str, expanded: &str) -> String {
        self.jobs.map_or(String::new(), |asked| self.mux.format_jobs.output(self.now, asked, command, expanded))
    }

    fn options(&self, of: &str) -> Vec<format::Row> {
        rows::options(self, of)
    }

    fn variables(&self, of: &str) -> Vec<format::Row> {
        rows::variables(self, of)
    }

    fn terminal(&self, fact: TerminalFact, name: &str) -> Option<Cow<'_, str>> {
        let client = self.client().filter(|client| client.is_drawn())?;
        let flag = |on: bool| Some(Cow::Borrowed(if on { "1" } else { "0" }));
        match fact {
            TerminalFact::Feature => flag(client.features.iter().any(|feature| feature.eq_ignore_ascii_case(name))),
            TerminalFact::Capability => flag(self.mux.caps_of(client).has_named(name)),
            TerminalFact::Environment => client.environment.get(name).map(Cow::Borrowed),
        }
    }

    fn colours(&self) -> Depth {
        let Some(client) = self.client().filter(|client| client.is_drawn()) else { return Depth::Full };
        match self.mux.caps_of(client).colors {
            Colors::Rgb => Depth::Full,
            Colors::Indexed => Depth::Palette,
            _ => Depth::Sixteen,
        }
    }

    fn animate(&self, moves: bool) -> Option<u64> {
        if !self.status {
            return None;
        }
        if moves {
            self.mux.formats.animated.set(true);
        }
        u64::try_from(self.now.unix.as_millis() / ANIMATION_PERIOD.as_millis()).ok()
    }

    fn now(&self) -> i64 {
        self.now.seconds()
    }

    fn local(&self, unix: i64) -> Local {
        self.world.local(unix)
    }
}

/// Compiled formats by their text. Bounded: it is emptied when it holds too many.
#[derive(Debug, Default)]
pub(crate) struct Cache {
    templates: RefCell<HashMap<String, Rc<Template>>>,
    /// Something that was drawn moves: it is to be drawn again in the next period.
    animated: Cell<bool>,
}

/// How long a picture of an animation stays at least.
const ANIMATION_PERIOD: Duration = Duration::from_millis(100);

impl Cache {
    fn get(&self, text: &str) -> Rc<Template> {
        const LIMIT: usize = 2000;
        if let Some(template) = self.templates.borrow().get(text) {
            return template.clone();
        }
        let template = Rc::new(Template::new(text));
        let mut templates = self.templates.borrow_mut();
        if templates.len() >= LIMIT {
            templates.clear();
        }
        templates.insert(text.to_owned(), template.clone());
        template
    }
}

impl Mux {
    /// After something was drawn: what moves in it is drawn again in the next period.
    pub fn keep_moving(&mut self, now: Now) {
        if self.formats.animated.take() {
            self.timers.set_once(crate::timer::Timer::Animation, now.instant + ANIMATION_PERIOD);
        }
    }
}

/// Variables of the server.
const SERVER: &[Variable] = &[
    Variable {
        name: "config_files",
        about: "Configuration files that were read",
        get: |at| Some(at.mux.config_files.join(",").into()),
    },
    Variable {
        name: "buffer_mode_format",
        about: "Format of the rows of choose-buffer",
        get: |_| text(crate::mode::list::BUFFERS.format),
    },
    Variable {
        name: "client_mode_format",
        about: "Format of the rows of choose-client",
        get: |_| text(crate::mode::list::CLIENTS.format),
    },
    Variable {
        name: "tree_mode_format",
        about: "Format of the rows of choose-tree",
        get: |_| text(crate::mode::list::TREE.format),
    },
    Variable { name: "host", about: "Name of the host", get: |at| Some(at.world.host_name().into()) },
    Variable {
        name: "host_short",
        about: "Name of the host without its domain",
        get: |at| Some(at.world.host_name().split('.').next().unwrap_or("").to_owned().into()),
    },
    Variable {
        name: "next_session_id",
        about: "Id of the next session",
        get: |at| Some(format!("${}", at.mux.next.session).into()),
    },
    Variable { name: "loop_last_flag", about: "Whether it is the last turn of a loop", get: |_| flag(false) },
    Variable { name: "pid", about: "Process of the server", get: |at| number(at.mux.identity.pid) },
    Variable {
        name: "server_holds",
        about: "What keeps the server: live panes, clients, routines",
        get: |at| Some(at.mux.holds().into()),
    },
    Variable { name: "server_sessions", about: "Number of sessions", get: |at| number(at.mux.sessions.len()) },
    Variable { name: "sixel_support", about: "Whether images are shown", get: |_| flag(false) },
    Variable { name: "socket_path", about: "Path of the server's socket", get: |at| text(&at.mux.identity.socket) },
    Variable {
        name: "start_time",
        about: "When the server started",
        get: |at| number(at.mux.identity.started.as_secs()),
    },
    Variable { name: "uid", about: "User the server runs as", get: |at| number(at.mux.identity.uid) },
    Variable {
        name: "user",
        about: "Name of that user",
        get: |at| at.world.user_name(at.mux.identity.uid).map(Cow::Owned),
    },
    Variable { name: "version", about: "Version of tmux that is spoken", get: |_| text(crate::message::TMUX_VERSION) },
    Variable {
        name: "freeze_error",
        about: "Why sessions are not being kept on disk, while that is so",
        get: |at| text(at.mux.freeze_error.as_deref()?),
    },
    Variable { name: "rove_version", about: "Version of rove", get: |_| text(env!("CARGO_PKG_VERSION")) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn panes_are_sorted_by_depth() {
        let mut bench = crate::fake::Bench::new(crate::Face::Tmux);
        bench.lines(&[
            "new-session -d -s a -x 80 -y 24 cat",
            "split-window -d cat",
            "new-pane -d cat",
            "new-pane -d cat",
        ]);
        for (format, order) in
            [("#{P:#{pane_index}}", "0123"), ("#{P/z:#{pane_index}}", "3201"), ("#{P/zr:#{pane_index}}", "0123")]
        {
            assert_eq!(bench.format("a:", format), order, "{format}");
        }
    }

    #[test]
    fn variables_after_3_7_expand_and_are_in_no_list() {
        let mut bench = crate::fake::Bench::new(crate::Face::Tmux);
        bench.line("new-session -d -s a -x 80 -y 24 -- sh -c 'sleep 1' \"it's\"");
        bench.line("split-window -d cat");
        bench.line("resize-pane -Z");
        for (format, value) in [
            ("#{pane_start_command_list}", "'sh' '-c' 'sleep 1' 'it'\\''s'"),
            ("#{pane_height}:#{pane_unzoomed_height}:#{pane_unzoomed_width}", "24:12:80"),
            ("#{pane_private_modes}", "7,25"),
            ("#{window_manual_width}", ""),
            ("#{client_colours}#{pane_last_output_time}", ""),
        ] {
            assert_eq!(bench.format("a:", format), value, "{format}");
        }
        bench.line("resize-window -x 70 -y 20");
        assert_eq!(bench.format("a:", "#{window_manual_width}x#{window_manual_height}"), "70x20");
        assert!(!bench.line("display-message -a").contains("pane_private_modes"));
    }

    #[test]
    fn options_and_environments_are_looped_over() {
        let mut bench = crate::fake::Bench::new(crate::Face::Tmux);
        bench.line("new-session -d -s a cat");
        bench.line("set-option @own 1");
        bench.line("set-environment -h HIDDEN x");
        bench.line("set-option -g status-format[3] y");
        assert_eq!(bench.format("a:", "#{O:#{option_name}=#{option_value}#{option_is_user}}"), "@own=11");
        let array = "#{O/g:#{?#{==:#{option_name},update-environment},#{option_array_index}/#{option_array_count} ,}}";
        assert!(bench.format("a:", array).starts_with("0/"));
        let hidden = "#{V:#{?environ_hidden,#{environ_name}=#{environ_value},}}";
        assert_eq!(bench.format("a:", hidden), "HIDDEN=x");
    }

    #[test]
    fn what_is_drawn_moves_and_nothing_else_does() {
        let mut bench = crate::fake::Bench::new(crate::Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session", "cat"]);
        let (world, now) = (&bench.world, bench.now);
        let frame = |text: &str, now: Now| bench.mux.expand_status(client, text, world, now);
        let later = Now { unix: now.unix + ANIMATION_PERIOD, ..now };
        assert_ne!(frame("#{A:one,two}", now), frame("#{A:one,two}", later));
        assert_eq!(frame("#{A/2:one,two}", now), frame("#{A/2:one,two}", later));
        assert_eq!(bench.format("", "#{A:one,two}"), "");
        bench.mux.keep_moving(now);
        let visible = bench.mux.visible;
        bench.advance(ANIMATION_PERIOD);
        assert!(bench.mux.visible > visible);
    }

    #[test]
    fn names_are_unique_and_every_row_says_what_it_is() {
        for pair in VARIABLES.windows(2) {
            assert!(pair[0].name < pair[1].name, "{}", pair[1].name);
        }
        assert!(VARIABLES.iter().all(|variable| !variable.about.is_empty()));
    }
}
