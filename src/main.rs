//! The `rove` binary; called as `tmux` it is tmux. Decides which of the program's processes this one is.

// The process's own arguments and its exit.
#![allow(clippy::disallowed_methods)]

use std::ffi::{OsStr, OsString};
use std::process::ExitCode;

use rove::cli::{self, Request, ServerOptions};
use rove::client::{self, Commands};

fn main() -> ExitCode {
    let args: Vec<OsString> = std::env::args_os().collect();
    let status = match args.get(1).and_then(|word| word.to_str()) {
        Some("__server") => server(&args[2..]),
        Some(client::REATTACH) => client::reattach(&args[0], &args[2..]),
        Some(client::REPORT) => client::report(&plain(&args[2..])),
        Some(agents::launch::BEGIN) => rove::begin::run(&plain(&args[2..])),
        Some("__conversations") => rove::conversations::run(&plain(&args[2..])),
        Some("__engine") => rove::demo::engine(&plain(&args[2..])),
        _ => client(&args),
    };
    // A status above 255 is cut as the system would.
    ExitCode::from(status as u8)
}

fn server(args: &[OsString]) -> i32 {
    match ServerOptions::parse(args) {
        Some(options) => rove::server::run(options),
        None => {
            eprintln!("rove: __server is for rove itself");
            2
        }
    }
}

fn client(args: &[OsString]) -> i32 {
    let commands = Commands { starts_server: &starts_server, known: &known };
    match cli::parse(args) {
        Request::Client(invocation) => client::run(&invocation, &commands),
        Request::Own(cli::Own::Demo, invocation) => rove::demo::run(&plain(&invocation.argv)),
        Request::Own(cli::Own::Doctor, invocation) if rove::demo::is_codeword(&plain(&invocation.argv)) => {
            rove::demo::codeword(&plain(&invocation.argv))
        }
        Request::Own(own, invocation) => client::own(own, invocation, &commands),
        Request::Print(text) => {
            client::print(&text);
            0
        }
        Request::Refuse(text, status) => {
            eprint!("{text}");
            status
        }
    }
}

fn starts_server(argv: &[OsString]) -> bool {
    rove::server::starts_server(&plain(argv))
}

fn known(word: &OsStr) -> bool {
    word.to_str().is_some_and(rove::server::is_command)
}

fn plain(args: &[OsString]) -> Vec<String> {
    args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect()
}
