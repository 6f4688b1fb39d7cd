//! new-window: make a window in a session.

use super::*;
use crate::spawn::Wanted;
use crate::target::{Found, Kind};

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "new-window",
        alias: Some("neww"),
        template: Template::text("abc:de:EF:kn:PSt:", 0, None),
        usage: "[-abdkPS] [-c start-directory] [-e environment] [-F format] [-n window-name] [-t target-window] [shell-command [argument ...]]",
    },
    "Create a window",
    run,
)
.target(Spec::of('t', Kind::Window).window_index());

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(session) = context.target.session else { return DONE };
    let (argv, empty) = split_window::command_words(context)?;
    let name = context.get('n').map(|name| checked_name(mux, context, &name, "window")).transpose()?;
    let mut index = context.target.index;
    if let Some(name) = name.as_deref().filter(|_| context.has('S') && index.is_none())
        && let Some(index) = window_named(mux, session, name)?
    {
        if !context.has('d') {
            mux.select_window(session, index);
            mux.recalculate_sizes();
        }
        return DONE;
    }
    if context.has('a') || context.has('b') {
        index = mux.make_room(session, context.target.index, context.has('b'));
    }
    let wanted = Wanted {
        argv,
        empty,
        cwd: context.get('c').map(|cwd| absolute(mux, context, &cwd)),
        environment: assignments(&context.arguments().all('e').map(str::to_owned).collect::<Vec<_>>()),
        client: context.client,
        ..Wanted::default()
    };
    let mut detached = context.has('d');
    let mut replaced = None;
    if let Some(index) = index.filter(|index| context.has('k') && mux.sessions[&session].windows.contains_key(index)) {
        let entry = mux.sessions.get_mut(&session).expect("the target was found");
        detached &= entry.current != index;
        replaced = entry.windows.remove(&index).map(|link| link.window);
    }
    let made = mux.add_window(context.now, context.world, session, index, name, None, &wanted);
    let (index, window, pane) = made.map_err(|error| CommandError(format!("create window failed: {error}")))?;
    if let Some(replaced) = replaced {
        mux.event(Event::WindowUnlinked(session, replaced));
        mux.drop_if_unlinked(replaced);
    }
    if !detached {
        mux.select_window(session, index);
    }
    mux.event(Event::WindowLinked(session, window));
    let found = Found {
        session: Some(session),
        index: Some(index),
        window: Some(window),
        pane: Some(pane),
        ..Found::default()
    };
    if !detached {
        context.state.current.set(Some(found));
    }
    if context.has('P') {
        let format = context.get('F').unwrap_or_else(|| NEW_FORMAT.to_owned());
        let text = mux.expand_in(context, found, &format);
        mux.print(context, &text);
    }
    context.hook_after(mux, "after-new-window", found);
    DONE
}

fn window_named(mux: &Mux, session: SessionId, name: &str) -> Result<Option<i32>, CommandError> {
    let named = |link: &Winlink| mux.windows.get(&link.window).is_some_and(|window| window.name == name);
    let mut found = mux.sessions[&session].windows.iter().filter(|(_, link)| named(link));
    match (found.next(), found.next()) {
        (Some((index, _)), None) => Ok(Some(*index)),
        (None, _) => Ok(None),
        _ => Err(format!("multiple windows named {name}").into()),
    }
}
