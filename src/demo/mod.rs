//! `rove demo`: the proof that a conversation comes back, played on this machine, and the two stand-in engines it can be played with.
//!
//! A pane that reappears proves nothing. So each engine is told a word which is written nowhere else, everything is killed, and each is
//! asked for its word. Drives the program as a user does, by its command line; knows nothing of the server's inside.

// The demo is a user of the program and touches the world as a user does: processes, files, clocks.
#![allow(clippy::disallowed_methods)]

mod chat;
mod cli;
mod codeword;
mod discovered;
mod hooks;
mod pinned;
mod process;
mod scratch;
mod story;
mod terminal;
mod wait;
mod words;

use std::path::PathBuf;

/// Plays a stand-in engine, as `rove __engine NAME ARGUMENTS...` does. Gives the exit code.
pub fn engine(args: &[String]) -> i32 {
    let Some(home) = std::env::var_os("ROVE_DEMO_HOME").filter(|home| !home.is_empty()).map(PathBuf::from) else {
        eprintln!("ROVE_DEMO_HOME is not set");
        return 2;
    };
    note_start(args);
    let begun = match args.split_first() {
        Some((name, rest)) if name == "pinned" => pinned::begin(&home, rest),
        Some((name, rest)) if name == "discovered" => discovered::begin(&home, rest),
        _ => {
            eprintln!("usage: rove __engine pinned|discovered [arguments]");
            return 2;
        }
    };
    match begun {
        Ok(mut conversation) => {
            // The name by which the table of engines knows the process; without it there is still the command line.
            let _ = rustix::thread::set_name(conversation.comm());
            print!("{}", conversation.greet());
            chat::run(conversation.as_mut(), &mut std::io::stdin().lock(), &mut std::io::stdout())
        }
        Err(words) => {
            eprintln!("{words}");
            1
        }
    }
}

/// Notes a start in the file that `ROVE_DEMO_LOG` names, one line each, so that starts can be counted.
fn note_start(args: &[String]) {
    let Some(path) = std::env::var_os("ROVE_DEMO_LOG") else { return };
    let file = std::fs::OpenOptions::new().append(true).create(true).open(path);
    if let Ok(mut file) = file {
        use std::io::Write;
        let _ = writeln!(file, "{} {}", std::process::id(), args.join(" "));
    }
}
pub use codeword::{codeword, is_codeword};

/// Which engines the demo is played with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cast {
    StandIn,
    Real,
    One { engine: &'static agents::Engine, place: Place },
}

impl Cast {
    /// Whether a stand-in plays, which needs no patience and nothing of the user's.
    fn is_stand_in(self) -> bool {
        match self {
            Cast::StandIn => true,
            Cast::Real => false,
            Cast::One { engine, .. } => engine.visibility == agents::engines::Visibility::StandIn,
        }
    }
}

/// Where an engine is tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Place {
    /// In an empty directory of its own.
    Scratch,
    /// Where the user stands.
    Here,
}

/// Whether the panes' engines are brought back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Return {
    Resume,
    PlainShell,
}

/// Whether the scratch home stays after a success.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Afterwards {
    Remove,
    Keep,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Options {
    cast: Cast,
    coming_back: Return,
    afterwards: Afterwards,
}

const USAGE: &str = "usage: rove demo [--engines stand-in|real] [--no-resume] [--keep]";

fn options(args: &[String]) -> Result<Options, String> {
    let mut options = Options { cast: Cast::StandIn, coming_back: Return::Resume, afterwards: Afterwards::Remove };
    let mut words = args.iter().map(String::as_str);
    while let Some(word) = words.next() {
        match word {
            "--no-resume" => options.coming_back = Return::PlainShell,
            "--keep" => options.afterwards = Afterwards::Keep,
            "--engines=real" => options.cast = Cast::Real,
            "--engines=stand-in" => options.cast = Cast::StandIn,
            "--engines" => {
                options.cast = match words.next() {
                    Some("real") => Cast::Real,
                    Some("stand-in") => Cast::StandIn,
                    _ => return Err(USAGE.to_owned()),
                }
            }
            _ => return Err(USAGE.to_owned()),
        }
    }
    Ok(options)
}

/// Plays the demo, as `rove demo ARGUMENTS...` does. Gives the exit code: 0 only when every word came back after the processes were proved
/// gone.
pub fn run(args: &[String]) -> i32 {
    let options = match options(args) {
        Ok(options) => options,
        Err(usage) => {
            eprintln!("{usage}");
            return 2;
        }
    };
    match story::play(options) {
        Ok(()) => 0,
        Err(why) => {
            println!("FAIL: {why}");
            1
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Options, String> {
        options(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>())
    }

    #[test]
    fn options_read() {
        let plain = Options { cast: Cast::StandIn, coming_back: Return::Resume, afterwards: Afterwards::Remove };
        assert_eq!(read(""), Ok(plain));
        assert_eq!(
            read("--engines real --keep"),
            Ok(Options { cast: Cast::Real, afterwards: Afterwards::Keep, ..plain })
        );
        assert_eq!(read("--no-resume --engines=stand-in"), Ok(Options { coming_back: Return::PlainShell, ..plain }));
        assert!(read("--engines").is_err() && read("--engines x").is_err() && read("now").is_err());
    }
}
