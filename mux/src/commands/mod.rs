//! The table of commands: a row each, in a file of its own. Everything that reads a command's name, flags or words
//! reads the row: parser, errors, `list-commands`, completion, manual.

mod agent;
mod attach_session;
mod bind_key;
mod break_pane;
mod capture_pane;
mod choose_tree;
mod command_prompt;
mod copy_mode;
mod detach_client;
mod display_menu;
mod display_message;
mod display_panes;
mod display_popup;
mod find_window;
mod has_session;
mod if_shell;
mod join_pane;
mod kill_pane;
mod kill_server;
mod kill_session;
mod kill_window;
mod list_clients;
mod list_commands;
mod list_keys;
mod list_panes;
mod list_sessions;
mod list_windows;
mod listing;
mod lock_client;
mod move_pane;
mod move_window;
mod new_pane;
mod new_session;
mod new_window;
mod pipe_pane;
mod prompt_history;
mod refresh_client;
mod rename_session;
mod rename_window;
mod resize_pane;
mod resize_window;
mod respawn_pane;
mod resume;
mod rotate_window;
mod routine;
mod run_shell;
mod select_layout;
mod select_pane;
mod select_window;
mod send_keys;
mod send_prefix;
mod server_access;
mod set_buffer;
mod set_environment;
mod set_hook;
mod set_option;
mod show_hooks;
mod show_messages;
mod show_options;
mod source_file;
mod split_window;
mod start_server;
mod stop_session;
mod suspend_client;
mod swap_pane;
mod swap_window;
mod switch_client;
mod switch_mode;
mod unbind_key;
mod unlink_window;
mod wait_for;

pub(crate) use wait_for::EventWaiter;

use crate::client::ClientFlags;
use crate::command::{self, CommandTable, ParseContext, ParseError, Signature, Template};
use crate::effect::{Effect, End, Farewell};
use crate::event::Event;
use crate::id::{ClientId, PaneId, SessionId, WindowId};
use crate::input::Exit;
use crate::jobs::DONE;
use crate::layout::Extent;
use crate::queue::{ClientFlag, CommandError, Context, Flow, Item, Outcome, State, Wait};
use crate::session::{Session, Winlink};
use crate::target::Spec;
use crate::values::OptionScope;
use crate::{Face, Mux};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::LazyLock;

/// What -P prints of a new window or pane.
const NEW_FORMAT: &str = "#{session_name}:#{window_index}.#{pane_index}";

/// A name that a user gave, expanded and checked; the error has tmux's words, with what can't be in a name made visible.
fn checked_name(mux: &Mux, context: &Context<'_>, name: &str, what: &str) -> Result<String, CommandError> {
    let name = mux.expand_in(context, context.target, name);
    let clean = crate::windows::clean_name(&name);
    // Bytes that are no UTF-8 are told as they came.
    if name.chars().any(|c| crate::raw::byte(c).is_some()) {
        return Err(format!("invalid {what} name: {name}").into());
    }
    if name.chars().any(char::is_control) { Err(format!("invalid {what} name: {clean}").into()) } else { Ok(clean) }
}

/// A directory that a user gave, expanded, from where the client stands.
fn absolute(mux: &Mux, context: &Context<'_>, path: &str) -> String {
    let path = mux.expand_in(context, context.target, path);
    if path.starts_with('/') {
        return path;
    }
    let base = mux.default_cwd(context.client, context.target.session, context.world);
    if path.is_empty() { base } else { format!("{base}/{path}") }
}

/// Set a style, or a text, on an owner; `None` when it is no style.
fn set_checked(store: &mut crate::option::OptionStore, option: &str, value: &str) -> Option<()> {
    if option.ends_with("-style") && !value.contains("#{") {
        crate::style::Markup::parse(value).ok()?;
    }
    store.set_text(option, value);
    Some(())
}

/// `NAME=value` words.
fn assignments(words: &[String]) -> Vec<(String, String)> {
    words
        .iter()
        .filter_map(|word| word.split_once('='))
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .collect()
}

