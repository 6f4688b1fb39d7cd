//! resume-picker, resume-conversation and list-conversations: the conversations that engines keep, with and without a
//! pane, and going on with one of them.

use super::*;
use crate::mode::list::{self, Opening, Reading, Scope};
use crate::target::{Found, Kind};
use agents::Conversation;

pub(crate) static PICKER: Row = Row::new(
    Signature {
        name: "resume-picker",
        alias: None,
        template: Template::text("ac:F:f:K:NO:rt:Z", 0, Some(1)),
        usage: "[-aNrZ] [-c directory] [-F format] [-f filter] [-K key-format] [-O sort-order] [-t target-pane] [template]",
    },
    "Choose a conversation to resume",
    picker,
)
.target(Spec::of('t', Kind::Pane))
.rove();

pub(crate) static CONVERSATION: Row = Row::new(
    Signature {
        name: "resume-conversation",
        alias: None,
        template: Template::text("t:", 1, Some(1)),
        usage: "[-t target-pane] conversation",
    },
    "Resume a conversation in a new window, or go to the pane that is on it",
    conversation,
)
.target(Spec::of('t', Kind::Pane))
.rove();

pub(crate) static LIST: Row = Row::new(
    Signature {
        name: "list-conversations",
        alias: None,
        template: Template::text("ac:F:j", 0, Some(0)),
        usage: "[-aj] [-c directory] [-F format]",
    },
    "List the conversations of a directory, or of all; -j as JSON",
    list,
)
.read_only()
.rove();

/// The directory whose conversations are meant: that of -c, of a client that shows no session, or of the pane.
fn directory(mux: &Mux, context: &Context<'_>) -> String {
    let pane = context.target.pane;
    let path = match context.get('c') {
        Some(path) => Some(absolute(mux, context, &path)),
        None => pane
            .and_then(|pane| context.world.foreground_path(pane))
            .or_else(|| pane.and_then(|pane| mux.panes.get(&pane)).map(|pane| pane.cwd.clone())),
    };
    let path = path.unwrap_or_else(|| mux.default_cwd(context.client, context.target.session, context.world));
    context.world.real_path(&path).unwrap_or(path)
}

fn picker(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let unattached = context.client.and_then(|id| mux.clients.get(&id)).filter(|client| client.session.is_none());
    let inside = unattached.filter(|_| !context.has('t')).and_then(|client| crate::target::inside_pane(mux, client));
    if let Some(found) = inside.and_then(|pane| crate::target::from_pane(mux, pane)) {
        // Who runs it in a pane means that pane, whichever is the active one.
        context.target = found;
    }
    let Some(pane) = context.target.pane else { return DONE };
    let scope = Scope { directory: directory(mux, context), all: context.has('a') };
    let opening = Opening::of_flags(&list::CONVERSATIONS, context)?;
    let place = context.target;
    mux.open_list(context, pane, place, opening);
    mux.read_conversations(pane, scope);
    mux.make_list(context.now, context.world, pane);
    DONE
}

