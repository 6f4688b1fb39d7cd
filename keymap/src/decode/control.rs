//! Owns the grammar of what follows ESC: control sequences (CSI) and control strings (OSC, DCS, APC).
//! What they mean is not known here.

use super::reply;
use super::{Decoder, Input, Skip, Step, Wait};

/// A whole control sequence.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sequence {
    /// The private marker: `<`, `=`, `>` or `?`.
    pub private: Option<u8>,
    /// The intermediate byte before the end.
    pub intermediate: Option<u8>,
    /// The byte that ends it.
    pub end: u8,
    /// How many bytes it has.
    pub length: usize,
    /// How many parameters were written; 0 if nothing was.
    pub count: usize,
    values: [[Option<u32>; SUBPARAMETERS]; PARAMETERS],
}

const PARAMETERS: usize = 16;
const SUBPARAMETERS: usize = 3;
const LONGEST_SEQUENCE: usize = 256;
const LONGEST_STRING: usize = 4096;

impl Sequence {
    /// Parameter `index`, if it was given.
    pub fn number(&self, index: usize) -> Option<u32> {
        self.sub(index, 0)
    }

    /// Part `part` of parameter `index`, between colons, if it was given.
    pub fn sub(&self, index: usize, part: usize) -> Option<u32> {
        *self.values.get(index)?.get(part)?
    }

    /// The parameters, at most 16, missing ones as 0.
    pub fn numbers(&self) -> impl Iterator<Item = u32> {
        self.values[..self.count.min(PARAMETERS)].iter().map(|parts| parts[0].unwrap_or(0))
    }
}

/// The control sequence at the front, which is `ESC [`.
pub(super) fn parse(bytes: &[u8]) -> Result<Sequence, Step> {
    let body = &bytes[2..];
    match body {
        [] => return Err(Step::Partial(Wait::Key)),
        // The function keys of the Linux console have one letter after a second bracket.
        [b'['] => return Err(Step::Partial(Wait::Key)),
        [b'[', letter @ b'A'..=b'E', ..] => return Ok(read(&[], Some(b'['), *letter, 4)),
        [b'[', ..] => return Err(Step::None),
        _ => {}
    }
    let parameters = body.iter().take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
    // rxvt ends sequences of shifted keys with an intermediate byte.
    let digits = body.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if (1..LONGEST_SEQUENCE).contains(&digits) && body.get(digits) == Some(&b'$') {
        return Ok(read(&body[..digits], None, b'$', digits + 3));
    }
    if parameters > LONGEST_SEQUENCE {
        return Err(Step::Skip(2 + parameters, Some(Skip::Control)));
    }
    match body.get(parameters) {
        None => Err(Step::Partial(Wait::Rest)),
        Some(end @ 0x40..=0x7e) => Ok(read(&body[..parameters], None, *end, parameters + 3)),
        Some(_) if parameters == 0 => Err(Step::None),
        Some(_) => Err(Step::Drop(2 + parameters)),
    }
}

fn read(body: &[u8], intermediate: Option<u8>, end: u8, length: usize) -> Sequence {
    let private = body.first().copied().filter(|byte| matches!(byte, b'<'..=b'?'));
    let body = &body[usize::from(private.is_some())..];
    let split = body.iter().position(|byte| *byte < 0x30).unwrap_or(body.len());
    let (numbers, intermediates) = body.split_at(split);
    let mut values = [[None; SUBPARAMETERS]; PARAMETERS];
    let mut count = 0;
    if !numbers.is_empty() {
        for field in numbers.split(|byte| *byte == b';') {
            if let Some(parts) = values.get_mut(count) {
                for (part, text) in parts.iter_mut().zip(field.split(|byte| *byte == b':')) {
                    *part = number(text);
                }
            }
            count += 1;
        }
    }
    let intermediate = intermediate.or(intermediates.first().copied());
    Sequence { private, intermediate, end, length, count, values }
}

/// A decimal number; what is too large is the largest there is.
fn number(text: &[u8]) -> Option<u32> {
    if text.is_empty() || !text.iter().all(u8::is_ascii_digit) {
        return None;
    }
    Some(text.iter().fold(0u32, |sum, digit| sum.saturating_mul(10).saturating_add(u32::from(digit - b'0'))))
}

