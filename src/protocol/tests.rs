use proptest::prelude::*;

use super::*;

fn bytes() -> impl Strategy<Value = Bytes> {
    prop::collection::vec(any::<u8>(), 0..40).prop_map(Bytes)
}

fn size() -> impl Strategy<Value = WindowSize> {
    any::<[u16; 4]>().prop_map(|[cols, rows, xpixel, ypixel]| WindowSize { cols, rows, xpixel, ypixel })
}

fn hello() -> impl Strategy<Value = Hello> {
    let manner = prop::sample::select(&[Manner::Command, Manner::Control, Manner::ControlTerminal, Manner::Shell][..]);
    let lists = [(); 3].map(|()| prop::collection::vec(bytes(), 0..6));
    (manner, any::<[bool; 5]>(), any::<u32>(), [bytes(), bytes(), bytes()], lists, size(), any::<Option<String>>())
        .prop_map(|(manner, flags, pid, [tty, term, cwd], [features, environment, argv], size, reattach)| Hello {
            manner,
            rove: flags[0],
            pid,
            tty,
            term,
            features,
            utf8: flags[1],
            login: flags[2],
            size,
            cwd,
            environment,
            argv,
            descriptors: Descriptors { stdin: flags[3], stdout: flags[4] },
            reattach,
        })
}

fn to_server() -> impl Strategy<Value = ToServer> {
    prop_oneof![
        hello().prop_map(|hello| ToServer::Hello(Box::new(hello))),
        size().prop_map(ToServer::Resize),
        bytes().prop_map(ToServer::Stdin),
        Just(ToServer::StdinEof),
        Just(ToServer::Resumed),
        Just(ToServer::Exiting),
    ]
}

fn how() -> impl Strategy<Value = How> {
    prop_oneof![
        Just(How::Done),
        any::<String>().prop_map(How::Detached),
        any::<String>().prop_map(How::DetachedKill),
        any::<(String, String)>().prop_map(|(command, shell)| How::Exec { command, shell }),
        any::<String>().prop_map(How::Shell),
        Just(How::ServerExited),
    ]
}

fn to_client() -> impl Strategy<Value = ToClient> {
    prop_oneof![
        bytes().prop_map(ToClient::Stdout),
        bytes().prop_map(ToClient::Stderr),
        Just(ToClient::ReadStdin),
        (bytes(), any::<bool>()).prop_map(|(leave, comes_back)| ToClient::Attached(Attached { leave, comes_back })),
        any::<String>().prop_map(ToClient::Session),
        Just(ToClient::Suspend),
        any::<String>().prop_map(ToClient::Lock),
        (any::<i32>(), any::<Option<String>>(), how(), any::<bool>())
            .prop_map(|(code, message, how, wait_exit)| ToClient::Exit(Exit { code, message, how, wait_exit })),
        Just(ToClient::Restarting),
    ]
}

/// Feeds a connection's bytes in pieces of the given sizes, over and over.
fn decode<M: DeserializeOwned>(stream: &[u8], pieces: &[usize]) -> Result<Vec<M>, ProtocolError> {
    let (mut decoder, mut frames, mut rest) = (Decoder::default(), Vec::new(), stream);
    for piece in pieces.iter().cycle() {
        if rest.is_empty() {
            break;
        }
        let (piece, left) = rest.split_at((*piece).clamp(1, rest.len()));
        rest = left;
        decoder.push(piece);
        while let Some(frame) = decoder.next()? {
            frames.push(frame);
        }
    }
    Ok(frames)
}

fn stream<M: Serialize>(frames: &[M]) -> Vec<u8> {
    let mut bytes = Greeting::ours(7).encode();
    frames.iter().for_each(|frame| bytes.extend(encode(frame)));
    bytes
}

