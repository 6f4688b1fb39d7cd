//! What a client tells the server that it starts: the arguments after the hidden word `__server`.

use std::ffi::OsString;
use std::path::PathBuf;

use crate::os::paths::Face;

/// How a server starts. Its listening socket is at [`crate::os::daemon::LISTENER`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerOptions {
    /// Where its socket is.
    pub socket: PathBuf,
    /// Whose defaults it has.
    pub face: Face,
    /// Files given with `-f`; empty: the default ones, which need not exist.
    pub config: Vec<PathBuf>,
    /// How many `-v`: it logs, this much.
    pub verbosity: u8,
    /// It is no daemon: it has the terminal of whoever started it on 0 to 2.
    pub foreground: bool,
}

impl ServerOptions {
    /// The whole argument list, its name included.
    pub fn arguments(&self) -> Vec<OsString> {
        let (name, face) = match self.face {
            Face::Tmux => ("tmux: server", "tmux"),
            Face::Rove => ("rove: server", "rove"),
        };
        let mut list: Vec<OsString> = [name, "__server", "--face", face].map(OsString::from).to_vec();
        list.extend(["--socket".into(), self.socket.clone().into()]);
        self.config.iter().for_each(|file| list.extend(["--config".into(), file.clone().into()]));
        if self.verbosity > 0 {
            list.extend(["--verbosity".into(), self.verbosity.to_string().into()]);
        }
        if self.foreground {
            list.push("--foreground".into());
        }
        list
    }

    /// Reads the arguments after `__server`. `None` when a client did not write them.
    pub fn parse(args: &[OsString]) -> Option<ServerOptions> {
        let mut socket = None;
        let mut options =
            ServerOptions { socket: PathBuf::new(), face: Face::Tmux, config: vec![], verbosity: 0, foreground: false };
        let mut rest = args.iter();
        while let Some(word) = rest.next() {
            match word.to_str()? {
                "--socket" => socket = Some(rest.next()?.into()),
                "--face" => options.face = if rest.next()? == "rove" { Face::Rove } else { Face::Tmux },
                "--config" => options.config.push(rest.next()?.into()),
                "--verbosity" => options.verbosity = rest.next()?.to_str()?.parse().ok()?,
                "--foreground" => options.foreground = true,
                _ => return None,
            }
        }
        Some(ServerOptions { socket: socket?, ..options })
    }
}
