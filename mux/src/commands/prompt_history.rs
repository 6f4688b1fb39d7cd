//! show-prompt-history, clear-prompt-history: what was typed at prompts.

use super::*;
use crate::prompt::HISTORIES;

pub(crate) static SHOW: Row = Row::new(
    Signature {
        name: "show-prompt-history",
        alias: Some("showphist"),
        template: Template::text("T:", 0, Some(0)),
        usage: "[-T prompt-type]",
    },
    "Show what was typed at prompts",
    show,
)
.after_hook();

pub(crate) static CLEAR: Row = Row::new(
    Signature {
        name: "clear-prompt-history",
        alias: Some("clearphist"),
        template: Template::text("T:", 0, Some(0)),
        usage: "[-T prompt-type]",
    },
    "Forget what was typed at prompts",
    clear,
)
.after_hook();

/// The kinds that `-T` names: all without it.
fn kinds(context: &Context<'_>) -> Result<Vec<&'static str>, CommandError> {
    match context.get('T') {
        None => Ok(HISTORIES.to_vec()),
        Some(name) => match HISTORIES.iter().find(|kind| **kind == name) {
            Some(kind) => Ok(vec![kind]),
            None => Err(format!("invalid type: {name}").into()),
        },
    }
}

fn show(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    for kind in kinds(context)? {
        mux.print(context, &format!("History for {kind}:\n"));
        let lines = mux.prompt_history.get(kind).cloned().unwrap_or_default();
        for (number, line) in lines.iter().enumerate() {
            mux.print(context, &format!("{}: {line}", number + 1));
        }
        mux.print(context, "");
    }
    DONE
}

fn clear(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    for kind in kinds(context)? {
        mux.prompt_history.remove(kind);
    }
    mux.changed();
    DONE
}
