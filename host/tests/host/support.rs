//! A host of one's own in a directory of one's own, and waiting for conditions.

use std::os::fd::AsFd;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};

use host::{Client, Command, Notice, Options, PaneUuid, Size, Spawn, Spawned};
use rustix::event::{PollFd, PollFlags, Timespec};

pub const PATIENCE: Duration = Duration::from_secs(30);
pub const SIZE: Size = Size { cols: 80, rows: 24, pixel_width: 0, pixel_height: 0 };

/// `host::start` changes the umask for a moment, which is the whole process's; and a fork has all descriptors for one.
static STARTING: Mutex<()> = Mutex::new(());
static COUNT: AtomicU32 = AtomicU32::new(0);

/// No other test starts a process while this lives.
pub fn alone() -> MutexGuard<'static, ()> {
    STARTING.lock().unwrap_or_else(|it| it.into_inner())
}

/// A host with short times. Its directory goes with it.
pub struct Rig {
    pub directory: PathBuf,
    pub options: Options,
}

impl Rig {
    pub fn new() -> Rig {
        let _one_at_a_time = alone();
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let directory = std::env::temp_dir().join(format!("rove-host-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir_all(&directory).unwrap();
        let mut options = Options::new(&directory.join("s"));
        options.linger = Duration::from_secs(1);
        options.kill_grace = Duration::from_millis(200);
        Rig { directory, options }
    }

    pub fn start(&self) -> Client {
        let _one_at_a_time = alone();
        host::start(&self.options).unwrap()
    }

    /// Connects as a server, as soon as the host lets one.
    pub fn connect(&self) -> Client {
        let mut client = None;
        wait_until("the host takes a server", || {
            client = Client::connect(&self.options.socket).ok();
            client.is_some()
        });
        client.unwrap()
    }
}

impl Drop for Rig {
    fn drop(&mut self) {
        // A test that failed may leave a server connected, which is not waited for.
        let until = Instant::now() + if std::thread::panicking() { Duration::from_secs(1) } else { PATIENCE };
        while self.options.socket.exists() && Instant::now() < until {
            match Client::connect(&self.options.socket) {
                Ok(client) => drop(client.goodbye(host::Goodbye::Teardown)),
                Err(_) => std::thread::sleep(Duration::from_millis(3)),
            }
        }
        assert!(std::thread::panicking() || !self.options.socket.exists(), "a host was left over");
        let _ = std::fs::remove_dir_all(&self.directory);
    }
}

/// Waits until it is so, and looks again every few milliseconds.
pub fn wait_until(what: &str, mut so: impl FnMut() -> bool) {
    let until = Instant::now() + PATIENCE;
    while !so() {
        assert!(Instant::now() < until, "waited in vain until {what}");
        std::thread::sleep(Duration::from_millis(3));
    }
}

/// A pane that runs a line of shell.
pub fn shell(id: PaneUuid, line: &str) -> Spawn {
    let bytes = |text: &str| text.as_bytes().to_vec();
    let command = Command {
        program: bytes("/bin/sh"),
        argv0: Some(bytes("sh")),
        args: vec![bytes("-c"), bytes(line)],
        env: vec![(bytes("PATH"), bytes("/usr/bin:/bin")), (bytes("TERM"), bytes("screen"))],
        cwd: bytes("/"),
    };
    Spawn { id, command, size: SIZE, control_chars: Vec::new(), erase: None, metadata: Vec::new() }
}

/// Waits for input on a descriptor.
pub fn wait_input(fd: impl AsFd) {
    wait_input_for(fd, Duration::from_secs(1));
}

/// The same, for so long at most.
pub fn wait_input_for(fd: impl AsFd, most: Duration) {
    let timeout = Timespec::try_from(most).unwrap();
    let _ = rustix::event::poll(&mut [PollFd::new(&fd, PollFlags::IN)], Some(&timeout));
}

/// Reads a pane into its journal until that holds `text`, and returns all of it.
pub fn read_until(pane: &mut Spawned, text: &str) -> String {
    let mut seen = String::new();
    wait_until(&format!("the pane says {text:?}"), || {
        wait_input(&pane.master);
        let _ = pane.memory.journal().read_from(&pane.master);
        let since = pane.memory.journal().since(0);
        seen = String::from_utf8_lossy(&since.parts.concat()).into_owned();
        seen.contains(text)
    });
    seen
}

/// Waits for a notice.
pub fn wait_notice(client: &mut Client, wanted: impl Fn(&Notice) -> bool) -> Notice {
    let mut found = None;
    wait_until("the notice comes", || {
        wait_input(client.fd());
        found = found.or(client.poll().into_iter().find(|it| wanted(it)));
        found.is_some()
    });
    found.unwrap()
}

/// Whether a process is there and no zombie.
pub fn is_alive(pid: i32) -> bool {
    let stat = std::fs::read_to_string(Path::new("/proc").join(pid.to_string()).join("stat"));
    stat.is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or_default().trim_start().starts_with('Z'))
}

pub fn kill_9(pid: i32) {
    let pid = rustix::process::Pid::from_raw(pid).unwrap();
    rustix::process::kill_process(pid, rustix::process::Signal::KILL).unwrap();
}

/// The parent of a process: of a child, its host.
pub fn parent_of(pid: i32) -> i32 {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap();
    stat.rsplit(')').next().unwrap().split_whitespace().nth(1).unwrap().parse().unwrap()
}