/// A command.
pub struct Row {
    /// Its name, alias, flags, arguments and usage.
    pub signature: Signature,
    /// What it does, in a sentence.
    pub about: &'static str,
    /// How its target is found.
    pub target: Spec,
    /// How its source is found.
    pub source: Spec,
    /// Which flag names a client.
    pub client: ClientFlag,
    /// A hook `after-NAME` runs after it.
    pub after_hook: bool,
    /// It changes nothing, so that a read-only client may run it.
    pub read_only: bool,
    /// The flags with which it changes something all the same.
    pub changing_flags: &'static str,
    /// It starts a server where there is none.
    pub starts_server: bool,
    /// True for a command that tmux does not have: listed only as rove.
    pub rove: bool,
    /// True for a command that tmux has after 3.7: found by its exact name, and in no list.
    pub since_main: bool,
    /// Runs it.
    pub run: fn(&mut Mux, &mut Context<'_>) -> Outcome,
}

impl Row {
    /// A row of these words; what is rare is added by the methods below.
    pub const fn new(signature: Signature, about: &'static str, run: fn(&mut Mux, &mut Context<'_>) -> Outcome) -> Row {
        Row {
            signature,
            about,
            target: Spec::NONE,
            source: Spec::NONE,
            client: ClientFlag::None,
            after_hook: false,
            read_only: false,
            changing_flags: "",
            starts_server: false,
            rove: false,
            since_main: false,
            run,
        }
    }

    /// With a target.
    pub const fn target(self, target: Spec) -> Row {
        Row { target, ..self }
    }

    /// With a source.
    pub const fn source(self, source: Spec) -> Row {
        Row { source, ..self }
    }

    /// With a flag that names a client; finding none is an error unless `can_fail`.
    pub const fn client(self, flag: char, can_fail: bool) -> Row {
        Row { client: ClientFlag::Named { flag, can_fail }, ..self }
    }

    /// With a flag that names a client or, where it names none, a pane.
    pub const fn client_or_pane(self, flag: char) -> Row {
        Row { client: ClientFlag::OrPane(flag), ..self }
    }

    /// With a hook after it.
    pub const fn after_hook(self) -> Row {
        Row { after_hook: true, ..self }
    }

    /// Allowed for read-only clients.
    pub const fn read_only(self) -> Row {
        Row { read_only: true, ..self }
    }

    /// Allowed for read-only clients, but not with these flags.
    pub const fn read_only_but(self, changing_flags: &'static str) -> Row {
        Row { read_only: true, changing_flags, ..self }
    }

    /// Starts a server.
    pub const fn starts_server(self) -> Row {
        Row { starts_server: true, ..self }
    }

    /// Not one of tmux's.
    pub const fn rove(self) -> Row {
        Row { rove: true, ..self }
    }

    /// One of tmux's after 3.7.
    pub const fn since_main(self) -> Row {
        Row { since_main: true, ..self }
    }
}

/// Where a text of commands stands.
#[derive(Clone, Copy, Debug)]
pub struct Source<'a> {
    /// The file it stands in.
    pub file: Option<&'a str>,
    /// The line it begins on.
    pub line: u32,
    /// One error ends all of its commands, not those of its line alone.
    pub whole: bool,
}

impl Source<'_> {
    /// A text of no file.
    pub const PLAIN: Source<'static> = Source { file: None, line: 1, whole: true };
}

/// Commands that can be run, with the file they stood in.
#[derive(Clone, Debug)]
pub struct Commands {
    /// The commands in order.
    pub list: Rc<Vec<command::Command>>,
    /// The file, for messages.
    pub file: Option<Rc<str>>,
}

impl Commands {
    /// Commands that stood in no file.
    pub fn new(list: Vec<command::Command>) -> Commands {
        Commands { list: Rc::new(list), file: None }
    }

    /// The commands as they print.
    pub fn print(&self) -> String {
        command::print_commands(&self.list, command::Separator::Plain)
    }
}

include!("table.rs");

#[cfg(test)]
mod tests;

/// The row of a command that is in the table.
pub fn row(name: &str) -> &'static Row {
    row_named(name).expect("commands are built from the table's own signatures")
}

/// The row of exactly this name.
fn row_named(name: &str) -> Option<&'static Row> {
    static INDEX: LazyLock<HashMap<&'static str, &'static Row>> =
        LazyLock::new(|| ROWS.iter().map(|row| (row.signature.name, *row)).collect());
    INDEX.get(name).copied()
}

/// The rows that a face shows, in order.
pub fn rows(face: Face) -> impl Iterator<Item = &'static Row> + Clone {
    ROWS.iter().copied().filter(move |row| !row.since_main && (face == Face::Rove || !row.rove))
}

/// The table as the language sees it: names of this server's face, and the user's aliases.
pub struct Table<'a> {
    /// The model, for `command-alias`.
    pub mux: &'a Mux,
}

