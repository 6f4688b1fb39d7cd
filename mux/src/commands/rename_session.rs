//! rename-session: give a session another name.

use super::*;
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "rename-session",
        alias: Some("rename"),
        template: Template::text("t:", 1, Some(1)),
        usage: "[-t target-session] new-name",
    },
    "Rename a session",
    run,
)
.target(Spec::of('t', Kind::Session))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(session) = context.target.session else { return DONE };
    let name = context.argument(0).unwrap_or_default();
    let name = checked_name(mux, context, &name, "session")?;
    if mux.sessions.get(&session).is_some_and(|entry| entry.name == name) {
        return DONE;
    }
    if mux.session_named(&name).is_some() {
        return Err(format!("duplicate session: {name}").into());
    }
    let Some(entry) = mux.sessions.get_mut(&session) else { return DONE };
    let names = [("old_name", std::mem::replace(&mut entry.name, name.clone())), ("new_name", name)];
    mux.changed();
    mux.event_with(Event::SessionRenamed(session), &names);
    DONE
}
