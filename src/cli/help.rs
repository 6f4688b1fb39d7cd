//! Help and version texts. The rove face's come from its table through clap; nothing else needs clap.

use std::ffi::OsString;

use clap::{Arg, Command};

use super::{Request, VERBS, Verb};

const ABOUT: &str = "A terminal multiplexer that speaks tmux and comes back.\n\n\
    Without a command: attach to the session of this directory, or make it.";
const AFTER: &str = "Every tmux command works too: rove split-window, rove list-panes -a, ...\n\
    (rove list-commands shows them), and so do tmux's options before the command.\n\
    Called by the name tmux, or as rove tmux, it is tmux 3.7c.\n\n\
    Quitting only detaches, and programs outlive the server. They do not outlive the machine: no process survives a reboot;\n\
    layouts, screens and history come back then, and commands start again on attach. Sockets are local: nothing listens\n\
    on the network.";

/// tmux's usage.
pub(super) fn tmux_usage() -> String {
    "usage: tmux [-2CDhlNuVv] [-c shell-command] [-f file] [-L socket-name]\n            \
     [-S socket-path] [-T features] [command [flags]]\n"
        .to_owned()
}

/// The name and version of rove.
pub(super) fn version() -> String {
    format!("rove {}\n", env!("CARGO_PKG_VERSION"))
}

/// The last line of a refusal.
pub(super) fn hint() -> String {
    "usage: rove [options] [command [arguments]]; `rove help` lists the commands\n".to_owned()
}

/// Help about everything, or about one verb.
pub(super) fn request(words: &[OsString]) -> Request {
    let Some(word) = words.first() else { return Request::Print(whole().render_help().to_string()) };
    match VERBS.iter().find(|verb| word == verb.name) {
        Some(verb) => Request::Print(one(verb).bin_name(format!("rove {}", verb.name)).render_help().to_string()),
        None => Request::Refuse(super::unknown(word), 2),
    }
}

fn whole() -> Command {
    let verbs = VERBS.iter().map(one);
    let options = [
        Arg::new("L").short('L').value_name("name").help("The server of this name"),
        Arg::new("S").short('S').value_name("path").help("The server at this socket"),
        Arg::new("f").short('f').value_name("file").help("Read this configuration when a server starts"),
        Arg::new("C").short('C').num_args(0).help("Control mode: commands in, text out (twice: on a terminal)"),
        Arg::new("N").short('N').num_args(0).help("Start no server"),
        Arg::new("V").short('V').long("version").num_args(0).help("Print the version"),
    ];
    Command::new("rove").about(ABOUT).after_help(AFTER).disable_help_subcommand(true).args(options).subcommands(verbs)
}

fn one(verb: &'static Verb) -> Command {
    let usage = format!("rove {} {}", verb.name, verb.usage);
    Command::new(verb.name).about(verb.about).override_usage(usage.trim_end().to_owned())
}
