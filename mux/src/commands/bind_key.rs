//! bind-key: tie commands to a key.

use super::*;
use crate::command::Value;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "bind-key",
        alias: Some("bind"),
        template: Template { flags: "nrN:T:", least: 1, most: None, kind: Some(kind) },
        usage: "[-nr] [-T key-table] [-N note] key [command [argument ...]]",
    },
    "Bind a key to a command",
    run,
)
.after_hook();

fn kind(_: &crate::command::Arguments, _: usize) -> crate::command::Kind {
    crate::command::Kind::CommandsOrText
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let name = context.argument(0).unwrap_or_default();
    let key = keymap::parse_key(&name)
        .filter(|key| *key != keymap::Key::NONE)
        .ok_or_else(|| format!("unknown key: {name}"))?;
    let table = match (context.get('T'), context.has('n')) {
        (Some(table), _) => table,
        (None, true) => "root".to_owned(),
        (None, false) => "prefix".to_owned(),
    };
    let note = context.get('N');
    let repeat = context.has('r');
    let values = context.arguments().positional()[1..].to_vec();
    let commands = match values.as_slice() {
        [] => {
            mux.keys.annotate(&table, key, note.as_deref(), repeat);
            mux.changed();
            return DONE;
        }
        [Value::Commands(list)] => Commands::new(list.clone()),
        [Value::Text(text)] => mux.commands(text, None, context.world)?,
        words => {
            let line = context.running.as_ref().map_or(0, |(commands, at)| commands.list[*at].line);
            mux.commands_of_values(words, line)?
        }
    };
    mux.keys.bind(&table, key, commands, note.as_deref(), repeat);
    mux.changed();
    DONE
}
