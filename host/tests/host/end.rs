//! How children and the host itself end, with nothing left over.

use std::time::{Duration, Instant};

use host::{Client, Goodbye, Notice, Orphans, PaneUuid, Spawned};
use rustix::process::Signal;

use crate::support::*;

/// A shell that ignores HUP and has a background child that does too; returns the pane and both pids.
fn stubborn(client: &mut Client, id: PaneUuid) -> (Spawned, [i32; 2]) {
    let mut pane = client.spawn(shell(id, "trap '' HUP; set -m; sleep 1000 & echo pid $!; wait; sleep 1000")).unwrap();
    let text = read_until(&mut pane, "\r\n");
    let child = text.trim().strip_prefix("pid ").unwrap().parse().unwrap();
    let pids = [pane.pid, child];
    (pane, pids)
}

fn exited(id: PaneUuid) -> impl Fn(&Notice) -> bool {
    move |it| matches!(it, Notice::Exited { id: of, .. } if *of == id)
}

#[test]
fn a_kill_ends_what_ignores_a_hangup_too_after_the_grace() {
    let rig = Rig::new();
    let mut client = rig.start();
    let (_pane, pids) = stubborn(&mut client, 1);
    let begin = Instant::now();
    client.kill(1).unwrap();
    wait_notice(&mut client, exited(1));
    assert!(begin.elapsed() >= rig.options.kill_grace);
    wait_until("both are gone", || !pids.iter().any(|pid| is_alive(*pid)));
}

#[test]
fn a_forgotten_pane_leaves_nothing_running_and_its_id_is_free() {
    let rig = Rig::new();
    let mut client = rig.start();
    let (pane, pids) = stubborn(&mut client, 1);
    client.forget(1).unwrap();
    drop(pane);
    client.spawn(shell(1, "sleep 1000")).unwrap();
    wait_until("both are gone", || !pids.iter().any(|pid| is_alive(*pid)));
}

#[test]
fn background_processes_of_a_shell_that_ended_are_killed_with_the_pane() {
    let rig = Rig::new();
    let mut client = rig.start();
    let mut pane = client.spawn(shell(1, "trap '' HUP; sleep 1000 & echo pid $!")).unwrap();
    let text = read_until(&mut pane, "\r\n");
    let child: i32 = text.trim().strip_prefix("pid ").unwrap().parse().unwrap();
    wait_notice(&mut client, exited(1));
    assert!(is_alive(child));
    client.kill(1).unwrap();
    client.forget(1).unwrap();
    wait_until("it is gone", || !is_alive(child));
}

#[test]
fn a_signal_reaches_the_child_or_its_group() {
    let rig = Rig::new();
    let mut client = rig.start();
    client.spawn(shell(1, "exec sleep 1000")).unwrap();
    client.signal(1, Signal::USR1.as_raw(), false).unwrap();
    let notice = wait_notice(&mut client, exited(1));
    assert_eq!(notice, Notice::Exited { id: 1, exit: host::Exit::Signal(Signal::USR1.as_raw()) });
}

#[test]
fn a_teardown_ends_all_children_and_the_host() {
    let rig = Rig::new();
    let mut client = rig.start();
    let (_one, first) = stubborn(&mut client, 1);
    let (_two, second) = stubborn(&mut client, 2);
    client.goodbye(Goodbye::Teardown).unwrap();
    wait_until("the host is gone", || !rig.options.socket.exists());
    wait_until("all are gone", || !first.iter().chain(&second).any(|pid| is_alive(*pid)));
}

#[test]
fn a_teardown_does_not_wait_when_all_end_at_once() {
    let mut rig = Rig::new();
    rig.options.kill_grace = Duration::from_secs(3600);
    let mut client = rig.start();
    let pane = client.spawn(shell(1, "sleep 1000")).unwrap();
    client.goodbye(Goodbye::Teardown).unwrap();
    wait_until("the host is gone", || !rig.options.socket.exists());
    assert!(!is_alive(pane.pid));
}

