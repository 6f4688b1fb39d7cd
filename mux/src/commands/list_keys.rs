//! list-keys: the bindings, as commands that would make them.

use super::*;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "list-keys",
        alias: Some("lsk"),
        template: Template::text("1aF:NO:P:rT:", 0, Some(1)),
        usage: "[-1aNr] [-F format] [-O order] [-P prefix-string][-T key-table] [key]",
    },
    "List key bindings",
    run,
)
.starts_server()
.read_only();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let table = context.get('T');
    if let Some(name) = table.as_deref().filter(|name| !mux.keys.contains_table(name)) {
        return Err(format!("table {name} doesn't exist").into());
    }
    let only = match context.argument(0) {
        Some(text) => Some(keymap::parse_key(&text).ok_or_else(|| format!("invalid key: {text}"))?),
        None => None,
    };
    let lines = if context.has('N') {
        notes(mux, context, table.as_deref(), only)
    } else {
        bindings(mux, table.as_deref(), only)
    };
    if lines.is_empty() && only.is_some() {
        return Err(format!("unknown key: {}", context.argument(0).unwrap_or_default()).into());
    }
    let lines = if context.has('1') { &lines[..lines.len().min(1)] } else { &lines[..] };
    let shown = context.client.filter(|id| mux.clients.get(id).is_some_and(|client| client.is_drawn()));
    if let Some(client) = shown {
        mux.show_page(client, lines.to_vec());
        return DONE;
    }
    for line in lines {
        mux.print(context, line);
    }
    DONE
}

/// `bind-key -r -T table key command`, in columns as wide as the widest.
fn bindings(mux: &Mux, table: Option<&str>, only: Option<keymap::Key>) -> Vec<String> {
    let chosen: Vec<_> = mux
        .keys
        .iter()
        .filter(|(name, binding)| table.is_none_or(|table| table == *name) && only.is_none_or(|key| key.matches(binding.key)))
        .collect();
    let quoted = |binding: &keymap::Binding<Commands>| crate::command::escape(&keymap::key_name(binding.key));
    let repeats = chosen.iter().any(|(_, binding)| binding.repeat);
    let table_width = chosen.iter().map(|(name, _)| crate::style::plain_width(name)).max().unwrap_or(0);
    let key_width = chosen.iter().map(|(_, binding)| crate::style::plain_width(&quoted(binding))).max().unwrap_or(0);
    let line = |(name, binding): &(&str, &keymap::Binding<Commands>)| {
        let repeat = match (repeats, binding.repeat) {
            (_, true) => "-r ",
            (true, false) => "   ",
            _ => "",
        };
        let key = quoted(binding);
        format!("bind-key {repeat}-T {name:table_width$} {key:key_width$} {}", binding.command.print())
    };
    chosen.iter().map(line).collect()
}

/// Keys with their notes, as a person reads them.
fn notes(mux: &Mux, context: &Context<'_>, table: Option<&str>, only: Option<keymap::Key>) -> Vec<String> {
    let prefix = context.get('P').unwrap_or_else(|| match context.target.session {
        Some(session) => format!("{} ", mux.session_text(session, "prefix")),
        None => format!("{} ", mux.globals.session.text("prefix")),
    });
    let mut chosen = Vec::new();
    for (name, before) in [("root", ""), ("prefix", prefix.as_str())] {
        if table.is_some_and(|table| table != name) {
            continue;
        }
        let all = context.has('a');
        for binding in mux.keys.bindings(name) {
            if only.is_some_and(|key| !key.matches(binding.key)) || (binding.note.is_none() && !all) {
                continue;
            }
            let text = binding.note.as_deref().map(str::to_owned).unwrap_or_else(|| binding.command.print());
            chosen.push((format!("{before}{}", keymap::key_name(binding.key)), text));
        }
    }
    let width = chosen.iter().map(|(key, _)| crate::style::plain_width(key)).max().unwrap_or(0);
    chosen.into_iter().map(|(key, text)| format!("{key:width$} {text}")).collect()
}
