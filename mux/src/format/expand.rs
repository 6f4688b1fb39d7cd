//! A compiled format to text, over a scope.

use super::clock::{Clock, date_line, pretty_time, relative_time, strftime};
use super::expression::evaluate;
use super::parse::{Body, Branches, Conditional, DEPTH_LIMIT, Loop, Modifier, Node, Replace, Template};
use super::scope::{Item, Row, Scope};
use super::settings::{Ground, Quote, Settings, TimeForm};
use super::{fuzzy, is_true, pattern, quote};
use crate::command::escape;
use crate::number::number;
use crate::style::{self, Colour};

/// Most formats one expansion may expand in all, inner ones included.
const STEP_LIMIT: usize = 200_000;

/// Most bytes one expansion may make in all, those thrown away included.
const BYTE_LIMIT: usize = 4 << 20;

/// The most turns of `R:`.
const REPEAT_LIMIT: i64 = 10_000;

/// The longest text of one pass through strftime, in bytes.
const DATED_LIMIT: usize = 8191;

/// The longest text of one `t/f/`, in bytes.
const TIME_LIMIT: usize = 511;

/// Expands a format.
pub fn expand(template: &Template, scope: &dyn Scope) -> String {
    run(template, scope, false)
}

/// Expands a format that first goes through strftime, as that of a status line does.
pub fn expand_time(template: &Template, scope: &dyn Scope) -> String {
    run(template, scope, true)
}

fn run(template: &Template, scope: &dyn Scope, dated: bool) -> String {
    let place = Place { scope, depth: 0, dated, jobs: true, turn: &[], beside: None };
    Expander { steps: 0, bytes: 0 }.expand(template, &place)
}

/// Where in an expansion we are.
#[derive(Clone, Copy)]
struct Place<'a> {
    scope: &'a dyn Scope,
    depth: usize,
    /// Text goes through strftime.
    dated: bool,
    jobs: bool,
    /// What a loop adds in this turn.
    turn: &'a [(&'static str, String)],
    beside: Option<Beside<'a>>,
}

/// The neighbours of a window in a loop.
#[derive(Clone, Copy)]
struct Beside<'a> {
    previous: Option<&'a Item<'a>>,
    next: Option<&'a Item<'a>>,
}

impl Beside<'_> {
    fn variable(&self, name: &str) -> Option<String> {
        let flag = |item: Option<&Item<'_>>| String::from(if item.is_some_and(|item| item.active) { "1" } else { "0" });
        match name {
            "window_after_active" => return Some(flag(self.previous)),
            "window_before_active" => return Some(flag(self.next)),
            _ => {}
        }
        let (item, name) = match name.strip_prefix("next_") {
            Some(name) => (self.next?, name),
            None => (self.previous?, name.strip_prefix("prev_")?),
        };
        match name {
            "window_index" => item.scope.variable(name).map(|value| value.into_owned()),
            "window_active" => Some(flag(Some(item))),
            name if name.starts_with('@') => item.scope.option(name).map(|value| value.into_owned()),
            _ => None,
        }
    }
}

/// The expansion ends here; what came before stays.
struct Stop;

struct Expander {
    steps: usize,
    bytes: usize,
}

impl Expander {
    fn expand(&mut self, template: &Template, place: &Place<'_>) -> String {
        self.steps += 1;
        if place.depth >= DEPTH_LIMIT || self.steps > STEP_LIMIT || self.bytes > BYTE_LIMIT {
            return String::new();
        }
        let compiled;
        let nodes = match &template.dated {
            Some(text) if place.dated => {
                let text = strftime(text, &place.scope.local(place.scope.now()));
                if text.is_empty() || text.len() > DATED_LIMIT {
                    return String::new();
                }
                compiled = Template::at(&text, place.depth);
                &compiled.nodes
            }
            _ => &template.nodes,
        };
        let inner = Place { depth: place.depth + 1, ..*place };
        let mut out = String::new();
        for node in nodes {
            match node {
                Node::Text(text) => out.push_str(text),
                Node::Job(command, expanded) => out.push_str(&self.job(command, expanded, &inner)),
                Node::Replace(replace) => match self.replace(replace, &inner) {
                    Ok(value) => {
                        self.bytes = self.bytes.saturating_add(value.len());
                        if self.bytes > BYTE_LIMIT {
                            break;
                        }
                        out.push_str(&value);
                    }
                    Err(Stop) => break,
                },
                Node::Stop => break,
            }
        }
        self.bytes = self.bytes.saturating_add(out.len());
        out
    }

