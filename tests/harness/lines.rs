//! Numbered lines: a program that prints them until it is told to stop, and the proof that none is missing, doubled or torn.

use std::path::Path;

/// What follows the number in each line, so that a torn line shows.
const TAIL: &str = "the quick brown fox jumps over the lazy dog";

/// A shell line that prints numbered lines until the file `stop` exists, then `all N printed`, and then waits. About a megabyte a second,
/// five in a long run.
pub fn feeder(stop: &Path) -> String {
    let at_once = if super::long() { 1000 } else { 200 };
    format!(
        "i=0; until [ -e '{}' ]; do seq -f 'n%08.0f {TAIL}' $((i+1)) $((i+{at_once})); i=$((i+{at_once})); sleep 0.01; done; echo all $i printed; exec cat",
        stop.display()
    )
}

/// The lines that were found in a pane's whole history.
#[derive(Debug, PartialEq, Eq)]
pub struct Lines {
    /// The number of the last one; all from 1 on are there, each once, in order.
    pub last: u64,
}

impl Lines {
    /// Reads a pane's history. Fails the test at the first line that is not the next one.
    #[track_caller]
    pub fn read(history: &str) -> Lines {
        let mut last = 0;
        for line in history.lines().filter(|line| !line.trim_end().is_empty()) {
            let line = line.trim_end();
            if line == format!("all {last} printed") {
                return Lines { last };
            }
            let expected = format!("n{:08} {TAIL}", last + 1);
            assert_eq!(line, expected, "the line after number {last}");
            last += 1;
        }
        Lines { last }
    }
}

#[test]
fn a_missing_a_doubled_and_a_torn_line_are_found() {
    let line = |number: u64| format!("n{number:08} {TAIL}\n");
    assert_eq!(Lines::read(&format!("{}{}\n", line(1), line(2))), Lines { last: 2 });
    assert_eq!(Lines::read(&format!("{}all 1 printed\n$ ", line(1))), Lines { last: 1 });
    for wrong in [format!("{}{}", line(1), line(3)), line(1) + &line(1), line(1) + "n0000", line(2)] {
        assert!(std::panic::catch_unwind(|| Lines::read(&wrong)).is_err(), "{wrong}");
    }
}
