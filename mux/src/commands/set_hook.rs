//! set-hook: tie commands to what happens, to a format's value, or make it happen.

use super::*;
use crate::command::Kind as Takes;
use crate::monitor::Wanted;
use crate::option::{OptionName, Set};
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "set-hook",
        alias: None,
        template: Template { flags: "agopEFRTt:uB:w", least: 0, most: Some(2), kind: Some(takes) },
        usage: "[-agpRuw] [-t target-pane] hook [command]",
    },
    "Set a hook",
    run,
)
.target(Spec::of('t', Kind::Pane).stays_open())
.after_hook();

fn takes(arguments: &crate::command::Arguments, at: usize) -> Takes {
    if arguments.has('B') { Takes::CommandsOrText } else { set_option::takes(arguments, at) }
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    if context.has('E') {
        return fire(mux, context);
    }
    if let Some(wanted) = context.get('B') {
        return monitor(mux, context, &wanted);
    }
    let Some(written) = context.argument(0) else { return Err(too_few(context)) };
    let name = mux.expand_in(context, context.target, &written);
    if context.has('R') {
        let state = context.state.clone();
        let items = mux.hook_items(&name, context.target, &state, &[], context.world, context.now);
        context.run_after(items);
        return DONE;
    }
    let outcome = set_option::run(mux, context, context.has('w'))?;
    if name.starts_with('@') && !context.has('u') {
        mux.hooks.users.insert(name);
    }
    Ok(outcome)
}

/// What the grammar says of a command without the arguments it needs.
fn too_few(context: &Context<'_>) -> CommandError {
    let name = context.row.map_or("", |row| row.signature.name);
    format!("command {name}: too few arguments (need at least 1)").into()
}

/// -E: an event of the user's own happens.
fn fire(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let name = match context.words().as_slice() {
        [] => return Err("missing argument".into()),
        [name] => mux.expand_in(context, context.target, name),
        _ => return Err("too many arguments".into()),
    };
    if !name.starts_with('@') {
        return Err("event name must start with @".into());
    }
    let mut payload = crate::payload::Payload::at(context.target).place(mux);
    if let Some(client) = context.client {
        payload = payload.with("client", mux.client_name(client));
    }
    mux.fire(&name, payload);
    DONE
}

/// -B: a format is looked at, or (-u) no more.
fn monitor(mux: &mut Mux, context: &mut Context<'_>, text: &str) -> Outcome {
    if context.words().len() > 1 {
        return Err("too many arguments".into());
    }
    let wanted = Wanted::parse(text);
    let name = match &wanted {
        Some(wanted) => wanted.name,
        None if context.has('u') => text,
        None => return Err(format!("invalid subscription: {text}").into()),
    };
    if !name.starts_with('@') {
        return Err("monitor hook name must start with @".into());
    }
    let option = OptionName { name: name.to_owned(), key: None, written: name.to_owned() };
    let owner = mux.option_scope(context, &option, context.has('w'))?;
    let Some(wanted) = wanted.filter(|_| !context.has('u')) else {
        mux.monitors.remove(owner, name);
        return DONE;
    };
    set_commands(mux, context, owner, &option)?;
    mux.add_monitor(context.now, owner, &wanted, context.target, context.has('T'));
    DONE
}

/// The commands of a monitor: those given, else what its option has.
fn set_commands(
    mux: &mut Mux,
    context: &mut Context<'_>,
    owner: OptionScope,
    option: &OptionName,
) -> Result<(), CommandError> {
    let known = mux.own_options(owner).is_some_and(|store| store.has(option));
    let commands = match context.argument(0) {
        Some(commands) if !known || !context.has('o') => commands,
        _ if known => return Ok(()),
        _ => String::new(),
    };
    let commands = if context.has('F') { mux.expand_in(context, context.target, &commands) } else { commands };
    let how = Set { append: context.has('a'), only_if_unset: false };
    set_option::set(mux, context, owner, option, Some(&commands), how).map_err(|error| error.to_string())?;
    mux.option_changed(context.now, &option.name);
    Ok(())
}
