//! Signals as something to wait for: a client that has a terminal blocks them and reads them from a descriptor.

use std::io;
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};

/// What a client hears of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Signal {
    /// SIGHUP: the terminal is gone.
    Hangup,
    /// SIGTERM.
    Terminate,
    /// SIGWINCH: the terminal has another size.
    Resize,
    /// SIGCONT.
    Continue,
}

/// Read and obeyed.
const HEARD: [(i32, Signal); 4] = [
    (libc::SIGHUP, Signal::Hangup),
    (libc::SIGTERM, Signal::Terminate),
    (libc::SIGWINCH, Signal::Resize),
    (libc::SIGCONT, Signal::Continue),
];
/// Read and dropped: as tmux, a client is not stopped or ended by these.
const IGNORED: [i32; 3] = [libc::SIGINT, libc::SIGQUIT, libc::SIGTSTP];
/// Blocked and never read, so that a client in the background may still put its terminal back.
const BACKGROUND: [i32; 2] = [libc::SIGTTIN, libc::SIGTTOU];

/// Signals come here and nowhere else until it is dropped.
#[derive(Debug)]
pub struct Signals {
    fd: OwnedFd,
    before: libc::sigset_t,
}

impl AsFd for Signals {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.fd.as_fd()
    }
}

fn set_of(numbers: impl IntoIterator<Item = i32>) -> libc::sigset_t {
    // SAFETY: a set of our own, made empty before it is used; the numbers are valid signals.
    unsafe {
        let mut set = std::mem::zeroed();
        libc::sigemptyset(&mut set);
        numbers.into_iter().for_each(|number| {
            libc::sigaddset(&mut set, number);
        });
        set
    }
}

fn mask(how: i32, set: &libc::sigset_t) -> libc::sigset_t {
    // SAFETY: both sets are ours and whole; this program's client has one thread.
    unsafe {
        let mut before = std::mem::zeroed();
        libc::sigprocmask(how, set, &mut before);
        before
    }
}

impl Signals {
    /// Takes the signals over.
    pub fn take() -> io::Result<Signals> {
        let read = set_of(HEARD.iter().map(|it| it.0).chain(IGNORED));
        let all = set_of(HEARD.iter().map(|it| it.0).chain(IGNORED).chain(BACKGROUND));
        let before = mask(libc::SIG_BLOCK, &all);
        // SAFETY: the set is whole, and the descriptor that comes back is new and ours.
        let fd = unsafe { libc::signalfd(-1, &read, libc::SFD_CLOEXEC | libc::SFD_NONBLOCK) };
        if fd < 0 {
            let error = io::Error::last_os_error();
            mask(libc::SIG_SETMASK, &before);
            return Err(error);
        }
        // SAFETY: as above.
        Ok(Signals { fd: unsafe { OwnedFd::from_raw_fd(fd) }, before })
    }

    /// The next signal that came and means something.
    pub fn next_heard(&mut self) -> Option<Signal> {
        let mut info = [0u8; size_of::<libc::signalfd_siginfo>()];
        loop {
            let count = rustix::io::read(&self.fd, &mut info[..]).ok()?;
            if count < info.len() {
                return None;
            }
            // `ssi_signo` is the first field.
            let number = u32::from_ne_bytes([info[0], info[1], info[2], info[3]]);
            if let Some((_, signal)) = HEARD.iter().find(|it| u32::try_from(it.0) == Ok(number)) {
                return Some(*signal);
            }
        }
    }

    /// Stops this process as `^Z` does, and comes back when it is continued.
    pub fn stop(&self) {
        let stop = set_of([libc::SIGTSTP]);
        mask(libc::SIG_UNBLOCK, &stop);
        // SAFETY: raises a signal whose action is the default.
        unsafe { libc::raise(libc::SIGTSTP) };
        mask(libc::SIG_BLOCK, &stop);
    }
}

impl Drop for Signals {
    fn drop(&mut self) {
        while self.next_heard().is_some() {}
        mask(libc::SIG_SETMASK, &self.before);
    }
}

/// Sends SIGHUP to the parent, unless that is the system's first process.
pub fn hang_up_parent() {
    if let Some(parent) = rustix::process::getppid().filter(|parent| !parent.is_init()) {
        let _ = rustix::process::kill_process(parent, rustix::process::Signal::HUP);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn raise(number: i32) {
        // SAFETY: goes to this thread, which has blocked it.
        unsafe { libc::raise(number) };
    }

    #[test]
    fn signals_are_heard_in_their_place_and_given_back() {
        let nothing = set_of([]);
        let before = mask(libc::SIG_BLOCK, &nothing);
        let mut signals = Signals::take().unwrap();
        assert_eq!(signals.next_heard(), None);
        for (number, signal) in HEARD {
            raise(number);
            assert_eq!(signals.next_heard(), Some(signal));
        }
        IGNORED.into_iter().chain(BACKGROUND).for_each(raise);
        assert_eq!(signals.next_heard(), None);
        // One that comes just before the end does not take effect after it.
        raise(libc::SIGTERM);
        let background = set_of(BACKGROUND);
        drop_pending(&background);
        drop(signals);
        let after = mask(libc::SIG_BLOCK, &nothing);
        let is_blocked = |set: &libc::sigset_t, number: i32| {
            // SAFETY: a whole set and a valid number.
            unsafe { libc::sigismember(set, number) }
        };
        for number in HEARD.iter().map(|it| it.0).chain(IGNORED).chain(BACKGROUND) {
            assert_eq!(is_blocked(&after, number), is_blocked(&before, number), "{number}");
        }
    }

    /// Takes what is pending of these, which would stop the test.
    fn drop_pending(set: &libc::sigset_t) {
        let no_time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
        // SAFETY: whole values of ours; no information is asked for.
        while unsafe { libc::sigtimedwait(set, std::ptr::null_mut(), &no_time) } > 0 {}
    }
}
