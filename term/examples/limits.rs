//! Feeds a terminal what no honest program writes, and prints how much memory and CPU that took.
//!
//! `limits [NAME]`: each case in turn, or the one named.

#![allow(clippy::disallowed_methods)]

use term::{Capture, LineNumber, Size, Terminal};

const MEGABYTES: usize = 100;

fn resident_kb() -> usize {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
    line.and_then(|rest| rest.trim().split(' ').next()?.parse().ok()).unwrap_or(0)
}

/// Milliseconds of CPU this process has used, from the kernel's count in nanoseconds.
fn cpu_ms() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0) / 1e6
}

/// What `act` gives and the CPU it took, in milliseconds to a thousandth.
fn timed<T>(act: impl FnOnce() -> T) -> (T, f64) {
    let start = cpu_ms();
    let value = act();
    (value, ((cpu_ms() - start) * 1000.0).round() / 1000.0)
}

/// Numbers from a seed (splitmix64).
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mixed = (*state ^ (*state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb)
}

fn feed_repeated(terminal: &mut Terminal, piece: &[u8], times: usize) {
    for _ in 0..times {
        terminal.feed(piece);
        terminal.take_events();
    }
}

fn random_bytes(terminal: &mut Terminal) {
    let mut state = 1;
    for _ in 0..MEGABYTES * 1_000_000 / 4096 {
        let piece: Vec<u8> = (0..512).flat_map(|_| random(&mut state).to_le_bytes()).collect();
        terminal.feed(&piece);
        terminal.take_events();
    }
}

fn endless_line(terminal: &mut Terminal) {
    feed_repeated(terminal, &[b'x'; 4096], MEGABYTES * 1_000_000 / 4096);
}

fn endless_wide_line(terminal: &mut Terminal) {
    feed_repeated(terminal, "漢字".repeat(683).as_bytes(), MEGABYTES * 1_000_000 / 4098);
}

fn combining(terminal: &mut Terminal) {
    terminal.feed(b"e");
    feed_repeated(terminal, "\u{301}".repeat(1000).as_bytes(), 1000);
}

fn clusters(terminal: &mut Terminal) {
    for number in 0..1_000_000_u32 {
        let marks = (0..6).map(|at| char::from_u32(0x300 + (number >> (4 * at) & 15)).unwrap_or('x'));
        terminal.feed(format!("a{}", marks.collect::<String>()).as_bytes());
    }
}

fn links(terminal: &mut Terminal) {
    for number in 0..100_000 {
        terminal.feed(format!("\x1b]8;;http://example.org/{number}\x1b\\link {number}\r\n").as_bytes());
    }
}

fn titles(terminal: &mut Terminal) {
    for _ in 0..1000 {
        terminal.feed(b"\x1b]2;");
        terminal.feed(&[b't'; 65_000]);
        terminal.feed(b"\x07\x1b[22t");
        terminal.take_events();
    }
}

fn endless_string(terminal: &mut Terminal) {
    terminal.feed(b"\x1b]52;c;");
    feed_repeated(terminal, &[b'A'; 4096], MEGABYTES * 1_000_000 / 4096);
}

type Case = (&'static str, fn(&mut Terminal));

const CASES: &[Case] = &[
    ("nothing", |_| {}),
    ("random bytes", random_bytes),
    ("endless line", endless_line),
    ("endless wide line", endless_wide_line),
    ("combining marks", combining),
    ("a million clusters", clusters),
    ("links", links),
    ("titles", titles),
    ("endless string", endless_string),
    ("short lines", |terminal| feed_repeated(terminal, "y\r\n".repeat(1000).as_bytes(), 100)),
    ("unicode lines", |terminal| feed_repeated(terminal, "äöü 漢字 x\t👍🏽\r\n".repeat(1000).as_bytes(), 100)),
    ("long lines", |terminal| {
        let line = format!("\x1b[31m{}\x1b[m{}\r\n", "red ".repeat(20), "text ".repeat(40));
        feed_repeated(terminal, line.repeat(100).as_bytes(), 200);
    }),
];

fn main() {
    let wanted = std::env::args().nth(1);
    for (name, case) in CASES {
        if wanted.as_ref().is_some_and(|wanted| wanted != name) {
            continue;
        }
        let before = resident_kb();
        let mut terminal = Terminal::new(Size { cols: 80, rows: 24 }, 50_000);
        let ((), fed) = timed(|| case(&mut terminal));
        let held = resident_kb().saturating_sub(before);
        let sizes = [(61, 20), (200, 50), (80, 24), (10, 5), (80, 24)];
        let resizes = sizes.map(|(cols, rows)| timed(|| terminal.resize(Size { cols, rows })).1);
        let (checkpoint, saved) = timed(|| terminal.checkpoint().len());
        let captures = [false, true].map(|escapes| {
            let options = Capture { start: LineNumber::First, escapes, ..Capture::default() };
            timed(|| terminal.capture(&options).len())
        });
        println!(
            "{name}: {fed:.0} ms, +{held} kB, {} kB in history of {} rows, resizes {resizes:?} ms, \
             checkpoint {checkpoint} bytes in {saved} ms, captures (bytes, ms) {captures:?}; +{} kB in the end",
            terminal.history_bytes() / 1000,
            terminal.history_len(),
            resident_kb().saturating_sub(before)
        );
    }
}
