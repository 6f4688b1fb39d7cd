//! `rove exits`: the programs that ended abnormally, newest first, for reading.

use super::{Invocation, SocketPath, complain, line, print};
use crate::kept;
use crate::os::facts;
use mux::format::strftime;
use persist::exits::Death;

const USAGE: &str = "usage: rove exits [--json]";

/// Prints them; with `--json` the file as it is meant to be read by programs.
pub(super) fn exits(socket: &SocketPath, invocation: &Invocation) -> i32 {
    let words: Vec<_> = invocation.argv.iter().map(|word| word.to_str()).collect();
    let json = match words.as_slice() {
        [] => false,
        [Some("--json")] => true,
        _ => return complain(USAGE, 2),
    };
    let Some((path, log)) = kept::exits(invocation.face, &socket.path) else {
        return complain("neither ROVE_HOME_DIR nor HOME is set, so nothing is kept", 1);
    };
    let log = match log {
        Ok(log) => log,
        Err(error) => {
            let words = format!("{} can't be read ({error}); the next abnormal end begins it anew", path.display());
            return complain(&words, 1);
        }
    };
    if json {
        print(&String::from_utf8_lossy(&log.encode()));
        return 0;
    }
    if log.newest().next().is_none() {
        line("no program has ended abnormally");
    }
    log.newest().for_each(show);
    0
}

fn show(death: &Death) {
    let time = strftime("%Y-%m-%d %H:%M:%S", &facts::local(i64::try_from(death.time).unwrap_or(0)));
    let how = match (&death.signal, death.code) {
        (Some(signal), _) => format!("ended by {signal}"),
        (None, code) => format!("exited with {}", code.unwrap_or(0)),
    };
    line(&format!("{time}  session {}: {} {how}", inert(&death.session), inert(&death.command)));
    for text in &death.tail {
        line(&format!("    {}", inert(text)));
    }
}

/// A text from a file, which may have been written by anybody, without controls.
fn inert(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).collect()
}
