//! A server dies, another takes over.

use std::io::{Read, Write};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::time::{Duration, Instant};

use host::{Client, Exit, Goodbye, Notice, RING, Spawned};

use crate::fake;
use crate::support::*;

#[test]
fn a_new_server_finds_the_panes_their_bytes_and_the_state() {
    let rig = Rig::new();
    let mut client = rig.start();
    client.state().write(b"model").unwrap();
    let mut request = shell(9, "echo one; read line; echo got $line; read line");
    request.metadata = b"about it".to_vec();
    let mut pane = client.spawn(request).unwrap();
    read_until(&mut pane, "one\r\n");
    let pid = pane.pid;
    let tty = pane.tty.clone();
    // A crash as the host sees it: the connection ends without a goodbye.
    drop(client);
    drop(pane);
    let mut client = rig.connect();
    let adoption = client.adopt().unwrap();
    assert_eq!(adoption.state.as_deref(), Some(b"model".as_slice()));
    let [pane] = <[_; 1]>::try_from(adoption.panes).unwrap();
    assert_eq!((pane.id, pane.pid, &pane.tty, pane.exited), (9, pid, &tty, None));
    assert_eq!((pane.size, pane.metadata.as_slice()), (SIZE, b"about it".as_slice()));
    let mut memory = pane.memory.unwrap();
    assert_eq!(memory.recover().unwrap(), None);
    assert_eq!(memory.journal().since(0).parts[0], b"one\r\n");
    rustix::io::write(&pane.master, b"two\n").unwrap();
    let mut pane = host::Spawned { pid, tty, master: pane.master, memory };
    assert_eq!(read_until(&mut pane, "got two\r\n"), "one\r\ntwo\r\ngot two\r\n");
}

#[test]
fn nothing_is_missing_or_doubled_when_servers_are_killed_fifty_times_in_a_flood() {
    let rig = Rig::new();
    let mut client = rig.start();
    // Until the file is there the numbers go on; then each says where it stopped.
    let line = "n=0; while [ ! -e DIR/stop ]; do seq $n $((n + 19999)); n=$((n + 20000)); done; \
                echo $n > DIR/count; mv DIR/count DIR/countID; sleep 1000";
    for id in 1..=3u128 {
        let directory = rig.directory.to_string_lossy();
        let line = line.replace("countID", &format!("count{id}")).replace("DIR/count;", &format!("DIR/new{id};"));
        let line = line.replace("mv DIR/count ", &format!("mv DIR/new{id} "));
        client.spawn(shell(id, &line.replace("DIR", &directory))).unwrap();
    }
    drop(client);
    let mut server = fake::start(&rig.directory, &rig.options.socket);
    for round in 0..50u64 {
        wait_until("the server is up", || fake::pid(&rig.directory) == Some(server.0.id() as i32));
        std::thread::sleep(std::time::Duration::from_micros(round * 379 % 20_000));
        drop(server);
        server = fake::start(&rig.directory, &rig.options.socket);
    }
    std::fs::write(rig.directory.join("stop"), "").unwrap();
    let count = |id| Some(std::fs::read_to_string(rig.directory.join(format!("count{id}"))).ok()?.trim().to_owned());
    wait_until("all has been seen", || {
        let counts: Option<Vec<String>> = (1..=3).map(count).collect();
        let Some(counts) = counts else { return false };
        let wanted = format!("{{1: ({}, 0), 2: ({}, 0), 3: ({}, 0)}}", counts[0], counts[1], counts[2]);
        fake::seen(&rig.directory) == Some(wanted)
    });
    drop(server);
}

#[test]
fn a_dead_server_is_started_again_with_back_off_and_not_for_ever() {
    let mut rig = Rig::new();
    rig.options.restart_limit = 3;
    let mut client = rig.start();
    client.spawn(shell(1, "sleep 1000")).unwrap();
    client.record(fake::command(&rig.directory)).unwrap();
    drop(client);
    let mut last = 0;
    for _ in 0..3 {
        wait_until("the next server is up", || fake::pid(&rig.directory).is_some_and(|pid| pid != last));
        last = fake::pid(&rig.directory).unwrap();
        let parent = std::fs::read_to_string(format!("/proc/{last}/stat")).unwrap();
        assert!(parent.contains(" S ") || parent.contains(" R "), "{parent}");
        kill_9(last);
    }
    // The fourth is not started, so that there is room for us.
    let mut client = rig.connect();
    assert_eq!(client.adopt().unwrap().panes.len(), 1);
    assert_eq!(fake::pid(&rig.directory), Some(last));
}