    /// Expands text that came out of an expansion.
    fn expand_text(&mut self, text: &str, place: &Place<'_>) -> String {
        let live = text.contains('#') || (place.dated && text.contains('%'));
        if !live {
            return String::from(text);
        }
        self.expand(&Template::at(text, place.depth), place)
    }

    fn job(&mut self, command: &str, expanded: &Template, place: &Place<'_>) -> String {
        if !place.jobs {
            return String::new();
        }
        let place = Place { jobs: false, dated: false, ..*place };
        let expanded = self.expand(expanded, &place);
        let output = place.scope.job(command, &expanded);
        self.expand_text(&output, &place)
    }

    fn replace(&mut self, replace: &Replace, place: &Place<'_>) -> Result<String, Stop> {
        let settings = self.settings(&replace.modifiers, place);
        let mut value = self.body(&replace.body, &settings, place)?;
        if settings.expand {
            value = self.expand_text(&value, place);
        } else if settings.expand_time {
            value = self.expand_text(&value, &Place { dated: true, ..*place });
        }
        for arguments in &settings.substitutions {
            // A substitution costs what it reads.
            self.bytes = self.bytes.saturating_add(value.len());
            if self.bytes > BYTE_LIMIT {
                return Err(Stop);
            }
            let pattern = self.expand_text(&arguments[0], place);
            let with = self.expand_text(&arguments[1], place);
            let ignore_case = arguments.get(2).is_some_and(|flags| flags.contains('i'));
            value = pattern::substitute(&pattern, &with, &value, ignore_case, BYTE_LIMIT).unwrap_or(value);
        }
        Ok(finish(value, &settings))
    }

    /// Reads the modifiers, expanding their arguments.
    fn settings(&mut self, modifiers: &[Modifier], place: &Place<'_>) -> Settings {
        let mut settings = Settings::default();
        for modifier in modifiers {
            let arguments = modifier.arguments.iter().map(|argument| self.expand(argument, place)).collect();
            settings.add(modifier.name, arguments);
        }
        settings
    }

    fn body(&mut self, body: &Body, settings: &Settings, place: &Place<'_>) -> Result<String, Stop> {
        let digit = |truth: bool| String::from(if truth { "1" } else { "0" });
        Ok(match body {
            Body::Literal(text) => quote::unescape(text),
            Body::Character(of) => {
                let code = number(&self.expand(of, place), 32, 126).ok().and_then(|code| u8::try_from(code).ok());
                code.map_or_else(String::new, |code| String::from(char::from(code)))
            }
            Body::Colour(of) => colour(&self.expand(of, place), settings.escape, place),
            Body::Cycle(frames) => cycle(frames, settings.cycle.max(1), place),
            Body::Terminal(name, other) => match settings.terminal {
                Some(fact) => place.scope.terminal(fact, name).map_or_else(String::new, |value| value.into_owned()),
                None => self.body(other, settings, place)?,
            },
            Body::Loop(kind, branches) => self.repeat_over(*kind, branches, settings, place)?,
            Body::Exists(name) => {
                let name = self.expand(name, place);
                match settings.exists_window {
                    Some(true) => digit(place.scope.has_window(&name).ok_or(Stop)?),
                    Some(false) => digit(place.scope.has_session(&name)),
                    None => String::new(),
                }
            }
            Body::Search(text) => {
                let text = self.expand(text, place);
                let flags = &settings.search_flags;
                place.scope.search(&text, flags.contains('r'), flags.contains('i')).unwrap_or(0).to_string()
            }
            Body::Repeat(pair) => {
                let (text, times) = self.pair(pair.as_deref(), place)?;
                match number(&times, 1, REPEAT_LIMIT) {
                    Ok(times) if text.len().saturating_mul(times as usize) > BYTE_LIMIT => return Err(Stop),
                    Ok(times) => text.repeat(times as usize),
                    Err(_) => String::new(),
                }
            }
            Body::Truth { negated, of } => digit(is_true(&self.expand(of, place)) != *negated),
            Body::Logic { all: true, of } => digit(of.iter().all(|of| is_true(&self.expand(of, place)))),
            Body::Logic { all: false, of } => digit(of.iter().any(|of| is_true(&self.expand(of, place)))),
            Body::Compare(sign, pair) => {
                let (left, right) = self.pair(pair.as_deref(), place)?;
                match settings.match_flags.as_str() {
                    flags if *sign == "m" && flags.contains('p') => fuzzy::columns(&left, &right).unwrap_or_default(),
                    flags if *sign == "m" && flags.contains('z') => digit(fuzzy::columns(&left, &right).is_some()),
                    flags => digit(compare(sign, &left, &right, flags)),
                }
            }
            Body::Conditional(conditional) => self.conditional(conditional, settings, place),
            Body::Arithmetic(pair) => {
                let Ok((left, right)) = self.pair(pair.as_deref(), place) else { return Ok(String::new()) };
                let argument = |index: usize| settings.arithmetic.get(index).map(String::as_str);
                evaluate(argument(0).unwrap_or(""), argument(1), argument(2), &left, &right).unwrap_or_default()
            }
            Body::Inner(template) => self.expand(template, place),
            Body::Name(name) => find(name, settings, place).unwrap_or_default(),
        })
    }

