//! How much memory a terminal takes that nothing happens in, and one that everything has happened in.
#![allow(clippy::unwrap_used, reason = "all of it is test")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use term::{Size, Terminal};

/// The system's allocator, with a count of the bytes each thread holds.
struct Counting;

thread_local! {
    static HELD: Cell<isize> = const { Cell::new(0) };
}

fn count(bytes: isize) {
    // A thread that ends has no count any more; nothing is measured then.
    let _ = HELD.try_with(|held| held.set(held.get() + bytes));
}

// SAFETY: every call goes to the system's allocator with its own arguments; counting allocates nothing.
unsafe impl GlobalAlloc for Counting {
    // SAFETY: the same contract as the system's.
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps to the contract of `alloc`.
        unsafe { System.alloc(layout) }
    }

    // SAFETY: the same contract as the system's.
    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: the caller keeps to the contract of `dealloc`, and the block is the system's.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const SIZE: Size = Size { cols: 80, rows: 24 };

/// Heap and the value itself.
fn bytes_of(make: impl Fn() -> Terminal) -> usize {
    // What is allocated once in a process is not counted.
    drop(make());
    let before = HELD.get();
    let terminal = make();
    let held = HELD.get() - before;
    drop(terminal);
    usize::try_from(held).unwrap() + size_of::<Terminal>()
}

fn fed(bytes: &[u8], times: usize) -> Terminal {
    let mut terminal = Terminal::new(SIZE, 1000);
    for _ in 0..times {
        terminal.feed(bytes);
        terminal.take_events();
    }
    terminal
}

#[test]
fn an_idle_terminal_is_three_kilobytes() {
    let bytes = bytes_of(|| Terminal::new(SIZE, 50_000));
    assert!(bytes <= 3000, "{bytes} bytes");
}

#[test]
fn a_prompt_costs_little_more() {
    let bytes = bytes_of(|| fed(b"\x1b]2;title\x07\x1b[32muser@host\x1b[m:\x1b[34m~\x1b[m$ ", 1));
    assert!(bytes <= 4500, "{bytes} bytes");
}

#[test]
fn output_without_end_takes_bounded_memory() {
    let marks = "\u{301}".repeat(4096);
    let title = [b"\x1b]2;".as_slice(), &[b't'; 65_000], b"\x07\x1b[22t"].concat();
    let link = b"\x1b]8;;http://example.org/\x1b\\link\x1b]8;;\x1b\\\r\n".to_vec();
    for (name, bytes, times) in [
        ("an endless line", vec![b'x'; 4096], 1000),
        ("an endless string", [b"\x1b]52;c;".as_slice(), &[b'A'; 1 << 22]].concat(), 1),
        ("marks on one cell", ["e", &marks].concat().into_bytes(), 100),
        ("long titles", title, 100),
        ("links", link, 10_000),
    ] {
        let held = bytes_of(|| fed(&bytes, times));
        assert!(held <= 3 << 20, "{name}: {held} bytes");
    }
}

#[test]
fn a_checkpoint_of_a_flooded_screen_is_small() {
    let line = format!("\x1b[31m{}\x1b[m{}\r\n", "red ".repeat(9), "text ".repeat(8));
    let checkpoint = fed(line.as_bytes(), 2000).checkpoint();
    assert!(checkpoint.len() < 100_000, "{} bytes", checkpoint.len());
}
