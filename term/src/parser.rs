//! Bytes of a program into actions: an ECMA-48 state machine with tmux 3.7c's transitions.
//!
//! It owns the state in the middle of a sequence and nothing of the screen. Whole sequences in one buffer are read
//! without touching that state; what is cut off by the end of a buffer goes through the machine byte by byte.

/// Most bytes of parameters in one sequence; longer ones are ignored.
pub(crate) const MAX_PARAMETER_BYTES: usize = 63;
/// A sequence with this many parameters is ignored.
const MAX_PARAMETERS: usize = 24;
const MAX_INTERMEDIATES: usize = 3;
/// Most bytes of the payload of an OSC, DCS, APC or rename string, unless the user wants more.
pub(crate) const MAX_PAYLOAD: usize = (1 << 20) - 2;
/// Most bytes kept of the head of an unfinished sequence, for `capture-pane -P`.
pub(crate) const MAX_HEAD: usize = 4096;

/// What ended a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// ST, or anything else that left the string.
    St,
    /// BEL.
    Bel,
}

/// The parameters of a control sequence.
pub(crate) struct Params<'a> {
    raw: &'a [u8],
    /// Value, or one of the two below.
    values: [i32; MAX_PARAMETERS],
    spans: [(u8, u8); MAX_PARAMETERS],
    len: usize,
}

const MISSING: i32 = -1;
const TEXT: i32 = -2;

impl<'a> Params<'a> {
    /// Splits parameters at `;`. `None` when there are too many or one is no number.
    pub(crate) fn parse(raw: &'a [u8]) -> Option<Params<'a>> {
        let mut params = Params { raw, values: [MISSING; MAX_PARAMETERS], spans: [(0, 0); MAX_PARAMETERS], len: 0 };
        if raw.is_empty() {
            return Some(params);
        }
        let (mut value, mut start, mut colon, mut digits) = (0i64, 0usize, false, false);
        for at in 0..=raw.len() {
            match raw.get(at) {
                Some(&byte @ b'0'..=b'9') => {
                    value = (value * 10 + i64::from(byte - b'0')).min(i64::from(u32::MAX));
                    digits = true;
                }
                Some(b':') => colon = true,
                Some(b';') | None => {
                    let slot = params.values.get_mut(params.len)?;
                    *slot = match (colon, digits) {
                        (true, _) => TEXT,
                        (false, true) => i32::try_from(value).ok()?,
                        (false, false) => MISSING,
                    };
                    params.spans[params.len] = (start as u8, at as u8);
                    params.len += 1;
                    if params.len == MAX_PARAMETERS {
                        return None;
                    }
                    (value, start, colon, digits) = (0, at + 1, false, false);
                }
                Some(_) => return None,
            }
        }
        Some(params)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The value at `index`, at least `minimum`; `default` when it is missing, -1 when it has sub-parameters.
    #[inline]
    pub(crate) fn get(&self, index: usize, minimum: i32, default: i32) -> i32 {
        match self.values[..self.len].get(index) {
            None | Some(&MISSING) => default,
            Some(&TEXT) => -1,
            Some(&value) => value.max(minimum),
        }
    }

    /// The text of a parameter that has sub-parameters.
    pub(crate) fn text(&self, index: usize) -> Option<&'a [u8]> {
        if self.values[..self.len].get(index) != Some(&TEXT) {
            return None;
        }
        let (start, end) = self.spans[index];
        self.raw.get(start as usize..end as usize)
    }
}

/// The receiver of actions.
pub(crate) trait Perform {
    /// A run of printable ASCII.
    fn print_ascii(&mut self, run: &[u8]);
    /// One other character.
    fn print(&mut self, c: char);
    /// As many characters from the front as can be taken at once: how many bytes those are. 0 leaves the first to
    /// [`Perform::print`].
    fn print_text(&mut self, bytes: &[u8]) -> usize;
    /// A C0 control other than ESC.
    fn control(&mut self, byte: u8);
    /// An escape sequence.
    fn escape(&mut self, intermediates: &[u8], last: u8);
    /// A control sequence; `intermediates` begins with the private mark, if any.
    fn csi(&mut self, intermediates: &[u8], params: &Params<'_>, last: u8);
    /// An operating system command.
    fn osc(&mut self, payload: &[u8], end: End);
    /// A device control string; the payload begins with the final byte.
    fn dcs(&mut self, intermediates: &[u8], payload: &[u8]);
    /// An application program command.
    fn apc(&mut self, payload: &[u8]);
    /// ESC k: a window name.
    fn rename(&mut self, payload: &[u8]);
    /// A string began: what was last printed can't be repeated any more.
    fn string_begins(&mut self);
    /// Most bytes of the payload of a string.
    fn most_payload(&self) -> usize;
    /// A sequence was malformed or too long.
    fn malformed(&mut self);
}

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
#[repr(u8)]
pub(crate) enum State {
    Ground,
    Escape,
    EscapeIntermediate,
    CsiEntry,
    CsiParameter,
    CsiIntermediate,
    CsiIgnore,
    DcsEntry,
    DcsParameter,
    DcsIntermediate,
    DcsPassthrough,
    DcsEscape,
    DcsIgnore,
    Osc,
    Apc,
    Rename,
    ConsumeSt,
}

impl State {
    pub(crate) const ALL: [State; 17] = [
        State::Ground,
        State::Escape,
        State::EscapeIntermediate,
        State::CsiEntry,
        State::CsiParameter,
        State::CsiIntermediate,
        State::CsiIgnore,
        State::DcsEntry,
        State::DcsParameter,
        State::DcsIntermediate,
        State::DcsPassthrough,
        State::DcsEscape,
        State::DcsIgnore,
        State::Osc,
        State::Apc,
        State::Rename,
        State::ConsumeSt,
    ];