impl CommandTable for Table<'_> {
    fn find(&self, name: &str) -> Result<&'static Signature, String> {
        // A command of our own is found by its exact name also as tmux, so that an engine's name works on any server.
        if let Some(row) = row_named(name) {
            return Ok(&row.signature);
        }
        let rows = rows(Face::Tmux);
        command::resolve(name, rows, |row| (row.signature.name, row.signature.alias)).map(|row| &row.signature)
    }

    fn user_alias(&self, name: &str) -> Option<String> {
        // An engine's name is short for launching it, unless a command has it or the user made it something else.
        let known = |name: &str| self.mux.engines.find(name).is_some() || self.mux.engines.problem(name).is_some();
        let engine = || (row_named(name).is_none() && known(name)).then(|| format!("launch-agent {name}"));
        self.mux.command_alias(name).or_else(engine)
    }
}

impl Mux {
    /// Parse and build a text of commands. `file` is named in errors, with the line.
    ///
    /// # Errors
    /// tmux's words; with `file:line: ` before them when there is a file.
    pub fn commands(&mut self, text: &str, file: Option<&str>, world: &dyn crate::World) -> Result<Commands, String> {
        self.commands_at(text, &Source { file, line: 1, whole: file.is_none() }, world)
    }

    /// Parse and build the text that an argument of the running command is: its errors name the place of that command.
    ///
    /// # Errors
    /// As [`Mux::commands`].
    pub(crate) fn commands_of_argument(&mut self, text: &str, context: &Context<'_>) -> Result<Commands, String> {
        let running = context.running.as_ref();
        let file = running.and_then(|(commands, _)| commands.file.clone());
        let line = running.map_or(1, |(commands, at)| commands.list[*at].line);
        self.commands_at(text, &Source { file: file.as_deref(), line, whole: true }, context.world)
    }

    fn commands_at(&mut self, text: &str, source: &Source<'_>, world: &dyn crate::World) -> Result<Commands, String> {
        let file = source.file;
        let parsed = self.parse_in(text, source, world, false);
        let (list, assignments) = match parsed {
            Ok((list, assignments)) => (Ok(list), assignments),
            Err(error) => {
                let text = file
                    .map_or_else(|| error.message.clone(), |file| format!("{file}:{}: {}", error.line, error.message));
                (Err(text), error.assignments)
            }
        };
        for assignment in assignments {
            self.environment.assign(&assignment.name, &assignment.value, assignment.hidden);
        }
        list.map(|list| Commands { list: Rc::new(list), file: file.map(Rc::from) })
    }

    /// Parse and build a text without any effect.
    ///
    /// # Errors
    /// The position and tmux's words.
    pub fn parse_in(
        &self,
        text: &str,
        source: &Source<'_>,
        world: &dyn crate::World,
        parse_only: bool,
    ) -> Result<(Vec<command::Command>, Vec<command::Assignment>), ParseError> {
        let variable = |name: &str| self.environment.get(name).map(str::to_owned);
        let home = |user: &str| world.home(Some(user).filter(|user| !user.is_empty()));
        let expand = |text: &str, _: &[command::Assignment]| self.expand_plain(text, world);
        let context = ParseContext {
            variable: &variable,
            home: &home,
            expand: &expand,
            one_group: source.whole,
            parse_only,
            line: source.line,
        };
        let parsed = command::parse(text, &context)?;
        let list = command::build(parsed.commands, &Table { mux: self }, &context)
            .map_err(|error| ParseError { assignments: parsed.assignments.clone(), ..error })?;
        Ok((list, parsed.assignments))
    }

    /// Build commands given as arguments of another one, blocks among them.
    ///
    /// # Errors
    /// tmux's words.
    fn commands_of_values(&self, values: &[command::Value], line: u32) -> Result<Commands, String> {
        command::build_values(values, line, &Table { mux: self }, &ParseContext::PLAIN)
            .map(Commands::new)
            .map_err(|error| error.message)
    }

    /// Build commands given as words.
    ///
    /// # Errors
    /// tmux's words.
    pub fn commands_of_words(&self, words: &[String]) -> Result<Commands, String> {
        let parsed = command::parse_argv(words);
        command::build(parsed, &Table { mux: self }, &ParseContext::PLAIN)
            .map(Commands::new)
            .map_err(|error| error.message)
    }
}
