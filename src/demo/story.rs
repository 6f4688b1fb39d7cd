//! The story itself: tell, stop, kill, attach, ask.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::Duration;

use agents::detect::own;
use agents::engines::{Engine, IdSource, Visibility};

use super::cli::Rove;
use super::process::{self, Seen};
use super::scratch::{Scratch, files_with};
use super::terminal::Terminal;
use super::{Afterwards, Cast, Options, Return, wait, words};

const COLS: u16 = 100;
const ROWS: u16 = 30;

/// Limits and pauses, which real engines need longer ones of.
#[derive(Clone, Copy)]
struct Pace {
    start: Duration,
    answer: Duration,
    /// Between a text and its Enter.
    rest: Duration,
    /// How long a screen must stand still before it is typed into.
    quiet: Duration,
}

impl Pace {
    fn of(cast: Cast) -> Pace {
        let [start, answer, rest, quiet] = match cast {
            Cast::StandIn => [20_000, 20_000, 0, 200],
            Cast::Real => [90_000, 120_000, 800, 1500],
        }
        .map(Duration::from_millis);
        Pace { start, answer, rest, quiet }
    }
}

/// One pane and its part.
struct Part {
    pane: String,
    engine: &'static Engine,
    word: String,
    process: Seen,
}

/// Plays it, and puts everything away.
pub(super) fn play(options: Options) -> Result<(), String> {
    wait::catch_signals().map_err(|error| format!("cannot catch signals: {error}"))?;
    let mut scratch = Scratch::new()?;
    let told = act(&scratch, options);
    if told.is_err() || options.afterwards == Afterwards::Keep {
        println!("kept: {}", scratch.keep().display());
    }
    told
}

fn act(scratch: &Scratch, options: Options) -> Result<(), String> {
    let pace = Pace::of(options.cast);
    let rove = Rove::new(scratch, options.cast, options.coming_back)?;
    let mut parts = open(&rove, scratch, options, pace)?;
    // Against the order of launch, so that whoever takes the newest conversation for the first pane's is found out.
    for part in parts.iter().rev() {
        tell(&rove, part, pace)?;
    }
    check_secrecy(scratch, &parts)?;
    stop_and_kill(&rove, scratch, &parts)?;
    come_back(&rove, &mut parts, options, pace)?;
    check_secrecy(scratch, &parts)?;
    println!("PASS: {} words came back to {} new processes", parts.len(), parts.len());
    Ok(())
}

/// Which engines play. Two panes for an engine that makes its own ids: they are what `the newest one` confuses.
fn engines(cast: Cast) -> Result<Vec<&'static Engine>, String> {
    let plays = |engine: &&Engine| match cast {
        Cast::StandIn => engine.visibility == Visibility::StandIn,
        Cast::Real => engine.visibility == Visibility::Listed && engine.resumes() && is_installed(engine),
    };
    let mut chosen = Vec::new();
    for engine in agents::ENGINES.iter().filter(plays) {
        chosen.push(engine);
        if engine.identity == IdSource::Discovered {
            chosen.push(engine);
        }
    }
    if chosen.is_empty() {
        Err("no engine is installed; without --engines real the stand-ins play".to_owned())
    } else {
        Ok(chosen)
    }
}

fn is_installed(engine: &Engine) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path)
        .any(|directory| engine.programs.iter().any(|program| directory.join(program).is_file()))
}

