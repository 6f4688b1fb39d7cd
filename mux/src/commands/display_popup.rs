//! display-popup: a program in a box over a client's screen.

use super::display_menu::{border_lines, drawn};
use super::*;
use crate::overlay::place::Within;
use crate::overlay::{Change, Ends, Opening};
use crate::target::Kind;

pub(crate) static ROW: Row = Row::new(
    Signature {
        name: "display-popup",
        alias: Some("popup"),
        template: Template::text("Bb:Cc:d:e:Eh:kNs:S:t:T:w:x:y:", 0, None),
        usage: "[-BCEkN] [-b border-lines] [-c target-client] [-d start-directory] [-e environment] [-h height] \
                [-s style] [-S border-style] [-t target-pane] [-T title] [-w width] [-x position] [-y position] \
                [shell-command [argument ...]]",
    },
    "Display a popup with a program in it",
    run,
)
.client('c', false)
.target(Spec::of('t', Kind::Pane))
.after_hook();

fn run(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let Some(client) = context.target_client else { return DONE };
    drawn(mux, context, client)?;
    if context.has('C') {
        mux.clear_overlay(client);
        return DONE;
    }
    let open = mux.popup_of(client);
    let Some((session, screen, covered)) = mux
        .clients
        .get(&client)
        .and_then(|client| Some((client.session, client.screen_size()?, client.overlay.is_some())))
    else {
        return DONE;
    };
    if open.is_none() && covered {
        return DONE;
    }
    let size = (side(context, 'w', "width", screen.0)?, side(context, 'h', "height", screen.1)?);
    let look = look(mux, context, open.is_none())?;
    if let Some(popup) = open {
        mux.change_popup(popup, look);
        return DONE;
    }
    let Some(at) = mux.overlay_place(context, client, Within::Client, size) else { return DONE };
    let words = context.words();
    let argv = match words.as_slice() {
        [] => context.target.session.map(|session| mux.session_text(session, "default-command")).into_iter().collect(),
        words => words.to_vec(),
    };
    let opening = Opening {
        at,
        size,
        argv: if argv == [""] { Vec::new() } else { argv },
        cwd: match context.get('d') {
            Some(path) => mux.expand_in(context, context.target, &path),
            None => mux.default_cwd(Some(client), context.target.session, context.world),
        },
        environment: assignments(&context.arguments().all('e').map(str::to_owned).collect::<Vec<_>>()),
        session: context.target.session.or(session),
        look,
    };
    match mux.open_popup(context.world, client, opening)? {
        Some(popup) => Ok(Flow::Wait(Wait::Popup(popup))),
        None => DONE,
    }
}

/// Columns or rows of the box: half of the client's where nothing is given.
fn side(context: &Context<'_>, flag: char, name: &str, whole: u16) -> Result<u16, CommandError> {
    if !context.has(flag) {
        return Ok(whole / 2);
    }
    let cells = context.arguments().percentage(flag, 1, whole.into(), whole.into());
    Ok(cells.map_err(|error| format!("{name} {error}"))? as u16)
}

fn look(mux: &Mux, context: &Context<'_>, opens: bool) -> Result<Change, CommandError> {
    let lines = border_lines(context, "popup-border-lines")?;
    let ends = match context.arguments().count('E') {
        0 => Ends::Key,
        1 => Ends::Exit,
        _ => Ends::Success,
    };
    let said = opens || context.has('N') || context.has('k') || ends != Ends::Key;
    Ok(Change {
        title: Some(context.get('T').map(|title| mux.expand_in(context, context.target, &title)).unwrap_or_default()),
        style: context.get('s'),
        border_style: context.get('S'),
        lines: if context.has('B') { Some("none".to_owned()) } else { lines },
        ends: said.then_some((ends, context.has('k'))),
    })
}
