//! A pty and a program whose controlling terminal it is.

use std::fs::{File, OpenOptions};
use std::os::unix::fs::OpenOptionsExt;
use std::process::{Child, Command};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// The program that makes a terminal the controlling one of a new session (with `--ctty`) and then becomes the program that is named after it,
/// so that the process stays the same.
pub const IN_A_TERMINAL: &str = "setsid";

/// A pty: our side and the program's.
pub fn open() -> (File, File) {
    let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
    grantpt(&master).unwrap();
    unlockpt(&master).unwrap();
    let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
    let slave = OpenOptions::new().read(true).write(true).custom_flags(libc::O_NOCTTY).open(name).unwrap();
    (File::from(master), slave)
}

/// Starts a command in the terminal, and gives our hold of the program's side up.
pub fn spawn(mut command: Command, slave: File) -> Child {
    let side = || slave.try_clone().unwrap();
    command.stdin(side()).stdout(side()).stderr(side()).spawn().unwrap()
}
