//! A child that shares the host's memory until its exec, as posix_spawn makes one. A fork would copy the host's page
//! tables, and then each page that host or child writes to: with many panes that is most of what a new one costs. The
//! standard library forks for a child that needs more than it knows of, and waits longer.

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd, RawFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::{Pid, Rlimit};

use crate::protocol::Command;

/// Where a program is looked for when its environment has no `PATH`.
const DEFAULT_PATH: &[u8] = b"/usr/bin:/bin";
/// What runs a script without a `#!` line, as execvp has it.
const SHELL: &CStr = c"/bin/sh";
/// Words of a child's stack: 64 KiB.
const STACK: usize = 4096;

/// What runs in the child before its exec; system calls only.
type Enter = fn(Rlimit, Pid) -> io::Result<()>;

/// A program with all that an exec takes, made before the child is.
pub(crate) struct Image {
    program: CString,
    argv: Vec<CString>,
    env: Vec<CString>,
    directory: CString,
}

/// All that the child reads, and where it says what went wrong.
struct Birth<'a> {
    image: &'a Image,
    /// Null-terminated, as an exec wants them. The first holds a place before it for a shell.
    argv: Vec<*const libc::c_char>,
    env: Vec<*const libc::c_char>,
    terminal: RawFd,
    files: Rlimit,
    host: Pid,
    enter: Enter,
    /// The system's number, 0 until something went wrong.
    error: i32,
}

impl Image {
    /// Errors: the system's, for a program that is nowhere, or a NUL in a string.
    pub(crate) fn new(command: &Command, directory: &Path) -> io::Result<Image> {
        let argv0 = command.argv0.as_ref().unwrap_or(&command.program);
        let strings = std::iter::once(argv0).chain(&command.args);
        let variable = |(name, value): &(Vec<u8>, Vec<u8>)| string(&[name, b"=".as_slice(), value].concat());
        Ok(Image {
            program: string(find(command)?.as_os_str().as_bytes())?,
            argv: strings.map(|bytes| string(bytes)).collect::<io::Result<_>>()?,
            env: command.env.iter().map(variable).collect::<io::Result<_>>()?,
            directory: string(directory.as_os_str().as_bytes())?,
        })
    }

    /// Makes the child and gives its pid once it runs its program. It has `terminal` on its descriptors 0 to 2. Errors:
    /// the system's, of the child's making, of `enter` or of the exec.
    pub(crate) fn start(&self, terminal: BorrowedFd<'_>, files: Rlimit, enter: Enter) -> io::Result<i32> {
        let mut birth = Birth {
            image: self,
            argv: [SHELL.as_ptr()].into_iter().chain(pointers(&self.argv)).collect(),
            env: pointers(&self.env).collect(),
            terminal: terminal.as_raw_fd(),
            files,
            host: rustix::process::getpid(),
            enter,
            error: 0,
        };
        let mut stack = Box::new_uninit_slice(STACK);
        let top: *mut MaybeUninit<u128> = stack.as_mut_ptr_range().end;
        // SAFETY: this process stands still until the child has left its memory by an exec or its end (CLONE_VFORK), so
        // that `stack` and `birth` outlive its use of them. It has one thread, and all its signals are blocked or default.
        let pid = unsafe {
            let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::SIGCHLD;
            libc::clone(be_born, top.cast(), flags, (&raw mut birth).cast())
        };
        match (pid, birth.error) {
            (-1, _) => Err(io::Error::last_os_error()),
            (pid, 0) => Ok(pid),
            (pid, error) => {
                let _ = rustix::process::waitpid(Pid::from_raw(pid), rustix::process::WaitOptions::empty());
                Err(io::Error::from_raw_os_error(error))
            }
        }
    }
}

/// The child, from its beginning to its exec. It makes system calls and allocates nothing.
extern "C" fn be_born(birth: *mut libc::c_void) -> libc::c_int {
    // SAFETY: what `start` gave, which nobody else touches meanwhile.
    let birth = unsafe { &mut *birth.cast::<Birth<'_>>() };
    let error = match stand_on(birth).and_then(|()| (birth.enter)(birth.files, birth.host)) {
        Ok(()) => become_program(birth),
        Err(error) => error.raw_os_error(),
    };
    birth.error = error.unwrap_or(libc::EIO);
    // SAFETY: ends the child without running what the host had registered for its own end.
    unsafe { libc::_exit(1) }
}

/// (Descriptors 0 to 2 are open in the host, so that the terminal is none of them.)
fn stand_on(birth: &Birth<'_>) -> io::Result<()> {
    for number in 0..3 {
        // SAFETY: plain calls on an open descriptor and on numbers that are the child's own.
        if unsafe { libc::dup2(birth.terminal, number) } < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    let _ = rustix::process::chdir(&*birth.image.directory);
    Ok(())
}

/// Comes back only with an error.
fn become_program(birth: &mut Birth<'_>) -> Option<i32> {
    // SAFETY: arrays of strings that live until the exec, each with a null at its end.
    unsafe { libc::execve(birth.image.program.as_ptr(), birth.argv[1..].as_ptr(), birth.env.as_ptr()) };
    let error = io::Error::last_os_error().raw_os_error();
    if error == Some(libc::ENOEXEC) {
        birth.argv[1] = birth.image.program.as_ptr();
        // SAFETY: as above.
        unsafe { libc::execve(SHELL.as_ptr(), birth.argv.as_ptr(), birth.env.as_ptr()) };
    }
    error
}

fn pointers(strings: &[CString]) -> impl Iterator<Item = *const libc::c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()])
}

fn string(bytes: &[u8]) -> io::Result<CString> {
    CString::new(bytes).map_err(|_| Errno::INVAL.into())
}

/// Where the program is. A path is what it is: whether it can be run the exec tells.
fn find(command: &Command) -> io::Result<PathBuf> {
    let program = Path::new(OsStr::from_bytes(&command.program));
    if command.program.contains(&b'/') {
        return Ok(program.to_owned());
    }
    let path = command.env.iter().find(|(name, _)| name == b"PATH").map_or(DEFAULT_PATH, |(_, path)| path);
    let places = path.split(|byte| *byte == b':').map(|place| Path::new(OsStr::from_bytes(place)).join(program));
    let mut refused = Errno::NOENT;
    for place in places {
        match rustix::fs::access(&place, rustix::fs::Access::EXEC_OK) {
            Ok(()) if !place.is_dir() => return Ok(place),
            Ok(()) | Err(Errno::ACCESS) => refused = Errno::ACCESS,
            Err(_) => {}
        }
    }
    Err(refused.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(program: &str, path: &str) -> Result<PathBuf, Option<i32>> {
        let env = vec![(b"PATH".to_vec(), path.into())];
        let command = Command { program: program.into(), env, ..Command::default() };
        find(&command).map_err(|error| error.raw_os_error())
    }

    #[test]
    fn a_program_is_where_its_own_path_says() {
        assert_eq!(place("sh", "/nowhere:/bin"), Ok("/bin/sh".into()));
        assert_eq!(place("sh", "/nowhere"), Err(Some(libc::ENOENT)));
        assert_eq!(place("passwd", "/etc"), Err(Some(libc::EACCES)));
        assert_eq!(place("bin", "/usr"), Err(Some(libc::EACCES)));
        assert_eq!(place("./x", "/bin"), Ok("./x".into()));
    }
}
