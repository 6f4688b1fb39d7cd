//! What the modifiers of one `#{...}` ask for.

use super::quote;
use super::scope::{Order, Sort};
use crate::number::number;

/// The most columns of `=` and `p`.
const WIDTH_LIMIT: i64 = 10_000;

/// The most periods that a picture of an animation stays.
const CYCLE_LIMIT: i64 = 100;

/// What the modifiers of one `#{...}` ask for.
#[derive(Default)]
pub(super) struct Settings {
    pub(super) basename: bool,
    pub(super) dirname: bool,
    pub(super) time: Option<TimeForm>,
    pub(super) quote: Option<Quote>,
    pub(super) expand: bool,
    pub(super) expand_time: bool,
    pub(super) length: bool,
    pub(super) width: bool,
    pub(super) limit: i64,
    pub(super) marker: Option<String>,
    pub(super) pad: i64,
    pub(super) sort: Sort,
    /// What `N:` asks for: true for a window.
    pub(super) exists_window: Option<bool>,
    /// Arguments of the last `m`, `C` and `e`, of every `s`.
    pub(super) match_flags: String,
    pub(super) search_flags: String,
    pub(super) arithmetic: Vec<String>,
    pub(super) substitutions: Vec<Vec<String>>,
    /// `c/f` and `c/b`: an escape sequence for the foreground or background.
    pub(super) escape: Option<Ground>,
    /// What `I` asks of the client's terminal.
    pub(super) terminal: Option<TerminalFact>,
    /// How many periods a picture of an animation stays.
    pub(super) cycle: u64,
    /// The argument of `O` and `V`.
    pub(super) of: String,
}

pub(super) enum TimeForm {
    Full,
    Pretty,
    Format(String),
    /// `t/r`
    Relative,
    /// `t/d`
    Difference,
}

/// Fore- or background.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Ground {
    Fore,
    Back,
}

/// What can be asked of the client's terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TerminalFact {
    /// A capability of its description.
    Capability,
    /// A feature.
    Feature,
    /// A variable of the client's environment.
    Environment,
}

#[derive(Clone, Copy)]
pub(super) enum Quote {
    Shell,
    Style,
    Argument,
    /// Between single quotes.
    Single,
}

impl Settings {
    pub(super) fn add(&mut self, name: &str, arguments: Vec<String>) {
        let first = arguments.first().map(String::as_str);
        let columns = |text: &str| number(text, -WIDTH_LIMIT, WIDTH_LIMIT).unwrap_or(0);
        match name {
            "b" => self.basename = true,
            "d" => self.dirname = true,
            "n" => self.length = true,
            "w" => self.width = true,
            "E" => self.expand = true,
            "T" => self.expand_time = true,
            "m" => self.match_flags = first.unwrap_or_default().into(),
            "C" => self.search_flags = first.unwrap_or_default().into(),
            "e" if (1..=3).contains(&arguments.len()) => self.arithmetic = arguments,
            "s" if arguments.len() >= 2 => self.substitutions.push(arguments),
            "=" => {
                if let Some(first) = first {
                    self.limit = columns(first);
                    self.marker = arguments.get(1).cloned().or(self.marker.take());
                }
            }
            "p" => self.pad = first.map_or(self.pad, columns),
            "t" => self.add_time(&arguments),
            "A" => self.cycle = first.and_then(|text| number(text, 1, CYCLE_LIMIT).ok()).unwrap_or(1).unsigned_abs(),
            "c" => {
                let flags = first.unwrap_or_default();
                let fore = flags.contains('f').then_some(Ground::Fore);
                self.escape = flags.contains('b').then_some(Ground::Back).or(fore).or(self.escape);
            }
            "I" => {
                let flags = first.unwrap_or_default();
                let facts =
                    [('e', TerminalFact::Environment), ('f', TerminalFact::Feature), ('c', TerminalFact::Capability)];
                let asked = facts.into_iter().find(|(flag, _)| flags.contains(*flag)).map(|(_, fact)| fact);
                self.terminal = asked.or(self.terminal);
            }
            "O" | "V" if arguments.len() == 1 => self.of = first.unwrap_or_default().into(),
            "q" => {
                self.quote = match first {
                    None => Some(Quote::Shell),
                    Some(flags) if flags.contains('s') => Some(Quote::Single),
                    Some(flags) if flags.contains(['e', 'h']) => Some(Quote::Style),
                    Some(flags) if flags.contains('a') => Some(Quote::Argument),
                    Some(_) => self.quote,
                }
            }
            "N" => {
                self.exists_window = match first {
                    None => Some(true),
                    Some(flags) if flags.contains('w') => Some(true),
                    Some(flags) if flags.contains('s') => Some(false),
                    Some(_) => self.exists_window,
                }
            }
            "S" => self.sort = sort(first, Order::Index),
            "W" | "L" => self.sort = sort(first, Order::Natural),
            "P" => {
                let flags = first.unwrap_or_default();
                let order = match flags.contains('i') {
                    true => Order::Index,
                    false if flags.contains('z') => Order::Stacking,
                    false => Order::Creation,
                };
                self.sort = Sort { order, reversed: flags.contains('r') };
            }
            _ => {}
        }
    }

    fn add_time(&mut self, arguments: &[String]) {
        let flags = arguments.first().map_or("", String::as_str);
        let before = self.time.take();
        self.time = Some(match (arguments.get(1), before) {
            _ if flags.contains('p') => TimeForm::Pretty,
            _ if flags.contains('r') => TimeForm::Relative,
            _ if flags.contains('d') => TimeForm::Difference,
            (_, Some(TimeForm::Pretty)) => TimeForm::Pretty,
            (Some(format), _) if flags.contains('f') => TimeForm::Format(quote::strip(format)),
            (_, before) => before.unwrap_or(TimeForm::Full),
        });
    }
}

fn sort(flags: Option<&str>, usual: Order) -> Sort {
    let flags = flags.unwrap_or("");
    let order = if flags.contains('i') {
        usual
    } else if flags.contains('n') {
        Order::Name
    } else if flags.contains('t') {
        Order::Activity
    } else {
        usual
    };
    Sort { order, reversed: flags.contains('r') }
}
