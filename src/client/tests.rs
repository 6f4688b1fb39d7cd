// Its servers are threads and its sockets files.
#![allow(clippy::disallowed_methods)]

use super::end::{Reason, last_words};
use super::hello::takes_utf8;
use crate::protocol::{Exit, How};

fn utf8(variables: &[(&str, &str)]) -> bool {
    takes_utf8(&|name| variables.iter().find(|it| it.0 == name).map(|it| it.1.into()))
}

#[test]
fn which_terminals_take_utf8() {
    assert!(!utf8(&[]));
    assert!(utf8(&[("LANG", "de_DE.UTF-8")]));
    assert!(utf8(&[("LC_CTYPE", "C.utf8"), ("LANG", "C")]));
    assert!(!utf8(&[("LC_ALL", "C"), ("LANG", "de_DE.UTF-8")]));
    assert!(utf8(&[("LC_ALL", ""), ("LANG", "de_DE.UTF-8")]));
    assert!(utf8(&[("LC_ALL", "C"), ("TMUX", "")]));
}

#[test]
fn last_words_are_tmuxs() {
    let of = |how: How| last_words(&Exit { how, ..Exit::done(0) }, None);
    let some = |text: &str| Some(text.to_owned());
    assert_eq!(of(How::Done), some("exited"));
    assert_eq!(of(How::Detached("a".into())), some("detached (from session a)"));
    assert_eq!(of(How::DetachedKill("a".into())), some("detached and SIGHUP (from session a)"));
    assert_eq!(of(How::ServerExited), some("server exited"));
    assert_eq!(of(How::Exec { command: "x".into(), shell: "sh".into() }), None);
    let message = Exit { message: some("too far behind"), ..Exit::done(1) };
    assert_eq!(last_words(&message, None), some("too far behind"));
    assert_eq!(last_words(&message, Some(Reason::LostTty)), some("lost tty"));
    assert_eq!(last_words(&message, Some(Reason::LostServer)), some("server exited unexpectedly"));
}

mod asked {
    //! `ask` against servers played by a thread.

    use std::io::{Read, Write};
    use std::os::unix::fs::DirBuilderExt;
    use std::path::PathBuf;

    use crate::cli::{Face, Invocation};
    use crate::client::ask::{Answer, AskError, ask};
    use crate::os::paths::SocketPath;
    use crate::os::socket;
    use crate::protocol::{Bytes, Decoder, Exit, Greeting, PROTOCOL, ProtocolError, ToClient, ToServer, encode};

    /// Asks a server that reads one hello and gives these bytes. Also what it was asked.
    fn ask_one(name: &str, reply: Vec<u8>) -> (Result<Answer, AskError>, Vec<Bytes>) {
        let directory = std::env::temp_dir().join(format!("rove-ask-{}-{name}", std::process::id()));
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::DirBuilder::new().mode(0o700).create(&directory).unwrap();
        let path: PathBuf = directory.join("s");
        let listener = socket::listen(&path).unwrap();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let (mut decoder, mut buffer) = (Decoder::<ToServer>::default(), [0; 1000]);
            loop {
                let count = stream.read(&mut buffer).unwrap();
                decoder.push(&buffer[..count]);
                if let Some(ToServer::Hello(hello)) = decoder.next().unwrap() {
                    assert_eq!(hello.descriptors.count(), 0);
                    stream.write_all(&reply).unwrap();
                    return hello.argv;
                }
            }
        });
        let socket = SocketPath { path, private: false };
        let answer = ask(&socket, &Invocation::new(Face::Rove), &["list-sessions", "-a"]);
        let argv = server.join().unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        (answer, argv)
    }

    #[test]
    fn an_answer_is_what_came_before_the_exit() {
        let mut reply = Greeting { pid: 77, ..Greeting::ours(0) }.encode();
        for text in ["one\n", "two\n"] {
            reply.extend(encode(&ToClient::Stdout(Bytes::from(text))));
        }
        reply.extend(encode(&ToClient::Stderr(Bytes::from("bad\n"))));
        reply.extend(encode(&ToClient::Exit(Exit::done(3))));
        let (answer, argv) = ask_one("whole", reply);
        let answer = answer.unwrap();
        assert_eq!((answer.code, &answer.stdout[..], &answer.stderr[..]), (3, &b"one\ntwo\n"[..], &b"bad\n"[..]));
        assert_eq!(answer.server.unwrap().pid, 77);
        assert_eq!(argv, [Bytes::from("list-sessions"), Bytes::from("-a")]);
    }

    #[test]
    fn servers_that_are_not_ours_or_die() {
        let newer = Greeting { protocol: PROTOCOL + 1, pid: 5, version: "9.9".to_owned() };
        let (answer, _) = ask_one("newer", newer.encode());
        assert!(matches!(answer, Err(AskError::Mismatch(server)) if server == newer));
        let (answer, _) = ask_one("stranger", b"hello there".to_vec());
        assert!(matches!(answer, Err(AskError::Broken(ProtocolError::Stranger))));
        let (answer, _) = ask_one("dies", Greeting::ours(1).encode());
        assert!(matches!(answer, Err(AskError::Broken(_))));
    }

    #[test]
    fn nobody_there_is_no_fault() {
        let socket = SocketPath { path: "/does/not/exist".into(), private: false };
        let error = ask(&socket, &Invocation::new(Face::Rove), &["x"]).unwrap_err();
        assert!(error.is_absence());
        assert_eq!(error.words(&socket), "error connecting to /does/not/exist (No such file or directory)");
    }
}