#[test]
fn a_command_that_can_not_run_is_tried_no_more_than_the_limit() {
    let mut rig = Rig::new();
    rig.options.restart_limit = 3;
    let mut client = rig.start();
    client.spawn(shell(1, "sleep 1000")).unwrap();
    let tries = rig.directory.join("tries");
    let mut command = shell(0, &format!("echo $ROVE_ADOPT >> {}; exit 1", tries.display())).command;
    command.env.push((b"ROVE_ADOPT".to_vec(), b"overwritten".to_vec()));
    client.record(command).unwrap();
    let socket = rig.directory.join("server");
    client.keep_listener(std::os::unix::net::UnixListener::bind(&socket).unwrap()).unwrap();
    drop(client);
    let lines = || std::fs::read_to_string(&tries).unwrap_or_default().lines().map(str::to_owned).collect::<Vec<_>>();
    // The first is for us, who served; the limit is for those that fail.
    wait_until("it was tried as often as it may", || lines().len() == 4);
    assert!(lines().iter().all(|line| Path::new(line) == rig.options.socket), "{:?}", lines());
    // Once it is given up, the server's socket is nobody's, so that a call starts another.
    wait_until("calls are refused", || std::os::unix::net::UnixStream::connect(&socket).is_err());
    rig.connect();
    assert_eq!(lines().len(), 4);
}

#[test]
fn the_listening_socket_outlives_the_server_and_clients_wait_in_it() {
    let rig = Rig::new();
    let mut client = rig.start();
    client.spawn(shell(1, "sleep 1000")).unwrap();
    let path = rig.directory.join("s");
    let listener = UnixListener::bind(&path).unwrap();
    client.keep_listener(&listener).unwrap();
    client.goodbye(Goodbye::Handover { start: false }).unwrap();
    drop(listener);
    let mut waiting = UnixStream::connect(&path).unwrap();
    waiting.write_all(b"hello").unwrap();
    let adoption = rig.connect().adopt().unwrap();
    let listener = UnixListener::from(adoption.listener.unwrap());
    let (mut accepted, _) = listener.accept().unwrap();
    drop(waiting);
    let mut text = String::new();
    accepted.read_to_string(&mut text).unwrap();
    assert_eq!(text, "hello");
}

#[test]
fn a_child_with_a_full_ring_waits_then_the_oldest_goes() {
    let mut rig = Rig::new();
    rig.options.drain_limit = Duration::from_millis(700);
    let mut client = rig.start();
    let done = rig.directory.join("done");
    let line = format!("head -c 1500000 /dev/zero | tr '\\0' x; touch {}; sleep 1000", done.display());
    client.spawn(shell(1, &line)).unwrap();
    drop(client);
    let begin = Instant::now();
    wait_until("the child could write it all", || done.exists());
    assert!(begin.elapsed() >= rig.options.drain_limit, "it did not wait");
    let adoption = rig.connect().adopt().unwrap();
    let mut memory = adoption.panes.into_iter().next().unwrap().memory.unwrap();
    assert_eq!(memory.recover().unwrap(), None);
    let journal = memory.journal();
    assert!(journal.written() > RING && journal.oldest() > 0 && journal.lost() == journal.oldest());
    let since = journal.since(0);
    assert_eq!(since.lost, journal.oldest());
    assert!(since.parts.concat().iter().all(|byte| *byte == b'x'));
}