    fn is_string(self) -> bool {
        matches!(self, State::Osc | State::Apc | State::Rename | State::DcsPassthrough | State::DcsEscape)
    }
}

/// What a byte does in a state.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Action {
    Ignore,
    Control,
    Collect,
    Parameter,
    Put,
    Escape,
    Csi,
    Dcs,
}

/// The action and the next state for a byte; ground is handled by [`Parser::ground`].
fn transition(state: State, byte: u8) -> (Action, Option<State>) {
    use Action as A;
    use State as S;
    if !matches!(state, S::DcsPassthrough | S::DcsEscape) {
        match byte {
            0x18 | 0x1a => return (A::Control, Some(S::Ground)),
            0x1b => return (A::Ignore, Some(S::Escape)),
            _ => {}
        }
    }
    match (state, byte) {
        (S::Ground, _) => (A::Ignore, None),
        (S::Escape | S::EscapeIntermediate, 0x00..=0x1f)
        | (S::CsiEntry | S::CsiParameter | S::CsiIntermediate | S::CsiIgnore, 0x00..=0x1f) => (A::Control, None),

        (S::Escape, 0x20..=0x2f) => (A::Collect, Some(S::EscapeIntermediate)),
        (S::Escape, b'P') => (A::Ignore, Some(S::DcsEntry)),
        (S::Escape, b'X' | b'^') => (A::Ignore, Some(S::ConsumeSt)),
        (S::Escape, b'[') => (A::Ignore, Some(S::CsiEntry)),
        (S::Escape, b']') => (A::Ignore, Some(S::Osc)),
        (S::Escape, b'_') => (A::Ignore, Some(S::Apc)),
        (S::Escape, b'k') => (A::Ignore, Some(S::Rename)),
        (S::EscapeIntermediate, 0x20..=0x2f) => (A::Collect, None),
        (S::Escape | S::EscapeIntermediate, 0x30..=0x7e) => (A::Escape, Some(S::Ground)),
        (S::Escape | S::EscapeIntermediate, 0x7f..) => (A::Ignore, None),

        (S::CsiEntry | S::CsiParameter, 0x20..=0x2f) => (A::Collect, Some(S::CsiIntermediate)),
        (S::CsiEntry, 0x30..=0x3b) => (A::Parameter, Some(S::CsiParameter)),
        (S::CsiEntry, 0x3c..=0x3f) => (A::Collect, Some(S::CsiParameter)),
        (S::CsiParameter, 0x30..=0x3b) => (A::Parameter, None),
        (S::CsiParameter, 0x3c..=0x3f) => (A::Ignore, Some(S::CsiIgnore)),
        (S::CsiIntermediate, 0x20..=0x2f) => (A::Collect, None),
        (S::CsiIntermediate, 0x30..=0x3f) => (A::Ignore, Some(S::CsiIgnore)),
        (S::CsiEntry | S::CsiParameter | S::CsiIntermediate, 0x40..=0x7e) => (A::Csi, Some(S::Ground)),
        (S::CsiIgnore, 0x40..=0x7e) => (A::Ignore, Some(S::Ground)),
        (S::CsiEntry | S::CsiParameter | S::CsiIntermediate | S::CsiIgnore, _) => (A::Ignore, None),

        (S::DcsEntry | S::DcsParameter, 0x20..=0x2f) => (A::Collect, Some(S::DcsIntermediate)),
        (S::DcsEntry, 0x30..=0x39 | 0x3b) => (A::Parameter, Some(S::DcsParameter)),
        (S::DcsEntry | S::DcsParameter, 0x3a) => (A::Ignore, Some(S::DcsIgnore)),
        (S::DcsEntry, 0x3c..=0x3f) => (A::Collect, Some(S::DcsParameter)),
        (S::DcsParameter, 0x30..=0x39 | 0x3b) => (A::Parameter, None),
        (S::DcsParameter, 0x3c..=0x3f) => (A::Ignore, Some(S::DcsIgnore)),
        (S::DcsIntermediate, 0x20..=0x2f) => (A::Collect, None),
        (S::DcsIntermediate, 0x30..=0x3f) => (A::Ignore, Some(S::DcsIgnore)),
        (S::DcsEntry | S::DcsParameter | S::DcsIntermediate, 0x40..=0x7e) => (A::Put, Some(S::DcsPassthrough)),
        (S::DcsEntry | S::DcsParameter | S::DcsIntermediate | S::DcsIgnore, _) => (A::Ignore, None),

        (S::DcsPassthrough, 0x1b) => (A::Ignore, Some(S::DcsEscape)),
        (S::DcsPassthrough, _) => (A::Put, None),
        (S::DcsEscape, b'\\') => (A::Dcs, Some(S::Ground)),
        (S::DcsEscape, _) => (A::Put, Some(S::DcsPassthrough)),

        (S::Osc, 0x07) => (A::Ignore, Some(S::Ground)),
        (S::Osc | S::Apc | S::Rename, 0x20..) => (A::Put, None),
        (S::Osc | S::Apc | S::Rename | S::ConsumeSt, _) => (A::Ignore, None),
    }
}

/// The state machine.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Parser {
    pub(crate) state: State,
    pub(crate) intermediates: Vec<u8>,
    pub(crate) parameters: Vec<u8>,
    pub(crate) payload: Vec<u8>,
    pub(crate) discard: bool,
    /// Bytes of the sequence so far that are not payload.
    pub(crate) head: Vec<u8>,
    /// An unfinished UTF-8 character: its bytes so far.
    pub(crate) partial: Vec<u8>,
}

