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
.read_only()
.after_hook();

const FORMAT: &str = "#{?notes_only,#{key_prefix} #{p|#{key_string_width}:key_string} #{?key_note,#{key_note},#{key_command}},bind-key #{?key_has_repeat,#{?key_repeat,-r,  },} -T #{p|#{key_table_width}:key_table} #{p|#{key_string_width}:#{q|a:key_string}} #{key_command}}";

type Entry<'a> = (&'a str, &'a keymap::Binding<Commands>);

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let only = match context.argument(0) {
        Some(text) => Some(keymap::parse_key(&text).ok_or_else(|| format!("invalid key: {text}"))?),
        None => None,
    };
    let sorting = listing::sorting(context)?;
    let table = context.get('T');
    if let Some(name) = table.as_deref().filter(|name| !mux.keys.contains_table(name)) {
        return Err(format!("table {name} doesn't exist").into());
    }
    let entries = chosen(mux, context, table.as_deref(), only, sorting);
    if let (true, Some(name)) = (entries.is_empty(), context.argument(0)) {
        return Err(format!("unknown key: {name}").into());
    }
    let mut lines = lines(mux, context, &entries);
    if context.has('1') {
        lines.truncate(1);
    }
    // With -1 the line is a message for the client that the command is about, where it can show one; so is one alone for
    // who has a screen.
    let drawn = context.target_client.filter(|id| mux.clients.get(id).is_some_and(|client| !client.is_control()));
    let own = context.client.and_then(|id| mux.clients.get(&id)).is_some_and(crate::Client::is_drawn);
    if let ([line], Some(client), true) = (lines.as_slice(), drawn, context.has('1') || own) {
        mux.show_message(context.now, client, line.clone(), None);
        return DONE;
    }
    for line in lines.into_iter().filter(|line| !line.is_empty()) {
        mux.print(context, &line);
    }
    DONE
}

/// The bindings that are asked for: of a table; with -N those of the prefix and root tables; else all.
fn chosen<'a>(
    mux: &'a Mux,
    context: &Context<'_>,
    table: Option<&str>,
    only: Option<keymap::Key>,
    sorting: listing::Sorting,
) -> Vec<Entry<'a>> {
    let notes = context.has('N');
    let mut entries: Vec<Entry<'a>> = match table {
        Some(table) => mux.keys.iter().filter(|(name, _)| *name == table).collect(),
        None if notes => ["prefix", "root"]
            .into_iter()
            .flat_map(|table| mux.keys.iter().filter(move |(name, _)| *name == table))
            .collect(),
        None => mux.keys.iter().collect(),
    };
    let compare = |order: listing::Order, a: &Entry<'_>, b: &Entry<'_>| match order {
        listing::Order::Index => a.1.key.cmp(&b.1.key),
        _ => std::cmp::Ordering::Equal,
    };
    sorting.sort(&mut entries, compare, |_| String::new());
    let noted = |entry: &Entry<'_>| !notes || context.has('a') || entry.1.note.is_some();
    let asked = |entry: &Entry<'_>| only.map_or(!entry.1.unlisted, |key| key.matches(entry.1.key));
    entries.retain(|entry| asked(entry) && noted(entry));
    entries
}

/// A line for each binding, in columns as wide as the widest.
fn lines(mux: &Mux, context: &Context<'_>, entries: &[Entry<'_>]) -> Vec<String> {
    let names: Vec<String> = entries.iter().map(|(_, binding)| keymap::key_name(binding.key)).collect();
    let width = |texts: &mut dyn Iterator<Item = &str>| texts.map(crate::style::plain_width).max().unwrap_or(0);
    let flag = |on: bool| String::from(if on { "1" } else { "0" });
    let shared = [
        ("notes_only", flag(context.has('N'))),
        ("key_has_repeat", flag(entries.iter().any(|(_, binding)| binding.repeat))),
        ("key_string_width", width(&mut names.iter().map(String::as_str)).to_string()),
        ("key_table_width", width(&mut entries.iter().map(|(table, _)| *table)).to_string()),
        ("key_prefix", context.get('P').unwrap_or_else(|| mux.globals.session.text("prefix"))),
    ];
    let format = context.get('F').unwrap_or_else(|| FORMAT.to_owned());
    let line = |((table, binding), name): (&Entry<'_>, &String)| {
        let command = crate::command::print_commands(&binding.command.list, crate::command::Separator::EscapedAlike);
        let own = [
            ("key_repeat", flag(binding.repeat)),
            ("key_note", binding.note.as_deref().unwrap_or_default().to_owned()),
            ("key_table", (*table).to_owned()),
            ("key_string", name.clone()),
            ("key_command", command),
        ];
        let extra: Vec<(String, String)> =
            shared.iter().cloned().chain(own).map(|(name, value)| (name.to_owned(), value)).collect();
        mux.expand_at(context.client, context.target, &format, &extra, context.world, context.now)
    };
    entries.iter().zip(&names).map(line).collect()
}

#[cfg(test)]
mod tests {
    use crate::Face;
    use crate::fake::Bench;

    #[test]
    fn a_terminal_reads_them_in_view_mode_and_one_alone_in_its_status_line() {
        let mut bench = Bench::new(Face::Tmux);
        let client = bench.terminal((80, 24), &["new-session", "cat"]);
        bench.keys(client, b"\x02?");
        assert_eq!(bench.format("", "#{pane_mode} #{scroll_position}"), "view-mode 65");
        bench.keys(client, b"q");
        assert_eq!(bench.format("", "#{pane_in_mode}"), "0");
        bench.keys(client, b"\x02:list-keys -T prefix x\r");
        let message = bench.mux.clients[&client].message.as_ref().expect("a message is shown");
        assert!(message.text.contains("kill-pane"), "{}", message.text);
        assert_eq!(bench.format("", "#{pane_in_mode}"), "0");
    }
}
