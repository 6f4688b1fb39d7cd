//! A new pty and a child in it. Knows nothing of panes.
//!
//! The pty is portable-pty's. The child is started here and not by its `spawn_command`, which can't give a program
//! another `argv[0]` (tmux runs a login shell as `-bash` and a command as `bash -c`), and forks (see `child.rs`).

use std::ffi::{OsStr, OsString};
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd, OwnedFd};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use portable_pty::{PtySize, native_pty_system};
use rustix::io::Errno;
use rustix::process::{Pid, Resource, Rlimit, Signal};
use rustix::pty::OpenptFlags;

use crate::child::Image;
use crate::protocol::{Command, Spawn, SpawnError};

/// A child in its pty.
pub(crate) struct Spawned {
    pub(crate) pid: i32,
    /// Path of the pty's other side.
    pub(crate) tty: String,
    /// Non-blocking, close-on-exec.
    pub(crate) master: OwnedFd,
}

/// Starts the child. It leads a new session with the pty as its terminal, has default signals, only the
/// descriptors 0 to 2, and `files` as its limit of open files (the host raises its own).
pub(crate) fn spawn(request: &Spawn, files: &Rlimit) -> Result<Spawned, SpawnError> {
    let (master, tty) = open_pty(request).map_err(|error| SpawnError::Fork(words(&error)))?;
    let slave = open_slave(&master).map_err(|error| SpawnError::Fork(words(&error)))?;
    let image = Image::new(&request.command, &directory(&request.command));
    let image = image.map_err(|error| failure(&request.command.program, &error))?;
    let pid = image.start(slave.as_fd(), *files, enter_terminal);
    let pid = pid.map_err(|error| failure(&request.command.program, &error))?;
    Ok(Spawned { pid, tty, master })
}

/// Starts a server, in a session of its own and with nothing on its descriptors 0 to 2. `ROVE_ADOPT` in its environment
/// names the host's socket.
pub(crate) fn start_server(recorded: &Command, socket: &Path, files: &Rlimit) -> io::Result<i32> {
    let mut command = command(recorded);
    command.env("ROVE_ADOPT", socket).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    let files = *files;
    // SAFETY: the closure runs in the child between fork and exec, and makes system calls only.
    unsafe {
        command.pre_exec(move || {
            rustix::process::setsid()?;
            leave_host(files);
            Ok(())
        })
    };
    Ok(command.spawn()?.id() as i32)
}

/// A standard-library command of ours, with all but its descriptors.
pub(crate) fn command(wanted: &Command) -> std::process::Command {
    let mut command = std::process::Command::new(OsStr::from_bytes(&wanted.program));
    command.arg0(OsStr::from_bytes(wanted.argv0.as_ref().unwrap_or(&wanted.program)));
    command.args(wanted.args.iter().map(|arg| OsStr::from_bytes(arg)));
    command.env_clear();
    command.envs(wanted.env.iter().map(|(name, value)| (OsStr::from_bytes(name), OsStr::from_bytes(value))));
    command.current_dir(directory(wanted));
    command
}

