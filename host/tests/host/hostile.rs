//! Peers that break the rules, and systems that have no more.

use std::io::{IoSlice, Read, Write};
use std::mem::MaybeUninit;
use std::os::fd::AsFd;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;

use host::{Client, FRAME_LIMIT, HostError, VERSION};
use rustix::net::{SendAncillaryBuffer, SendAncillaryMessage, SendFlags};
use rustix::process::{Resource, Rlimit};

use crate::support::*;

fn frame(payload: &[u8]) -> Vec<u8> {
    [&(payload.len() as u32).to_le_bytes(), payload].concat()
}

fn hello(version: u32) -> Vec<u8> {
    frame(&[b"rovehost".as_slice(), &version.to_le_bytes(), b"test"].concat())
}

/// Sends bytes to the host and waits until it closes; returns what it said.
fn say(rig: &Rig, bytes: &[u8]) -> Vec<u8> {
    let mut stream = UnixStream::connect(&rig.options.socket).unwrap();
    let _ = stream.write_all(bytes);
    let mut said = Vec::new();
    let _ = stream.read_to_end(&mut said);
    said
}

/// The host still works: its server's pane answers.
fn still_works(client: &mut Client, pane: &mut host::Spawned, word: &str) {
    rustix::io::write(&pane.master, format!("{word}\n").as_bytes()).unwrap();
    read_until(pane, &format!("got {word}\r\n"));
    assert!(client.poll().is_empty());
}

#[test]
fn whoever_breaks_the_rules_is_dropped_and_nobody_else() {
    let rig = Rig::new();
    let mut client = rig.start();
    let mut pane = client.spawn(shell(1, "while read word; do echo got $word; done")).unwrap();
    assert_eq!(std::fs::metadata(&rig.options.socket).unwrap().permissions().mode() & 0o777, 0o600);
    say(&rig, &[0xff; 100]);
    say(&rig, &(1u32 << 31).to_le_bytes());
    say(&rig, &frame(b"GET / HTTP/1.1"));
    say(&rig, &frame(&[]));
    still_works(&mut client, &mut pane, "one");
    let said = say(&rig, &hello(VERSION + 1));
    let words = format!("protocol version mismatch (host {VERSION}, server {})", VERSION + 1);
    assert!(String::from_utf8_lossy(&said).contains(&words));
    let said = say(&rig, &hello(VERSION));
    assert!(String::from_utf8_lossy(&said).contains("is connected to the host"));
    match Client::connect(&rig.options.socket) {
        Err(HostError::Refused(words)) => assert!(words.contains(&std::process::id().to_string()), "{words}"),
        other => panic!("{:?}", other.err()),
    }
    // Half a message, then silence: it costs a connection until its time is over.
    let mut halves: Vec<UnixStream> = Vec::new();
    for _ in 0..40 {
        let mut stream = UnixStream::connect(&rig.options.socket).unwrap();
        let _ = stream.write_all(&hello(VERSION)[..7]);
        halves.push(stream);
    }
    still_works(&mut client, &mut pane, "two");
    drop(halves);
    let host = parent_of(pane.pid);
    wait_until("the host has closed them", || std::fs::read_dir(format!("/proc/{host}/fd")).unwrap().count() < 15);
    assert!(matches!(host::start(&rig.options), Err(HostError::Running)));
}

#[test]
fn a_server_that_talks_garbage_is_dropped_and_the_next_gets_all() {
    let rig = Rig::new();
    let mut client = rig.start();
    client.spawn(shell(1, "sleep 1000")).unwrap();
    drop(client);
    let long = [hello(VERSION), (FRAME_LIMIT as u32 + 1).to_le_bytes().to_vec()].concat();
    for bytes in [[hello(VERSION), frame(&[0xff; 64])].concat(), long, [hello(VERSION), frame(&[0, 0])].concat()] {
        wait_until("it is taken for a server and then dropped", || say(&rig, &bytes).len() > 20);
    }
    let mut client = rig.connect();
    assert_eq!(client.adopt().unwrap().panes.len(), 1);
}

