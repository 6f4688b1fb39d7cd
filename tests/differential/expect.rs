//! Reads the `.expect` files beside the recorded streams; their format stands in `tests/fixtures/streams/README.md`.

/// One capture of one state of a stream.
#[derive(Debug, PartialEq)]
pub struct Capture {
    /// Columns and rows the stream was played at.
    pub size: (u16, u16),
    /// `start`, `resized` or `back`.
    pub phase: String,
    /// `plain`, `styled`, `plain-all` or `styled-all`.
    pub kind: String,
    /// Column and row of the cursor.
    pub cursor: (u16, u16),
    /// The lines as bytes.
    pub lines: Vec<Vec<u8>>,
}

/// All captures of a file. Panics on one that is not in the format: it is part of the test.
pub fn parse(text: &str) -> Vec<Capture> {
    let table: Vec<Vec<u8>> = text.lines().filter_map(|line| line.strip_prefix('|')).map(unescape).collect();
    let mut captures = Vec::new();
    let mut rest = text.lines().filter(|line| !line.starts_with(['|', '#']));
    while let Some(head) = rest.next() {
        let words: Vec<&str> = head.split(' ').collect();
        let ["=", size, phase, kind, cursor] = words[..] else { panic!("no head of a capture: {head:?}") };
        let numbers = rest.next().expect("a head is followed by numbers");
        captures.push(Capture {
            size: pair(size, 'x'),
            phase: phase.into(),
            kind: kind.into(),
            cursor: pair(cursor, ','),
            lines: numbers.split(' ').flat_map(run).map(|number| table[number].clone()).collect(),
        });
    }
    captures
}

fn pair(text: &str, separator: char) -> (u16, u16) {
    let (first, second) = text.split_once(separator).expect("two numbers");
    (first.parse().expect("a number"), second.parse().expect("a number"))
}

// `7`, `3-7` or `2x6`.
fn run(word: &str) -> Vec<usize> {
    let number = |text: &str| text.parse::<usize>().expect("a number");
    if let Some((first, last)) = word.split_once('-') {
        (number(first)..=number(last)).collect()
    } else if let Some((line, times)) = word.split_once('x') {
        vec![number(line); number(times)]
    } else {
        vec![number(word)]
    }
}

fn unescape(text: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        bytes.extend_from_slice(&rest.as_bytes()[..at]);
        let escape = &rest[at + 1..];
        rest = match escape.as_bytes().first() {
            Some(b'e') => {
                bytes.push(0x1b);
                &escape[1..]
            }
            Some(b'x') => {
                bytes.push(u8::from_str_radix(&escape[1..3], 16).expect("two digits"));
                &escape[3..]
            }
            _ => {
                bytes.push(b'\\');
                &escape[1..]
            }
        };
    }
    bytes.extend_from_slice(rest.as_bytes());
    bytes
}

#[test]
fn the_format_is_read() {
    let text = "# head\n|a\\eb\n|\n|c\\\\\\x09\n= 80x24 start plain 3,4\n0-1 1x2 2\n";
    let lines: Vec<&[u8]> = vec![b"a\x1bb", b"", b"", b"", b"c\\\t"];
    let expected = Capture {
        size: (80, 24),
        phase: "start".into(),
        kind: "plain".into(),
        cursor: (3, 4),
        lines: lines.into_iter().map(<[u8]>::to_vec).collect(),
    };
    assert_eq!(parse(text), [expected]);
}
