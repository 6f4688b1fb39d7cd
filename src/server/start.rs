//! How a server starts: anew, or in the place of one that ended.

use super::Server;
use super::adopt::{self, Taken};
use super::keep::Keeper;
use super::live::Live;
use super::recover;
use super::shim::Shim;
use crate::cli::ServerOptions;
use crate::os::poll::{Poll, Token};
use crate::os::{daemon, facts, paths, socket};
use mux::environment::Environment;
use mux::{End, Face, Identity, Input, Mux};
use std::collections::BTreeMap;
use std::io;
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::net::UnixListener;
use std::rc::Rc;
use std::time::Instant;

/// Set for a server that a host starts in the place of one that ended.
const ADOPT: &str = "ROVE_ADOPT";

/// Run a server to its end; the process's status.
pub fn run(options: ServerOptions) -> i32 {
    match serve(options) {
        Ok(()) => 0,
        Err(error) => {
            eprintln!("rove: {error}");
            1
        }
    }
}

/// True for a command line that starts a server where there is none.
pub fn starts_server(argv: &[String]) -> bool {
    let starts = |name: &str| {
        let rows = mux::commands::rows(Face::Rove);
        let found = mux::command::resolve(name, rows, |row| (row.signature.name, row.signature.alias));
        found.is_ok_and(|row| row.starts_server)
    };
    let commands = mux::command::parse_argv(argv);
    argv.is_empty()
        || commands.iter().any(
            |command| matches!(command.arguments.first(), Some(mux::command::Argument::Text(name)) if starts(name)),
        )
}

/// True for a word that names a command, an alias or the beginning of one, or an engine.
pub fn is_command(word: &str) -> bool {
    let rows = mux::commands::rows(Face::Rove);
    let known = mux::command::resolve(word, rows, |row| (row.signature.name, row.signature.alias));
    !matches!(known, Err(text) if text.starts_with("unknown")) || is_engine(word)
}

/// True for an engine, one of the user's that can't be used too: what is wrong with it is better said than that there is none.
fn is_engine(word: &str) -> bool {
    let engines = crate::engines::load();
    engines.find(word).is_some() || engines.problem(word).is_some()
}

fn serve(options: ServerOptions) -> io::Result<()> {
    let name = if options.face == paths::Face::Rove { c"rove: server" } else { c"tmux: server" };
    let _ = rustix::thread::set_name(name);
    let adopting = std::env::var_os(ADOPT).is_some();
    let mut host_options = host::Options::new(&options.socket);
    if let Some(ms) = std::env::var("ROVE_HOST_LINGER_MS").ok().and_then(|text| text.parse().ok()) {
        host_options.linger = std::time::Duration::from_millis(ms);
    }
    let own = if adopting { None } else { Some(daemon::take_listener()?) };
    let (mut host, running) = reach_host(&host_options, adopting)?;
    let adoption =
        if running { Some(host.adopt().map_err(|error| io::Error::other(error.to_string()))?) } else { None };
    let kept =
        adoption.as_ref().and_then(|adoption| adoption.listener.as_ref()?.try_clone().ok()).map(UnixListener::from);
    let listener = match own.or(kept) {
        Some(listener) => listener,
        None => socket::listen(&options.socket)?,
    };
    socket::adopt(&listener)?;
    listener.set_nonblocking(true)?;
    host.keep_listener(&listener).map_err(|error| io::Error::other(error.to_string()))?;
    let start_command = start_command(&options);
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut server = Server::new(&options, host, listener, start_command)?;
        server.begin(&options, adoption);
        server.live.host.record(server.start_command.clone()).map_err(|error| io::Error::other(error.to_string()))?;
        let end = server.serve().await?;
        server.finish(end);
        Ok(())
    })
}

/// Start a host, or connect to the one that is there; true when it was. The socket of a server that just died, or of a
/// host that is ending, may be held for a moment yet. A server that was started to adopt is not wanted without its host.
fn reach_host(options: &host::Options, adopting: bool) -> io::Result<(host::Client, bool)> {
    const TRIES: usize = 250;
    const GAP: std::time::Duration = std::time::Duration::from_millis(20);
    const LIMIT: std::time::Duration = std::time::Duration::from_secs(12);
    let (mut last, begin) = (String::new(), Instant::now());
    for _ in 0..if adopting { TRIES / 5 } else { TRIES } {
        // One that never answers is slower than many tries.
        if begin.elapsed() > LIMIT {
            break;
        }
        match if adopting { Err(host::HostError::Running) } else { host::start(options) } {
            Ok(host) => return Ok((host, false)),
            Err(host::HostError::Running) => match host::Client::connect(&options.socket) {
                Ok(host) => return Ok((host, true)),
                Err(error) => last = error.to_string(),
            },
            Err(error) => return Err(io::Error::other(error.to_string())),
        }
        std::thread::sleep(GAP);
    }
    Err(io::Error::other(last))
}

/// How the host starts another server should this one end.
fn start_command(options: &ServerOptions) -> host::Command {
    let exe = std::env::current_exe().unwrap_or_else(|_| "/proc/self/exe".into());
    let exe = exe.to_string_lossy().strip_suffix(" (deleted)").map_or(exe.clone(), std::path::PathBuf::from);
    let mut words: Vec<Vec<u8>> = options.arguments().iter().map(|word| word.as_bytes().to_vec()).collect();
    let argv0 = words.remove(0);
    let mut env: Vec<(Vec<u8>, Vec<u8>)> =
        std::env::vars_os().map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec())).collect();
    env.push((ADOPT.as_bytes().to_vec(), b"1".to_vec()));
    host::Command {
        program: exe.as_os_str().as_bytes().to_vec(),
        argv0: Some(argv0),
        args: words,
        env,
        cwd: b"/".to_vec(),
    }
}

