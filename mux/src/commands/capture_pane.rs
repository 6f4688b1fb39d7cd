//! capture-pane and clear-history: what a pane shows, as text.

use super::*;
use crate::target::Kind;
use term::{Capture, LineNumber};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "capture-pane",
        alias: Some("capturep"),
        // -R is of the version after 3.7c, so it is taken and not told.
        template: Template::text("ab:CeE:FHJLMNpPqRS:Tt:", 0, Some(0)),
        usage: "[-aCeFHJLMNpPqT] [-b buffer-name] [-E end-line] [-S start-line] [-t target-pane]",
    },
    "Capture a pane's text",
    run,
)
.target(Spec::of('t', Kind::Pane))
.after_hook()
.read_only_but("b");

pub(crate) static CLEAR: Row = Row::new(
    Signature {
        name: "clear-history",
        alias: Some("clearhist"),
        template: Template::text("Ht:", 0, Some(0)),
        usage: "[-H] [-t target-pane]",
    },
    "Clear a pane's history",
    |mux, context| {
        if let Some(pane) = context.target.pane {
            mux.clear_history(pane);
        }
        DONE
    },
)
.target(Spec::of('t', Kind::Pane))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    // Without -p it makes a buffer.
    if !context.has('p') && mux.only_reads(context) {
        return Err("client is read-only".into());
    }
    let Some(id) = context.target.pane else { return DONE };
    let Some(pane) = mux.panes.get(&id) else { return DONE };
    let mut bytes = if context.has('R') {
        pane.terminal.dump().into_bytes()
    } else if context.has('P') {
        pending(pane, context.has('C'))
    } else {
        if context.has('a') && !pane.terminal.alternate_on() {
            if !context.has('q') {
                return Err("no alternate screen".into());
            }
            Vec::new()
        } else {
            pane.terminal.capture(&options(context, pane))
        }
    };
    if context.has('p') {
        if bytes.last() == Some(&b'\n') {
            bytes.pop();
        }
        let plain = context
            .client
            .and_then(|id| mux.clients.get(&id))
            .is_some_and(|client| !client.is_control() && client.session.is_none());
        if plain {
            bytes.push(b'\n');
            if let Some(client) = context.client {
                mux.effect(Effect::Stdout(client, bytes));
            }
        } else {
            mux.print_bytes(context, bytes, false);
        }
        return DONE;
    }
    set_buffer::store(mux, context, context.get('b'), bytes)
}

/// -P: bytes of a sequence that has not ended.
fn pending(pane: &crate::Pane, escapes: bool) -> Vec<u8> {
    let bytes = pane.terminal.pending();
    if !escapes {
        return bytes.to_vec();
    }
    let escape = |byte: &u8| match byte {
        b' '..=b'~' if *byte != b'\\' => vec![*byte],
        byte => format!("\\{byte:03o}").into_bytes(),
    };
    bytes.iter().flat_map(escape).collect()
}

fn options(context: &Context<'_>, pane: &crate::Pane) -> Capture {
    let line = |flag: char, dash: LineNumber, default: LineNumber| match context.get(flag).as_deref() {
        Some("-") => dash,
        Some(text) => text.parse::<i32>().map_or(default, |line| LineNumber::At(line.into())),
        None => default,
    };
    let last = i64::from(pane.terminal.size().rows) - 1;
    Capture {
        start: line('S', LineNumber::First, LineNumber::At(0)),
        end: line('E', LineNumber::Last, LineNumber::At(last)),
        escapes: context.has('e'),
        escape_controls: context.has('C'),
        join: context.has('J'),
        keep_trailing: context.has('N') || context.has('J'),
        trim: context.has('T'),
        alternate: context.has('a'),
        line_numbers: context.has('L'),
        flags: context.has('F'),
        links: context.has('H'),
    }
}
