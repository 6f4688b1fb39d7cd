//! A private home for one test: directories, sockets, environment, and the program under one of its two names. Whatever was started in it
//! ends with it.

use std::fs;
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

use super::wait::poll;
use super::{process, wait_for};

/// How long one call of the program may take.
const CALL_LIMIT: Duration = Duration::from_secs(40);

/// The home; on drop every process whose environment names it is ended, and the directory goes.
pub struct Home {
    root: PathBuf,
    program: PathBuf,
    before: Vec<String>,
    environment: Vec<(String, String)>,
}

/// What a call gave.
#[derive(Debug)]
pub struct Call {
    /// The words of the call, for messages.
    pub called: String,
    /// The exit code; -1 when a signal ended it.
    pub code: i32,
    /// What it printed.
    pub stdout: String,
    /// What it complained of.
    pub stderr: String,
}

impl Call {
    /// What it printed, when it succeeded without a complaint. Fails the test otherwise.
    #[track_caller]
    pub fn ok(self) -> String {
        assert!(self.code == 0, "{} gave {}: {}{}", self.called, self.code, self.stdout, self.stderr);
        self.stdout
    }

    /// What it complained of, when it ended with 1. Fails the test otherwise.
    #[track_caller]
    pub fn fails(self) -> String {
        assert!(self.code == 1, "{} gave {}, not 1: {}{}", self.called, self.code, self.stdout, self.stderr);
        self.stderr.trim_end_matches('\n').to_owned()
    }
}

impl Home {
    /// A home in which the program is called as `tmux`.
    pub fn tmux() -> Home {
        let mut home = Home::new("tmux");
        let file = home.path("tmux.conf");
        fs::write(&file, "").unwrap();
        home.before = vec!["-f".to_owned(), file.display().to_string()];
        home
    }

    /// A home in which the program is called as `rove`.
    pub fn rove() -> Home {
        Home::new("rove")
    }

    fn new(face: &str) -> Home {
        let name = format!("rove-e2e-{}", &uuid::Uuid::new_v4().simple().to_string()[..10]);
        let root = std::env::temp_dir().join(name);
        let make = |path: &Path| fs::DirBuilder::new().mode(0o700).create(path).unwrap();
        make(&root);
        let root = root.canonicalize().unwrap();
        for part in ["user", "home", "run", "sockets", "bin", "work", "engines"] {
            make(&root.join(part));
        }
        // A login shell reads the system's profile first, which may set another prompt.
        fs::write(root.join("user/.profile"), "PS1='$ '\n").unwrap();
        let program =
            std::env::var_os("ROVE_TEST_BIN").map_or(PathBuf::from(env!("CARGO_BIN_EXE_rove")), PathBuf::from);
        let link = root.join("bin").join(face);
        symlink(program, &link).unwrap();
        let part = |name: &str| root.join(name).display().to_string();
        let path = std::env::var("PATH").unwrap_or_else(|_| "/usr/local/bin:/usr/bin:/bin".to_owned());
        let environment = [
            ("PATH", path),
            ("HOME", part("user")),
            ("ROVE_HOME_DIR", part("home")),
            ("ROVE_DEMO_HOME", part("engines")),
            ("XDG_RUNTIME_DIR", part("run")),
            ("TMUX_TMPDIR", part("sockets")),
            ("TERM", "xterm-256color".to_owned()),
            ("LANG", "C.UTF-8".to_owned()),
            ("SHELL", "/bin/sh".to_owned()),
            ("PS1", "$ ".to_owned()),
        ];
        let environment = environment.map(|(name, value)| (name.to_owned(), value)).to_vec();
        Home { root, program: link, before: Vec::new(), environment }
    }

    /// A path in the home: `user` ($HOME), `home` ($ROVE_HOME_DIR), `run` ($XDG_RUNTIME_DIR), `sockets` ($TMUX_TMPDIR), `work` (where calls
    /// run), `engines` (the stand-ins' transcripts), or any other.
    pub fn path(&self, part: &str) -> PathBuf {
        self.root.join(part)
    }

    /// Sets a variable of every process that is started from now on.
    pub fn set(&mut self, name: &str, value: &str) {
        self.environment.retain(|(old, _)| old != name);
        self.environment.push((name.to_owned(), value.to_owned()));
    }

