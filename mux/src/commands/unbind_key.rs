//! unbind-key: untie a key.

use super::*;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "unbind-key",
        alias: Some("unbind"),
        template: Template::text("anqT:", 0, Some(1)),
        usage: "[-anq] [-T key-table] key",
    },
    "Remove a key binding",
    run,
)
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let quiet = context.has('q');
    let table = match (context.get('T'), context.has('n')) {
        (Some(table), _) => table,
        (None, true) => "root".to_owned(),
        (None, false) => "prefix".to_owned(),
    };
    let fail = |text: String| if quiet { DONE } else { Err(text.into()) };
    if context.has('a') {
        if context.argument(0).is_some() {
            return fail("key given with -a".to_owned());
        }
        if !mux.keys.contains_table(&table) {
            return fail(format!("table {table} doesn't exist"));
        }
        mux.keys.remove_table(&table);
        mux.changed();
        return DONE;
    }
    let Some(name) = context.argument(0) else { return fail("missing key".to_owned()) };
    let Some(key) = keymap::parse_key(&name).filter(|key| *key != keymap::Key::NONE) else {
        return fail(format!("unknown key: {name}"));
    };
    if context.has('T') && !mux.keys.contains_table(&table) {
        return fail(format!("table {table} doesn't exist"));
    }
    mux.keys.unbind(&table, key);
    mux.changed();
    DONE
}
