//! One value of an option: reading it from what a user wrote, with tmux's words for what is wrong, and its text.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

use super::items::{self, ItemKey, Items};
use super::{Face, Kind, OptionDef, Start};
use crate::fnmatch::fnmatch;
use crate::number::{NumberError, number};

/// What the caller knows about texts that the options only keep.
pub trait Checks {
    /// The key's name as it is shown, unless there is no such key.
    fn key(&self, text: &str) -> Option<String>;
    /// The colour as it is shown, unless there is no such colour.
    fn colour(&self, text: &str) -> Option<String>;
    /// Whether the text is a style.
    fn style(&self, text: &str) -> bool;
    /// Whether the path is a shell that can be used.
    fn shell(&self, path: &str) -> bool;
    /// The commands as they are shown.
    ///
    /// # Errors
    /// What is wrong with them.
    fn command(&self, text: &str) -> Result<String, String>;
}

/// Takes every text as it is; for values that were already checked.
#[derive(Debug, Clone, Copy, Default)]
pub struct Unchecked;

impl Checks for Unchecked {
    fn key(&self, text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn colour(&self, text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    fn style(&self, _text: &str) -> bool {
        true
    }

    fn shell(&self, _path: &str) -> bool {
        true
    }

    fn command(&self, text: &str) -> Result<String, String> {
        Ok(text.to_owned())
    }
}

/// Why an option was not set; the text is tmux's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// There is no such option.
    #[error("invalid option: {0}")]
    InvalidOption(String),
    /// More than one option starts so.
    #[error("ambiguous option: {0}")]
    Ambiguous(String),
    /// An index on an option that has none.
    #[error("not an array: {0}")]
    NotAnArray(String),
    /// With -o: it has a value.
    #[error("already set: {0}")]
    AlreadySet(String),
    /// A value is needed.
    #[error("empty value")]
    EmptyValue,
    /// Neither on nor off.
    #[error("bad value: {0}")]
    BadValue(String),
    /// None of the words.
    #[error("unknown value: {0}")]
    UnknownValue(String),
    /// Not a number of the range.
    #[error("value is {0}: {1}")]
    Number(NumberError, String),
    /// Not of the right form.
    #[error("value is invalid: {0}")]
    Pattern(String),
    /// Not a style.
    #[error("invalid style: {0}")]
    Style(String),
    /// Not a colour.
    #[error("bad colour: {0}")]
    Colour(String),
    /// Not a key.
    #[error("bad key: {0}")]
    Key(String),
    /// Not a shell.
    #[error("not a suitable shell: {0}")]
    Shell(String),
    /// The parser's words about a command.
    #[error("{0}")]
    Command(String),
}

/// The value of an option.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Saved", into = "Saved")]
pub enum OptionValue {
    /// Of texts, styles, choices, colours, keys and commands: what is shown.
    Text(String),
    /// Of numbers.
    Number(i64),
    /// Of flags.
    Flag(bool),
    /// Of arrays: what is shown of each item, by its key.
    Array(Items),
}

impl OptionValue {
    /// What is shown, an array's items with blanks between (tmux's `#{@option}` form).
    pub fn text(&self) -> String {
        match self {
            Self::Text(text) => text.clone(),
            Self::Number(number) => number.to_string(),
            Self::Flag(flag) => on_off(*flag).to_owned(),
            Self::Array(items) => items.values().map(String::as_str).collect::<Vec<_>>().join(" "),
        }
    }

    /// The number; of a flag 0 or 1, of anything else 0.
    pub fn number(&self) -> i64 {
        match self {
            Self::Number(number) => *number,
            Self::Flag(flag) => i64::from(*flag),
            Self::Text(_) | Self::Array(_) => 0,
        }
    }

    /// Whether a flag is on, a number not 0, a text neither empty, `0` nor `off`.
    pub fn flag(&self) -> bool {
        match self {
            Self::Flag(flag) => *flag,
            Self::Number(number) => *number != 0,
            Self::Text(text) => !matches!(text.as_str(), "" | "0" | "off"),
            Self::Array(items) => !items.is_empty(),
        }
    }

    /// The items of an array, none of anything else.
    pub fn items(&self) -> impl Iterator<Item = (&ItemKey, &str)> {
        let items = if let Self::Array(items) = self { Some(items) } else { None };
        items.into_iter().flatten().map(|(key, text)| (key, text.as_str()))
    }
}

fn on_off(flag: bool) -> &'static str {
    if flag { "on" } else { "off" }
}

impl OptionDef {
    /// The value before anybody has set it.
    pub fn start(&self, face: Face) -> OptionValue {
        if let (Face::Rove, Some(text)) = (face, self.rove_start) {
            return self.started(text);
        }
        match self.start {
            Start::Value(text) => self.started(text),
            Start::Items(items) => OptionValue::Array(items::numbered(items.iter().map(|&item| item.to_owned()))),
            Start::Split(text) => {
                let mut items = Items::new();
                for item in self.split(text) {
                    items::add(&mut items, item.to_owned());
                }
                OptionValue::Array(items)
            }
        }
    }