/// Read the stores, then go on with what they tell, in the place of this command.
fn reading(
    mux: &mut Mux,
    context: &Context<'_>,
    reading: &Reading,
    then: impl FnOnce(&mut Mux, &mut Context<'_>, Vec<Conversation>) -> Outcome + 'static,
) -> Outcome {
    let start = mux.reading(reading, context.target.session, context.target.pane);
    let state = context.state.clone();
    let job = mux.start_job(
        start,
        Box::new(move |mux, _, _, id, output, exit| {
            let then = Item::callback(state, move |mux, context| {
                if exit != Exit::Status(0) {
                    return Err("the engines' files could not be read: is this program still where it was?".into());
                }
                then(mux, context, list::told(&output))
            });
            mux.queues.wake_with(&Wait::Job(id), vec![then]);
        }),
    );
    Ok(Flow::Wait(Wait::Job(job)))
}

fn list(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let unattached = context.client.and_then(|id| mux.clients.get(&id)).filter(|client| client.session.is_none());
    let directory = match (unattached, context.has('c')) {
        (Some(client), false) => context.world.real_path(&client.cwd).unwrap_or_else(|| client.cwd.clone()),
        _ => directory(mux, context),
    };
    let scope = Scope { directory, all: context.has('a') };
    let (json, format) = (context.has('j'), context.get('F'));
    reading(mux, context, &Reading::Listed(scope), move |mux, context, rows| {
        if json {
            let text = agents::conversations::json(
                rows.iter().map(|row| (row, mux.pane_on(&row.engine, &row.id).map(|pane| pane.to_string()))),
            );
            // Whoever reads it reads UTF-8, whatever a terminal would show.
            mux.print_bytes(context, text.into_bytes(), false);
            return DONE;
        }
        let format = format.unwrap_or_else(|| DEFAULT_FORMAT.to_owned());
        let now_ms = context.now.unix.as_millis() as u64;
        for row in rows {
            let values = list::values(mux, &row, now_ms);
            let text = mux.expand_at(context.client, context.target, &format, &values, context.world, context.now);
            mux.print(context, &text);
        }
        DONE
    })
}

const DEFAULT_FORMAT: &str = "#{conversation_id} #{p4:conversation_age} #{p9:conversation_engine} #{conversation_title}#{?conversation_pane, (in #{conversation_pane}),}";

fn conversation(mux: &mut Mux, context: &mut Context<'_>) -> Outcome {
    let named = context.argument(0).unwrap_or_default();
    let (engine, id) = named.split_once(':').map_or((None, named.as_str()), |(engine, id)| (Some(engine), id));
    let engine = engine.map(|engine| mux.engine_named(engine).map(|row| row.id)).transpose()?;
    if !agents::session::is_safe(id) {
        return Err(format!("{id} is no conversation's id").into());
    }
    let id = id.to_owned();
    let found = context.target;
    reading(mux, context, &Reading::Named(id.clone()), move |mux, context, rows| {
        let mut rows: Vec<Conversation> =
            rows.into_iter().filter(|row| engine.is_none_or(|engine| row.engine == engine)).collect();
        let exact = |row: &Conversation| row.id == id;
        if rows.iter().any(exact) {
            rows.retain(exact);
        }
        match rows.as_slice() {
            [row] => mux.resume_conversation(context, found, row),
            [] => Err(format!("no conversation {id} was found: rove resume --list --all shows those there are").into()),
            _ => Err(format!("{} conversations begin with {id}: give more of it", rows.len()).into()),
        }
    })
}

impl Mux {
    /// Go to the pane that is on a conversation, or open it in a new window of a session.
    fn resume_conversation(&mut self, context: &mut Context<'_>, found: Found, row: &Conversation) -> Outcome {
        if let Some(pane) = self.pane_on(&row.engine, &row.id) {
            return self.show_pane(context, pane);
        }
        let Some(session) = found.session.filter(|id| self.sessions.contains_key(id)) else {
            return Err("there is no session to open it in".into());
        };
        let (engine, launch, note) = self.plan_return(context, found.pane, row)?;
        let shell = self.default_shell(session);
        let path = self.environment.get("PATH").unwrap_or_default().to_owned();
        let mut wanted = self.wrapped(engine, &launch, &shell, &path);
        wanted.client = context.client;
        let made = self.add_window(context.now, context.world, session, None, None, None, &wanted);
        let (index, window, pane) = made.map_err(|error| CommandError(format!("create window failed: {error}")))?;
        self.agent_moved(context.now, pane, launch.record);
        self.keep_for_engine(pane);
        self.select_window(session, index);
        self.event(Event::WindowLinked(session, window));
        let found = crate::target::from_pane(self, pane).unwrap_or_default();
        context.state.current.set(Some(found));
        if let (Some(note), Some(client)) = (note, context.target_client.or(context.client)) {
            self.show_message(context.now, client, note, None);
        }
        DONE
    }

    fn show_pane(&mut self, context: &mut Context<'_>, pane: PaneId) -> Outcome {
        let Some(found) = crate::target::from_pane(self, pane) else { return Err("the pane is gone".into()) };
        let (Some(session), Some(index), Some(window)) = (found.session, found.index, found.window) else {
            return DONE;
        };
        self.select_window(session, index);
        let client = context.target_client.or(context.client).or_else(|| self.best_client(Some(session)));
        let elsewhere = client.and_then(|id| self.clients.get(&id)).filter(|client| client.session != Some(session));
        if let Some(client) = elsewhere.filter(|client| client.session.is_some()).map(|client| client.id) {
            self.switch_client(context.now, client, session);
        }
        self.focus_pane(client, window, pane);
        self.recalculate_sizes();
        self.redraw();
        DONE
    }
}