/// A session with a pane for each engine, all in one directory.
fn open(rove: &Rove, scratch: &Scratch, options: Options, pace: Pace) -> Result<Vec<Part>, String> {
    let engines = engines(options.cast)?;
    let project = scratch.part("project").display().to_string();
    let (cols, rows) = (COLS.to_string(), ROWS.to_string());
    println!("1. a session `work` with {} panes in one directory", engines.len());
    rove.call(&["new-session", "-d", "-s", "work", "-x", &cols, "-y", &rows, "-c", &project])?;
    if options.coming_back == Return::PlainShell {
        rove.call(&["set-option", "-s", "resume", "off"])?;
    }
    for _ in 1..engines.len() {
        rove.call(&["split-window", "-h", "-t", "work", "-c", &project])?;
    }
    let panes = rove.panes()?;
    if panes.len() != engines.len() {
        return Err(format!("there are {} panes and not {}", panes.len(), engines.len()));
    }
    let mut parts = Vec::new();
    for (place, (pane, engine)) in panes.iter().zip(engines).enumerate() {
        rove.call(&[engine.id, "-t", &pane.id])?;
        let process = wait_ready(rove, &pane.id, engine, &HashSet::new(), pace)?;
        let word = words::codeword(place);
        println!("   {}: {} runs as process {}", pane.id, engine.product, process.pid);
        parts.push(Part { pane: pane.id.clone(), engine, word, process });
    }
    Ok(parts)
}

/// Waits until the pane's own engine runs in a process that is none of `before` and has shown its prompt on a screen that stands still.
fn wait_ready(
    rove: &Rove,
    pane: &str,
    engine: &'static Engine,
    before: &HashSet<u32>,
    pace: Pace,
) -> Result<Seen, String> {
    let what = format!("{} to run in {pane}", engine.product);
    let process = wait::until(&what, pace.start, || {
        let Some(shell) = rove.panes()?.into_iter().find(|found| found.id == pane).map(|found| found.shell) else {
            return Err(format!("pane {pane} is gone"));
        };
        let chain: Vec<u32> = own(engine, &process::tree(shell)).iter().map(|process| process.pid).collect();
        Ok(chain.last().filter(|pid| !before.contains(pid)).and_then(|pid| process::seen(*pid)))
    })?;
    let what = format!("the prompt of {} in {pane}", engine.product);
    let mut last = (String::new(), std::time::Instant::now());
    wait::until(&what, pace.start, || {
        if !process::is_alive(process) {
            let why = engine.failure(&last.0).map_or_else(String::new, |failure| format!(" ({failure:?})"));
            return Err(format!("{} in {pane} ended before it was ready{why}", engine.product));
        }
        let screen = rove.screen(pane)?;
        if screen != last.0 {
            last = (screen, std::time::Instant::now());
        }
        Ok((engine.is_ready(&last.0) && last.1.elapsed() >= pace.quiet).then_some(process))
    })
}

fn tell(rove: &Rove, part: &Part, pace: Pace) -> Result<(), String> {
    println!("2. {} is told {}", part.pane, part.word);
    let said = |screen: &str| screen.matches("noted").count();
    let before = said(&rove.screen(&part.pane)?);
    rove.type_line(&part.pane, &format!("the codeword is {}. Answer with one word: noted", part.word), pace.rest)?;
    let what = format!("{} to take its word in {}", part.engine.product, part.pane);
    // Once in the question, once in the answer.
    wait::until(&what, pace.answer, || Ok((said(&rove.screen(&part.pane)?) >= before + 2).then_some(())))
}

/// No word stands in the project, nor in the program's home outside the frozen panes. (The transcripts are not below that home.)
fn check_secrecy(scratch: &Scratch, parts: &[Part]) -> Result<(), String> {
    let home = scratch.part("home");
    let frozen = [home.join("pty-sessions")];
    for part in parts {
        let mut found: Vec<PathBuf> = files_with(&scratch.part("project"), &part.word, &[]);
        found.extend(files_with(&home, &part.word, &frozen));
        if let Some(file) = found.first() {
            return Err(format!("{} stands in {}, so an answer would prove nothing", part.word, file.display()));
        }
    }
    println!("   no word stands in the project, nor in rove's home outside the frozen panes");
    Ok(())
}

