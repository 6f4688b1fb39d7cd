//! The program that prints numbered lines, and the reading of them.

use std::fs;
use std::time::Duration;

use crate::harness::wait::poll;

use super::{Ended, Kind, Pane, Storm};

/// Prints lines `NAME.RUN NUMBER words`, twenty a second at most, and notes how far it came, until it is told to end or to leave.
pub(super) const SCRIPT: &str = r#"
name=$1 i=0
echo run >> runs.$name
run=$(($(wc -l < runs.$name)))
until [ -e end ]; do
    [ -e leave.$name ] && exit 0
    n=0
    while [ $n -lt 5 ]; do
        i=$((i+1)) n=$((n+1))
        printf '%s.%s %07d the quick brown fox\n' $name $run $i
    done
    echo $i >> at.$name.$run
    sleep 0.25
done
echo "$name.$run ends at $i"
exec cat
"#;
/// How long a line may take from a program to its screen, on a machine that is busy with other tests.
const ON_ITS_WAY: Duration = Duration::from_secs(5);
/// The most lines a second.
const RATE: f64 = 20.0;
/// Seconds of lines that the end of a host may cost, and what a busy machine adds between a screen's write and the disk.
const LOSS: f64 = 5.0 + 1.5;
/// Bytes of lines that are surely kept when a pane comes back from the disk.
const KEPT: u64 = 4 << 20;

/// The runs found in a pane's history: number, first and last line of each.
type Runs = Vec<(usize, u64, u64)>;

impl Storm {
    /// How many lines a run of a pane has surely printed.
    fn printed(&self, name: &str, run: usize) -> u64 {
        let text = fs::read_to_string(self.home().path(&format!("work/at.{name}.{run}"))).unwrap_or_default();
        let whole = text.rsplit_once('\n').map_or("", |(whole, _)| whole);
        whole.lines().next_back().and_then(|line| line.parse().ok()).unwrap_or(0)
    }

    /// The beginning of the last line that a sleeping pane's program has surely printed.
    pub(super) fn last_line(&self, pane: &Pane) -> String {
        match self.printed(&pane.name, pane.ended.len()) {
            0 => String::new(),
            last => format!("{}.{} {last:07}", pane.name, pane.ended.len()),
        }
    }

    /// How often a pane's program was started.
    pub(super) fn starts(&self, name: &str) -> usize {
        fs::read_to_string(self.home().path(&format!("work/runs.{name}"))).map_or(0, |text| text.lines().count())
    }

    /// What is missing of a pane's lines; the ones it has printed before this call count.
    pub(super) fn missing(&mut self, id: &str) -> Option<String> {
        let pane = self.panes[id].clone();
        if pane.kind != Kind::Feeder || pane.pid.is_none() {
            return None;
        }
        let last = self.printed(&pane.name, pane.ended.len() + 1);
        // What was printed a moment ago may be on its way yet.
        let mut wrong = None;
        poll(ON_ITS_WAY, || {
            wrong = self.wrong_in(&pane, id, last);
            wrong.is_none().then_some(())
        });
        wrong
    }

    fn wrong_in(&mut self, pane: &Pane, id: &str, last: u64) -> Option<String> {
        let history = self.home().history(id);
        let told = |what: String| Some(format!("{} ({id}): {what}\n{}", pane.name, around(&history, &pane.name)));
        let runs = match runs(&history, &pane.name) {
            Ok(runs) => runs,
            Err(what) => return told(what),
        };
        match self.judge(pane, &runs, last) {
            Ok(()) => None,
            Err(what) => told(format!("{what}; runs {runs:?}, ended {:?}", pane.ended)),
        }
    }