impl Default for Parser {
    fn default() -> Parser {
        Parser {
            state: State::Ground,
            intermediates: Vec::new(),
            parameters: Vec::new(),
            payload: Vec::new(),
            discard: false,
            head: Vec::new(),
            partial: Vec::new(),
        }
    }
}

/// Length of the character a byte begins, as tmux sees it; `None` for a byte that begins none.
pub(crate) fn utf8_length(lead: u8) -> Option<usize> {
    match lead {
        0xc2..=0xdf => Some(2),
        0xe0..=0xef => Some(3),
        0xf0..=0xf4 => Some(4),
        _ => None,
    }
}

/// Decodes the character at the front of `bytes`; `None` if it is cut off or wrong.
#[inline(always)]
pub(crate) fn decode(bytes: &[u8]) -> Option<(char, usize)> {
    let point = |byte: u8, shift: u32| u32::from(byte & 0x3f) << shift;
    let continues = |byte: u8| byte & 0xc0 == 0x80;
    match *bytes {
        [a @ 0xc2..=0xdf, b, ..] if continues(b) => {
            char::from_u32(u32::from(a & 0x1f) << 6 | point(b, 0)).map(|c| (c, 2))
        }
        [a @ 0xe0..=0xef, b, c, ..] if continues(b) && continues(c) => {
            let value = u32::from(a & 0x0f) << 12 | point(b, 6) | point(c, 0);
            if value < 0x800 { None } else { char::from_u32(value).map(|c| (c, 3)) }
        }
        [a @ 0xf0..=0xf4, b, c, d, ..] if continues(b) && continues(c) && continues(d) => {
            let value = u32::from(a & 7) << 18 | point(b, 12) | point(c, 6) | point(d, 0);
            if value < 0x10000 { None } else { char::from_u32(value).map(|c| (c, 4)) }
        }
        _ => None,
    }
}

