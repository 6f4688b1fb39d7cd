//! list-commands: the table of commands.

use super::*;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "list-commands",
        alias: Some("lscm"),
        template: Template::text("F:", 0, Some(1)),
        usage: "[-F format] [command]",
    },
    "List commands",
    run,
)
.starts_server()
.read_only();

const FORMAT: &str = "#{command_list_name}#{?command_list_alias, (#{command_list_alias}),} #{command_list_usage}";

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let format = context.get('F').unwrap_or_else(|| FORMAT.to_owned());
    let only = context.argument(0);
    if let Some(name) = &only {
        Table { mux }.find(name)?;
    }
    let face = if context.client.and_then(|id| mux.clients.get(&id)).is_some_and(|client| client.rove) {
        Face::Rove
    } else {
        Face::Tmux
    };
    for row in rows(face) {
        let signature = &row.signature;
        if only.as_deref().is_some_and(|only| {
            signature.name != only && signature.alias != Some(only) && !signature.name.starts_with(only)
        }) {
            continue;
        }
        let extra = [
            ("command_list_name".to_owned(), signature.name.to_owned()),
            ("command_list_alias".to_owned(), signature.alias.unwrap_or("").to_owned()),
            ("command_list_usage".to_owned(), signature.usage.to_owned()),
        ];
        let text = mux.expand_at(context.client, context.target, &format, &extra, context.world, context.now);
        if !text.is_empty() {
            mux.print(context, &text);
        }
    }
    DONE
}