/// The system's words for an error, without Rust's number behind them.
pub(crate) fn words(error: &io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

/// The first of the asked directory, `HOME` and `/` that can be entered.
fn directory(wanted: &Command) -> PathBuf {
    let home = wanted.env.iter().find(|(name, _)| name == b"HOME").map(|(_, value)| value.clone());
    let candidates = [Some(wanted.cwd.clone()), home].into_iter().flatten().map(OsString::from_vec).map(PathBuf::from);
    let enter = |path: &PathBuf| path.is_dir() && rustix::fs::access(path, rustix::fs::Access::EXEC_OK).is_ok();
    candidates.into_iter().find(enter).unwrap_or_else(|| PathBuf::from("/"))
}

fn failure(program: &[u8], error: &io::Error) -> SpawnError {
    const OF_FORK: [Errno; 4] = [Errno::AGAIN, Errno::NOMEM, Errno::MFILE, Errno::NFILE];
    if OF_FORK.iter().any(|errno| Some(errno.raw_os_error()) == error.raw_os_error()) {
        return SpawnError::Fork(words(error));
    }
    SpawnError::Exec { program: String::from_utf8_lossy(program).into_owned(), reason: words(error) }
}

fn open_pty(request: &Spawn) -> io::Result<(OwnedFd, String)> {
    let size = request.size;
    let size =
        PtySize { rows: size.rows, cols: size.cols, pixel_width: size.pixel_width, pixel_height: size.pixel_height };
    // portable-pty has errno only as text in its error; it is still the last one.
    let pair = native_pty_system().openpty(size).map_err(|_| io::Error::last_os_error())?;
    let raw = pair.master.as_raw_fd().ok_or(io::ErrorKind::Unsupported)?;
    // SAFETY: `pair` is alive, so that its descriptor is open.
    let master = unsafe { BorrowedFd::borrow_raw(raw) }.try_clone_to_owned()?;
    rustix::io::ioctl_fionbio(&master, true)?;
    let tty = pair.master.tty_name().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
    set_terminal(&master, request)?;
    Ok((master, tty))
}

fn open_slave(master: &OwnedFd) -> io::Result<OwnedFd> {
    let flags = OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC;
    Ok(rustix::pty::ioctl_tiocgptpeer(master.as_fd(), flags)?)
}

/// Sets the control characters, and UTF-8 erasing, before a program can look.
fn set_terminal(master: &OwnedFd, request: &Spawn) -> io::Result<()> {
    let fd = master.as_raw_fd();
    // SAFETY: all zeros is a termios; the call fills it or fails.
    let mut modes: libc::termios = unsafe { std::mem::zeroed() };
    // SAFETY: an open descriptor and a termios of ours.
    if unsafe { libc::tcgetattr(fd, &mut modes) } != 0 {
        return Err(io::Error::last_os_error());
    }
    for (to, from) in modes.c_cc.iter_mut().zip(&request.control_chars) {
        *to = *from;
    }
    if let Some(erase) = request.erase {
        modes.c_cc[libc::VERASE] = erase;
    }
    modes.c_iflag |= libc::IUTF8;
    // SAFETY: as above.
    if unsafe { libc::tcsetattr(fd, libc::TCSANOW, &modes) } != 0 {
        return Err(io::Error::last_os_error());
    }
    Ok(())
}

/// In the child: a session of its own with descriptor 0 as its terminal; nothing else open, limits as they were. It does
/// not outlive the host, deaf as it may be to the hangup that comes then: nobody could end it any more.
fn enter_terminal(files: Rlimit, host: Pid) -> io::Result<()> {
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    if rustix::process::getppid() != Some(host) {
        return Err(Errno::SRCH.into());
    }
    rustix::process::setsid()?;
    rustix::process::ioctl_tiocsctty(rustix::stdio::stdin())?;
    leave_host(files);
    Ok(())
}

/// In the child: what the host changed for itself is put back. (The standard library resets only SIGPIPE; dispositions
/// are the default ones in the host.)
fn leave_host(files: Rlimit) {
    // SAFETY: an empty set of our own.
    unsafe {
        let none: libc::sigset_t = std::mem::zeroed();
        libc::sigprocmask(libc::SIG_SETMASK, &none, std::ptr::null_mut());
    }
    let _ = rustix::process::setrlimit(Resource::Nofile, files);
    // SAFETY: marks descriptors close-on-exec, which changes nothing for this process before its exec.
    unsafe { libc::syscall(libc::SYS_close_range, 3u32, u32::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_tmux_says() {
        let error = |errno: Errno| failure(b"prog", &errno.into()).to_string();
        assert_eq!(error(Errno::AGAIN), "fork failed: Resource temporarily unavailable");
        assert_eq!(error(Errno::NOMEM), "fork failed: Cannot allocate memory");
        assert_eq!(error(Errno::ACCESS), "prog: Permission denied");
        assert_eq!(error(Errno::TOOBIG), "prog: Argument list too long");
    }

    #[test]
    fn a_directory_that_can_not_be_entered_gives_way_to_home_then_to_the_root() {
        let wanted = |cwd: &str, home: &str| Command {
            cwd: cwd.into(),
            env: vec![("HOME".into(), home.into())],
            ..Command::default()
        };
        assert_eq!(directory(&wanted("/usr", "/")), Path::new("/usr"));
        assert_eq!(directory(&wanted("/etc/passwd", "/usr")), Path::new("/usr"));
        assert_eq!(directory(&wanted("", "/no/such")), Path::new("/"));
    }
}
