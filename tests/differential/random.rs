//! Random streams from a seed, biased to valid sequences.

/// Numbers that are the same for the same seed (splitmix64).
pub struct Random {
    state: u64,
    /// Whether the stream has wide characters; if not, it edits within lines.
    wide: bool,
}

impl Random {
    pub fn new(seed: u64) -> Random {
        Random { state: seed, wide: seed % 4 < 2 }
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.state ^ (self.state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % u64::from(bound.max(1))) as u32
    }

    fn choose<'a>(&mut self, choices: &[&'a str]) -> &'a str {
        choices[self.below(choices.len() as u32) as usize]
    }
}

/// Something a stream is made of: how often, and how.
type Piece = (u32, fn(&mut Random) -> String);

/// What both engines and both parsers take to mean the same.
const PIECES: &[Piece] = &[
    (30, text),
    (3, |random| random.choose(&["é", "Ω", "█▄", "ж"]).into()),
    (12, |_| "\r\n".into()),
    (3, |random| random.choose(&["\r", "\r\x1b[3C\x08", "\x07", "\r\x0b", "\r\x1b[2K\t"]).into()),
    (14, |random| format!("\x1b[{}m", sgr(random))),
    (8, |random| format!("\x1b[{};{}H", random.below(11), random.below(27))),
    (6, |random| format!("\r\x1b[{}{}", count(random), random.choose(&["A", "B", "C", "d"]))),
    (3, |random| format!("\x1b[{}{}", count(random), random.choose(&["E", "F"]))),
    (2, |random| format!("\x1b[{}{}", random.below(27), random.choose(&["G", "`"]))),
    (8, erase),
    (6, edit),
    (3, |random| format!("\x1b[r\x1b[{}d\x1b[{}{}", random.below(10), count(random), random.choose(&["L", "M"]))),
    (2, |random| format!("\x1b[{}{}", count(random), random.choose(&["S", "T"]))),
    (2, |random| random.choose(&["\r\x1bM", "\r\x1bD", "\x1bE"]).into()),
    (2, |random| format!("\x1b[{};{}r", 1 + random.below(4), 5 + random.below(5))),
    (1, |_| "\x1b[r".into()),
    (2, |random| random.choose(&["\r\x1b[4C\x1b7", "\x1b8"]).into()),
    (1, |random| {
        random.choose(&["\x1b]0;title\x07", "\x1b]2;t\x1b\\", "\x1b]8;;http://x\x1b\\l\x1b]8;;\x1b\\"]).into()
    }),
    (1, |random| random.choose(&["\x1b[?25l", "\x1b[?25h", "\x1b[?2004h", "\x1b[?1000l", "\x1b=", "\x1b>"]).into()),
    (2, |random| format!("\r{}\x1b[{}b", random.choose(&["=", "ж"]), 1 + random.below(20))),
    (6, on_background),
];

/// A stream of so many pieces; one of fewer is the beginning of it.
pub fn stream(seed: u64, pieces: u32) -> Vec<u8> {
    let mut random = Random::new(seed);
    let total: u32 = PIECES.iter().map(|(weight, _)| weight).sum();
    let mut text = String::new();
    for _ in 0..pieces {
        let mut at = random.below(total);
        for (weight, piece) in PIECES {
            if at < *weight {
                text += &piece(&mut random);
                break;
            }
            at -= weight;
        }
    }
    text.into_bytes()
}

fn text(random: &mut Random) -> String {
    (0..1 + random.below(14)).map(|_| char::from(b' ' + random.below(95) as u8)).collect()
}

fn erase(random: &mut Random) -> String {
    let erasing = random.choose(&["[K", "[0K", "[1K", "[2K", "[J", "[0J", "[1J", "[2J"]);
    // Where a line begins no half of a wide character is left.
    if random.wide { format!("\r\x1b{erasing}") } else { format!("\x1b{erasing}") }
}

/// A wide character, or what could leave half of one: so no stream has both.
fn edit(random: &mut Random) -> String {
    let column = 6 + random.below(12);
    if random.wide {
        return format!("\r\x1b[{column}C{}", random.choose(&["日本", "漢", "한"]));
    }
    let (count, action) = (1 + random.below(3), random.choose(&["P", "X", "@", "D"]));
    format!("\x1b[r\x1b[{}d\r\x1b[{column}C\x1b[{count}{action}", 1 + random.below(10))
}

fn count(random: &mut Random) -> String {
    match random.below(4) {
        0 => String::new(),
        1 => random.below(40).to_string(),
        _ => (1 + random.below(4)).to_string(),
    }
}

fn sgr(random: &mut Random) -> String {
    match random.below(6) {
        0 => String::new(),
        1 | 2 => {
            let flags = ["0", "1", "3", "4", "5", "7", "8", "9", "22", "23", "24", "25", "27", "28", "29"];
            random.choose(&flags).into()
        }
        3 => (30 + random.below(8)).to_string(),
        4 => random.choose(&["39", "53", "55", "21", "4:3"]).into(),
        _ => color(random, 38),
    }
}

fn color(random: &mut Random, kind: u32) -> String {
    if random.below(2) == 0 {
        return format!("{kind};5;{}", random.below(256));
    }
    format!("{kind};2;{};{};{}", random.below(256), random.below(256), random.below(256))
}

/// A background, and what both engines do alike with it: text that does not wrap, erasing, new lines.
fn on_background(random: &mut Random) -> String {
    let color = if random.below(2) == 0 { (40 + random.below(8)).to_string() } else { color(random, 48) };
    let action = match random.below(4) {
        0 => format!("\x1b[{};{}Hfilled", 1 + random.below(10), 1 + random.below(19)),
        1 | 2 => erase(random),
        _ if random.wide => return String::new(),
        _ => format!("\r\x1b[{}C\x1b[{}X", 1 + random.below(20), 1 + random.below(30)),
    };
    format!("\x1b[{color}m{action}\x1b[49m")
}
