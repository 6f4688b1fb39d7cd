//! The options before the command: tmux's letters, in both faces.

use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use super::Invocation;
use crate::protocol::Manner;

/// What the options ask for.
#[derive(Debug)]
pub(super) enum Read {
    Invocation(Invocation),
    /// `-h`.
    Help,
    /// `-V`.
    Version,
}

/// Letters that take a value, and those that do not.
const VALUES: &[u8] = b"cfLST";
const FLAGS: &[u8] = b"2CDhlNquvV";

/// Reads options up to the first word that is none, as getopt does without permuting. The error is a line to print
/// before the usage, or empty.
pub(super) fn read(name: &str, mut invocation: Invocation, args: &[OsString]) -> Result<Read, String> {
    let mut rest = args.iter();
    let argv = loop {
        let before = rest.as_slice();
        let Some(word) = rest.next() else { break before };
        match word.as_bytes() {
            b"--" => break rest.as_slice(),
            [b'-', letters @ ..] if !letters.is_empty() => {
                if let Some(end) = cluster(name, &mut invocation, letters, &mut rest)? {
                    return Ok(end);
                }
            }
            _ => break before,
        }
    };
    let alone = invocation.shell_command.is_some() || invocation.foreground;
    if alone && !argv.is_empty() {
        return Err(String::new());
    }
    if invocation.shell_command.is_some() {
        invocation.manner = Manner::Shell;
    }
    invocation.argv = argv.to_vec();
    Ok(Read::Invocation(invocation))
}

/// One word of letters. Gives an end when a letter asks for one.
fn cluster(
    name: &str,
    invocation: &mut Invocation,
    mut letters: &[u8],
    rest: &mut std::slice::Iter<'_, OsString>,
) -> Result<Option<Read>, String> {
    while let Some((letter, after)) = letters.split_first() {
        letters = after;
        let shown = char::from(*letter);
        if VALUES.contains(letter) {
            let value = if after.is_empty() { rest.next().cloned() } else { Some(OsString::from_vec(after.to_vec())) };
            let value = value.ok_or_else(|| format!("{name}: option requires an argument -- {shown}\n"))?;
            set(invocation, *letter, value);
            return Ok(None);
        }
        match letter {
            b'h' => return Ok(Some(Read::Help)),
            b'V' => return Ok(Some(Read::Version)),
            // Once tmux's, and still known to it as letters.
            b'd' | b'U' => return Err(String::new()),
            letter if FLAGS.contains(letter) => switch(invocation, *letter),
            _ => return Err(format!("{name}: unknown option -- {shown}\n")),
        }
    }
    Ok(None)
}

fn set(invocation: &mut Invocation, letter: u8, value: OsString) {
    match letter {
        b'c' => invocation.shell_command = Some(value),
        b'f' => invocation.config.push(value),
        b'L' => invocation.label = Some(value),
        b'S' => invocation.socket = Some(value),
        _ => invocation.features.push(value),
    }
}

fn switch(invocation: &mut Invocation, letter: u8) {
    match letter {
        b'2' => invocation.features.push("256".into()),
        b'C' if invocation.manner == Manner::Command => invocation.manner = Manner::Control,
        b'C' => invocation.manner = Manner::ControlTerminal,
        b'D' => invocation.foreground = true,
        b'l' => invocation.login = true,
        b'N' => invocation.no_start = true,
        b'u' => invocation.utf8 = true,
        b'v' => invocation.verbosity = invocation.verbosity.saturating_add(1),
        // `q` means nothing any more.
        _ => {}
    }
}
