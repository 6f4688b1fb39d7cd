//! Flags and positional arguments of one command, checked against its template. Knows no command.

use super::build::Command;
use super::print;
use crate::number::{NumberError, number, percentage};
use std::borrow::Cow;
use std::collections::BTreeMap;

/// What a command takes: a row's part of the table of commands.
#[derive(Clone, Copy, Debug)]
pub struct Template {
    /// The flags: a letter alone, with `:` after it when it takes a value, `::` when it may.
    pub flags: &'static str,
    /// The fewest positional arguments.
    pub least: usize,
    /// The most positional arguments; `None` for no limit.
    pub most: Option<usize>,
    /// What each positional argument may be; `None` when all are text.
    pub kind: Option<fn(&Arguments, usize) -> Kind>,
}

/// What a positional argument may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Text only.
    Text,
    /// A `{ ... }` block only.
    Commands,
    /// Either.
    CommandsOrText,
}

impl Template {
    /// A template with only text arguments.
    pub const fn text(flags: &'static str, least: usize, most: Option<usize>) -> Template {
        Template { flags, least, most, kind: None }
    }

    /// A template in which every positional argument may be a block.
    pub const fn commands(flags: &'static str, least: usize, most: Option<usize>) -> Template {
        Template { flags, least, most, kind: Some(|_, _| Kind::CommandsOrText) }
    }
}

/// A value of a flag or a positional argument.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// Text.
    Text(String),
    /// Commands of a `{ ... }` block.
    Commands(Vec<Command>),
}

impl Value {
    /// The text; commands as they print.
    pub fn text(&self) -> Cow<'_, str> {
        match self {
            Value::Text(text) => Cow::Borrowed(text),
            Value::Commands(commands) => Cow::Owned(print::print_commands(commands, print::Separator::Plain)),
        }
    }
}

/// Why arguments do not fit a template.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ArgumentsError {
    /// `-?` was given: the caller shows the usage.
    #[error("usage")]
    Usage,
    /// A flag that is not a letter or digit.
    #[error("invalid flag -{0}")]
    InvalidFlag(char),
    /// A flag the command does not have.
    #[error("unknown flag -{0}")]
    UnknownFlag(char),
    /// A flag at the end that needs a value.
    #[error("-{0} expects an argument")]
    MissingValue(char),
    /// A flag followed by a block.
    #[error("-{0} argument must be a string")]
    ValueNotText(char),
    /// A block where text belongs; counted from 1.
    #[error("argument {0} must be \"string\"")]
    NotText(usize),
    /// Text where a block belongs; counted from 1.
    #[error("argument {0} must be {{ commands }}")]
    NotCommands(usize),
    /// Fewer than the command needs.
    #[error("too few arguments (need at least {0})")]
    TooFew(usize),
    /// More than the command takes.
    #[error("too many arguments (need at most {0})")]
    TooMany(usize),
}

/// One flag as it was given.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Flag {
    count: usize,
    values: Vec<Value>,
    /// Its optional value was left out when it was first given.
    bare: bool,
}

/// Checked arguments.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Arguments {
    flags: BTreeMap<u8, Flag>,
    positional: Vec<Value>,
}

impl Arguments {
    /// Checks `values` (without the command's name) against a template.
    pub fn parse(template: &Template, values: Vec<Value>) -> Result<Arguments, ArgumentsError> {
        let mut arguments = Arguments::default();
        let mut values = values.into_iter().peekable();
        while let Some(Value::Text(word)) = values.peek() {
            let Some(letters) = word.strip_prefix('-').filter(|letters| !letters.is_empty()) else { break };
            let letters = String::from(letters);
            values.next();
            if letters == "-" {
                break;
            }
            arguments.parse_flags(template, &letters, &mut values)?;
        }
        for value in values {
            arguments.push_positional(template, value)?;
        }
        if arguments.positional.len() < template.least {
            return Err(ArgumentsError::TooFew(template.least));
        }
        match template.most {
            Some(most) if arguments.positional.len() > most => Err(ArgumentsError::TooMany(most)),
            _ => Ok(arguments),
        }
    }