    /// Takes a variable away.
    pub fn unset(&mut self, name: &str) {
        self.environment.retain(|(old, _)| old != name);
    }

    /// Writes the configuration file that the tmux face is started with.
    pub fn write_conf(&self, text: &str) {
        fs::write(self.path("tmux.conf"), text).unwrap();
    }

    /// The file the program is called by.
    pub fn program(&self) -> &Path {
        &self.program
    }

    /// The words of a call.
    pub fn words(&self, args: &[&str]) -> Vec<String> {
        self.before.iter().cloned().chain(args.iter().map(|word| (*word).to_owned())).collect()
    }

    /// A call of the program as a shell writes it.
    pub fn call(&self) -> String {
        std::iter::once(self.program.display().to_string())
            .chain(self.before.iter().cloned())
            .collect::<Vec<_>>()
            .join(" ")
    }

    /// The socket of the tmux face.
    pub fn tmux_socket(&self) -> PathBuf {
        self.path("sockets").join(format!("tmux-{}", rustix::process::getuid().as_raw())).join("default")
    }

    /// Any program, in this home's environment and work directory.
    pub fn command(&self, program: impl AsRef<std::ffi::OsStr>) -> Command {
        let mut command = Command::new(program);
        command.env_clear().envs(self.environment.iter().cloned()).current_dir(self.path("work"));
        command
    }

    /// Calls the program and waits for its end.
    #[track_caller]
    pub fn run(&self, args: &[&str]) -> Call {
        self.run_with(args, b"")
    }

    /// The same with something on stdin.
    #[track_caller]
    pub fn run_with(&self, args: &[&str], stdin: &[u8]) -> Call {
        let mut command = self.command(&self.program);
        command.args(self.words(args));
        let name = self.program.file_name().unwrap_or_default().to_string_lossy().into_owned();
        finish(command, format!("{name} {}", args.join(" ")), stdin)
    }

    /// Runs a shell line, in which `$T` is the program's call.
    #[track_caller]
    pub fn shell(&self, line: &str) -> Call {
        let mut command = self.command("/bin/sh");
        command.args(["-c", line]).env("T", self.call());
        finish(command, line.to_owned(), b"")
    }

    /// What a successful call printed, without the last line end.
    #[track_caller]
    pub fn ok(&self, args: &[&str]) -> String {
        self.run(args).ok().trim_end_matches('\n').to_owned()
    }

    /// What a call that must end with 1 complained of.
    #[track_caller]
    pub fn fails(&self, args: &[&str]) -> String {
        self.run(args).fails()
    }

    /// The value of a format.
    #[track_caller]
    pub fn format(&self, target: &str, format: &str) -> String {
        self.ok(&["display-message", "-p", "-t", target, format])
    }

    /// The server's process.
    #[track_caller]
    pub fn server(&self) -> u32 {
        self.ok(&["display-message", "-p", "#{pid}"]).parse().unwrap()
    }

    /// The first process of a pane.
    #[track_caller]
    pub fn pane_pid(&self, target: &str) -> u32 {
        self.format(target, "#{pane_pid}").parse().unwrap()
    }

    /// The parent of a pane's first process, which holds its pty.
    #[track_caller]
    pub fn host_of(&self, target: &str) -> u32 {
        process::parent(self.pane_pid(target))
    }

    /// The process that holds the ptys, with or without a program in one.
    #[track_caller]
    pub fn host_of_server(&self) -> u32 {
        let is_host = |pid: &u32| process::stat(*pid).is_some_and(|stat| stat.comm.ends_with(": host"));
        self.processes().into_iter().find(is_host).expect("a host")
    }

    /// What a pane shows, without the blank lines below.
    #[track_caller]
    pub fn screen(&self, target: &str) -> String {
        self.ok(&["capture-pane", "-p", "-t", target])
    }

    /// Everything a pane remembers, wrapped lines joined.
    #[track_caller]
    pub fn history(&self, target: &str) -> String {
        self.run(&["capture-pane", "-p", "-J", "-S", "-", "-t", target]).ok()
    }

    /// Waits until a pane shows a text.
    #[track_caller]
    pub fn wait_screen(&self, target: &str, text: &str) {
        let mut last = String::new();
        let found = poll(super::LIMIT, || {
            last = self.screen(target);
            last.contains(text).then_some(())
        });
        assert!(found.is_some(), "waited for {text:?} in pane {target}, which shows:\n{last}");
    }

