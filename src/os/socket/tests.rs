use std::cell::RefCell;
use std::io::{Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt, symlink};
use std::sync::{Barrier, Mutex};

use super::*;

/// A directory of this test's own, gone at its end.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str) -> Scratch {
        let path = std::env::temp_dir().join(format!("rove-socket-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::DirBuilder::new().mode(0o700).create(&path).unwrap();
        Scratch(path)
    }
    fn socket(&self, private: bool) -> SocketPath {
        SocketPath { path: self.0.join("s"), private }
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Starts a "server" that only keeps its listener.
fn start_once(socket: &SocketPath) -> (Result<UnixStream, ConnectError>, Option<UnixListener>) {
    let kept = RefCell::new(None);
    let stream = connect_or_start(
        socket,
        Some(&|listener| {
            *kept.borrow_mut() = Some(listener);
            Ok(())
        }),
    );
    (stream, kept.into_inner())
}

#[test]
fn without_a_server_and_no_right_to_start_one() {
    let scratch = Scratch::new("none");
    let socket = scratch.socket(true);
    let path = socket.path.display().to_string();
    let error = || connect_or_start(&socket, None).unwrap_err().to_string();
    assert_eq!(error(), format!("error connecting to {path} (No such file or directory)"));
    drop(listen(&socket.path).unwrap());
    assert_eq!(error(), format!("no server running on {path}"));
    assert!(!scratch.0.join("s.lock").exists());
    let long = SocketPath { path: PathBuf::from(format!("/tmp/{}", "x".repeat(200))), private: false };
    let text = connect_or_start(&long, None).unwrap_err().to_string();
    assert!(text.ends_with("(File name too long)"), "{text}");
}

#[test]
fn a_socket_that_cannot_be_made() {
    let socket = SocketPath { path: "/does/not/exist/s".into(), private: false };
    let (result, listener) = start_once(&socket);
    assert_eq!(result.unwrap_err().to_string(), "error creating /does/not/exist/s (No such file or directory)");
    assert!(listener.is_none());
}

#[test]
fn the_socket_is_for_its_owner_alone_and_the_lock_goes() {
    let scratch = Scratch::new("mode");
    let socket = scratch.socket(true);
    let (stream, listener) = start_once(&socket);
    assert_eq!(socket.path.metadata().unwrap().mode() & 0o777, 0o600);
    assert!(!scratch.0.join("s.lock").exists());
    let stream = stream.unwrap();
    let (accepted, _) = listener.unwrap().accept().unwrap();
    let us = Peer {
        uid: rustix::process::getuid().as_raw(),
        gid: rustix::process::getgid().as_raw(),
        pid: std::process::id() as i32,
    };
    assert_eq!(peer(&accepted).unwrap(), us);
    assert_eq!(peer(&stream).unwrap(), us);
}

#[test]
fn what_is_left_in_the_place_of_a_socket() {
    let scratch = Scratch::new("stale");
    let own = scratch.socket(true);
    let named = scratch.socket(false);
    // A socket that nobody listens at.
    drop(listen(&own.path).unwrap());
    assert!(start_once(&named).0.is_ok());
    std::fs::remove_file(&own.path).unwrap();
    // A link to nothing goes, and nothing is made where it points.
    symlink(scratch.0.join("elsewhere"), &own.path).unwrap();
    assert!(start_once(&named).0.is_ok());
    assert!(!scratch.0.join("elsewhere").exists());
    std::fs::remove_file(&own.path).unwrap();
    // A file goes from a directory of ours; one that was named by hand stays.
    std::fs::write(&own.path, "precious").unwrap();
    let path = own.path.display();
    assert_eq!(start_once(&named).0.unwrap_err().to_string(), format!("error creating {path} (File exists)"));
    assert_eq!(std::fs::read(&own.path).unwrap(), b"precious");
    assert!(start_once(&own).0.is_ok());
}

#[test]
fn a_socket_is_made_again() {
    let scratch = Scratch::new("again");
    let path = scratch.0.join("s");
    let _gone = listen(&path).unwrap();
    for replace in [false, true] {
        std::fs::remove_file(&path).unwrap();
        if replace {
            symlink("/etc/passwd", &path).unwrap();
        }
        let listener = listen_again(&path).unwrap();
        connect(&path, None).unwrap();
        listener.accept().unwrap();
    }
    std::fs::remove_file(&path).unwrap();
    std::fs::create_dir(&path).unwrap();
    assert!(listen_again(&path).is_err());
}

#[test]
fn many_starters_make_one_server() {
    let scratch = Scratch::new("race");
    for round in 0..20 {
        let socket = scratch.socket(true);
        if round % 2 == 0 {
            let _ = std::fs::remove_file(&socket.path);
        }
        let (listeners, barrier) = (Mutex::new(Vec::new()), Barrier::new(8));
        let streams: Vec<UnixStream> = std::thread::scope(|scope| {
            let starters: Vec<_> = (0..8)
                .map(|_| {
                    scope.spawn(|| {
                        barrier.wait();
                        connect_or_start(
                            &socket,
                            Some(&|listener| {
                                listeners.lock().unwrap().push(listener);
                                Ok(())
                            }),
                        )
                        .unwrap()
                    })
                })
                .collect();
            starters.into_iter().map(|starter| starter.join().unwrap()).collect()
        });
        let listeners = listeners.into_inner().unwrap();
        assert_eq!(listeners.len(), 1, "round {round}");
        // All are connected to it: it hears each of them.
        for mut stream in &streams {
            stream.write_all(b"x").unwrap();
        }
        for _ in &streams {
            let (mut accepted, _) = listeners[0].accept().unwrap();
            accepted.read_exact(&mut [0]).unwrap();
        }
    }
}

#[test]
fn descriptors_travel_beside_the_first_bytes() {
    let (ours, theirs) = UnixStream::pair().unwrap();
    let (read, write) = rustix::pipe::pipe().unwrap();
    send(&ours, b"hello", &[write.as_fd(), read.as_fd()]).unwrap();
    let (mut buffer, mut descriptors) = ([0; 16], Vec::new());
    assert_eq!(receive(&theirs, &mut buffer, &mut descriptors).unwrap(), 5);
    assert_eq!(descriptors.len(), 2);
    rustix::io::write(&descriptors[0], b"through").unwrap();
    assert_eq!(rustix::io::read(&read, &mut buffer).unwrap(), 7);
    assert_eq!(&buffer[..7], b"through");
    drop(ours);
    assert_eq!(receive(&theirs, &mut buffer, &mut descriptors).unwrap(), 0);
}

#[test]
fn a_server_that_never_accepts_does_not_hold_a_patient_client_for_ever() {
    let scratch = Scratch::new("full");
    let path = scratch.0.join("s");
    let listener = listen(&path).unwrap();
    rustix::net::listen(&listener, 0).unwrap();
    let mut waiting = Vec::new();
    let refused = loop {
        match connect(&path, Some(Duration::from_millis(50))) {
            Ok(stream) => waiting.push(stream),
            Err(error) => break error,
        }
    };
    assert_eq!(refused.kind(), io::ErrorKind::WouldBlock);
}
