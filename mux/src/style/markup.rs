//! A whole style: what a cell looks like, and where in a line the text goes.

use super::attribute::Attributes;
use super::colour::Colour;
use crate::number::number;
use std::fmt;
use term::style::Style;

/// Colours and attributes of a style.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub struct Look {
    /// `fg=`
    pub fg: Colour,
    /// `bg=`
    pub bg: Colour,
    /// `us=`: colour of underlines.
    pub us: Colour,
    /// Attributes.
    pub attributes: Attributes,
}

impl Look {
    /// As cells have it.
    pub fn of_cell(self) -> Style {
        Style { fg: self.fg.of_cell(), bg: self.bg.of_cell(), us: self.us.of_cell(), attrs: self.attributes.of_cell() }
    }

    /// The look of a cell's style.
    pub fn from_cell(style: Style) -> Look {
        Look {
            fg: Colour::from_cell(style.fg),
            bg: Colour::from_cell(style.bg),
            us: Colour::from_cell(style.us),
            attributes: Attributes::from_cell(style.attrs),
        }
    }

    /// Puts `other` over this one: its colours where it has any, its attributes added.
    #[must_use]
    pub fn under(self, other: Look) -> Look {
        let over = |below, above| if above == Colour::Default { below } else { above };
        Look {
            fg: over(self.fg, other.fg),
            bg: over(self.bg, other.bg),
            us: over(self.us, other.us),
            attributes: self.attributes | other.attributes,
        }
    }
}

/// `align=`: where the text goes in the line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum Align {
    /// `noalign`.
    #[default]
    Default,
    /// `left`.
    Left,
    /// `centre` of what the sides leave.
    Centre,
    /// `right`.
    Right,
    /// `absolute-centre` of the line.
    AbsoluteCentre,
}

/// `list=`: part of a list that is cut to fit.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum List {
    /// `nolist`.
    #[default]
    Off,
    /// `on`.
    On,
    /// `focus`: what must stay visible.
    Focus,
    /// `left-marker`: shown when the left is cut.
    LeftMarker,
    /// `right-marker`: shown when the right is cut.
    RightMarker,
}

/// `range=`: what a click on the text means.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub enum Range {
    /// `norange`.
    #[default]
    None,
    /// `left` of the status line.
    Left,
    /// `right` of the status line.
    Right,
    /// `pane|%N`.
    Pane(u32),
    /// `window|N`: a window index.
    Window(u32),
    /// `session|$N`.
    Session(u32),
    /// `control|N`, 0 to 9.
    Control(u8),
    /// `user|text`: at most 15 bytes.
    User(String),
}

/// `width=`
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Width {
    /// Columns.
    Columns(u32),
    /// A percentage, 0 to 100.
    Percent(u8),
}

/// `push-default` and its kin: what `default` means from here on.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum DefaultChange {
    /// Nothing changes.
    #[default]
    Keep,
    /// `push-default`: the look before this style.
    Push,
    /// `pop-default`: the base again.
    Pop,
    /// `set-default`: the look before this style, for the base too.
    Set,
}

/// Everything a style can say.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Default)]
pub struct Markup {
    /// Colours and attributes.
    pub look: Look,
    /// `ignore`: styles after this one are shown as text.
    pub ignore: bool,
    /// `fill=`: background of the whole line; `Default` for none.
    pub fill: Colour,
    /// `align=`
    pub align: Align,
    /// `list=`
    pub list: List,
    /// `range=`
    pub range: Range,
    /// `width=`
    pub width: Option<Width>,
    /// `pad=`, in columns.
    pub pad: Option<u32>,
    /// `push-default`, `pop-default`, `set-default`.
    pub default: DefaultChange,
}

/// A style with something unknown in it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("invalid style: {0}")]
pub struct BadStyle(pub String);

/// The longest single word of a style, in bytes.
const WORD_LIMIT: usize = 255;

/// The longest name of a user's range, in bytes.
const USER_LIMIT: usize = 15;

fn word_after<'a>(word: &'a str, prefix: &str) -> Option<&'a str> {
    let start = word.get(..prefix.len())?;
    (start.eq_ignore_ascii_case(prefix)).then(|| &word[prefix.len()..]).filter(|rest| !rest.is_empty())
}

fn count(text: &str) -> Option<u32> {
    number(text, 0, i64::from(u32::MAX)).ok().and_then(|value| u32::try_from(value).ok())
}

impl Markup {
    /// A style with a look and nothing else.
    pub fn plain(look: Look) -> Markup {
        Markup { look, ..Markup::default() }
    }