impl Server {
    fn new(
        options: &ServerOptions,
        host: host::Client,
        listener: UnixListener,
        start_command: host::Command,
    ) -> io::Result<Server> {
        let poll = Rc::new(Poll::new()?);
        poll.add(listener.as_fd(), Token::Listener, true, false);
        poll.add(host.fd(), Token::Host, true, false);
        let mut environment = Environment::default();
        for (name, value) in std::env::vars_os().filter(|(name, _)| name != ADOPT) {
            environment.set(&name.to_string_lossy(), &value.to_string_lossy());
        }
        for name in ["TMUX", "TMUX_PANE", "ROVE_PANE"] {
            environment.unset(name);
        }
        let face = match options.face {
            paths::Face::Tmux => Face::Tmux,
            paths::Face::Rove => Face::Rove,
        };
        let identity = Identity {
            face,
            socket: options.socket.to_string_lossy().into_owned(),
            pid: std::process::id(),
            uid: rustix::process::getuid().as_raw(),
            executable: std::env::current_exe().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default(),
            shim: super::shim::directory(&options.socket).to_string_lossy().into_owned(),
            started: Server::now().unix,
            // Of a server that takes over nobody's directory matters: its configuration is not read.
            cwd: std::env::current_dir().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default(),
        };
        let mut mux = Mux::new(identity, environment);
        let (engines_file, engines) = crate::engines::Watched::new();
        mux.set_engines(engines);
        let shell = std::env::var("SHELL").ok().filter(|shell| facts::is_program(shell)).or_else(facts::login_shell);
        mux.set_default_shell(shell.as_deref().unwrap_or("/bin/sh"));
        if let Some(editor) = std::env::var("VISUAL").or_else(|_| std::env::var("EDITOR")).ok() {
            mux.set_editor(&editor);
        }
        Ok(Server {
            mux,
            keeper: Keeper::new(super::keep::home_of(face, &options.socket), &poll)?,
            live: Live::new(host, poll.clone(), Shim::new(&options.socket)),
            listener,
            start_command,
            poll,
            connections: BTreeMap::new(),
            jobs: BTreeMap::new(),
            next_client: 0,
            engines_file,
            holding: false,
            busy: true,
            drawn_at: Instant::now(),
            drawn_visible: 0,
            undrawn: false,
            ending: None,
            end_by: None,
        })
    }

    /// Get the model: from the server before, or from configuration and disk.
    fn begin(&mut self, options: &ServerOptions, adoption: Option<host::Adoption>) {
        let now = Server::now();
        let taken = adoption.map_or(Taken::Nothing, |adoption| adopt::adopt(self, now, adoption));
        if !matches!(taken, Taken::Model(_)) {
            if self.mux.identity.face == Face::Rove {
                self.keeper.thaw(&mut self.mux, now);
            }
            let files = config_files(options);
            self.mux.read_config(now, &mut self.live, &files);
            self.settle(now);
            self.keeper.configured(&mut self.mux, now);
        }
        if let Taken::Model(Some(lost)) | Taken::Lost(lost) = taken {
            recover::recover(self, now, lost);
        }
        self.mux.handle(now, &mut self.live, Input::Tick);
        self.settle(now);
    }

    /// The last things before the process ends.
    fn finish(mut self, end: End) {
        let now = Server::now();
        if end != End::HandOver {
            self.mux.save_prompt_history(&mut self.live);
        }
        match end {
            End::HandOver => {
                self.keeper.hand_over(&mut self.mux, &mut self.live, now);
                if let Some(program) = &self.mux.successor {
                    let command = host::Command { program: program.clone().into_bytes(), ..self.start_command.clone() };
                    let _ = self.live.host.record(command);
                }
            }
            End::Freeze | End::Empty => self.keeper.freeze(&self.mux, &self.live),
            End::Forget => self.keeper.forget_all(&self.mux),
        }
        let goodbye = match end {
            End::HandOver => host::Goodbye::Handover { start: true },
            End::Freeze | End::Forget | End::Empty => host::Goodbye::Teardown,
        };
        self.live.orphans.kill();
        // From here on no pty is read any more.
        let _ = self.live.host.goodbye(goodbye);
        // Removed while it is still listened at: later it may be another server's already. A tmux leaves its socket behind,
        // and clients tell `no server running` from `No such file` by that.
        if end != End::HandOver && self.mux.identity.face == Face::Rove {
            let _ = std::fs::remove_file(&self.mux.identity.socket);
        }
        if end != End::HandOver {
            self.live.shim.remove();
        }
        // The system takes all of it back at once, which is quicker than pane by pane.
        std::mem::forget((self.mux, self.live.panes));
    }
}

/// Configuration files and whether a missing one is no error: those given, else the system's and the user's.
fn config_files(options: &ServerOptions) -> Vec<(String, bool)> {
    if !options.config.is_empty() {
        return options.config.iter().map(|path| (path.to_string_lossy().into_owned(), false)).collect();
    }
    let home = facts::home(None).unwrap_or_default();
    let config = std::env::var("XDG_CONFIG_HOME")
        .ok()
        .filter(|path| !path.is_empty())
        .unwrap_or_else(|| format!("{home}/.config"));
    let mut files = vec!["/etc/tmux.conf".to_owned(), format!("{home}/.tmux.conf"), format!("{config}/tmux/tmux.conf")];
    if options.face == paths::Face::Rove {
        files = vec![format!("{config}/rove/rove.conf"), format!("{home}/.rove.conf")];
    }
    files.into_iter().map(|path| (path, true)).collect()
}
