//! Routines: commands that run at their times for as long as they are enabled, and hold the server while they are. Each is
//! an item of the option `routines`, so it is saved, or configured, as options are.
//!
//! Times are those of the day, counted from midnight, so nothing has to be known of earlier runs: what falls in a time
//! without a server is left out.

use crate::Mux;
use crate::input::Now;
use crate::option::ItemKey;
use crate::queue::State;
use crate::timer::Timer;
use crate::world::World;
use std::rc::Rc;
use std::time::Duration;

/// The option that has them.
pub(crate) const OPTION: &str = "routines";
const DAY: u64 = 86_400;
/// The wall clock may jump, and the day may have another length: times are looked at again after this at the latest.
const LOOK_AGAIN: Duration = Duration::from_secs(60);

/// When a routine runs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Schedule {
    /// Each so many seconds, counted from midnight.
    Every(u64),
    /// At this second of the day.
    At(u64),
}

/// A routine.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Routine {
    pub(crate) name: String,
    pub(crate) enabled: bool,
    pub(crate) schedule: Schedule,
    /// What it runs, as one would write it in a configuration file.
    pub(crate) command: String,
}

/// A routine that is known, and when it runs next (in seconds since the epoch) and ran last.
#[derive(Debug, Clone)]
struct Due {
    routine: Routine,
    next: u64,
    last: Option<u64>,
}

/// What is known of the routines.
#[derive(Debug, Default)]
pub(crate) struct Routines {
    /// The model's count of changes when they were read.
    seen: Option<u64>,
    list: Vec<Due>,
}

impl Schedule {
    /// Reads `every 10m` or `at 09:30`.
    pub(crate) fn parse(word: &str, value: &str) -> Result<Schedule, String> {
        match word {
            "every" => every(value),
            "at" => at(value),
            _ => Err(format!("{word}: a routine runs \"every 10m\" or \"at HH:MM\"")),
        }
    }

    /// The seconds from this second of the day to the next time, at least one.
    fn wait(self, second: u64) -> u64 {
        match self {
            Schedule::Every(period) => ((second / period + 1) * period).min(DAY.max(second + 1)) - second,
            Schedule::At(at) if at > second => at - second,
            Schedule::At(at) => at + DAY - second,
        }
    }
}

impl std::fmt::Display for Schedule {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Schedule::Every(seconds) if seconds % 3600 == 0 => write!(f, "every {}h", seconds / 3600),
            Schedule::Every(seconds) if seconds % 60 == 0 => write!(f, "every {}m", seconds / 60),
            Schedule::Every(seconds) => write!(f, "every {seconds}s"),
            Schedule::At(second) => write!(f, "at {:02}:{:02}", second / 3600, second / 60 % 60),
        }
    }
}

fn every(value: &str) -> Result<Schedule, String> {
    let wrong = || format!("{value}: an interval is a number with s, m or h behind it, from 1s to 24h");
    let unit = match value.as_bytes().last() {
        Some(b's') => 1,
        Some(b'm') => 60,
        Some(b'h') => 3600,
        _ => return Err(wrong()),
    };
    let number: u64 = value[..value.len() - 1].parse().map_err(|_| wrong())?;
    let seconds = number.saturating_mul(unit);
    if (1..=DAY).contains(&seconds) { Ok(Schedule::Every(seconds)) } else { Err(wrong()) }
}

fn at(value: &str) -> Result<Schedule, String> {
    let wrong = || format!("{value}: a time of the day is HH:MM, from 00:00 to 23:59");
    let (hour, minute) = value.split_once(':').ok_or_else(wrong)?;
    let number = |text: &str, most: u64| {
        let is_short = (1..=2).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
        text.parse::<u64>().ok().filter(|number| is_short && *number <= most)
    };
    let (hour, minute) = number(hour, 23).zip(number(minute, 59)).ok_or_else(wrong)?;
    Ok(Schedule::At(hour * 3600 + minute * 60))
}

impl Routine {
    /// Reads an item of the option: `NAME [off] every|at TIME COMMAND`.
    pub(crate) fn parse(text: &str) -> Result<Routine, String> {
        let (name, rest) = split_word(text);
        check_name(name)?;
        let (word, after) = split_word(rest);
        let enabled = word != "off";
        let (word, rest) = if enabled { (word, after) } else { split_word(after) };
        let (value, command) = split_word(rest);
        let schedule = Schedule::parse(word, value)?;
        if command.is_empty() {
            return Err(format!("{name}: a routine needs a command to run"));
        }
        Ok(Routine { name: name.to_owned(), enabled, schedule, command: command.to_owned() })
    }

    /// The item that [`Routine::parse`] reads.
    pub(crate) fn print(&self) -> String {
        let off = if self.enabled { "" } else { "off " };
        format!("{} {off}{} {}", self.name, self.schedule, self.command)
    }
}

/// Says what a routine may be called.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let usable = |c: char| c.is_alphanumeric() || matches!(c, '-' | '_' | '.');
    if name.is_empty() || name.len() > 60 || !name.chars().all(usable) {
        return Err(format!("{name:?}: a routine's name has letters, digits, - _ and . only, at most 60 bytes"));
    }
    Ok(())
}

fn split_word(text: &str) -> (&str, &str) {
    let text = text.trim();
    let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
    (word, rest.trim_start())
}

