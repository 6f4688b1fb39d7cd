//! display-message: expand a format and show it.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "display-message",
        alias: Some("display"),
        template: Template::text("aCc:d:lINpt:F:v", 0, Some(1)),
        usage: "[-aCIlNpv] [-c target-client] [-d delay] [-F format] [-t target-pane] [message]",
    },
    "Show a message",
    run,
)
.target(Spec::of('t', Kind::Pane).can_fail())
.client('c', true)
.after_hook()
.read_only_but("I");

const FORMAT: &str = "[#{session_name}] #{window_index}:#{window_name}, current pane #{pane_index} - (%H:%M %d-%b-%y)";

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    if context.has('I') {
        return input(mux, context);
    }
    if context.has('F') && context.argument(0).is_some() {
        return Err("only one of -F or argument must be given".into());
    }
    let delay = match context.has('d') {
        true => {
            let ms =
                context.arguments().number('d', 0, i64::from(u32::MAX)).map_err(|error| format!("delay {error}"))?;
            Some(std::time::Duration::from_millis(ms as u64))
        }
        false => None,
    };
    let template = context.argument(0).or_else(|| context.get('F')).unwrap_or_else(|| FORMAT.to_owned());
    let session = context.target.session;
    let named = context.target_client.filter(|id| mux.clients.get(id).is_some_and(|client| client.session == session));
    let client = named.or_else(|| mux.best_client(session));
    if context.has('a') {
        for line in mux.all_variables(client, context.target, context.world, context.now) {
            mux.print(context, &line);
        }
        return DONE;
    }
    let text = if context.has('l') {
        template
    } else {
        let extra = mux.format_values(context, &template);
        match mux.only_reads(context) {
            // What a reader writes runs nothing.
            true => mux.expand_time_in(context, context.target, &template),
            false => mux.expand_time_at(
                client,
                context.client,
                context.target,
                &template,
                &extra,
                context.world,
                context.now,
            ),
        }
    };
    if context.client.is_none() {
        mux.report_error(context, &text);
        return DONE;
    }
    if context.has('p') {
        mux.print(context, &text);
    } else if let Some(client) = context.target_client {
        mux.show_message(context.now, client, text, delay);
    }
    DONE
}

/// -I: the client's standard input goes to an empty pane.
fn input(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let (Some(client), Some(pane)) = (context.client, context.target.pane) else { return DONE };
    if mux.panes.get(&pane).is_some_and(|pane| pane.program != crate::Program::None) {
        return Err("pane is not empty".into());
    }
    let wait = mux.read_stdin(client);
    context.run_after(vec![crate::queue::Item::callback(context.state.clone(), move |mux, _| {
        let bytes = mux.take_stdin(client);
        if let Some(entry) = mux.panes.get_mut(&pane) {
            let text = String::from_utf8_lossy(&bytes).replace('\n', "\r\n");
            entry.terminal.feed(text.as_bytes());
            entry.terminal.take_events();
        }
        DONE
    })]);
    Ok(Flow::Wait(wait))
}