/// Throws away what belongs to something too long, up to its end.
pub(super) fn skip(skip: Skip, bytes: &[u8]) -> Step {
    match skip {
        Skip::Control => {
            let inside = bytes.iter().take_while(|byte| matches!(byte, 0x20..=0x3f)).count();
            match bytes.get(inside) {
                None => Step::Skip(inside, Some(skip)),
                Some(0x40..=0x7e) => Step::Skip(inside + 1, None),
                Some(_) => Step::Skip(inside, None),
            }
        }
        Skip::Text => match string_end(bytes, 0) {
            End::Here { after, .. } => Step::Skip(after, None),
            End::Broken { at } => Step::Skip(at, None),
            End::Open if bytes == b"\x1b" => Step::Partial(Wait::Rest),
            // An ESC at the end may be the first half of the terminator.
            End::Open => Step::Skip(bytes.len() - usize::from(bytes.ends_with(b"\x1b")), Some(skip)),
        },
    }
}

/// Replies that come as control strings, as far as they tell one from keys typed with Meta.
const STRING_STARTS: [&[u8]; 7] =
    [b"\x1bP>|", b"\x1bP!|", b"\x1bP0$r", b"\x1bP1$r", b"\x1bP0+r", b"\x1bP1+r", b"\x1b_G"];

/// The control string at the front, which is `ESC ]`, `ESC P` or `ESC _`. `scanned` bytes are known not to end it; so many
/// are after this call.
pub(super) fn string(bytes: &[u8], scanned: usize) -> (Step, usize) {
    let body = match bytes[1] {
        b']' => match command_number(bytes) {
            Ok(body) => body,
            Err(step) => return (step, 0),
        },
        _ => match STRING_STARTS.iter().find(|start| bytes.starts_with(start)) {
            Some(start) => start.len(),
            None if STRING_STARTS.iter().any(|start| start.starts_with(bytes)) => {
                return (Step::Partial(if bytes.len() == 2 { Wait::Key } else { Wait::Rest }), 0);
            }
            None => return (Step::None, 0),
        },
    };
    let longest = if bytes.starts_with(b"\x1b]52;") { Decoder::CLIPBOARD_MAX } else { LONGEST_STRING };
    match string_end(bytes, scanned.max(body)) {
        End::Here { at, after } if at <= longest => {
            let reply = reply::string(&bytes[1..body], &bytes[body..at]);
            (reply.map_or(Step::Drop(after), |reply| Step::Done(Input::Reply(reply), after)), 0)
        }
        End::Here { after, .. } => (Step::Drop(after), 0),
        End::Broken { at } => (Step::Drop(at), 0),
        End::Open if bytes.len() > longest + 1 => {
            (Step::Skip(bytes.len() - usize::from(bytes.ends_with(b"\x1b")), Some(Skip::Text)), 0)
        }
        // An ESC at the end may be the first half of the terminator.
        End::Open => (Step::Partial(Wait::Rest), bytes.len().saturating_sub(1)),
    }
}

/// Where the text of an OSC begins: after its number and a semicolon.
fn command_number(bytes: &[u8]) -> Result<usize, Step> {
    let digits = bytes[2..].iter().take(5).take_while(|byte| byte.is_ascii_digit()).count();
    match bytes.get(2 + digits) {
        None if digits == 0 => Err(Step::Partial(Wait::Key)),
        None if digits <= 4 => Err(Step::Partial(Wait::Rest)),
        Some(b';') if (1..=4).contains(&digits) => Ok(3 + digits),
        _ => Err(Step::None),
    }
}

enum End {
    /// The text ends before `at`, its terminator before `after`.
    Here { at: usize, after: usize },
    /// Something at `at` can't be part of a reply.
    Broken { at: usize },
    /// There is no end yet.
    Open,
}

fn string_end(bytes: &[u8], from: usize) -> End {
    let from = from.min(bytes.len());
    let Some(at) = bytes[from..].iter().position(|byte| *byte < 0x20).map(|offset| from + offset) else {
        return End::Open;
    };
    match (bytes[at], bytes.get(at + 1)) {
        (0x07, _) => End::Here { at, after: at + 1 },
        (0x1b, Some(b'\\')) => End::Here { at, after: at + 2 },
        (0x1b, None) => End::Open,
        _ => End::Broken { at },
    }
}