    fn pair(&mut self, pair: Option<&(Template, Template)>, place: &Place<'_>) -> Result<(String, String), Stop> {
        let (left, right) = pair.ok_or(Stop)?;
        Ok((self.expand(left, place), self.expand(right, place)))
    }

    fn conditional(&mut self, conditional: &Conditional, settings: &Settings, place: &Place<'_>) -> String {
        for (name, condition, value) in &conditional.cases {
            let found = find(name, settings, place).unwrap_or_else(|| {
                let expanded = self.expand(condition, place);
                // What does not change is an unknown name, and false.
                if expanded == **name { String::new() } else { expanded }
            });
            if is_true(&found) {
                return self.expand(value, place);
            }
        }
        conditional.otherwise.as_ref().map_or_else(String::new, |value| self.expand(value, place))
    }

    fn repeat_over(
        &mut self,
        kind: Loop,
        branches: &Branches,
        settings: &Settings,
        place: &Place<'_>,
    ) -> Result<String, Stop> {
        let sort = settings.sort;
        let items = match kind {
            Loop::Sessions => place.scope.sessions(sort),
            Loop::Windows => place.scope.windows(sort).ok_or(Stop)?,
            Loop::Panes => place.scope.panes(sort).ok_or(Stop)?,
            Loop::Clients => place.scope.clients(sort),
            Loop::Options => return Ok(self.repeat_rows(&place.scope.options(&settings.of), branches, place)),
            Loop::Environment => return Ok(self.repeat_rows(&place.scope.variables(&settings.of), branches, place)),
        };
        let mut out = String::new();
        for (index, item) in items.iter().enumerate() {
            let beside =
                Beside { previous: index.checked_sub(1).map(|index| &items[index]), next: items.get(index + 1) };
            let turn = Place {
                scope: item.scope.as_ref(),
                turn: &turn_values(index, items.len()),
                beside: (kind == Loop::Windows).then_some(beside),
                ..*place
            };
            let template = branches.active.as_ref().filter(|_| item.active).unwrap_or(&branches.all);
            out.push_str(&self.expand(template, &turn));
        }
        Ok(out)
    }