proptest! {
    #[test]
    fn a_servers_frames_come_back_from_any_pieces(
        frames in prop::collection::vec(to_client(), 0..8), pieces in prop::collection::vec(1usize..50, 1..9),
    ) {
        prop_assert_eq!(decode(&stream(&frames), &pieces), Ok(frames));
    }

    #[test]
    fn a_clients_frames_come_back_from_any_pieces(
        frames in prop::collection::vec(to_server(), 0..8), pieces in prop::collection::vec(1usize..50, 1..9),
    ) {
        prop_assert_eq!(decode(&stream(&frames), &pieces), Ok(frames));
    }

    #[test]
    fn pieces_do_not_matter_for_garbage_either(
        garbage in prop::collection::vec(any::<u8>(), 0..300), greeted in any::<bool>(),
        pieces in prop::collection::vec(1usize..50, 1..9),
    ) {
        let mut bytes = if greeted { Greeting::ours(1).encode() } else { Vec::new() };
        bytes.extend(garbage);
        prop_assert_eq!(decode::<ToServer>(&bytes, &pieces), decode::<ToServer>(&bytes, &[usize::MAX]));
    }

    #[test]
    fn a_damaged_stream_gives_frames_or_an_error(
        frames in prop::collection::vec(to_server(), 1..4), at in any::<prop::sample::Index>(), value in any::<u8>(),
    ) {
        let mut bytes = stream(&frames);
        let at = at.index(bytes.len());
        bytes[at] = value;
        if let Ok(read) = decode::<ToServer>(&bytes, &[17]) {
            prop_assert!(read.len() <= bytes.len());
        }
    }
}

#[test]
fn a_long_frame_is_refused_by_its_length_alone() {
    for length in [FRAME_LIMIT as u32 + 1, 2_000_000_000, u32::MAX] {
        let mut bytes = Greeting::ours(1).encode();
        bytes.extend(length.to_le_bytes());
        assert_eq!(decode::<ToServer>(&bytes, &[5]), Err(ProtocolError::TooLong(length.into())));
    }
}

#[test]
fn the_longest_frame_passes() {
    let frame = ToServer::Stdin(Bytes(vec![b'x'; FRAME_LIMIT - 16]));
    assert_eq!(decode(&stream(std::slice::from_ref(&frame)), &[60_000]), Ok(vec![frame]));
}

#[test]
fn lists_longer_than_anybody_needs_are_refused() {
    let entries = vec![Bytes::default(); LIST_LIMIT + 1];
    let encoded = postcard::to_stdvec(&entries).unwrap();
    #[derive(Deserialize)]
    struct Limited(#[serde(deserialize_with = "list")] Vec<Bytes>);
    assert!(postcard::from_bytes::<Limited>(&encoded).is_err());
    let short = postcard::to_stdvec(&entries[1..]).unwrap();
    assert_eq!(postcard::from_bytes::<Limited>(&short).unwrap().0.len(), LIST_LIMIT);
}

#[test]
fn trailing_bytes_in_a_frame_are_nonsense() {
    let mut bytes = Greeting::ours(1).encode();
    bytes.extend([2, 0, 0, 0, 3, 9]);
    assert_eq!(decode::<ToServer>(&bytes, &[100]), Err(ProtocolError::Nonsense));
}

#[test]
fn other_protocols_are_told_apart_at_the_first_wrong_byte() {
    assert_eq!(decode::<ToServer>(b"rovX", &[1]), Err(ProtocolError::Stranger));
    assert_eq!(decode::<ToServer>(b"GET / HTTP/1.1", &[100]), Err(ProtocolError::Stranger));
}

#[test]
fn a_mismatch_says_who_is_newer() {
    let greeting = |protocol, version: &str| Greeting { protocol, pid: 9, version: version.to_owned() };
    let (old, new) = (greeting(1, "0.1.0"), greeting(2, "0.2.0"));
    let words = mismatch(&old, &new);
    assert!(words.starts_with("protocol version mismatch (client 1, server 2): the server (rove 0.2.0) is newer"));
    let words = mismatch(&new, &old);
    assert!(words.starts_with("protocol version mismatch (client 2, server 1): rove 0.2.0 is newer than the server"));
    assert!(words.contains("`rove daemon restart`"));
}

#[test]
fn the_greeting_of_another_protocol_is_still_read() {
    let other = Greeting { protocol: PROTOCOL + 1, pid: 42, version: "9.9\n".to_owned() };
    let cleaned = Greeting { version: "9.9".to_owned(), ..other.clone() };
    assert_eq!(decode::<ToClient>(&other.encode(), &[3]), Err(ProtocolError::Mismatch(cleaned)));
}