#[test]
fn the_host_ends_at_term_with_its_children() {
    let rig = Rig::new();
    let mut client = rig.start();
    let (pane, pids) = stubborn(&mut client, 1);
    let host = parent_of(pane.pid);
    for signal in [Signal::HUP, Signal::INT, Signal::USR1, Signal::PIPE, Signal::TERM] {
        rustix::process::kill_process(rustix::process::Pid::from_raw(host).unwrap(), signal).unwrap();
    }
    wait_notice(&mut client, |it| *it == Notice::Gone);
    wait_until("all are gone", || !pids.iter().chain([&host]).any(|pid| is_alive(*pid)));
}

#[test]
fn the_host_ends_by_itself_at_zero_children() {
    let rig = Rig::new();
    let mut client = rig.start();
    client.spawn(shell(1, "read line")).unwrap();
    client.goodbye(Goodbye::Handover { start: false }).unwrap();
    let mut client = rig.connect();
    client.signal(1, Signal::KILL.as_raw(), true).unwrap();
    wait_notice(&mut client, exited(1));
    let begin = Instant::now();
    drop(client);
    wait_until("it is gone", || !rig.options.socket.exists());
    assert!(begin.elapsed() >= rig.options.linger);
}

#[test]
fn a_server_that_leaves_for_good_takes_the_host_along_once_it_is_empty() {
    let mut rig = Rig::new();
    rig.options.linger = Duration::from_secs(3600);
    rig.start().goodbye(Goodbye::Leave).unwrap();
    wait_until("it is gone", || !rig.options.socket.exists());
    let mut client = rig.start();
    let pane = client.spawn(shell(1, "sleep 1000")).unwrap();
    client.goodbye(Goodbye::Leave).unwrap();
    kill_9(pane.pid);
    wait_until("it is gone", || !rig.options.socket.exists());
}

#[test]
fn a_host_without_children_stays_as_long_as_a_server_is_there() {
    let mut rig = Rig::new();
    rig.options.linger = Duration::from_millis(20);
    let mut client = rig.start();
    let pane = client.spawn(shell(1, "exec true")).unwrap();
    wait_notice(&mut client, exited(1));
    client.forget(1).unwrap();
    let begin = Instant::now();
    // The wait for a notice that does not come is longer than the host would stay alone.
    while begin.elapsed() < 10 * rig.options.linger {
        assert!(!client.poll().contains(&Notice::Gone), "the host ended");
        wait_input_for(client.fd(), rig.options.linger);
    }
    let again = client.spawn(shell(1, "exec cat")).unwrap();
    assert_ne!(again.pid, pane.pid);
}

#[test]
fn a_deaf_child_does_not_outlive_a_killed_host() {
    let rig = Rig::new();
    let mut client = rig.start();
    let (pane, pids) = stubborn(&mut client, 1);
    kill_9(parent_of(pane.pid));
    wait_notice(&mut client, |it| *it == Notice::Gone);
    wait_until("the child is gone", || !is_alive(pids[0]));
    // A child of the child is the server's to end, which has the pty still.
    let mut orphans = Orphans::default();
    orphans.add(pane.pid, pane.master);
    orphans.hang_up();
    assert!(is_alive(pids[1]), "it is deaf to a hangup");
    orphans.kill();
    wait_until("the child's child is gone", || !is_alive(pids[1]));
    std::fs::remove_file(&rig.options.socket).unwrap();
}

#[test]
fn the_end_of_a_server_costs_no_child() {
    let rig = Rig::new();
    let mut client = rig.start();
    let (pane, pids) = stubborn(&mut client, 1);
    drop((client, pane));
    let mut client = rig.connect();
    assert_eq!(client.adopt().unwrap().panes.len(), 1);
    assert!(pids.iter().all(|pid| is_alive(*pid)));
}