    /// One word of flags, and the word after it when the last flag takes it as its value.
    fn parse_flags(
        &mut self,
        template: &Template,
        letters: &str,
        values: &mut std::iter::Peekable<std::vec::IntoIter<Value>>,
    ) -> Result<(), ArgumentsError> {
        for (index, letter) in letters.char_indices() {
            if letter == '?' {
                return Err(ArgumentsError::Usage);
            }
            if !letter.is_ascii_alphanumeric() {
                return Err(ArgumentsError::InvalidFlag(letter));
            }
            let Some(place) = template.flags.find(letter) else { return Err(ArgumentsError::UnknownFlag(letter)) };
            let Some(after) = template.flags[place + 1..].strip_prefix(':') else {
                self.set(letter, None);
                continue;
            };
            let rest = &letters[index + 1..];
            let value = if !rest.is_empty() {
                Some(Value::Text(String::from(rest)))
            } else if matches!(values.peek(), Some(Value::Commands(_))) {
                return Err(ArgumentsError::ValueNotText(letter));
            } else {
                values.next()
            };
            if value.is_none() && !after.starts_with(':') {
                return Err(ArgumentsError::MissingValue(letter));
            }
            let bare = value.is_none();
            let flag = self.set(letter, value);
            flag.bare |= bare && flag.count == 1;
            return Ok(());
        }
        Ok(())
    }

    fn push_positional(&mut self, template: &Template, value: Value) -> Result<(), ArgumentsError> {
        let kind = template.kind.map_or(Kind::Text, |kind| kind(self, self.positional.len()));
        let place = self.positional.len() + 1;
        match (kind, &value) {
            (Kind::Text, Value::Commands(_)) => return Err(ArgumentsError::NotText(place)),
            (Kind::Commands, Value::Text(_)) => return Err(ArgumentsError::NotCommands(place)),
            _ => self.positional.push(value),
        }
        Ok(())
    }

    fn set(&mut self, letter: char, value: Option<Value>) -> &mut Flag {
        let flag = self.flags.entry(letter as u8).or_default();
        flag.count += 1;
        flag.values.extend(value);
        flag
    }

    /// How often a flag was given.
    pub fn count(&self, flag: char) -> usize {
        self.flag(flag).map_or(0, |flag| flag.count)
    }

    /// True when a flag was given.
    pub fn has(&self, flag: char) -> bool {
        self.count(flag) > 0
    }

    fn flag(&self, flag: char) -> Option<&Flag> {
        self.flags.get(&u8::try_from(flag).ok()?)
    }

    /// The last value of a flag.
    pub fn get(&self, flag: char) -> Option<&str> {
        match self.flag(flag)?.values.last()? {
            Value::Text(text) => Some(text),
            Value::Commands(_) => None,
        }
    }

    /// All values of a flag, in order.
    pub fn all(&self, flag: char) -> impl Iterator<Item = &str> {
        self.flag(flag).into_iter().flat_map(|flag| &flag.values).filter_map(|value| match value {
            Value::Text(text) => Some(text.as_str()),
            Value::Commands(_) => None,
        })
    }

    /// The positional arguments.
    pub fn positional(&self) -> &[Value] {
        &self.positional
    }