    fn judge(&mut self, pane: &Pane, runs: &Runs, last: u64) -> Result<(), String> {
        let bytes: u64 = (1..=pane.ended.len()).map(|run| self.printed(&pane.name, run) * 35).sum();
        let whole = bytes < KEPT;
        for run in 1..=pane.ended.len() + 1 {
            let found = runs.iter().find(|(number, ..)| *number == run);
            let printed = if run > pane.ended.len() { last } else { self.printed(&pane.name, run) };
            let Some((_, first, newest)) = found.copied() else {
                let may_be_lost = pane.ended.get(run - 1) == Some(&Ended::Crashed) && printed as f64 <= RATE * LOSS;
                if may_be_lost || printed == 0 || !whole {
                    continue;
                }
                return Err(format!("run {run} is missing, {printed} lines"));
            };
            if first != 1 && whole {
                return Err(format!("run {run} begins with line {first}"));
            }
            let lost = printed.saturating_sub(newest);
            match pane.ended.get(run - 1) {
                Some(Ended::Crashed) => {
                    self.worst_loss = self.worst_loss.max(lost as f64 / RATE);
                    if lost as f64 > RATE * LOSS {
                        return Err(format!("run {run}: {lost} lines of {printed} went with the host"));
                    }
                }
                _ if lost > 0 => return Err(format!("run {run}: {newest} lines of {printed}")),
                _ => {}
            }
        }
        Ok(())
    }
}

/// Reads a history. A line may be torn only where a run was cut off.
fn runs(history: &str, name: &str) -> Result<Runs, String> {
    let mut found: Runs = Vec::new();
    let start = format!("{name}.");
    for line in history.lines().map(str::trim_end).filter(|line| line.starts_with(&start)) {
        let Some((run, number)) = parse(line, &start) else {
            found.push((usize::MAX, 0, 0));
            continue;
        };
        let known = found.iter().any(|earlier| earlier.0 == run);
        match found.last_mut() {
            Some(last) if last.0 == run && last.2 + 1 == number => last.2 = number,
            Some(last) if last.0 == run => {
                return Err(format!("line {number} of run {run} follows line {}", last.2));
            }
            _ if known => {
                return Err(format!("run {run} goes on at line {number}"));
            }
            _ => found.push((run, number, number)),
        }
    }
    found.retain(|last| last.0 != usize::MAX);
    if found.is_sorted() { Ok(found) } else { Err(format!("runs in disorder: {found:?}")) }
}

/// Run and number of a whole line.
fn parse(line: &str, start: &str) -> Option<(usize, u64)> {
    let (run, rest) = line.strip_prefix(start)?.split_once(' ')?;
    let number = rest.strip_suffix(" the quick brown fox")?;
    (number.len() == 7).then_some(())?;
    Some((run.parse().ok()?, number.parse().ok()?))
}

/// The places of a history where a line does not follow the one before it.
fn around(history: &str, name: &str) -> String {
    let lines: Vec<&str> = history.lines().collect();
    let start = format!("{name}.");
    let breaks = (1..lines.len()).filter(|at| match (parse(lines[at - 1], &start), parse(lines[*at], &start)) {
        (Some((run, number)), Some((next_run, next))) => (run, number + 1) != (next_run, next),
        (before, here) => before.is_some() != here.is_some(),
    });
    let shown: Vec<String> = breaks.take(12).map(|at| format!("{:?} | {:?}", lines[at - 1], lines[at])).collect();
    format!("{} lines, broken at:\n{}", lines.len(), shown.join("\n"))
}

#[test]
fn missing_doubled_and_torn_lines_are_found() {
    let line = |run: usize, number: u64| format!("p1x.{run} {number:07} the quick brown fox\n");
    let read = |text: String| runs(&text, "p1x");
    assert_eq!(read(line(1, 1) + &line(1, 2) + "p1x.1 00\nrove: x\n" + &line(2, 1)), Ok(vec![(1, 1, 2), (2, 1, 1)]));
    for wrong in [
        line(1, 1) + &line(1, 3),
        line(1, 1) + &line(1, 1),
        line(1, 1) + "p1x.1 00\n" + &line(1, 2),
        line(2, 1) + &line(1, 2),
    ] {
        assert!(read(wrong.clone()).is_err(), "{wrong}");
    }
}
