//! Feeds files in pieces of 4096 bytes, as a pty gives them, and prints bytes and CPU seconds of each.
//!
//! `throughput FILE...`; a file is read again until 32 MB have passed. `THROUGHPUT_HISTORY` is the history limit.

#![allow(clippy::disallowed_methods)]

use term::{Size, Terminal};

/// Seconds of CPU this process has used, from the kernel's count in nanoseconds.
fn cpu_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    stat.split(' ').next().and_then(|field| field.parse::<f64>().ok()).unwrap_or(0.0) / 1e9
}

fn main() {
    let limit = std::env::var("THROUGHPUT_HISTORY").ok().and_then(|text| text.parse().ok()).unwrap_or(2000);
    for path in std::env::args().skip(1) {
        let bytes = std::fs::read(&path).expect("a file");
        let rounds = (32_000_000 / bytes.len().max(1)).max(1);
        let mut terminal = Terminal::new(Size { cols: 80, rows: 24 }, limit);
        let start = cpu_seconds();
        for _ in 0..rounds {
            for piece in bytes.chunks(4096) {
                terminal.feed(piece);
                terminal.take_events();
            }
        }
        let seconds = cpu_seconds() - start;
        let total = (rounds * bytes.len()) as f64 / 1e6;
        println!(
            "{path}: {total:.0} MB in {seconds:.3} s, {:.0} MB/s; {} rows, {} bytes of history",
            total / seconds,
            terminal.history_len(),
            terminal.history_bytes()
        );
    }
}
