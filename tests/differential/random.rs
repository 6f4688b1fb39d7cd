//! Random streams from a seed, biased to valid sequences.

/// Numbers that are the same for the same seed (splitmix64).
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// A number below `bound`.
    pub fn below(&mut self, bound: u32) -> u32 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
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
    (4, |random| random.choose(&["日本", "é", "漢", "Ω", "█▄", "ж"]).into()),
    (12, |_| "\r\n".into()),
    (3, |random| random.choose(&["\r", "\x08", "\t", "\x07", "\x0b"]).into()),
    (14, |random| format!("\x1b[{}m", sgr(random))),
    (8, |random| format!("\x1b[{};{}H", random.below(12), random.below(30))),
    (6, |random| format!("\x1b[{}{}", count(random), random.choose(&["A", "B", "C", "D"]))),
    (3, |random| format!("\x1b[{}{}", count(random), random.choose(&["E", "F", "G", "d", "`", "a", "e"]))),
    (5, |random| format!("\x1b[{}K", random.choose(&["", "0", "1", "2"]))),
    (3, |random| format!("\x1b[{}J", random.choose(&["", "0", "1"]))),
    (4, |random| format!("\x1b[{}{}", count(random), random.choose(&["P", "@", "X"]))),
    (3, |random| format!("\x1b[{}{}", count(random), random.choose(&["L", "M"]))),
    (2, |random| format!("\x1b[{}{}", count(random), random.choose(&["S", "T"]))),
    (2, |random| random.choose(&["\x1bM", "\x1bD", "\x1bE"]).into()),
    (2, |random| format!("\x1b[{};{}r", 1 + random.below(4), 5 + random.below(5))),
    (1, |_| "\x1b[r".into()),
    (2, |random| random.choose(&["\x1b7", "\x1b8"]).into()),
    (1, |random| random.choose(&["\x1b[?7l", "\x1b[?7h", "\x1b[4h", "\x1b[4l"]).into()),
    (1, |random| {
        random.choose(&["\x1b]0;title\x07", "\x1b]2;t\x1b\\", "\x1b]8;;http://x\x1b\\l\x1b]8;;\x1b\\"]).into()
    }),
    (1, |random| random.choose(&["\x1b[?25l", "\x1b[?25h", "\x1b[?2004h", "\x1b[?1000l", "\x1b=", "\x1b>"]).into()),
];

/// A stream of about `pieces` pieces.
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

fn count(random: &mut Random) -> String {
    match random.below(4) {
        0 => String::new(),
        1 => random.below(40).to_string(),
        _ => (1 + random.below(4)).to_string(),
    }
}

fn sgr(random: &mut Random) -> String {
    match random.below(8) {
        0 => String::new(),
        1 | 2 => random
            .choose(&["0", "1", "2", "3", "4", "5", "7", "8", "9", "22", "23", "24", "25", "27", "28", "29"])
            .into(),
        3 => (30 + random.below(8)).to_string(),
        4 => (40 + random.below(8)).to_string(),
        5 => (random.choose(&["39", "49", "39;49", "53", "55", "21", "4:3"])).into(),
        6 => format!("{};5;{}", random.choose(&["38", "48"]), random.below(256)),
        _ => {
            let (kind, red, green, blue) =
                (random.choose(&["38", "48"]), random.below(256), random.below(256), random.below(256));
            format!("{kind};2;{red};{green};{blue}")
        }
    }
}