fn stop_and_kill(rove: &Rove, scratch: &Scratch, parts: &[Part]) -> Result<(), String> {
    let panes = rove.panes()?;
    let server: u32 =
        rove.call(&["display-message", "-p", "#{pid}"])?.trim().parse().map_err(|_| "no server pid".to_owned())?;
    let mut watched: HashSet<Seen> = process::with_environment(&scratch.mark()).into_iter().collect();
    watched.extend(parts.iter().map(|part| part.process));
    let hosts: HashSet<u32> = panes
        .iter()
        .filter_map(|pane| process::parent(pane.shell))
        .filter(|pid| process::is_this_program(*pid))
        .collect();
    let keepers: Vec<Seen> = hosts.iter().copied().chain([server]).filter_map(process::seen).collect();
    watched.extend(panes.iter().filter_map(|pane| process::seen(pane.shell)).chain(keepers.iter().copied()));
    println!("3. rove stop work, then kill -9 of server and host ({} processes in all)", watched.len());
    rove.call(&["stop", "work"])?;
    keepers.into_iter().for_each(process::kill);
    wait::until("every process to be gone", Duration::from_secs(15), || {
        Ok(watched.iter().all(|process| !process::is_alive(*process)).then_some(()))
    })
    .map_err(|why| {
        let left: Vec<u32> =
            watched.iter().filter(|process| process::is_alive(**process)).map(|process| process.pid).collect();
        format!("{why}; left: {left:?}")
    })?;
    println!("   every engine, shell, server and host is gone, as /proc shows");
    Ok(())
}

fn come_back(rove: &Rove, parts: &mut [Part], options: Options, pace: Pace) -> Result<(), String> {
    println!("4. rove attach work");
    let mut terminal = Terminal::open(rove, &["attach", "work"], COLS, ROWS)?;
    wait::until("the session to come back", pace.start, || match (rove.panes(), terminal.ended()) {
        (Ok(panes), None) => Ok((panes.len() == parts.len()).then_some(())),
        (Err(_), None) => Ok(None),
        (_, Some(said)) => Err(said),
    })?;
    let before: HashSet<u32> = parts.iter().map(|part| part.process.pid).collect();
    // Engines that are not to come back are not waited for as long as those that are.
    let start = if options.coming_back == Return::PlainShell { Duration::from_secs(6) } else { pace.start };
    let mut failures = Vec::new();
    for part in parts.iter_mut() {
        match return_of(rove, part, &before, Pace { start, ..pace }) {
            Ok(()) => {}
            Err(why) if why == "interrupted" => return Err(why),
            Err(why) => {
                println!("   {}: {why}", part.pane);
                failures.push(format!("{} did not get {} back: {why}", part.pane, part.word));
            }
        }
    }
    if let Some(said) = terminal.ended() {
        failures.push(said);
    }
    if failures.is_empty() { Ok(()) } else { Err(failures.join("; ")) }
}

fn return_of(rove: &Rove, part: &mut Part, before: &HashSet<u32>, pace: Pace) -> Result<(), String> {
    part.process = wait_ready(rove, &part.pane, part.engine, before, pace)?;
    let nonce = words::nonce();
    rove.type_line(&part.pane, &format!("what is the codeword? nonce {nonce}"), pace.rest)?;
    let what = format!("{} to answer in {}", part.engine.product, part.pane);
    let answer = wait::until(&what, pace.answer, || {
        let screen = rove.screen(&part.pane)?;
        let after = words::after_nonce(&screen, &nonce).unwrap_or_default();
        let is_denial = after.contains("I was told no codeword.");
        Ok((is_denial || after.contains(&part.word)).then_some(!is_denial))
    })?;
    if !answer {
        return Err(format!("{} came back without its conversation", part.engine.product));
    }
    println!("   {}: process {} was asked (nonce {nonce}) and answers {}", part.pane, part.process.pid, part.word);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stand_ins_play_one_pinned_and_two_discovered() {
        let ids: Vec<_> = engines(Cast::StandIn).unwrap().iter().map(|engine| engine.id).collect();
        assert_eq!(ids, ["discovered", "discovered", "pinned"]);
    }
}
