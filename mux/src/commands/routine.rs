//! routine: commands that run at their times.

use super::*;
use crate::option::{ItemKey, Items, OptionValue};
use crate::routine::{OPTION, Routine, Schedule, check_name};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "routine",
        alias: None,
        template: Template::text("", 0, None),
        usage: "[list | add name every|at time command ... | enable|disable|remove|run name]",
    },
    "Run commands at their times; while one is enabled the server stays",
    run,
)
.starts_server()
.rove();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let words = context.words();
    let word = |at: usize| words.get(at).map(String::as_str);
    match (word(0).unwrap_or("list"), words.len()) {
        ("list", 0 | 1) => list(mux, context),
        ("add", 5..) => add(mux, context, &words[1..]),
        ("enable", 2) => change(mux, &words[1], |routine| routine.enabled = true),
        ("disable", 2) => change(mux, &words[1], |routine| routine.enabled = false),
        ("remove", 2) => remove(mux, &words[1]),
        ("run", 2) => {
            let (_, routine) = named(mux, &words[1])?;
            mux.run_routine(&routine, context.world);
            DONE
        }
        _ => Err(format!("usage: {} {}", ROW.signature.name, ROW.signature.usage).into()),
    }
}

fn list(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    mux.read_routines(context.now, context.world);
    let items = mux.routine_items();
    if items.is_empty() {
        mux.print(context, "no routines: add one with `routine add NAME every 10m COMMAND`");
    }
    for (index, item) in items {
        let line = match item {
            Err(why) => format!("{OPTION}[{index}] is not understood: {why}"),
            Ok(routine) => {
                let clock = |unix: u64| {
                    let local = context.world.local(i64::try_from(unix).unwrap_or(i64::MAX));
                    format!(
                        "{:02}-{:02} {:02}:{:02}:{:02}",
                        local.month, local.day, local.hour, local.minute, local.second
                    )
                };
                let when = match mux.routine_times(&routine.name).filter(|_| routine.enabled) {
                    None => "disabled".to_owned(),
                    Some((next, None)) => format!("next {}", clock(next)),
                    Some((next, Some(last))) => format!("next {}, last {}", clock(next), clock(last)),
                };
                format!("{}: {} ({when}): {}", routine.name, routine.schedule, routine.command)
            }
        };
        mux.print(context, &line);
    }
    DONE
}

fn add(mux: &mut Mux, context: &mut Context<'_>, words: &[String]) -> Outcome {
    let [name, when, value, command @ ..] = words else { return DONE };
    check_name(name)?;
    if named(mux, name).is_ok() {
        return Err(format!("routine {name} is there already: remove it first").into());
    }
    let schedule = Schedule::parse(when, value)?;
    let command = match command {
        [line] => line.trim().to_owned(),
        words => words.iter().map(|word| crate::command::escape(word)).collect::<Vec<_>>().join(" "),
    };
    if command.is_empty() || command.contains(['\n', '\r']) {
        return Err(format!("routine {name} needs a command of one line").into());
    }
    mux.commands(&command, None, context.world).map_err(|error| format!("routine {name}: {error}"))?;
    let routine = Routine { name: name.clone(), enabled: true, schedule, command };
    let mut items = items(mux);
    let index = items.keys().filter_map(ItemKey::number).max().map_or(0, |last| last.saturating_add(1));
    items.insert(ItemKey::Number(index), routine.print());
    put(mux, items)
}

fn change(mux: &mut Mux, name: &str, change: impl FnOnce(&mut Routine)) -> Outcome {
    let (index, mut routine) = named(mux, name)?;
    change(&mut routine);
    let mut items = items(mux);
    items.insert(index, routine.print());
    put(mux, items)
}

fn remove(mux: &mut Mux, name: &str) -> Outcome {
    let (index, _) = named(mux, name)?;
    let mut items = items(mux);
    items.remove(&index);
    put(mux, items)
}

fn named(mux: &Mux, name: &str) -> Result<(ItemKey, Routine), CommandError> {
    let found = mux.routine_items().into_iter().filter_map(|(index, routine)| Some((index, routine.ok()?)));
    let mut found = found.filter(|(_, routine)| routine.name == name);
    found.next().ok_or_else(|| format!("no routine {name}: `routine list` says which there are").into())
}

fn items(mux: &Mux) -> Items {
    let value = mux.globals.server.get(OPTION);
    value.into_iter().flat_map(|value| value.items()).map(|(index, text)| (index.clone(), text.to_owned())).collect()
}

fn put(mux: &mut Mux, items: Items) -> Outcome {
    mux.globals.server.put(OPTION, OptionValue::Array(items));
    mux.changed();
    DONE
}