    /// Adds the words of `text`, joined by blanks or commas, to this style; `base` is what `default` means. Nothing
    /// changes when a word is unknown.
    pub fn apply(&mut self, base: Look, text: &str) -> Result<(), BadStyle> {
        let mut style = self.clone();
        for word in text.split([' ', ',', '\n']).filter(|word| !word.is_empty()) {
            if word.len() > WORD_LIMIT || style.apply_word(base, word).is_none() {
                return Err(BadStyle(String::from(text)));
            }
        }
        *self = style;
        Ok(())
    }

    /// A style of its own, on the default look.
    pub fn parse(text: &str) -> Result<Markup, BadStyle> {
        let mut style = Markup::default();
        style.apply(Look::default(), text)?;
        Ok(style)
    }

    fn apply_word(&mut self, base: Look, word: &str) -> Option<()> {
        match word.to_ascii_lowercase().as_str() {
            "default" => self.look = base,
            "ignore" => self.ignore = true,
            "noignore" => self.ignore = false,
            "push-default" => self.default = DefaultChange::Push,
            "pop-default" => self.default = DefaultChange::Pop,
            "set-default" => self.default = DefaultChange::Set,
            "nolist" => self.list = List::Off,
            "norange" => self.range = Range::None,
            "noalign" => self.align = Align::Default,
            "none" => self.look.attributes = Attributes::empty(),
            _ => return self.apply_setting(base, word),
        }
        Some(())
    }

    fn apply_setting(&mut self, base: Look, word: &str) -> Option<()> {
        let colour = |text: &str, base: Colour| {
            Colour::parse(text).map(|colour| if colour == Colour::Default { base } else { colour })
        };
        if let Some(value) = word_after(word, "list=") {
            self.list = LISTS.iter().find(|(_, name)| name.eq_ignore_ascii_case(value))?.0;
        } else if let Some(value) = word_after(word, "range=") {
            self.range = parse_range(value, &self.range)?;
        } else if let Some(value) = word_after(word, "align=") {
            self.align = ALIGNS.iter().find(|(_, name)| name.eq_ignore_ascii_case(value))?.0;
        } else if let Some(value) = word_after(word, "fill=") {
            self.fill = Colour::parse(value)?;
        } else if let Some(value) = word_after(word, "fg=") {
            self.look.fg = colour(value, base.fg)?;
        } else if let Some(value) = word_after(word, "bg=") {
            self.look.bg = colour(value, base.bg)?;
        } else if let Some(value) = word_after(word, "us=") {
            self.look.us = colour(value, base.us)?;
        } else if let Some(value) = word_after(word, "no") {
            match value {
                "attr" => self.look.attributes |= Attributes::NOATTR,
                value => self.look.attributes.remove(Attributes::parse(value)?),
            }
        } else if let Some(value) = word_after(word, "width=") {
            self.width = Some(match value.strip_suffix('%').filter(|value| !value.is_empty()) {
                Some(value) => Width::Percent(number(value, 0, 100).ok()? as u8),
                None => Width::Columns(count(value)?),
            });
        } else if let Some(value) = word_after(word, "pad=") {
            self.pad = Some(count(value)?);
        } else {
            self.look.attributes |= Attributes::parse(word)?;
        }
        Some(())
    }
}

const LISTS: [(List, &str); 4] =
    [(List::On, "on"), (List::Focus, "focus"), (List::LeftMarker, "left-marker"), (List::RightMarker, "right-marker")];

const ALIGNS: [(Align, &str); 4] = [
    (Align::Left, "left"),
    (Align::Centre, "centre"),
    (Align::Right, "right"),
    (Align::AbsoluteCentre, "absolute-centre"),
];

/// `kind` or `kind|argument`. An unknown kind leaves the range as it was.
fn parse_range(text: &str, before: &Range) -> Option<Range> {
    let (kind, argument) = text.split_once('|').map_or((text, None), |(kind, argument)| (kind, Some(argument)));
    if argument == Some("") {
        return None;
    }
    Some(match (kind.to_ascii_lowercase().as_str(), argument) {
        ("left", None) => Range::Left,
        ("right", None) => Range::Right,
        ("control", Some(argument)) => Range::Control(number(argument, 0, 9).ok()? as u8),
        ("pane", Some(argument)) => Range::Pane(count(argument.strip_prefix('%')?)?),
        ("window", Some(argument)) => Range::Window(count(argument)?),
        ("session", Some(argument)) => Range::Session(count(argument.strip_prefix('$')?)?),
        ("user", Some(argument)) => {
            let end = (0..=USER_LIMIT.min(argument.len())).rev().find(|&end| argument.is_char_boundary(end));
            Range::User(String::from(&argument[..end.unwrap_or(0)]))
        }
        ("left" | "right" | "control" | "pane" | "window" | "session" | "user", _) => return None,
        _ => before.clone(),
    })
}

