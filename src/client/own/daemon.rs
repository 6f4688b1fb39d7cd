//! `rove daemon`: the server as a process.

use std::ffi::OsString;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, PidfdFlags, Signal};

use super::{Commands, Invocation, SocketPath, ask, complain, line, run_at};
use crate::client::ask::AskError;

const USAGE: &str = "usage: rove daemon status|start|restart|stop";
/// How long a server may take to end.
const ENDING: Duration = Duration::from_secs(20);
const STATUS: &str = "socket #{socket_path}, #{server_sessions} sessions, since #{t:start_time}
held by #{?server_holds,#{server_holds},nothing (idle-exit is #{idle-exit} s)}";

/// Does it.
pub(super) fn daemon(socket: &SocketPath, mut invocation: Invocation, commands: &Commands<'_>) -> i32 {
    let word = invocation.argv.first().and_then(|word| word.to_str()).unwrap_or("status").to_owned();
    if invocation.argv.len() > 1 {
        return complain(USAGE, 2);
    }
    match word.as_str() {
        "status" => status(socket, &invocation),
        "stop" => stop(socket, &invocation),
        "start" => {
            invocation.argv = vec!["start-server".into()];
            run_at(socket, &invocation, commands)
        }
        "restart" => restart(socket, invocation, commands),
        _ => complain(USAGE, 2),
    }
}

fn status(socket: &SocketPath, invocation: &Invocation) -> i32 {
    match ask(socket, invocation, &["display-message", "-p", STATUS]) {
        Ok(answer) if answer.code == 0 => {
            line(&format!("{}, {}", answer.who(), String::from_utf8_lossy(&answer.stdout).trim_end()));
            0
        }
        Ok(answer) => complain(String::from_utf8_lossy(&answer.stderr).trim_end(), answer.code),
        Err(error) if error.is_absence() => {
            line(&format!("no server is running (socket {})", socket.path.display()));
            1
        }
        Err(error) => complain(&error.words(socket), 1),
    }
}

/// The server keeps everything in the store, ends its processes and goes; the next start brings it back.
fn stop(socket: &SocketPath, invocation: &Invocation) -> i32 {
    let pid = match ask(socket, invocation, &["display-message", "-p", ""]) {
        Ok(answer) => answer.server.map_or(0, |server| server.pid),
        Err(AskError::Mismatch(server)) => server.pid,
        Err(AskError::Silent(Some(server))) => server.unsigned_abs(),
        Err(error) if error.is_absence() => {
            line("no server is running");
            return 0;
        }
        Err(error) => return complain(&error.words(socket), 1),
    };
    match end(pid, Signal::TERM) {
        Ok(true) => {
            line("the server has stopped; its sessions come back with the next one");
            0
        }
        Ok(false) => complain(&format!("the server (pid {pid}) has not ended yet"), 1),
        Err(error) => complain(&format!("cannot stop the server (pid {pid}): {}", crate::os::words(&error.into())), 1),
    }
}

/// Another server of this program takes over; processes and attached clients stay.
fn restart(socket: &SocketPath, mut invocation: Invocation, commands: &Commands<'_>) -> i32 {
    match ask(socket, &invocation, &["display-message", "-p", ""]) {
        // It understands nothing we say, or hears nothing.
        Err(AskError::Mismatch(server)) => replace(server.pid),
        Err(AskError::Silent(Some(server))) => replace(server.unsigned_abs()),
        Err(AskError::Connect(_)) => {
            invocation.argv = vec!["start-server".into()];
            run_at(socket, &invocation, commands)
        }
        _ => {
            let program = std::env::current_exe().map(OsString::from).ok();
            invocation.argv = [OsString::from("restart-server")].into_iter().chain(program).collect();
            run_at(socket, &invocation, commands)
        }
    }
}

/// A server that is killed is started anew by the host of its panes, which lose nothing.
fn replace(server: u32) -> i32 {
    match end(server, Signal::KILL) {
        Ok(true) => 0,
        _ => complain(&format!("the server (pid {server}) cannot be replaced"), 1),
    }
}

/// Signals a process and waits for its end. `false` when that does not come in time.
fn end(pid: u32, signal: Signal) -> rustix::io::Result<bool> {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw).ok_or(rustix::io::Errno::SRCH)?;
    let process = rustix::process::pidfd_open(pid, PidfdFlags::empty())?;
    rustix::process::pidfd_send_signal(&process, signal)?;
    let most = Timespec { tv_sec: ENDING.as_secs() as i64, tv_nsec: 0 };
    Ok(poll(&mut [PollFd::new(&process, PollFlags::IN)], Some(&most))? > 0)
}
