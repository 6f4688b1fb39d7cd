//! Who this client is, gathered from its process.

use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};

use crate::cli::{Face, Invocation};
use crate::os::{paths, tty};
use crate::protocol::{Bytes, Descriptors, Hello, Manner};

/// Reads the process's environment.
pub fn environment(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The hello of a client called like this.
pub(super) fn gather(invocation: &Invocation, reattach: Option<String>) -> Hello {
    let stdin = std::io::stdin();
    let name = tty::name(&stdin);
    let control = matches!(invocation.manner, Manner::Control | Manner::ControlTerminal);
    let descriptors = Descriptors { stdin: control || name.is_some(), stdout: control };
    Hello {
        manner: invocation.manner,
        rove: invocation.face == Face::Rove,
        pid: std::process::id(),
        size: if name.is_some() { tty::size(&stdin) } else { Default::default() },
        tty: Bytes(name.unwrap_or_default()),
        term: bytes(environment("TERM").unwrap_or_default()),
        features: invocation.features.iter().cloned().map(bytes).collect(),
        utf8: invocation.utf8 || takes_utf8(&environment),
        login: invocation.login,
        cwd: bytes(directory().into_os_string()),
        environment: std::env::vars_os().map(variable).collect(),
        argv: if reattach.is_some() { Vec::new() } else { invocation.argv.iter().cloned().map(bytes).collect() },
        descriptors,
        reattach,
    }
}

fn bytes(text: OsString) -> Bytes {
    Bytes(text.into_vec())
}

fn variable((name, value): (OsString, OsString)) -> Bytes {
    let mut text = name.into_vec();
    text.push(b'=');
    text.extend_from_slice(value.as_bytes());
    Bytes(text)
}

/// The working directory, else the home, else the root.
fn directory() -> std::path::PathBuf {
    let home = || environment("HOME").filter(|home| !home.is_empty()).map(Into::into);
    paths::working_directory(&environment).or_else(home).unwrap_or_else(|| "/".into())
}

/// Inside a server the terminal takes UTF-8; outside the first of the locale's variables that is set decides.
pub(super) fn takes_utf8(env: paths::Env<'_>) -> bool {
    if env("TMUX").is_some() {
        return true;
    }
    let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().filter_map(env).find(|value| !value.is_empty());
    locale.is_some_and(|locale| says_utf8(&locale))
}

fn says_utf8(locale: &OsStr) -> bool {
    let locale = locale.as_bytes().to_ascii_uppercase();
    locale.windows(5).any(|part| part == b"UTF-8") || locale.windows(4).any(|part| part == b"UTF8")
}