mod whole {
    //! A whole client whose server is a thread.

    use std::io::Write;
    use std::os::unix::net::UnixStream;
    use std::path::PathBuf;

    use crate::cli::{Face, Invocation};
    use crate::client::serve::Client;
    use crate::os::paths::SocketPath;
    use crate::protocol::{Exit, Greeting, ToClient, encode};

    /// A server that goes without a word was at its end when we came; the next one answers.
    #[test]
    fn a_server_at_its_end_is_not_the_last_word() {
        let directory = std::env::temp_dir().join(format!("rove-whole-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&directory);
        std::fs::create_dir(&directory).unwrap();
        let socket = SocketPath { path: directory.join("s"), private: false };
        let listener = crate::os::socket::listen(&socket.path).unwrap();
        let server = std::thread::spawn(move || {
            drop(listener.accept().unwrap());
            let (mut stream, _) = listener.accept().unwrap();
            let mut reply = Greeting::ours(1).encode();
            reply.extend(encode(&ToClient::Exit(Exit::done(7))));
            stream.write_all(&reply).unwrap();
            // Until the client has read it and gone.
            let _ = std::io::copy(&mut stream, &mut std::io::sink());
        });
        let stream = UnixStream::connect(&socket.path).unwrap();
        let status = Client::new(&socket, &Invocation::new(Face::Tmux), None, stream, None).run();
        server.join().unwrap();
        std::fs::remove_dir_all(&directory).unwrap();
        assert_eq!(status, 7);
    }

    fn status(reply: &[u8]) -> i32 {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        theirs.write_all(reply).unwrap();
        theirs.shutdown(std::net::Shutdown::Write).unwrap();
        let socket = SocketPath { path: PathBuf::from("/does/not/exist"), private: false };
        Client::new(&socket, &Invocation::new(Face::Tmux), None, ours, None).run()
    }

    #[test]
    fn a_command_ends_as_the_server_says() {
        for code in [0, 1, 42] {
            let mut reply = Greeting::ours(1).encode();
            reply.extend(encode(&ToClient::Exit(Exit::done(code))));
            assert_eq!(status(&reply), code);
        }
    }

    #[test]
    fn a_server_that_dies_is_an_error() {
        assert_eq!(status(&Greeting::ours(1).encode()), 1);
        assert_eq!(status(b""), 1);
    }

    #[test]
    fn a_server_that_is_not_understood_is_an_error() {
        assert_eq!(status(b"GET / HTTP/1.1\r\n"), 1);
        let mut reply = Greeting::ours(1).encode();
        reply.extend([3, 0, 0, 0, 99, 1, 2]);
        assert_eq!(status(&reply), 1);
    }
}