    /// Every process that was started in this home.
    pub fn processes(&self) -> Vec<u32> {
        process::with_environment(&format!("ROVE_HOME_DIR={}", self.path("home").display()))
    }

    /// Waits until nothing of this home runs.
    #[track_caller]
    pub fn wait_empty(&self) {
        let mut left = Vec::new();
        let gone = poll(super::LIMIT, || {
            left = self.processes();
            left.is_empty().then_some(())
        });
        let named: Vec<_> = left.iter().map(|pid| (pid, process::argv(*pid))).collect();
        assert!(gone.is_some(), "still running: {named:?}");
    }

    /// The end of everything, as at a power cut: all processes are killed, all files stay.
    #[track_caller]
    pub fn crash(&self) {
        // The second look is for those that were born during the first.
        wait_for("the end of all processes", || {
            let left = self.processes();
            left.iter().for_each(|pid| process::signal(*pid, process::Signal::KILL));
            left.is_empty()
        });
    }

    /// The regular files below a part of the home.
    pub fn files(&self, part: &str) -> Vec<PathBuf> {
        let mut found = Vec::new();
        let mut directories = vec![self.path(part)];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(&directory).into_iter().flatten().flatten() {
                match entry.file_type() {
                    Ok(kind) if kind.is_dir() => directories.push(entry.path()),
                    Ok(kind) if kind.is_file() => found.push(entry.path()),
                    _ => {}
                }
            }
        }
        found
    }

    /// The files below a part of the home in which a word stands; one that is being written is none yet.
    pub fn files_with(&self, part: &str, word: &str) -> Vec<PathBuf> {
        let holds = |path: &PathBuf| {
            let half = path.extension().is_some_and(|ending| ending == "tmp");
            !half && fs::read(path).is_ok_and(|bytes| bytes.windows(word.len()).any(|window| window == word.as_bytes()))
        };
        self.files(part).into_iter().filter(holds).collect()
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        if std::thread::panicking() && std::env::var_os("ROVE_TEST_KEEP").is_some() {
            eprintln!("kept: {}", self.root.display());
            return;
        }
        let gone = poll(Duration::from_secs(5), || {
            let left = self.processes();
            left.iter().for_each(|pid| process::signal(*pid, process::Signal::KILL));
            left.is_empty().then_some(())
        });
        if gone.is_none() {
            eprintln!("still running: {:?}", self.processes());
        }
        let _ = fs::remove_dir_all(&self.root);
    }
}

/// Runs a command to its end. What it started must not hold its output open, or `$(...)` around it would hang.
#[track_caller]
fn finish(mut command: Command, called: String, stdin: &[u8]) -> Call {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap_or_else(|error| panic!("{called}: {error}"));
    let stdout = drain(child.stdout.take().expect("piped"));
    let stderr = drain(child.stderr.take().expect("piped"));
    let (mut pipe, input) = (child.stdin.take().expect("piped"), stdin.to_vec());
    std::thread::spawn(move || {
        // A program that ends without reading it all is its own affair.
        let _ = pipe.write_all(&input);
    });
    let status: Option<ExitStatus> = poll(CALL_LIMIT, || child.try_wait().unwrap());
    let Some(status) = status else {
        child.kill().unwrap();
        child.wait().unwrap();
        let said = |from: &mpsc::Receiver<Vec<u8>>| from.recv_timeout(Duration::from_secs(1)).unwrap_or_default();
        let (out, err) = (said(&stdout), said(&stderr));
        panic!(
            "{called}: did not end within {} s, said: {}{}",
            CALL_LIMIT.as_secs(),
            String::from_utf8_lossy(&out),
            String::from_utf8_lossy(&err)
        );
    };
    let text = |from: mpsc::Receiver<Vec<u8>>, name: &str| match from.recv_timeout(Duration::from_secs(5)) {
        Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
        Err(_) => panic!("{called}: ended, but something it started still holds its {name} open"),
    };
    let code = status.code().unwrap_or(-1);
    Call { code, stdout: text(stdout, "stdout"), stderr: text(stderr, "stderr"), called }
}

fn drain(mut from: impl Read + Send + 'static) -> mpsc::Receiver<Vec<u8>> {
    let (to, receiver) = mpsc::channel();
    std::thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        let _ = to.send(bytes);
    });
    receiver
}
