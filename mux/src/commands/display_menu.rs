//! display-menu: a menu on a client, whose chosen item runs a command.

use super::*;
use crate::command::{Arguments, Kind as Takes};
use crate::overlay::place::Within;
use crate::overlay::{Menu, MenuLook, Owner};
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "display-menu",
        alias: Some("menu"),
        template: Template { flags: "b:c:C:H:s:S:MOt:T:x:y:", least: 1, most: None, kind: Some(takes) },
        usage: "[-MO] [-b border-lines] [-c target-client] [-C starting-choice] [-H selected-style] [-s style] \
                [-S border-style] [-t target-pane] [-T title] [-x position] [-y position] name [key] [command] ...",
    },
    "Display a menu",
    run,
)
.client('c', false)
.target(Spec::of('t', Kind::Pane))
.after_hook();

/// The third of each three is commands; an empty name stands alone.
fn takes(arguments: &Arguments, index: usize) -> Takes {
    let mut at = 0;
    while at < index {
        if arguments.string(at).is_some_and(|name| name.is_empty()) {
            at += 1;
        } else if at + 2 == index {
            return Takes::CommandsOrText;
        } else {
            at += 3;
        }
    }
    Takes::Text
}

/// A control client has no screen to put anything over, and its queue would wait for what nobody sees. Others may open
/// something on it, as tools do that have no terminal of their own.
pub(super) fn drawn(mux: &Mux, context: &Context<'_>, client: ClientId) -> Result<(), CommandError> {
    match mux.clients.get(&client) {
        Some(entry) if entry.is_control() && context.client == Some(client) => {
            Err("a control client has no screen".into())
        }
        _ => Ok(()),
    }
}

/// `-b` as one of the choices of an option.
pub(super) fn border_lines(context: &Context<'_>, option: &str) -> Result<Option<String>, CommandError> {
    let Some(value) = context.get('b') else { return Ok(None) };
    let known = crate::option::OPTIONS.iter().find(|row| row.name == option).is_some_and(|row| match row.kind {
        crate::option::Kind::Choice(names) => names.contains(&value.as_str()),
        _ => false,
    });
    if known { Ok(Some(value)) } else { Err(format!("{option} unknown value: {value}").into()) }
}

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(client) = context.target_client else { return DONE };
    drawn(mux, context, client)?;
    let start = match context.get('C').as_deref() {
        None => Some(0),
        Some("-") => None,
        Some(_) => {
            let start = context.arguments().number('C', 0, u32::MAX.into());
            Some(start.map_err(|error| format!("starting choice {error}"))? as usize)
        }
    };
    let mut menu = items(mux, context, client)?;
    let lines = border_lines(context, "menu-border-lines")?;
    if menu.items.is_empty() || mux.popup_of(client).is_some() {
        return DONE;
    }
    menu.look = MenuLook { lines, style: context.get('s'), selected: context.get('H'), border: context.get('S') };
    menu.stays = context.has('O');
    menu.mouse = context.state.mouse_event.is_some() || context.has('M');
    if let Some(start) = start.filter(|_| !menu.mouse) {
        menu.start_at(start);
    }
    let Some(at) = mux.overlay_place(context, client, Within::Window, menu.size()) else { return DONE };
    menu.at = at;
    if let Some(client) = mux.clients.get_mut(&client) {
        menu.fit(client.size.unwrap_or_default());
        client.last_menu = (u32::from(menu.at.0), u32::from(menu.at.1));
    }
    mux.show_menu(client, menu);
    DONE
}

fn items(mux: &Mux, context: &Context<'_>, client: ClientId) -> Result<Menu, CommandError> {
    let title = context.get('T').map(|title| mux.expand_in(context, context.target, &title)).unwrap_or_default();
    let state = State {
        current: std::cell::Cell::new(Some(context.target)),
        key: context.state.key,
        mouse: context.state.mouse,
        mouse_event: context.state.mouse_event.clone(),
        ..State::default()
    };
    let columns = mux.clients.get(&client).and_then(|client| client.size).map_or(80, |size| size.0);
    let mut menu = Menu::new(title, Owner::Command, Rc::new(state));
    let mut words = context.words().into_iter();
    while let Some(name) = words.next() {
        if name.is_empty() {
            menu.add_line();
            continue;
        }
        let (Some(key), Some(command)) = (words.next(), words.next()) else {
            return Err("not enough arguments".into());
        };
        let name = mux.expand_in(context, context.target, &name);
        let command = mux.expand_in(context, context.target, &command);
        menu.add(&name, keymap::parse_key(&key), command, columns);
    }
    Ok(menu)
}