/// How many bytes at the front are printable ASCII.
#[inline]
fn printable(bytes: &[u8]) -> usize {
    const ONES: u64 = 0x0101_0101_0101_0101;
    const HIGH: u64 = 0x8080_8080_8080_8080;
    let mut at = 0;
    while let Some(chunk) = bytes.get(at..at + 8) {
        let word = u64::from_le_bytes(chunk.try_into().expect("eight bytes"));
        // A byte is set high when it is below 0x20, is 0x7f, or has its top bit set.
        let low = word.wrapping_sub(ONES * 0x20) & !word;
        let delete = word ^ (ONES * 0x7f);
        let delete = delete.wrapping_sub(ONES) & !delete;
        let bad = (low | delete | word) & HIGH;
        if bad != 0 {
            return at + bad.trailing_zeros() as usize / 8;
        }
        at += 8;
    }
    at + bytes[at..].iter().take_while(|byte| matches!(byte, 0x20..=0x7e)).count()
}

impl Parser {
    /// True in the middle of a string that only its terminator ends.
    pub(crate) fn in_string(&self) -> bool {
        self.state >= State::DcsEntry
    }

    /// Forgets an unfinished sequence.
    pub(crate) fn reset(&mut self) {
        self.enter_ground();
    }

    /// The bytes of the unfinished sequence.
    pub(crate) fn pending(&self) -> Vec<u8> {
        let mut bytes = self.head.clone();
        bytes.extend_from_slice(&self.payload);
        bytes
    }

    /// Reads bytes.
    pub(crate) fn feed(&mut self, bytes: &[u8], to: &mut impl Perform) {
        let mut rest = bytes;
        while !rest.is_empty() {
            rest = match self.state {
                State::Ground => self.ground(rest, to),
                state if state.is_string() => self.string(rest, to),
                _ => {
                    self.step(rest[0], to);
                    &rest[1..]
                }
            };
        }
    }

