//! A fake server: this test binary run again. It counts the numbered lines of its panes, as its "screen".

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use host::{Client, Command, PaneMemory, PaneUuid};
use rustix::event::{PollFd, PollFlags, Timespec};

/// Where the fake server writes what it is and sees; it is set only in its environment.
const DIRECTORY: &str = "ROVE_FAKE_SERVER";
/// Nothing came for this long: what was seen is written down.
const QUIET: Duration = Duration::from_millis(30);

/// The command that starts the fake server.
pub fn command(directory: &Path) -> Command {
    let bytes = |text: &OsStr| text.as_bytes().to_vec();
    let arguments = ["--exact", "fake::serve", "--nocapture"].map(OsStr::new);
    Command {
        program: bytes(std::env::current_exe().unwrap().as_os_str()),
        argv0: None,
        args: arguments.map(bytes).to_vec(),
        env: vec![(DIRECTORY.into(), bytes(directory.as_os_str()))],
        cwd: b"/".to_vec(),
    }
}

/// A fake server that ends with this.
pub struct Server(pub std::process::Child);

impl Drop for Server {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// Starts the fake server by hand.
pub fn start(directory: &Path, socket: &Path) -> Server {
    let _one_at_a_time = crate::support::alone();
    let mut command = std::process::Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "fake::serve", "--nocapture"]).env(DIRECTORY, directory).env("ROVE_ADOPT", socket);
    Server(command.stdout(std::process::Stdio::null()).spawn().unwrap())
}

/// The pid of the fake server that runs last, when one has come up.
pub fn pid(directory: &Path) -> Option<i32> {
    std::fs::read_to_string(directory.join("pid")).ok()?.parse().ok()
}

/// What the fake server last said of its panes: for each the next number it expects, and how often it was wrong.
pub fn seen(directory: &Path) -> Option<String> {
    std::fs::read_to_string(directory.join("seen")).ok()
}

#[test]
fn serve() {
    let Some(directory) = std::env::var_os(DIRECTORY).map(PathBuf::from) else { return };
    let socket = PathBuf::from(std::env::var_os("ROVE_ADOPT").unwrap());
    let Ok(mut client) = Client::connect(&socket) else { return };
    let adoption = client.adopt().unwrap();
    let mut panes: Vec<Pane> = adoption.panes.into_iter().map(Pane::adopt).collect();
    write(&directory, "pid", &std::process::id().to_string());
    loop {
        let mut fds: Vec<PollFd<'_>> = panes.iter().map(|pane| PollFd::new(&pane.master, PollFlags::IN)).collect();
        let client_fd = client.fd().try_clone_to_owned().unwrap();
        fds.push(PollFd::new(&client_fd, PollFlags::IN));
        let timeout = Timespec::try_from(QUIET).unwrap();
        let ready = rustix::event::poll(&mut fds, Some(&timeout)).unwrap();
        drop(fds);
        if client.poll().contains(&host::Notice::Gone) {
            return;
        }
        panes.retain_mut(Pane::read);
        if ready == 0 {
            let lines: BTreeMap<_, _> =
                panes.iter().map(|pane| (pane.id, (pane.screen.next, pane.screen.wrong))).collect();
            write(&directory, "seen", &format!("{lines:?}"));
        }
    }
}

fn write(directory: &Path, name: &str, text: &str) {
    let new = directory.join(format!("{name}.new"));
    std::fs::write(&new, text).unwrap();
    std::fs::rename(new, directory.join(name)).unwrap();
}

/// What stands for a screen: lines hold numbers that count up from 0.
#[derive(Default)]
struct Screen {
    next: u64,
    wrong: u64,
    /// Digits of the line that is not complete.
    partial: u64,
}

impl Screen {
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                b'0'..=b'9' => self.partial = self.partial.wrapping_mul(10).wrapping_add(u64::from(byte - b'0')),
                b'\n' => {
                    self.wrong += u64::from(self.partial != self.next);
                    self.next = self.partial + 1;
                    self.partial = 0;
                }
                _ => {}
            }
        }
    }

    fn checkpoint(&self) -> Vec<u8> {
        [self.next, self.wrong, self.partial].into_iter().flat_map(u64::to_le_bytes).collect()
    }

    fn restore(bytes: &[u8]) -> Screen {
        let word = |index: usize| u64::from_le_bytes(bytes[index * 8..][..8].try_into().unwrap());
        Screen { next: word(0), wrong: word(1), partial: word(2) }
    }
}

struct Pane {
    id: PaneUuid,
    master: OwnedFd,
    memory: PaneMemory,
    screen: Screen,
}

impl Pane {
    fn adopt(adopted: host::Adopted) -> Pane {
        let mut memory = adopted.memory.unwrap();
        let checkpoint = memory.recover().unwrap();
        let mut screen = checkpoint.as_ref().map_or_else(Screen::default, |it| Screen::restore(&it.bytes));
        let since = memory.journal().since(checkpoint.as_ref().map_or(0, |it| it.offset));
        screen.wrong += since.lost;
        for part in since.parts {
            screen.feed(part);
        }
        let left = memory.journal().written() - memory.journal().parsed();
        memory.journal().consumed(left as usize);
        Pane { id: adopted.id, master: adopted.master, memory, screen }
    }

    /// Reads what is there; false at the end.
    fn read(&mut self) -> bool {
        let mut fds = [PollFd::from_borrowed_fd(self.master.as_fd(), PollFlags::IN)];
        let _ = rustix::event::poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }));
        if fds[0].revents().is_empty() {
            return true;
        }
        let journal = self.memory.journal();
        let count = journal.read_from(&self.master).unwrap_or(0);
        self.screen.feed(journal.unparsed());
        journal.consumed(count);
        if self.memory.journal().checkpoint_due() {
            let offset = self.memory.journal().parsed();
            self.memory.write_checkpoint(&self.screen.checkpoint(), offset).unwrap();
        }
        true
    }
}