#[test]
fn a_checkpoint_is_kept_while_the_host_reads() {
    let rig = Rig::new();
    let mut client = rig.start();
    let mut pane = client.spawn(shell(1, "echo first; read line; seq 1 20000; echo last; sleep 1000")).unwrap();
    read_until(&mut pane, "first\r\n");
    let offset = pane.memory.journal().written();
    pane.memory.pages().push(b"a page");
    pane.memory.write_checkpoint(b"screen", offset).unwrap();
    pane.memory.pages().push(b"made after it");
    rustix::io::write(&pane.master, b"\n").unwrap();
    drop((client, pane));
    let mut client = rig.connect();
    let adopted = client.adopt().unwrap().panes.pop().unwrap();
    let mut memory = adopted.memory.unwrap();
    let checkpoint = memory.recover().unwrap().unwrap();
    assert_eq!(
        (checkpoint.bytes.as_slice(), checkpoint.offset, checkpoint.history),
        (b"screen".as_slice(), offset, 0..1)
    );
    assert_eq!(memory.pages().page(0), Some(b"a page".as_slice()));
    assert_eq!(memory.pages().page(1), None);
    let mut pane = Spawned { pid: adopted.pid, tty: adopted.tty, master: adopted.master, memory };
    assert!(read_until(&mut pane, "last\r\n").contains("\r\n19999\r\n20000\r\nlast"));
}

#[test]
fn a_server_may_come_in_the_moment_the_last_one_died() {
    let rig = Rig::new();
    let mut client = rig.start();
    client.spawn(shell(1, "sleep 1000")).unwrap();
    let alone = alone();
    for _ in 0..200 {
        drop(client);
        client = Client::connect(&rig.options.socket).unwrap();
    }
    drop(alone);
    assert_eq!(client.adopt().unwrap().panes.len(), 1);
}

#[test]
fn two_hundred_panes_are_adopted_with_all_they_have() {
    let rig = Rig::new();
    let mut client = rig.start();
    for id in 0..200u128 {
        let mut request = shell(id, "exec sleep 1000");
        request.metadata = vec![id as u8; 20_000];
        client.spawn(request).unwrap();
    }
    client.set_metadata(7, b"new").unwrap();
    drop(client);
    let mut client = rig.connect();
    let panes = client.adopt().unwrap().panes;
    assert_eq!(panes.iter().map(|pane| pane.id).collect::<Vec<_>>(), (0..200).collect::<Vec<_>>());
    assert_eq!(panes[7].metadata, b"new");
    assert!(panes.iter().skip(8).all(|pane| pane.metadata == vec![pane.id as u8; 20_000] && pane.memory.is_ok()));
}

#[test]
fn a_server_hands_over_to_the_one_that_the_host_starts() {
    let mut rig = Rig::new();
    rig.options.restart_limit = 0;
    let mut client = rig.start();
    client.spawn(shell(1, "sleep 1000")).unwrap();
    client.record(fake::command(&rig.directory)).unwrap();
    client.goodbye(Goodbye::Handover { start: true }).unwrap();
    wait_until("the next server is up", || fake::pid(&rig.directory).is_some());
    let pid = fake::pid(&rig.directory).unwrap();
    match Client::connect(&rig.options.socket) {
        Err(error) => assert_eq!(error.to_string(), format!("a server (pid {pid}) is connected to the host")),
        Ok(_) => panic!("two servers"),
    }
    kill_9(pid);
}

#[test]
fn an_exit_with_no_server_there_is_kept_until_one_comes() {
    let mut rig = Rig::new();
    rig.options.linger = PATIENCE;
    let mut client = rig.start();
    let mut pane = client.spawn(shell(1, "read line; echo last words; exit 3")).unwrap();
    client.goodbye(Goodbye::Handover { start: false }).unwrap();
    rustix::io::write(&pane.master, b"\n").unwrap();
    wait_until("it has ended", || !is_alive(pane.pid));
    let mut client = rig.connect();
    let mut adopted = client.adopt().unwrap().panes.pop().unwrap();
    if adopted.exited.is_none() {
        // Gone, but not yet reaped when we came.
        wait_notice(&mut client, |it| matches!(it, Notice::Exited { id: 1, exit: Exit::Code(3) }));
    } else {
        assert_eq!(adopted.exited, Some(Exit::Code(3)));
    }
    pane.memory = adopted.memory.unwrap();
    pane.memory.recover().unwrap();
    pane.master = std::mem::replace(&mut adopted.master, pane.master);
    assert!(read_until(&mut pane, "last words\r\n").ends_with("last words\r\n"));
}
