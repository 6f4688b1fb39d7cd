//! What the loops over options and environments give in each turn.

use super::At;
use crate::environment::Environment;
use crate::format::Row;
use crate::option::{ItemKey, OptionStore, OptionValue, find};

/// The options of whom `O/FLAGS:` names, each item of an array by itself.
pub(super) fn options(at: &At<'_>, flags: &str) -> Vec<Row> {
    let Some(store) = store(at, flags) else { return Vec::new() };
    store.iter().flat_map(|(name, value)| option_rows(name, value)).collect()
}

fn store<'a>(at: &At<'a>, flags: &str) -> Option<&'a OptionStore> {
    let global = flags.contains('g');
    if flags.contains('v') {
        return Some(&at.mux.globals.server);
    }
    if flags.contains('w') {
        return if global { Some(&at.mux.globals.window) } else { at.window().map(|window| &window.options) };
    }
    if !flags.contains('s') && flags.contains('p') {
        return at.pane().filter(|_| !global).map(|pane| &pane.options);
    }
    if global { Some(&at.mux.globals.session) } else { at.session().map(|session| &session.options) }
}

fn option_rows(name: &str, value: &OptionValue) -> Vec<Row> {
    let flag = |on: bool| String::from(if on { "1" } else { "0" });
    let row = |key: Option<&ItemKey>, value: String, first: bool, last: bool, count: usize, array: bool| -> Row {
        let key = key.map_or(String::new(), ItemKey::to_string);
        vec![
            ("option_name", name.to_owned()),
            ("option_value", value),
            ("option_is_array", flag(array)),
            ("option_array_key", key.clone()),
            ("option_array_index", key),
            ("option_array_first", flag(first)),
            ("option_array_last", flag(last)),
            ("option_array_count", count.to_string()),
            ("option_is_hook", flag(find(name).is_some_and(|row| row.hook))),
            ("option_is_user", flag(name.starts_with('@'))),
        ]
    };
    match value {
        OptionValue::Array(items) if items.is_empty() => vec![row(None, String::new(), true, true, 0, true)],
        OptionValue::Array(items) => items
            .iter()
            .enumerate()
            .map(|(at, (key, value))| row(Some(key), value.clone(), at == 0, at + 1 == items.len(), items.len(), true))
            .collect(),
        value => vec![row(None, value.text(), false, false, 0, false)],
    }
}

/// The variables of the environment that `V/FLAGS:` names.
pub(super) fn variables(at: &At<'_>, flags: &str) -> Vec<Row> {
    let environment: Option<&Environment> = match flags {
        "" | "s" => at.session().map(|session| &session.environment),
        "g" => Some(&at.mux.environment),
        "c" => at.client().map(|client| &client.environment),
        _ => None,
    };
    let flag = |on: bool| String::from(if on { "1" } else { "0" });
    let rows = environment.into_iter().flat_map(Environment::iter).map(|(name, variable)| {
        vec![
            ("environ_name", name.to_owned()),
            ("environ_value", variable.value.clone().unwrap_or_default()),
            ("environ_hidden", flag(variable.hidden)),
            ("environ_removed", flag(variable.value.is_none())),
        ]
    });
    rows.collect()
}
