//! set-option and set-window-option: change an option.

use super::*;
use crate::command::{Arguments, Kind as Takes, Value};
use crate::option::{self, OptionName, OptionStore, Set};
use crate::target::Kind;

const fn signature(
    name: &'static str,
    alias: Option<&'static str>,
    flags: &'static str,
    usage: &'static str,
) -> Signature {
    Signature { name, alias, template: Template { flags, least: 1, most: Some(2), kind: Some(takes) }, usage }
}

pub(super) fn takes(_: &Arguments, at: usize) -> Takes {
    if at == 1 { Takes::CommandsOrText } else { Takes::Text }
}

pub(crate) static ROW: Row = Row::new(
    signature("set-option", Some("set"), "aFgopqst:uUw", "[-aFgopqsuUw] [-t target-pane] option [value]"),
    "Set an option",
    |mux, context| run(mux, context, context.has('w')),
)
.target(Spec::of('t', Kind::Pane).stays_open())
.after_hook();

pub(crate) static WINDOW: Row = Row::new(
    signature("set-window-option", Some("setw"), "aFgoqt:u", "[-aFgoqu] [-t target-window] option [value]"),
    "Set a window option",
    |mux, context| run(mux, context, true),
)
.target(Spec::of('t', Kind::Window).stays_open())
.after_hook();

pub(super) fn run(mux: &mut Mux, context: &mut Context<'_>, window: bool) -> Outcome {
    let quiet = context.has('q');
    let written = context.argument(0).unwrap_or_default();
    let written = mux.expand_in(context, context.target, &written);
    let name = match option::resolve(&written) {
        Ok(name) => name,
        Err(_) if quiet => return DONE,
        Err(error) => return Err(error.to_string().into()),
    };
    let value = match context.arguments().positional().get(1) {
        None => None,
        Some(Value::Text(text)) if context.has('F') => Some(mux.expand_in(context, context.target, &text.clone())),
        Some(value) => Some(value.text().into_owned()),
    };
    let scope = match mux.option_scope(context, &name, window) {
        Ok(scope) => scope,
        Err(_) if quiet => return DONE,
        Err(error) => return Err(error.into()),
    };
    let how = Set { append: context.has('a'), only_if_unset: context.has('o') };
    if context.has('U')
        && let Some(window) = context.target.window.filter(|_| matches!(scope, OptionScope::Window(_)))
    {
        let panes = mux.windows.get(&window).map_or(Vec::new(), |window| window.panes().to_vec());
        for pane in panes {
            if let Some(pane) = mux.panes.get_mut(&pane) {
                pane.options.unset(&name).map_err(|error| error.to_string())?;
            }
        }
    }
    if context.has('u') || context.has('U') {
        if let Some(store) = mux.option_store(scope) {
            store.unset(&name).map_err(|error| error.to_string())?;
        }
    } else {
        match set(mux, context, scope, &name, value.as_deref(), how) {
            Ok(()) => {}
            Err(option::OptionError::AlreadySet(_)) if quiet => return DONE,
            Err(error) => return Err(error.to_string().into()),
        }
    }
    mux.option_changed(context.now, &name.name);
    DONE
}

pub(super) fn set(
    mux: &mut Mux,
    context: &Context<'_>,
    scope: OptionScope,
    name: &OptionName,
    value: Option<&str>,
    how: Set,
) -> Result<(), option::OptionError> {
    // The store is taken out while it is changed, so that checks and inherited values can read the rest of the model.
    let Some(mut store) = mux.option_store(scope).map(std::mem::take) else { return Ok(()) };
    let result = {
        let chain: Vec<&OptionStore> = mux.inherited(scope);
        let checks = crate::values::Checker { mux, world: context.world };
        store.set(&chain, name, value, how, &checks)
    };
    if let Some(place) = mux.option_store(scope) {
        *place = store;
    }
    result
}
