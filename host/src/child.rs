//! A child started without waiting for its exec: a server that makes many panes would stand still for as long as each
//! program takes to be loaded. The standard library always waits.

use std::ffi::{CStr, CString, OsStr};
use std::io;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::process::{Pid, Rlimit};

use crate::protocol::Command;

/// What a program that names no `PATH` is looked for in.
const DEFAULT_PATH: &[u8] = b"/usr/bin:/bin";
/// Linux takes no longer string for an exec (`MAX_ARG_STRLEN`, its NUL with it).
const STRING_LIMIT: usize = 128 * 1024;

unsafe extern "C" {
    /// What `execvp` gives on, and where it finds `PATH`.
    static mut environ: *const *const libc::c_char;
}

/// A program with all that an exec takes, made before the fork: after it nothing may be allocated.
pub(crate) struct Image {
    program: CString,
    argv: Vec<CString>,
    env: Vec<CString>,
    directory: CString,
    /// Said in the terminal when the exec fails after all.
    complaint: Vec<u8>,
}

impl Image {
    /// Errors: the system's, for what can be known before the exec.
    pub(crate) fn new(command: &Command, directory: &Path) -> io::Result<Image> {
        executable(command)?;
        let argv0 = command.argv0.as_ref().unwrap_or(&command.program);
        let strings = std::iter::once(argv0).chain(&command.args);
        let variable = |(name, value): &(Vec<u8>, Vec<u8>)| string(&[name, b"=".as_slice(), value].concat());
        Ok(Image {
            program: string(&command.program)?,
            argv: strings.map(|bytes| string(bytes)).collect::<io::Result<_>>()?,
            env: command.env.iter().map(variable).collect::<io::Result<_>>()?,
            directory: string(directory.as_os_str().as_bytes())?,
            complaint: [b"rove: cannot run ".as_slice(), &command.program, b"\r\n"].concat(),
        })
    }

    /// Forks, and gives the child's pid at once. The child has `terminal` on its descriptors 0 to 2; `enter` runs in it
    /// before the exec.
    pub(crate) fn start(
        &self,
        terminal: BorrowedFd<'_>,
        files: Rlimit,
        enter: fn(Rlimit, Pid) -> io::Result<()>,
    ) -> io::Result<i32> {
        let pointers = |strings: &[CString]| -> Vec<*const libc::c_char> {
            strings.iter().map(|string| string.as_ptr()).chain([std::ptr::null()]).collect()
        };
        let (argv, env) = (pointers(&self.argv), pointers(&self.env));
        let host = rustix::process::getpid();
        // SAFETY: the host has one thread. The child makes system calls only, on memory made before, and never returns.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => {
                if stand_on(terminal, &self.directory).and_then(|()| enter(files, host)).is_ok() {
                    // SAFETY: arrays of strings that live until the exec, each with a null at its end.
                    unsafe {
                        environ = env.as_ptr();
                        libc::execvp(self.program.as_ptr(), argv.as_ptr());
                    }
                    let _ = rustix::io::write(rustix::stdio::stderr(), &self.complaint);
                }
                // SAFETY: ends the child without running what the host had registered for its own end.
                unsafe { libc::_exit(1) }
            }
            pid => Ok(pid),
        }
    }
}

/// In the child. (Descriptors 0 to 2 are open in the host, so that `terminal` is none of them.)
fn stand_on(terminal: BorrowedFd<'_>, directory: &CStr) -> io::Result<()> {
    for number in 0..3 {
        // SAFETY: plain calls on an open descriptor and on numbers that are the child's own.
        if unsafe { libc::dup2(terminal.as_raw_fd(), number) } < 0 {
            return Err(io::Error::last_os_error());
        }
    }
    // SAFETY: signal dispositions of the child; the standard library had SIGPIPE ignored.
    unsafe { libc::signal(libc::SIGPIPE, libc::SIG_DFL) };
    let _ = rustix::process::chdir(directory);
    Ok(())
}

fn string(bytes: &[u8]) -> io::Result<CString> {
    if bytes.len() >= STRING_LIMIT {
        return Err(Errno::TOOBIG.into());
    }
    CString::new(bytes).map_err(|_| Errno::INVAL.into())
}

/// Errors as an exec would give them when there is no such program.
fn executable(command: &Command) -> io::Result<()> {
    let may_run = |path: &Path| {
        rustix::fs::access(path, rustix::fs::Access::EXEC_OK)?;
        if path.is_dir() { Err(Errno::ACCESS) } else { Ok(()) }
    };
    let program = OsStr::from_bytes(&command.program);
    if command.program.contains(&b'/') {
        return Ok(may_run(Path::new(program))?);
    }
    let path = command.env.iter().find(|(name, _)| name == b"PATH").map_or(DEFAULT_PATH, |(_, path)| path);
    let places = path.split(|byte| *byte == b':').map(|place| PathBuf::from(OsStr::from_bytes(place)).join(program));
    let mut refused = Errno::NOENT;
    for place in places {
        match may_run(&place) {
            Ok(()) => return Ok(()),
            Err(Errno::ACCESS) => refused = Errno::ACCESS,
            Err(_) => {}
        }
    }
    Err(refused.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refusal(program: &str, path: &str) -> Option<i32> {
        let command = Command {
            program: program.into(),
            env: vec![(b"PATH".to_vec(), path.into())],
            cwd: b"/".to_vec(),
            ..Command::default()
        };
        Image::new(&command, Path::new("/")).err().and_then(|error| error.raw_os_error())
    }

    #[test]
    fn what_is_no_program_is_known_before_the_fork() {
        assert_eq!(refusal("sh", "/nowhere:/bin"), None);
        assert_eq!(refusal("sh", "/nowhere"), Some(libc::ENOENT));
        assert_eq!(refusal("/etc", "/bin"), Some(libc::EACCES));
        assert_eq!(refusal("/etc/passwd", "/bin"), Some(libc::EACCES));
        assert_eq!(refusal("/bin/no such", "/bin"), Some(libc::ENOENT));
        assert_eq!(refusal("/bin/sh", &"x".repeat(STRING_LIMIT)), Some(libc::E2BIG));
    }
}
