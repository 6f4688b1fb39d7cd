//! What a client said of itself, as the model takes it.

use crate::os::socket::Peer;
use crate::protocol::{Hello as Said, Manner};
use mux::Hello;

/// What a client said, as the model takes it. Its user and its process are those that the kernel tells.
pub(super) fn model_hello(said: &Said, peer: Peer, read_only: bool) -> Hello {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let split = |entry: &crate::protocol::Bytes| {
        let entry = text(entry);
        entry.split_once('=').map(|(name, value)| (name.to_owned(), value.to_owned()))
    };
    let features =
        said.features.iter().flat_map(|names| text(names).split([',', ':']).map(str::to_owned).collect::<Vec<_>>());
    let argv = match &said.reattach {
        Some(session) => vec!["attach-session".to_owned(), "-t".to_owned(), session.clone()],
        None => said.argv.iter().map(|word| mux::raw::text(word)).collect(),
    };
    Hello {
        manner: match said.manner {
            Manner::Command | Manner::Shell => mux::Manner::Command,
            Manner::Control => mux::Manner::Control,
            Manner::ControlTerminal => mux::Manner::ControlTerminal,
        },
        pid: u32::try_from(peer.pid).unwrap_or(said.pid),
        uid: peer.uid,
        gid: peer.gid,
        tty: text(&said.tty),
        term: text(&said.term),
        features: features.filter(|name| !name.is_empty()).collect(),
        utf8: said.utf8,
        size: (!said.tty.is_empty()).then(|| said.size.cells()),
        cwd: text(&said.cwd),
        environment: said.environment.iter().filter_map(split).collect(),
        argv,
        rove: said.rove,
        read_only,
    }
}