    fn started(&self, text: &str) -> OptionValue {
        match self.kind {
            Kind::Number { .. } => OptionValue::Number(text.parse().unwrap_or_default()),
            Kind::Flag => OptionValue::Flag(text == "on"),
            _ => OptionValue::Text(text.to_owned()),
        }
    }

    /// The items in the text of an array.
    pub(super) fn split<'a>(&self, text: &'a str) -> Vec<&'a str> {
        match self.separator.unwrap_or(" ,") {
            "" => vec![text],
            separators => text.split(|letter| separators.contains(letter)).collect(),
        }
        .into_iter()
        .filter(|item| !item.is_empty())
        .collect()
    }

    /// Reads a single value. `current` is the value that holds now, for a flag or choice that is flipped.
    ///
    /// # Errors
    /// [`OptionError`].
    pub fn read(
        &self,
        text: Option<&str>,
        current: &OptionValue,
        checks: &dyn Checks,
    ) -> Result<OptionValue, OptionError> {
        match (self.kind, text) {
            (Kind::Flag, None | Some("")) => Ok(OptionValue::Flag(!current.flag())),
            (Kind::Flag, Some(text)) => flag(text).map(OptionValue::Flag),
            (Kind::Choice(words), None) => Ok(OptionValue::Text(flip(words, &current.text()).to_owned())),
            (_, None) => Err(OptionError::EmptyValue),
            (Kind::Number { least, most }, Some(text)) => match number(text, least, most) {
                Ok(number) => Ok(OptionValue::Number(number)),
                Err(error) => Err(OptionError::Number(error, text.to_owned())),
            },
            (_, Some(text)) => self.read_text(text, checks).map(OptionValue::Text),
        }
    }

    /// Reads a value, or an item of an array, that is kept as text.
    pub(super) fn read_text(&self, text: &str, checks: &dyn Checks) -> Result<String, OptionError> {
        let owned = || text.to_owned();
        match self.kind {
            Kind::Colour => checks.colour(text).ok_or_else(|| OptionError::Colour(owned())),
            Kind::Key => checks.key(text).ok_or_else(|| OptionError::Key(owned())),
            Kind::Command => checks.command(text).map_err(OptionError::Command),
            Kind::Choice(words) if !words.contains(&text) => Err(OptionError::UnknownValue(owned())),
            Kind::Style if !text.contains("#{") && !text.is_empty() && !checks.style(text) => {
                Err(OptionError::Style(owned()))
            }
            _ if self.name == "default-shell" && !checks.shell(text) => Err(OptionError::Shell(owned())),
            _ if self.pattern.is_some_and(|pattern| !fnmatch(pattern, text, false)) => {
                Err(OptionError::Pattern(owned()))
            }
            _ => Ok(owned()),
        }
    }
}

fn flag(text: &str) -> Result<bool, OptionError> {
    let is = |words: [&str; 2]| words.iter().any(|word| text.eq_ignore_ascii_case(word));
    match text {
        "1" => Ok(true),
        "0" => Ok(false),
        _ if is(["on", "yes"]) => Ok(true),
        _ if is(["off", "no"]) => Ok(false),
        _ => Err(OptionError::BadValue(text.to_owned())),
    }
}

/// The other one of the first two words; any further word stays.
fn flip(words: &'static [&'static str], current: &str) -> &'static str {
    match words.iter().position(|word| *word == current) {
        Some(0) => words[1],
        Some(1) | None => words[0],
        Some(at) => words[at],
    }
}

/// A value as it is saved. What has only numbers for keys has the form from before there were others.
#[derive(Serialize, Deserialize)]
enum Saved {
    Text(String),
    Number(i64),
    Flag(bool),
    Array(BTreeMap<u32, String>),
    Keyed(Items),
}

impl From<OptionValue> for Saved {
    fn from(value: OptionValue) -> Saved {
        match value {
            OptionValue::Text(text) => Saved::Text(text),
            OptionValue::Number(number) => Saved::Number(number),
            OptionValue::Flag(flag) => Saved::Flag(flag),
            OptionValue::Array(items) => {
                let numbers: Option<BTreeMap<_, _>> =
                    items.iter().map(|(key, text)| Some((key.number()?, text.clone()))).collect();
                numbers.map_or(Saved::Keyed(items), Saved::Array)
            }
        }
    }
}

impl From<Saved> for OptionValue {
    fn from(saved: Saved) -> OptionValue {
        match saved {
            Saved::Text(text) => OptionValue::Text(text),
            Saved::Number(number) => OptionValue::Number(number),
            Saved::Flag(flag) => OptionValue::Flag(flag),
            Saved::Array(items) => {
                OptionValue::Array(items.into_iter().map(|(number, text)| (ItemKey::Number(number), text)).collect())
            }
            Saved::Keyed(items) => OptionValue::Array(items),
        }
    }
}