    /// A positional argument as text; commands as they print.
    pub fn string(&self, index: usize) -> Option<Cow<'_, str>> {
        self.positional.get(index).map(Value::text)
    }

    /// A flag's value as a number within `least..=most`.
    pub fn number(&self, flag: char, least: i64, most: i64) -> Result<i64, NumberError> {
        number(self.get(flag).ok_or(NumberError::Missing)?, least, most)
    }

    /// A flag's value as a number or a part of `whole`, within `least..=most`.
    pub fn percentage(&self, flag: char, least: i64, most: i64, whole: i64) -> Result<i64, NumberError> {
        match self.flag(flag) {
            None => Err(NumberError::Missing),
            Some(_) => percentage(self.get(flag).ok_or(NumberError::Empty)?, least, most, whole),
        }
    }

    /// The flags in order of their letters: letter, count, values, and whether an optional value was left out.
    pub fn flags(&self) -> impl Iterator<Item = (char, usize, &[Value], bool)> {
        self.flags.iter().map(|(&letter, flag)| (letter as char, flag.count, flag.values.as_slice(), flag.bare))
    }

    /// The same arguments with every value passed through `change`.
    #[must_use]
    pub fn map(&self, change: &mut dyn FnMut(&Value) -> Value) -> Arguments {
        let mut arguments = self.clone();
        let flags = arguments.flags.values_mut().flat_map(|flag| &mut flag.values);
        for value in flags.chain(&mut arguments.positional) {
            *value = change(value);
        }
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(words: &[&str]) -> Vec<Value> {
        words.iter().map(|word| Value::Text(String::from(*word))).collect()
    }

    fn parse(flags: &'static str, words: &[&str]) -> Result<Arguments, String> {
        let template = Template::text(flags, 0, Some(2));
        Arguments::parse(&template, texts(words)).map_err(|error| error.to_string())
    }

    #[test]
    fn flags_come_first_and_join() {
        let arguments = parse("ab:d", &["-ad", "-bone", "-b", "two", "x", "-a"]).unwrap();
        assert!(arguments.has('a') && arguments.has('d') && !arguments.has('x'));
        assert_eq!(arguments.count('a'), 1);
        assert_eq!(arguments.get('b'), Some("two"));
        assert_eq!(arguments.all('b').collect::<Vec<_>>(), ["one", "two"]);
        assert_eq!(arguments.string(1).unwrap(), "-a");
        let arguments = parse("a", &["--", "-a"]).unwrap();
        assert!(!arguments.has('a'));
        assert_eq!(arguments.positional().len(), 1);
        assert_eq!(parse("a", &["-"]).unwrap().positional().len(), 1);
    }

    #[test]
    fn an_optional_value_may_be_left_out_at_the_end() {
        let arguments = parse("E::", &["-E"]).unwrap();
        assert!(arguments.has('E') && arguments.get('E').is_none());
        assert_eq!(parse("E::", &["-Ex"]).unwrap().get('E'), Some("x"));
        assert_eq!(parse("E::", &["-E", "x"]).unwrap().get('E'), Some("x"));
    }

    #[test]
    fn errors_are_worded_as_clients_expect() {
        assert_eq!(parse("a", &["-Z"]).unwrap_err(), "unknown flag -Z");
        assert_eq!(parse("a", &["-%"]).unwrap_err(), "invalid flag -%");
        assert_eq!(parse("t:", &["-t"]).unwrap_err(), "-t expects an argument");
        assert_eq!(parse("", &["1", "2", "3"]).unwrap_err(), "too many arguments (need at most 2)");
        let template = Template::text("t:", 1, None);
        assert_eq!(Arguments::parse(&template, vec![]).unwrap_err().to_string(), "too few arguments (need at least 1)");
        let block = || Value::Commands(vec![]);
        assert_eq!(
            Arguments::parse(&template, vec![block()]).unwrap_err().to_string(),
            "argument 1 must be \"string\""
        );
        let values = vec![Value::Text("-t".into()), block()];
        assert_eq!(Arguments::parse(&template, values).unwrap_err(), ArgumentsError::ValueNotText('t'));
        assert_eq!(Arguments::parse(&template, texts(&["-t", "x", "-?"])).unwrap_err(), ArgumentsError::Usage);
    }

    #[test]
    fn values_are_numbers() {
        let arguments = parse("x:y:", &["-x", "50%", "-y", "7"]).unwrap();
        assert_eq!(arguments.percentage('x', 0, 100, 80), Ok(40));
        assert_eq!(arguments.number('y', 0, 5), Err(NumberError::TooLarge));
        assert_eq!(arguments.number('z', 0, 5), Err(NumberError::Missing));
    }
}