    /// Reads in the ground state until a sequence is cut off by the end.
    fn ground<'b>(&mut self, mut rest: &'b [u8], to: &mut impl Perform) -> &'b [u8] {
        while let Some(&byte) = rest.first() {
            match byte {
                0x20..=0x7e => {
                    self.broken_character(to);
                    let len = printable(rest);
                    to.print_ascii(&rest[..len]);
                    rest = &rest[len..];
                }
                0x1b => match whole_csi(rest) {
                    Some(sequence) => {
                        match Params::parse(sequence.params) {
                            Some(params) => to.csi(sequence.private, &params, sequence.last),
                            None => to.malformed(),
                        }
                        rest = &rest[sequence.len..];
                    }
                    None => {
                        self.step(byte, to);
                        return &rest[1..];
                    }
                },
                0x7f => rest = &rest[1..],
                0x80.. => rest = self.high(rest, to),
                _ => {
                    self.broken_character(to);
                    to.control(byte);
                    rest = &rest[1..];
                }
            }
        }
        rest
    }

    /// A byte with its top bit set, in the ground state.
    fn high<'b>(&mut self, mut rest: &'b [u8], to: &mut impl Perform) -> &'b [u8] {
        if self.partial.is_empty() {
            loop {
                rest = &rest[to.print_text(rest)..];
                match decode(rest) {
                    Some((c, len)) => {
                        to.print(c);
                        rest = &rest[len..];
                    }
                    None => break,
                }
            }
        }
        let Some(&byte) = rest.first() else { return rest };
        if byte < 0x80 {
            return rest;
        }
        self.partial.push(byte);
        match utf8_length(self.partial[0]) {
            Some(len) if self.partial.len() < len => {}
            _ => {
                let c = decode(&self.partial).map_or(char::REPLACEMENT_CHARACTER, |(c, _)| c);
                self.partial.clear();
                to.print(c);
            }
        }
        &rest[1..]
    }

    /// Anything but a byte with its top bit set ends an unfinished character.
    #[inline]
    fn broken_character(&mut self, to: &mut impl Perform) {
        if !self.partial.is_empty() {
            self.partial.clear();
            to.print(char::REPLACEMENT_CHARACTER);
        }
    }

    /// Takes a run of payload at once.
    fn string<'b>(&mut self, rest: &'b [u8], to: &mut impl Perform) -> &'b [u8] {
        let run = match self.state {
            State::DcsPassthrough => memchr::memchr(0x1b, rest).unwrap_or(rest.len()),
            State::DcsEscape => 0,
            _ => rest.iter().take_while(|&&byte| byte >= 0x20).count(),
        };
        if run == 0 {
            self.step(rest[0], to);
            return &rest[1..];
        }
        self.put(&rest[..run], to);
        &rest[run..]
    }

    fn put(&mut self, bytes: &[u8], to: &mut impl Perform) {
        let room = to.most_payload().saturating_sub(self.payload.len());
        self.payload.extend_from_slice(&bytes[..bytes.len().min(room)]);
        if bytes.len() > room && !self.discard {
            self.discard = true;
            to.malformed();
        }
    }

    fn step(&mut self, byte: u8, to: &mut impl Perform) {
        if self.state == State::Ground {
            if byte == 0x1b {
                self.enter(State::Escape, to);
                self.keep(byte);
            }
            return;
        }
        let (action, next) = transition(self.state, byte);
        match action {
            Action::Ignore => {}
            Action::Control => {
                self.broken_character(to);
                to.control(byte);
            }
            Action::Collect if self.intermediates.len() < MAX_INTERMEDIATES => self.intermediates.push(byte),
            Action::Parameter if self.parameters.len() < MAX_PARAMETER_BYTES => self.parameters.push(byte),
            Action::Collect | Action::Parameter => self.discard = true,
            Action::Put => self.put(&[byte], to),
            Action::Escape => self.dispatch_escape(byte, to),
            Action::Csi => self.dispatch_csi(byte, to),
            Action::Dcs if !self.discard => to.dcs(&self.intermediates, &self.payload),
            Action::Dcs => {}
        }
        if let Some(next) = next {
            self.exit(if byte == 0x07 { End::Bel } else { End::St }, to);
            self.enter(next, to);
        }
        if self.state != State::Ground && action != Action::Put {
            self.keep(byte);
        }
    }

    fn keep(&mut self, byte: u8) {
        if self.head.len() < MAX_HEAD {
            self.head.push(byte);
        }
    }

    fn dispatch_escape(&mut self, byte: u8, to: &mut impl Perform) {
        if self.discard {
            to.malformed();
        } else {
            to.escape(&self.intermediates, byte);
        }
    }

    fn dispatch_csi(&mut self, byte: u8, to: &mut impl Perform) {
        match Params::parse(&self.parameters) {
            Some(params) if !self.discard => to.csi(&self.intermediates, &params, byte),
            _ => to.malformed(),
        }
    }

    /// What leaving a string does, however it is left.
    fn exit(&mut self, end: End, to: &mut impl Perform) {
        if self.discard {
            return;
        }
        match self.state {
            State::Osc => to.osc(&self.payload, end),
            State::Apc => to.apc(&self.payload),
            State::Rename => to.rename(&self.payload),
            _ => {}
        }
    }

    fn enter(&mut self, next: State, to: &mut impl Perform) {
        match next {
            State::Ground => return self.enter_ground(),
            State::Escape | State::CsiEntry => self.clear(),
            State::DcsEntry | State::Osc | State::Apc | State::Rename | State::ConsumeSt => {
                self.clear();
                to.string_begins();
            }
            _ => {}
        }
        self.state = next;
    }

    fn enter_ground(&mut self) {
        self.clear();
        self.state = State::Ground;
        self.head = Vec::new();
        self.payload = Vec::new();
    }

    fn clear(&mut self) {
        self.intermediates.clear();
        self.parameters.clear();
        self.payload.clear();
        self.discard = false;
    }
}