impl Mux {
    /// The items of the option, each with its key.
    pub(crate) fn routine_items(&self) -> Vec<(ItemKey, Result<Routine, String>)> {
        let value = self.globals.server.get(OPTION);
        let items = value.into_iter().flat_map(|value| value.items());
        items.map(|(key, text)| (key.clone(), Routine::parse(text))).collect()
    }

    /// The names of those that are enabled.
    pub(crate) fn enabled_routines(&self) -> Vec<String> {
        let items = self.routine_items().into_iter().filter_map(|(_, routine)| routine.ok());
        items.filter(|routine| routine.enabled).map(|routine| routine.name).collect()
    }

    /// When a routine runs next and ran last, in seconds since the epoch.
    pub(crate) fn routine_times(&self, name: &str) -> Option<(u64, Option<u64>)> {
        self.routines.list.iter().find(|due| due.routine.name == name).map(|due| (due.next, due.last))
    }

    /// Read the option again when it may have changed.
    pub(crate) fn read_routines(&mut self, now: Now, world: &dyn World) {
        if self.routines.seen == Some(self.structure) {
            return;
        }
        self.routines.seen = Some(self.structure);
        let known = std::mem::take(&mut self.routines.list);
        let items = self.routine_items().into_iter().filter_map(|(_, routine)| routine.ok());
        for routine in items.filter(|routine| routine.enabled) {
            let before = known.iter().find(|due| due.routine == routine);
            let next = before.map_or_else(|| next(routine.schedule, now, world), |due| due.next);
            let last = known.iter().find(|due| due.routine.name == routine.name).and_then(|due| due.last);
            self.routines.list.push(Due { routine, next, last });
        }
        self.schedule_routines(now);
    }

    fn schedule_routines(&mut self, now: Now) {
        match self.routines.list.iter().map(|due| due.next).min() {
            None => self.timers.cancel(Timer::Routines),
            Some(next) => {
                let wait = Duration::from_secs(next).saturating_sub(now.unix).min(LOOK_AGAIN);
                self.timers.set(Timer::Routines, now.instant + wait);
            }
        }
    }

    /// Run what is due, on the server's own queue; of several times that were missed the newest counts.
    pub(crate) fn run_routines(&mut self, now: Now, world: &dyn World) {
        let mut due = Vec::new();
        for entry in &mut self.routines.list {
            if entry.next <= now.unix.as_secs() {
                entry.last = Some(now.unix.as_secs());
                due.push(entry.routine.clone());
            }
            entry.next = next(entry.routine.schedule, now, world);
        }
        for routine in due {
            self.run_routine(&routine, world);
        }
        self.schedule_routines(now);
    }

    /// Run one now. What is wrong with its command is told as a message.
    pub(crate) fn run_routine(&mut self, routine: &Routine, world: &dyn World) {
        let formats = vec![("routine".to_owned(), routine.name.clone())];
        let state = Rc::new(State { formats, ..State::default() });
        let items = match self.commands(&routine.command, None, world) {
            Ok(commands) => self.queues.items(&commands, &state),
            Err(error) => vec![crate::queue::Item::failed(state, format!("routine {}: {error}", routine.name))],
        };
        self.queues.append(None, items);
    }
}

/// When a schedule comes next after now, in seconds since the epoch.
fn next(schedule: Schedule, now: Now, world: &dyn World) -> u64 {
    let unix = now.unix.as_secs();
    let local = world.local(i64::try_from(unix).unwrap_or(i64::MAX));
    let second = u64::from(local.hour * 3600 + local.minute * 60 + local.second);
    unix + schedule.wait(second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_printed_is_read_again() {
        for text in [
            "a every 10m run-shell true",
            "b off at 09:30 new-window -d 'make test'",
            "c.1 every 90s display-message x",
        ] {
            assert_eq!(Routine::parse(text).unwrap().print(), text);
        }
        assert_eq!(Routine::parse("a  every  120m   x").unwrap().print(), "a every 2h x");
    }

    #[test]
    fn what_makes_no_sense_is_refused_with_words() {
        for (text, word) in [
            ("", "name"),
            ("a b every 10m x", "every 10m"),
            ("a every 10 x", "s, m or h"),
            ("a every 0s x", "1s"),
            ("a every 25h x", "24h"),
            ("a every 99999999999999999999h x", "24h"),
            ("a at 24:00 x", "HH:MM"),
            ("a at 9 x", "HH:MM"),
            ("a at +9:00 x", "HH:MM"),
            ("a every 10m", "command"),
            ("a;b every 10m x", "name"),
        ] {
            let error = Routine::parse(text).unwrap_err();
            assert!(error.contains(word), "{text}: {error}");
        }
    }

    #[test]
    fn times_are_those_of_the_day() {
        assert_eq!(Schedule::Every(600).wait(0), 600);
        assert_eq!(Schedule::Every(600).wait(599), 1);
        assert_eq!(Schedule::Every(600).wait(600), 600);
        assert_eq!(Schedule::Every(DAY).wait(0), DAY);
        assert_eq!(Schedule::Every(7 * 3600).wait(23 * 3600), 3600, "anew from midnight");
        assert_eq!(Schedule::At(3600).wait(3599), 1);
        assert_eq!(Schedule::At(3600).wait(3600), DAY);
        assert_eq!(Schedule::At(0).wait(DAY - 1), 1);
        assert_eq!(Schedule::Every(600).wait(DAY), 1, "a leap second");
    }
}
