//! The start of a host: a fork of the server without an exec, so that it costs a millisecond and needs no second program.

use std::ffi::CStr;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::panic::AssertUnwindSafe;
use std::path::Path;

use rustix::fs::{Mode, OFlags};
use rustix::process::{Pid, Resource, Rlimit, WaitOptions};

use crate::client::{Client, HostError};
use crate::options::Options;
use crate::path::Address;
use crate::serve::{self, Inherited};

const BACKLOG: i32 = 128;

/// Starts a host and connects to it. The directory of its socket has to be there, and private to the user. When one
/// is [`HostError::Running`] already, [`Client::connect`] to it and [`Client::adopt`].
///
/// Call it early, while the process has one thread: the host is a fork of it and keeps what is in memory then.
/// Errors: [`HostError::Running`] when a host answers at the socket already, or those of the system.
pub fn start(options: &Options) -> Result<Client, HostError> {
    use rustix::process::{getegid, geteuid, getgid, getuid};
    if geteuid() != getuid() || getegid() != getgid() {
        return Err(HostError::Refused("refuses to run setuid".to_owned()));
    }
    let listener = listen(&options.socket)?;
    // SAFETY: the child goes on with its copy of this thread alone, and ends with `_exit` in `fork_again`.
    match unsafe { libc::fork() } {
        -1 => return Err(io::Error::last_os_error().into()),
        0 => fork_again(options, listener),
        child => {
            let child = Pid::from_raw(child);
            while let Err(rustix::io::Errno::INTR) = rustix::process::waitpid(child, WaitOptions::empty()) {}
        }
    }
    drop(listener);
    Client::connect(&options.socket)
}

/// Binds the socket, mode 0600; one that nobody answers at is replaced.
fn listen(path: &Path) -> Result<OwnedFd, HostError> {
    if UnixStream::connect(Address::new(path)?.path()).is_ok() {
        return Err(HostError::Running);
    }
    crate::register::sweep(path);
    let left_over = std::fs::symlink_metadata(path);
    if left_over.is_ok_and(|it| std::os::unix::fs::FileTypeExt::is_socket(&it.file_type())) {
        std::fs::remove_file(path)?;
    }
    Ok(bind(path)?)
}

/// Makes a socket of mode 0600 from its first moment on. Its descriptor is none of 0 to 2, which become /dev/null.
pub(crate) fn bind(path: &Path) -> io::Result<OwnedFd> {
    let address = Address::new(path)?;
    let before = rustix::process::umask(Mode::from_raw_mode(0o177));
    let listener = UnixListener::bind(address.path());
    rustix::process::umask(before);
    let listener = listener?;
    listener.set_nonblocking(true)?;
    Ok(rustix::io::fcntl_dupfd_cloexec(&listener, 3)?)
}

/// In the first child: leaves the session and forks once more, so that the host is nobody's child and leads nothing. Ends
/// once the host listens itself.
fn fork_again(options: &Options, listener: OwnedFd) -> ! {
    let _ = rustix::process::setsid();
    // The host closes its copy of the writing end with all it does not need.
    let ready = rustix::pipe::pipe();
    // SAFETY: as in `start`; both sides end with `_exit`.
    let status = match unsafe { libc::fork() } {
        0 => {
            let result = std::panic::catch_unwind(AssertUnwindSafe(|| be_host(options, listener)));
            i32::from(!matches!(result, Ok(Ok(()))))
        }
        _ => {
            if let Ok((read, write)) = ready {
                drop(write);
                while let Err(rustix::io::Errno::INTR) = rustix::io::read(&read, &mut [0; 1]) {}
            }
            0
        }
    };
    // SAFETY: ends the process without running what the server had registered for its own end.
    unsafe { libc::_exit(status) }
}

/// The host's name among processes, and a child's until its exec.
const NAME: &CStr = c"rove: host";

/// Whether a child of the host has become its program: it is the host's copy until its exec.
pub fn is_started(pid: i32) -> bool {
    let name = std::fs::read(format!("/proc/{pid}/comm")).unwrap_or_default();
    name.strip_suffix(b"\n").unwrap_or(&name) != NAME.to_bytes()
}

fn be_host(options: &Options, listener: OwnedFd) -> io::Result<()> {
    let _ = rustix::thread::set_name(NAME);
    // So that whoever connects is told that this process is at the other end; the first one waits for that.
    let _ = rustix::net::listen(&listener, BACKLOG);
    close_others(&listener)?;
    let _ = rustix::process::chdir("/");
    let signals = take_signals()?;
    let files = rustix::process::getrlimit(Resource::Nofile);
    let most = Rlimit { current: files.maximum, maximum: files.maximum };
    let _ = rustix::process::setrlimit(Resource::Nofile, most);
    serve::run(options.clone(), Inherited { listener, signals, files })
}

/// Puts /dev/null on 0 to 2, and closes everything else but the listener.
fn close_others(listener: &OwnedFd) -> io::Result<()> {
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    rustix::stdio::dup2_stdin(&null)?;
    rustix::stdio::dup2_stdout(&null)?;
    rustix::stdio::dup2_stderr(&null)?;
    // `null` may be one of 0 to 2 itself, if the server had none: then it stays, else it is closed below.
    std::mem::forget(null);
    let kept = listener.as_raw_fd() as u32;
    for (first, last) in [(3, kept - 1), (kept + 1, u32::MAX)] {
        if first <= last {
            // SAFETY: the owners of these descriptors belong to the server's code, which never runs here again.
            unsafe { libc::syscall(libc::SYS_close_range, first, last, 0u32) };
        }
    }
    Ok(())
}

/// All signals back to default and blocked; those that say something come through the descriptor. Blocked and not
/// ignored, because children would inherit that. HUP and INT are read and mean nothing to the host.
fn take_signals() -> io::Result<OwnedFd> {
    // SAFETY: plain calls on sets of our own; the returned descriptor is new and ours.
    unsafe {
        // The system call itself, because libc keeps 32 and 33 from being set. A kernel's sigaction of zeros is the default.
        let default = [0u64; 4];
        for number in 1..=64 {
            libc::syscall(libc::SYS_rt_sigaction, number, default.as_ptr(), std::ptr::null::<u64>(), 8usize);
        }
        let mut all: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&mut all);
        for fault in [libc::SIGSEGV, libc::SIGBUS, libc::SIGILL, libc::SIGFPE, libc::SIGABRT] {
            libc::sigdelset(&mut all, fault);
        }
        libc::sigprocmask(libc::SIG_SETMASK, &all, std::ptr::null_mut());
        let mut wanted: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&mut wanted);
        libc::sigaddset(&mut wanted, libc::SIGCHLD);
        libc::sigaddset(&mut wanted, libc::SIGTERM);
        let fd = libc::signalfd(-1, &wanted, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK);
        if fd < 0 { Err(io::Error::last_os_error()) } else { Ok(OwnedFd::from_raw_fd(fd)) }
    }
}
