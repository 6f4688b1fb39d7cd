//! Texts and styles of the model as drawing has them.

use crate::run::{RangeKind, Run};
use mux::style::{Colour, Look, Markup};
use mux::target::Found;
use mux::{ClientId, Mux, Now, PaneId, SessionId, World};
use term::style::Color;

/// Where formats are expanded: a client that shows a session.
#[derive(Clone, Copy)]
pub(super) struct Stage<'a> {
    pub(super) mux: &'a Mux,
    pub(super) client: ClientId,
    pub(super) session: SessionId,
    pub(super) world: &'a dyn World,
    pub(super) now: Now,
}

impl Stage<'_> {
    /// A session option.
    pub(super) fn text(&self, name: &str) -> String {
        self.mux.session_text(self.session, name)
    }

    /// An option of the window that the client shows.
    pub(super) fn window_text(&self, name: &str) -> String {
        self.mux.window_text(self.found(None).window.unwrap_or_default(), name)
    }

    /// Where the client stands, or a pane of its window.
    fn found(&self, pane: Option<PaneId>) -> Found {
        let found = mux::target::from_client(self.mux, Some(self.client), false).unwrap_or_default();
        Found { pane: pane.or(found.pane), ..found }
    }

    /// A format expanded through strftime, with values of its own.
    pub(super) fn expand(&self, text: &str, pane: Option<PaneId>, extra: &[(String, String)]) -> String {
        let client = Some(self.client);
        self.themed(self.mux.expand_time_at(client, client, self.found(pane), text, extra, self.world, self.now))
    }

    /// The status line of a pane, in its border.
    pub(super) fn border_text(&self, pane: PaneId) -> String {
        let format = self.mux.pane_text(pane, "pane-border-format");
        self.themed(self.mux.expand_border(self.client, self.found(Some(pane)), &format, self.world, self.now))
    }

    /// An expanded text with the colours of the theme as they are for the client's terminal.
    pub(super) fn themed(&self, text: String) -> String {
        match self.mux.themed(self.client, &text, self.world, self.now) {
            std::borrow::Cow::Borrowed(_) => text,
            std::borrow::Cow::Owned(text) => text,
        }
    }

    /// A session option that is a colour.
    pub(super) fn colour(&self, name: &str) -> Color {
        colour(&self.mux.themed_style(self.client, &self.text(name), self.world, self.now))
    }

    /// A style written as a format.
    pub(super) fn markup(&self, text: &str, pane: Option<PaneId>) -> Markup {
        let text = self.mux.expand_at(Some(self.client), self.found(pane), text, &[], self.world, self.now);
        Markup::parse(&self.mux.themed_style(self.client, &text, self.world, self.now)).unwrap_or_default()
    }

    /// A session option that is a style.
    pub(super) fn session_style(&self, name: &str) -> Markup {
        self.markup(&self.text(name), None)
    }

    /// A pane option that is a style.
    pub(super) fn pane_style(&self, pane: PaneId, name: &str) -> Markup {
        self.markup(&self.mux.pane_text(pane, name), Some(pane))
    }
}

/// The colour that an option names; the default one for `none` and the like.
pub(super) fn colour(text: &str) -> Color {
    Colour::parse(text).unwrap_or_default().of_cell()
}

/// The runs of an expanded format over a look.
pub(super) fn runs(text: &str, base: Look) -> Vec<Run> {
    mux::style::runs(text, base).into_iter().map(run).collect()
}

fn run(run: mux::style::Run) -> Run {
    let style = run.style;
    Run {
        text: run.text,
        style: style.look.of_cell(),
        fill: Some(style.fill).filter(|fill| *fill != Colour::Default).map(Colour::of_cell),
        align: style.align,
        list: style.list,
        range: match style.range {
            mux::style::Range::None => None,
            mux::style::Range::Left => Some(RangeKind::Left),
            mux::style::Range::Right => Some(RangeKind::Right),
            mux::style::Range::Pane(id) => Some(RangeKind::Pane(id)),
            mux::style::Range::Window(index) => Some(RangeKind::Window(index)),
            mux::style::Range::Session(id) => Some(RangeKind::Session(id)),
            mux::style::Range::Control(number) => Some(RangeKind::Control(number.into())),
            mux::style::Range::User(text) => Some(RangeKind::User(text)),
        },
    }
}