impl fmt::Display for Range {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Range::None => f.write_str("none"),
            Range::Left => f.write_str("left"),
            Range::Right => f.write_str("right"),
            Range::Pane(id) => write!(f, "pane|%{id}"),
            Range::Window(index) => write!(f, "window|{index}"),
            Range::Session(id) => write!(f, "session|${id}"),
            Range::Control(index) => write!(f, "control|{index}"),
            Range::User(name) => write!(f, "user|{name}"),
        }
    }
}

impl fmt::Display for Markup {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut words: Vec<String> = Vec::new();
        if let Some((_, name)) = LISTS.iter().find(|(list, _)| *list == self.list) {
            words.push(format!("list={name}"));
        }
        if self.range != Range::None {
            words.push(format!("range={}", self.range));
        }
        if let Some((_, name)) = ALIGNS.iter().find(|(align, _)| *align == self.align) {
            words.push(format!("align={name}"));
        }
        match self.default {
            DefaultChange::Keep => {}
            DefaultChange::Push => words.push(String::from("push-default")),
            DefaultChange::Pop => words.push(String::from("pop-default")),
            DefaultChange::Set => words.push(String::from("set-default")),
        }
        let colours = [("fill", self.fill), ("fg", self.look.fg), ("bg", self.look.bg), ("us", self.look.us)];
        for (name, colour) in colours {
            if colour != Colour::Default {
                words.push(format!("{name}={colour}"));
            }
        }
        if !self.look.attributes.is_empty() {
            words.push(self.look.attributes.to_string());
        }
        match self.width {
            None => {}
            Some(Width::Columns(columns)) => words.push(format!("width={columns}")),
            Some(Width::Percent(percent)) => words.push(format!("width={percent}%")),
        }
        if let Some(pad) = self.pad {
            words.push(format!("pad={pad}"));
        }
        if words.is_empty() { f.write_str("default") } else { f.write_str(&words.join(",")) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use term::style::{Attrs, Color};

    fn again(text: &str) -> String {
        Markup::parse(text).map_or_else(|error| error.to_string(), |style| style.to_string())
    }

    #[test]
    fn styles_are_read_and_printed() {
        for (text, expected) in [
            ("", "default"),
            ("default", "default"),
            ("bg=yellow,fg=RED, bold", "fg=red,bg=yellow,bright"),
            ("fg=colour12,us=#010203,italics,dim,noattr", "fg=colour12,us=#010203,dim,italics,noattr"),
            ("bold,dim,nobold", "dim"),
            ("bold none", "default"),
            ("align=centre list=on range=window|3", "list=on,range=window|3,align=centre"),
            ("range=user|abcdefghijklmnopqrst", "range=user|abcdefghijklmno"),
            ("range=pane|%7,range=what", "range=pane|%7"),
            ("width=30%,pad=2", "width=30%,pad=2"),
            ("width=%", "invalid style: width=%"),
            ("push-default,fill=blue", "push-default,fill=blue"),
            ("fg=default,bg=terminal", "bg=terminal"),
            ("fg=nope", "invalid style: fg=nope"),
            ("fg=", "invalid style: fg="),
            ("align=middle", "invalid style: align=middle"),
            ("range=left|1", "invalid style: range=left|1"),
            ("range=pane|7", "invalid style: range=pane|7"),
        ] {
            assert_eq!(again(text), expected, "{text}");
        }
    }

    #[test]
    fn default_means_the_base_and_an_error_changes_nothing() {
        let base = Markup::parse("fg=red,bold").unwrap().look;
        let mut style = Markup::plain(base);
        style.apply(base, "bg=blue,nobold").unwrap();
        assert_eq!(style.to_string(), "fg=red,bg=blue");
        assert!(style.apply(base, "fg=green,nope").is_err());
        assert_eq!(style.to_string(), "fg=red,bg=blue");
        style.apply(base, "default").unwrap();
        assert_eq!(style.look, base);
        assert_eq!(base.of_cell(), Style { fg: Color::ansi(1), attrs: Attrs::BOLD, ..Style::default() });
        let over = Markup::parse("bg=blue,dim").unwrap().look;
        assert_eq!(Markup::plain(base.under(over)).to_string(), "fg=red,bg=blue,bright,dim");
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(text in "((fg|bg|us|fill|list|align|range|width|pad)=(red|on|left|#010203|7|window\\|3|default)|bold|nobold|,| ){0,8}") {
            if let Ok(style) = Markup::parse(&text) {
                prop_assert_eq!(Markup::parse(&style.to_string()).unwrap(), style);
            }
        }

        #[test]
        fn no_text_panics(text in any::<String>()) {
            let _ = Markup::parse(&text);
        }
    }
}