struct Whole<'b> {
    private: &'b [u8],
    params: &'b [u8],
    last: u8,
    len: usize,
}

/// A plain control sequence that lies whole at the front of `bytes`.
#[inline]
fn whole_csi(bytes: &[u8]) -> Option<Whole<'_>> {
    if bytes.get(1) != Some(&b'[') {
        return None;
    }
    let start = if matches!(bytes.get(2), Some(0x3c..=0x3f)) { 3 } else { 2 };
    let mut at = start;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            0x30..=0x3b if at - start < MAX_PARAMETER_BYTES => at += 1,
            0x40..=0x7e => {
                return Some(Whole { private: &bytes[2..start], params: &bytes[start..at], last: byte, len: at + 1 });
            }
            _ => return None,
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[derive(Default, PartialEq, Debug)]
    struct Log(Vec<String>);

    impl Perform for Log {
        fn print_ascii(&mut self, run: &[u8]) {
            for &byte in run {
                self.print(byte as char);
            }
        }
        fn print(&mut self, c: char) {
            self.0.push(format!("print {c}"));
        }
        fn print_text(&mut self, _: &[u8]) -> usize {
            0
        }
        fn control(&mut self, byte: u8) {
            self.0.push(format!("control {byte}"));
        }
        fn escape(&mut self, intermediates: &[u8], last: u8) {
            self.0.push(format!("escape {intermediates:?} {last}"));
        }
        fn csi(&mut self, intermediates: &[u8], params: &Params<'_>, last: u8) {
            let params: Vec<_> = (0..params.len()).map(|i| params.get(i, 0, -9)).collect();
            self.0.push(format!("csi {intermediates:?} {params:?} {}", last as char));
        }
        fn osc(&mut self, payload: &[u8], end: End) {
            self.0.push(format!("osc {} {end:?}", String::from_utf8_lossy(payload)));
        }
        fn dcs(&mut self, intermediates: &[u8], payload: &[u8]) {
            self.0.push(format!("dcs {intermediates:?} {payload:?}"));
        }
        fn apc(&mut self, payload: &[u8]) {
            self.0.push(format!("apc {payload:?}"));
        }
        fn most_payload(&self) -> usize {
            MAX_PAYLOAD
        }
        fn rename(&mut self, payload: &[u8]) {
            self.0.push(format!("rename {payload:?}"));
        }
        fn string_begins(&mut self) {}
        fn malformed(&mut self) {
            self.0.push("malformed".into());
        }
    }

    fn log(bytes: &[u8]) -> Vec<String> {
        let mut log = Log::default();
        Parser::default().feed(bytes, &mut log);
        log.0
    }

    #[test]
    fn sequences_are_read() {
        assert_eq!(log(b"\x1b[1;;2:3m"), ["csi [] [1, -9, -1] m"]);
        assert_eq!(log(b"\x1b[?25h"), ["csi [63] [25] h"]);
        assert_eq!(log(b"\x1b[2 q"), ["csi [32] [2] q"]);
        assert_eq!(log(b"\x1b]2;x\x07\x1b]2;y\x1b\\"), ["osc 2;x Bel", "osc 2;y St", "escape [] 92"]);
        assert_eq!(log(b"\x1bPa\x1b\x1bb\x1b\\"), ["dcs [] [97, 27, 98]"]);
        assert_eq!(log(b"\x1b[1\n2A"), ["control 10", "csi [] [12] A"]);
        assert_eq!(log(b"\x1b[99999999999A"), ["malformed"]);
    }

    #[test]
    fn broken_characters_show_as_one() {
        assert_eq!(log(b"\xe2\x82a"), ["print \u{fffd}", "print a"]);
        assert_eq!(log(b"\x80"), ["print \u{fffd}"]);
        assert_eq!(log("é日😀".as_bytes()), ["print é", "print 日", "print 😀"]);
        assert_eq!(log(b"\xed\xa0\x80"), ["print \u{fffd}"]);
    }

    #[test]
    fn a_cut_changes_nothing() {
        let bytes = "a\x1b[1;2Hé\x1b]0;t\x1b\\\x1bP$q q\x1b\\日\x1b[?1h\x1bk名\x1b\\z\u{1}".as_bytes();
        let whole = log(bytes);
        for cut in 0..bytes.len() {
            let mut log = Log::default();
            let mut parser = Parser::default();
            parser.feed(&bytes[..cut], &mut log);
            parser.feed(&bytes[cut..], &mut log);
            assert_eq!(log.0, whole, "cut at {cut}");
        }
    }

    #[test]
    fn runs_of_printable_bytes_end_at_the_right_byte() {
        for stop in [0u8, 0x1f, 0x7f, 0x80, 0xff] {
            for at in 0..20 {
                let mut bytes = vec![b'~'; 24];
                bytes[at] = stop;
                assert_eq!(printable(&bytes), at);
            }
        }
        assert_eq!(printable(b" ~ ~ ~ ~ ~"), 10);
    }

    #[test]
    fn pending_is_what_has_not_ended() {
        let mut parser = Parser::default();
        parser.feed(b"x\x1b]0;ab", &mut Log::default());
        assert_eq!(parser.pending(), b"\x1b]0;ab");
        parser.feed(b"c\x07", &mut Log::default());
        assert_eq!(parser.pending(), b"");
    }

    /// What termwiz's parser makes of the same bytes, in the words of [`Log`] without the details.
    fn termwiz_kinds(bytes: &[u8]) -> Vec<String> {
        use termwiz::escape::{Action, parser::Parser};
        let mut kinds = Vec::new();
        Parser::new().parse(bytes, |action| match action {
            Action::Print(c) => kinds.push(format!("print {c}")),
            Action::PrintString(text) => kinds.extend(text.chars().map(|c| format!("print {c}"))),
            Action::Control(code) => kinds.push(format!("control {}", code as u8)),
            Action::CSI(_) => kinds.push("csi".into()),
            Action::Esc(_) => kinds.push("escape".into()),
            Action::OperatingSystemCommand(_) => kinds.push("osc".into()),
            other => kinds.push(format!("{other:?}")),
        });
        kinds
    }

    fn token() -> impl Strategy<Value = String> {
        prop_oneof![
            "[a-zA-Z0-9 ~é日😀]{1,12}",
            "[\\r\\n\\t\x07\x08]",
            "\x1b\\[[1-9][0-9]{0,2}[ABCDEFGLMPXdm@]",
            "\x1b\\[[1-9];[1-9]{1,2}H",
            "\x1b\\[[0-2]?[JK]",
            "\x1b\\[\\?(1|7|25|1049|2004)[hl]",
            "\x1b[78DEMHc]",
            "\x1b\\][02];[a-z é]{0,9}\x07",
            "\x1b\\]8;;http://[a-z]{1,5}\x1b\\\\",
        ]
    }

    proptest! {
        #[test]
        fn termwiz_reads_the_same_actions(tokens in proptest::collection::vec(token(), 0..30)) {
            let bytes = tokens.concat().into_bytes();
            let kind = |entry: &String| match entry.split(' ').next() {
                Some(kind @ ("csi" | "escape" | "osc")) => kind.to_string(),
                _ => entry.clone(),
            };
            let ours: Vec<String> = log(&bytes).iter().map(kind).collect();
            prop_assert_eq!(ours, termwiz_kinds(&bytes));
        }

        #[test]
        fn any_bytes_are_read(bytes in proptest::collection::vec(any::<u8>(), 0..300), cut in 0usize..300) {
            let mut parts = Log::default();
            let mut parser = Parser::default();
            let cut = cut.min(bytes.len());
            parser.feed(&bytes[..cut], &mut parts);
            parser.feed(&bytes[cut..], &mut parts);
            prop_assert_eq!(parts.0, log(&bytes));
        }
    }
}
