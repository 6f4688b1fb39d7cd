//! Text whose `#[...]` styles have been parsed: runs of one style each, and what they say beyond colours.

pub use mux::style::{Align, List};
use term::style::{Color, Style};

/// What a click on text means (`#[range=]`).
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub enum RangeKind {
    /// The left of the status line.
    Left,
    /// The right of the status line.
    Right,
    /// A pane, by the number of its id.
    Pane(u32),
    /// A window, by its index.
    Window(u32),
    /// A session, by the number of its id.
    Session(u32),
    /// Whatever the user has bound.
    User(String),
    /// One of the control buttons.
    Control(u32),
}

/// Text of one style. A change of style without text is a run too, with empty text.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Run {
    /// The text; control characters are left out.
    pub text: String,
    /// Colours and attributes, with the line's own style already under them.
    pub style: Style,
    /// Background of the whole line (`#[fill=]`); the last one given counts.
    pub fill: Option<Color>,
    /// Where it goes.
    pub align: Align,
    /// What part of the list it is.
    pub list: List,
    /// What a click on it means.
    pub range: Option<RangeKind>,
}

impl Run {
    /// Plain text in a style.
    pub fn new(text: impl Into<String>, style: Style) -> Run {
        Run { text: text.into(), style, ..Run::default() }
    }
}

/// A part of a drawn line that can be clicked.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Range {
    /// What a click means.
    pub kind: RangeKind,
    /// First column, from the start of the line.
    pub start: u16,
    /// The column after the last.
    pub end: u16,
}