    /// A loop over what is not a place: each row has values of its own.
    fn repeat_rows(&mut self, rows: &[Row], branches: &Branches, place: &Place<'_>) -> String {
        let mut out = String::new();
        for (index, row) in rows.iter().enumerate() {
            let values: Vec<(&'static str, String)> =
                row.iter().cloned().chain(turn_values(index, rows.len())).collect();
            out.push_str(&self.expand(&branches.all, &Place { turn: &values, beside: None, ..*place }));
            if self.bytes > BYTE_LIMIT {
                break;
            }
        }
        out
    }
}

/// What every turn of a loop has.
fn turn_values(index: usize, of: usize) -> [(&'static str, String); 2] {
    let last = String::from(if index + 1 == of { "1" } else { "0" });
    [("loop_index", index.to_string()), ("loop_last_flag", last)]
}

/// `c:`: a colour as six digits, or as what a terminal is sent for it.
fn colour(name: &str, escape: Option<Ground>, place: &Place<'_>) -> String {
    let Some(ground) = escape else {
        let value = Colour::parse(name).and_then(Colour::rgb);
        return value.map_or_else(String::new, |value| format!("{value:06x}"));
    };
    if name.eq_ignore_ascii_case("none") {
        return String::from("\x1b[0m");
    }
    let depth = place.scope.colours();
    Colour::parse(name).and_then(|colour| colour.escape(ground == Ground::Back, depth)).unwrap_or_default()
}

/// `A:`: the picture that is shown now of several that follow each other.
fn cycle(frames: &str, periods: u64, place: &Place<'_>) -> String {
    if !place.jobs || frames.is_empty() {
        return String::new();
    }
    let frames: Vec<&str> = frames.split(',').collect();
    let Some(period) = place.scope.animate(frames.len() > 1) else { return String::new() };
    let index = (period / periods) % frames.len() as u64;
    frames.get(index as usize).map_or_else(String::new, |frame| String::from(*frame))
}

fn compare(sign: &str, left: &str, right: &str, flags: &str) -> bool {
    match sign {
        "==" => left == right,
        "!=" => left != right,
        "<" => left < right,
        ">" => left > right,
        "<=" => left <= right,
        ">=" => left >= right,
        _ if flags.contains('r') => {
            pattern::regex(left, flags.contains('i')).is_some_and(|regex| regex.is_match(right))
        }
        _ => pattern::matches_shell(left, right, flags.contains('i')),
    }
}

/// The value of a name: an option, a variable, or from the environment, changed as the modifiers say.
fn find(name: &str, settings: &Settings, place: &Place<'_>) -> Option<String> {
    let scope = place.scope;
    let found = scope.option(name).map(|value| value.into_owned());
    let found = found.or_else(|| {
        let turn = place.turn.iter().find(|(other, _)| *other == name);
        turn.map(|(_, value)| value.clone()).or_else(|| scope.variable(name).map(|value| value.into_owned()))
    });
    let found = found.or_else(|| place.beside.and_then(|beside| beside.variable(name)));
    if let Some(form) = &settings.time {
        let unix = number(&found?, 0, i64::MAX).ok().filter(|&unix| unix != 0)?;
        return show_time(unix, form, scope);
    }
    let mut value = found.or_else(|| scope.environment(name).map(|value| value.into_owned()))?;
    if settings.basename {
        value = String::from(quote::basename(&value));
    }
    if settings.dirname {
        value = String::from(quote::dirname(&value));
    }
    Some(match settings.quote {
        None => value,
        Some(Quote::Shell) => quote::for_shell(&value),
        Some(Quote::Style) => quote::for_style(&value),
        Some(Quote::Argument) => escape(&value),
        Some(Quote::Single) => quote::single(&value),
    })
}

fn show_time(unix: i64, form: &TimeForm, scope: &dyn Scope) -> Option<String> {
    let clock = |unix| Clock { unix, local: scope.local(unix) };
    Some(match form {
        TimeForm::Full => date_line(&scope.local(unix)),
        TimeForm::Pretty => pretty_time(&clock(unix), &clock(scope.now())),
        TimeForm::Relative => relative_time(unix, scope.now())?,
        TimeForm::Difference => scope.now().saturating_sub(unix).to_string(),
        TimeForm::Format(format) => {
            let text = strftime(format, &scope.local(unix));
            if text.len() > TIME_LIMIT { String::new() } else { text }
        }
    })
}

/// Trims, pads and measures.
fn finish(mut value: String, settings: &Settings) -> String {
    let columns = usize::try_from(settings.limit.unsigned_abs()).unwrap_or(0);
    if settings.limit != 0 {
        let left = settings.limit > 0;
        let trimmed = if left { style::trim_left(&value, columns) } else { style::trim_right(&value, columns) };
        value = match &settings.marker {
            Some(marker) if trimmed != value && left => trimmed + marker,
            Some(marker) if trimmed != value => format!("{marker}{trimmed}"),
            _ => trimmed,
        };
    }
    let columns = usize::try_from(settings.pad.unsigned_abs()).unwrap_or(0);
    if settings.pad > 0 {
        value = style::pad_right(&value, columns);
    } else if settings.pad < 0 {
        value = style::pad_left(&value, columns);
    }
    if settings.length {
        value = value.len().to_string();
    }
    if settings.width {
        value = style::width(&value).to_string();
    }
    value
}