#[test]
fn descriptors_nobody_asked_for_are_closed_with_their_sender() {
    let rig = Rig::new();
    let mut client = rig.start();
    let mut pane = client.spawn(shell(1, "while read word; do echo got $word; done")).unwrap();
    let host = parent_of(pane.pid);
    let count = || std::fs::read_dir(format!("/proc/{host}/fd")).unwrap().count();
    let before = count();
    for _ in 0..20 {
        let mut stream = UnixStream::connect(&rig.options.socket).unwrap();
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(20))];
        let mut control = SendAncillaryBuffer::new(&mut space);
        let null = std::fs::File::open("/dev/null").unwrap();
        let many = [null.as_fd(); 20];
        assert!(control.push(SendAncillaryMessage::ScmRights(&many)));
        let _ = rustix::net::sendmsg(&stream, &[IoSlice::new(&[1, 0])], &mut control, SendFlags::NOSIGNAL);
        let mut said = Vec::new();
        let _ = stream.read_to_end(&mut said);
    }
    still_works(&mut client, &mut pane, "word");
    wait_until("the descriptors are closed", || count() == before);
}

#[test]
fn without_descriptors_a_spawn_fails_with_words_and_the_rest_goes_on() {
    let rig = Rig::new();
    let mut client = rig.start();
    let mut pane = client.spawn(shell(1, "while read word; do echo got $word; done")).unwrap();
    let host = rustix::process::Pid::from_raw(parent_of(pane.pid)).unwrap();
    let few = Rlimit { current: Some(24), maximum: Some(24) };
    let before = rustix::process::prlimit(Some(host), Resource::Nofile, few).unwrap();
    let mut made = 1;
    let error = loop {
        match client.spawn(shell(made + 1, "sleep 1000")) {
            Ok(_) => made += 1,
            Err(error) => break error,
        }
    };
    assert_eq!(error.to_string(), "fork failed: Too many open files");
    assert!(made > 3, "{made}");
    still_works(&mut client, &mut pane, "one");
    client.kill(2).unwrap();
    client.forget(2).unwrap();
    client.spawn(shell(100, "sleep 1000")).unwrap();
    let _ = rustix::process::prlimit(Some(host), Resource::Nofile, before);
}

#[test]
fn a_left_over_socket_is_replaced_and_nothing_else() {
    let rig = Rig::new();
    drop(std::os::unix::net::UnixListener::bind(&rig.options.socket).unwrap());
    drop(rig.start());
    wait_until("it is gone", || !rig.options.socket.exists());
    std::fs::write(&rig.options.socket, "precious").unwrap();
    assert!(matches!(host::start(&rig.options), Err(HostError::Io(_))));
    assert_eq!(std::fs::read_to_string(&rig.options.socket).unwrap(), "precious");
    std::fs::remove_file(&rig.options.socket).unwrap();
}

#[test]
fn a_socket_somebody_removed_is_made_again_when_it_is_needed() {
    let rig = Rig::new();
    let mut client = rig.start();
    client.spawn(shell(1, "sleep 1000")).unwrap();
    std::fs::remove_file(&rig.options.socket).unwrap();
    drop(client);
    let mut client = rig.connect();
    assert_eq!(client.adopt().unwrap().panes.len(), 1);
    assert_eq!(std::fs::metadata(&rig.options.socket).unwrap().permissions().mode() & 0o777, 0o600);
}

#[test]
fn a_request_that_is_too_large_is_an_error_and_no_more() {
    let rig = Rig::new();
    let mut client = rig.start();
    let mut request = shell(1, "true");
    request.command.args.push(vec![b'x'; FRAME_LIMIT]);
    assert_eq!(client.spawn(request).unwrap_err().to_string(), "/bin/sh: Argument list too long");
    let mut request = shell(1, "true");
    request.metadata = vec![0; host::METADATA_LIMIT + 1];
    assert_eq!(client.spawn(request).unwrap_err().to_string(), "too much metadata");
    client.spawn(shell(1, "true")).unwrap();
}
