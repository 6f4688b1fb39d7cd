//! The start of a server: this program again, detached from the terminal and from everything else of its caller.

use std::ffi::{CString, OsString};
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};
use std::os::unix::ffi::OsStringExt;
use std::os::unix::net::UnixListener;

use rustix::fs::{Mode, OFlags};

/// The descriptor at which a server finds the socket it listens at.
pub const LISTENER: i32 = 3;

/// This program, whatever its file is called now.
const SELF: &std::ffi::CStr = c"/proc/self/exe";

/// Starts this program with `arguments` (the first is the name it is called by), as a daemon: its own session, nobody's
/// child, /dev/null on 0 to 2, `listener` at [`LISTENER`] and nothing else open. The directory stays.
pub fn spawn(arguments: Vec<OsString>, listener: &UnixListener) -> io::Result<()> {
    let arguments = Arguments::new(arguments)?;
    let null = rustix::fs::open("/dev/null", OFlags::RDWR | OFlags::CLOEXEC, Mode::empty())?;
    // SAFETY: the client has one thread, and the child makes system calls only, with what was made before the fork.
    let child = unsafe { libc::fork() };
    match child {
        -1 => Err(io::Error::last_os_error()),
        0 => {
            // SAFETY: plain system calls in a child of one thread; it ends in `_exit` or becomes the server.
            unsafe {
                libc::setsid();
                if libc::fork() == 0 {
                    for standard in 0..3 {
                        libc::dup2(null.as_raw_fd(), standard);
                    }
                    arguments.become_server(listener.as_raw_fd());
                }
                libc::_exit(127)
            }
        }
        child => {
            let child = rustix::process::Pid::from_raw(child);
            let options = rustix::process::WaitOptions::empty();
            while let Err(rustix::io::Errno::INTR) = rustix::process::waitpid(child, options) {}
            Ok(())
        }
    }
}

/// Becomes the server, in the foreground (`-D`), with the terminal as it is. Comes back only with an error.
pub fn become_server(arguments: Vec<OsString>, listener: &UnixListener) -> io::Error {
    match Arguments::new(arguments) {
        // SAFETY: nothing of this process is used after it, whether it succeeds or the caller ends.
        Ok(arguments) => unsafe { arguments.become_server(listener.as_raw_fd()) },
        Err(error) => error,
    }
}

/// Arguments in the form the system takes, made before the fork.
struct Arguments {
    pointers: Vec<*const libc::c_char>,
    _strings: Vec<CString>,
}

impl Arguments {
    fn new(arguments: Vec<OsString>) -> io::Result<Arguments> {
        let strings = arguments.into_iter().map(|it| CString::new(it.into_vec())).collect::<Result<Vec<_>, _>>()?;
        let pointers = strings.iter().map(|it| it.as_ptr()).chain([std::ptr::null()]).collect();
        Ok(Arguments { pointers, _strings: strings })
    }

    /// Puts the listener in its place, closes what is above it and becomes this program again.
    ///
    /// # Safety
    /// Closes descriptors that others may own: nothing may be used afterwards but for ending the process.
    unsafe fn become_server(&self, listener: i32) -> io::Error {
        // SAFETY: system calls on numbers; the pointers live as long as `self`.
        unsafe {
            if listener == LISTENER {
                libc::fcntl(LISTENER, libc::F_SETFD, 0);
            } else {
                libc::dup2(listener, LISTENER);
            }
            libc::syscall(libc::SYS_close_range, LISTENER as u32 + 1, u32::MAX, 0u32);
            libc::execv(SELF.as_ptr(), self.pointers.as_ptr());
        }
        io::Error::last_os_error()
    }
}

/// Takes the listener a server was started with. Only the server calls it, once.
pub fn take_listener() -> io::Result<UnixListener> {
    // SAFETY: asks about a number; nothing is owned by that.
    let there = unsafe { libc::fcntl(LISTENER, libc::F_SETFD, libc::FD_CLOEXEC) };
    if there < 0 {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: open, as just seen, and nobody else's: the process was started with it and calls this once.
    let listener = UnixListener::from(unsafe { OwnedFd::from_raw_fd(LISTENER) });
    super::socket::adopt(&listener)?;
    Ok(listener)
}
