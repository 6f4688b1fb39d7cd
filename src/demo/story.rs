//! The story itself: tell, stop, kill, attach, ask.

use std::collections::HashSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use agents::detect::own;
use agents::engines::{Engine, IdSource, Visibility};

use super::cli::Rove;
use super::process::{self, Seen};
use super::scratch::{Scratch, files_with};
use super::terminal::Terminal;
use super::{Afterwards, Cast, Options, Place, Return, wait, words};

/// The terminal's size; real engines leave out what doesn't fit.
fn size(cast: Cast) -> (u16, u16) {
    if cast.is_stand_in() { (100, 30) } else { (240, 40) }
}

/// Limits and pauses, which real engines need longer ones of.
#[derive(Clone, Copy)]
struct Pace {
    start: Duration,
    answer: Duration,
    /// Between a text and its Enter.
    rest: Duration,
    /// How long a screen must stand still before it is typed into.
    quiet: Duration,
    /// How long a process must have run before it is typed at: before, the screen may still be that of the one before it.
    settle: Duration,
    /// When to press Enter again, for a program that swallows keys while it starts.
    again: Option<Duration>,
}

impl Pace {
    fn of(cast: Cast) -> Pace {
        let seconds = Duration::from_secs;
        let milliseconds = Duration::from_millis;
        if cast.is_stand_in() {
            return Pace {
                start: seconds(20),
                answer: seconds(20),
                rest: Duration::ZERO,
                quiet: milliseconds(200),
                settle: Duration::ZERO,
                again: None,
            };
        }
        Pace {
            start: seconds(90),
            answer: seconds(120),
            rest: milliseconds(800),
            quiet: milliseconds(1500),
            settle: seconds(5),
            again: Some(seconds(5)),
        }
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
    take_engines(&scratch)?;
    let told = act(&scratch, options);
    if told.is_err() || options.afterwards == Afterwards::Keep {
        println!("kept: {}", scratch.keep().display());
    }
    told
}

/// The user's own engines are known in the scratch home too.
fn take_engines(scratch: &Scratch) -> Result<(), String> {
    let Some(file) = crate::engines::file().filter(|file| file.is_file()) else { return Ok(()) };
    let copied = std::fs::copy(&file, scratch.part("home").join("engines.toml"));
    copied.map(|_| ()).map_err(|error| format!("cannot copy {}: {error}", file.display()))
}

fn act(scratch: &Scratch, options: Options) -> Result<(), String> {
    let pace = Pace::of(options.cast);
    let rove = Rove::new(scratch, options.cast, options.coming_back)?;
    let mut parts = open(&rove, scratch, options, pace)?;
    // Against the order of launch, so that whoever takes the newest conversation for the first pane's is found out.
    for part in parts.iter().rev() {
        tell(&rove, part, pace)?;
    }
    check_secrecy(scratch, options.cast, &parts)?;
    stop_and_kill(&rove, scratch, &parts)?;
    come_back(&rove, &mut parts, options, pace)?;
    check_secrecy(scratch, options.cast, &parts)?;
    println!("PASS: {} words came back to {} new processes", parts.len(), parts.len());
    Ok(())
}

/// Which engines play. Two panes for an engine that makes its own ids: they are what `the newest one` confuses.
fn engines(cast: Cast) -> Result<Vec<&'static Engine>, String> {
    let plays = |engine: &&Engine| match cast {
        Cast::StandIn => engine.visibility == Visibility::StandIn,
        Cast::Real => engine.visibility == Visibility::Listed && engine.resumes() && is_installed(engine),
        Cast::One { .. } => false,
    };
    if let Cast::One { engine, .. } = cast {
        return Ok(vec![engine]);
    }
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

/// Whether the engine's program is on the PATH; this program itself always is.
pub(super) fn is_installed(engine: &Engine) -> bool {
    let path = std::env::var("PATH").unwrap_or_default();
    let names = if engine.command.is_empty() { engine.programs } else { &engine.command[..1] };
    names.is_empty() || names.iter().any(|name| crate::os::facts::program_on(&path, name).is_some())
}

/// The directory of the panes. Real engines ask before they work in one that they don't know, so they get the one that the user stands in.
fn project(scratch: &Scratch, cast: Cast) -> Result<PathBuf, String> {
    match cast {
        Cast::StandIn | Cast::One { place: Place::Scratch, .. } => Ok(scratch.part("project")),
        Cast::Real | Cast::One { place: Place::Here, .. } => {
            std::env::current_dir().map_err(|error| format!("cannot tell the directory: {error}"))
        }
    }
}

/// A session with a pane for each engine, all in one directory.
fn open(rove: &Rove, scratch: &Scratch, options: Options, pace: Pace) -> Result<Vec<Part>, String> {
    let engines = engines(options.cast)?;
    let project = project(scratch, options.cast)?.display().to_string();
    let (cols, rows) = size(options.cast);
    let (cols, rows) = (cols.to_string(), rows.to_string());
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
    let table = crate::engines::load();
    let process = wait::until(&what, pace.start, || {
        let Some(shell) = rove.panes()?.into_iter().find(|found| found.id == pane).map(|found| found.shell) else {
            return Err(format!("pane {pane} is gone"));
        };
        let tree = process::tree(shell);
        let top = own(&table, engine, &tree).first().map(|process| process.pid);
        Ok(top.filter(|pid| !before.contains(pid)).and_then(process::seen))
    })?;
    // A mistake in the user's own files is shown in a pane, and would take what is typed.
    rove.call(&["copy-mode", "-q", "-t", pane])?;
    let what = format!("the prompt of {} in {pane}", engine.product);
    let born = Instant::now();
    let mut watch = Watch::default();
    let ready = wait::until(&what, pace.start, || {
        if !process::is_alive(process) {
            let why = engine.failure(&watch.screen).map_or_else(String::new, |failure| format!(" ({failure:?})"));
            return Err(format!("{} in {pane} ended before it was ready{why}", engine.product));
        }
        let quiet = watch.look(rove, pane)?;
        let is_ready = engine.is_ready(&watch.screen) && quiet >= pace.quiet && born.elapsed() >= pace.settle;
        Ok(is_ready.then_some(process))
    });
    ready.inspect_err(|_| show(&watch.screen))
}

/// Prints the screen of a pane in which something did not go as it should.
fn show(screen: &str) {
    for line in screen.lines().filter(|line| !line.trim().is_empty()) {
        println!("   | {line}");
    }
}

/// A screen, and since when it is what it is.
#[derive(Default)]
struct Watch {
    screen: String,
    since: Option<Instant>,
}

impl Watch {
    /// Looks again; gives how long nothing has changed.
    fn look(&mut self, rove: &Rove, pane: &str) -> Result<Duration, String> {
        let screen = rove.screen(pane)?;
        if screen != self.screen || self.since.is_none() {
            self.screen = screen;
            self.since = Some(Instant::now());
        }
        Ok(self.since.map_or(Duration::ZERO, |since| since.elapsed()))
    }
}

/// Says `text` to the engine of a pane and waits until its screen holds the `answer`.
fn say(
    rove: &Rove,
    part: &Part,
    text: &str,
    pace: Pace,
    mut answer: impl FnMut(&str) -> Result<bool, String>,
) -> Result<(), String> {
    rove.type_line(&part.pane, text, pace.rest)?;
    let mut watch = Watch::default();
    let mut pressed = Instant::now();
    let answered = wait::until(&format!("an answer of {} in {}", part.engine.product, part.pane), pace.answer, || {
        let quiet = watch.look(rove, &part.pane)?;
        if answer(&watch.screen)? {
            return Ok((quiet >= pace.quiet).then_some(()));
        }
        if pace.again.is_some_and(|again| pressed.elapsed() >= again) {
            rove.call(&["send-keys", "-t", &part.pane, "Enter"])?;
            pressed = Instant::now();
        }
        Ok(None)
    });
    answered.inspect_err(|_| show(&watch.screen))
}

fn tell(rove: &Rove, part: &Part, pace: Pace) -> Result<(), String> {
    println!("2. {} is told {}", part.pane, part.word);
    say(rove, part, &words::telling(&part.word), pace, |screen| Ok(words::is_taken(screen, &part.word)))
}

/// No word stands in the project, nor in the program's home outside the frozen panes. (The transcripts are not below that home.)
fn check_secrecy(scratch: &Scratch, cast: Cast, parts: &[Part]) -> Result<(), String> {
    let home = scratch.part("home");
    let frozen = [home.join("pty-sessions")];
    let project = project(scratch, cast)?;
    for part in parts {
        let mut found: Vec<PathBuf> = files_with(&project, &part.word, &[]);
        // Some engines keep their transcripts beside the files that they work on.
        found.retain(|file| !parts.iter().any(|part| is_transcript(part.engine, file)));
        found.extend(files_with(&home, &part.word, &frozen));
        if let Some(file) = found.first() {
            return Err(format!("{} stands in {}, so an answer would prove nothing", part.word, file.display()));
        }
    }
    println!("   no word stands in the project, nor in rove's home outside the frozen panes");
    Ok(())
}

fn is_transcript(engine: &Engine, file: &std::path::Path) -> bool {
    engine.store.is_some_and(|store| store.session_of_transcript(&file.to_string_lossy(), engine.ids).is_some())
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
    let mut terminal = Terminal::open(rove, &["attach", "work"], size(options.cast))?;
    wait::until("the session to come back", pace.start, || match (rove.panes(), terminal.ended()) {
        (Ok(panes), None) => Ok((panes.len() == parts.len()).then_some(())),
        (Err(_), None) => Ok(None),
        (_, Some(said)) => Err(said),
    })?;
    let before: HashSet<u32> = parts.iter().map(|part| part.process.pid).collect();
    // Engines that are not to come back are not waited for as long as those that are.
    let start = if options.coming_back == Return::PlainShell { Duration::from_secs(6) } else { pace.start };
    let all_words: Vec<String> = parts.iter().map(|part| part.word.clone()).collect();
    let mut failures = Vec::new();
    for part in parts.iter_mut() {
        match return_of(rove, part, &before, &all_words, Pace { start, ..pace }) {
            Ok(()) => {}
            Err(why) if why == wait::INTERRUPTION => return Err(why),
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

fn return_of(
    rove: &Rove,
    part: &mut Part,
    before: &HashSet<u32>,
    all_words: &[String],
    pace: Pace,
) -> Result<(), String> {
    part.process = wait_ready(rove, &part.pane, part.engine, before, pace)
        .map_err(|why| if why == wait::INTERRUPTION { why } else { format!("{why}{}", what_runs(rove, &part.pane)) })?;
    let nonce = words::nonce();
    say(rove, part, &words::asking(&nonce), pace, |screen| {
        let after = words::after_nonce(screen, &nonce).unwrap_or_default();
        let foreign = all_words.iter().find(|word| **word != part.word && after.contains(*word));
        match foreign {
            Some(word) => Err(format!("{} answers {word}, the word of another pane", part.engine.product)),
            None if after.contains(words::DENIAL) => {
                Err(format!("{} came back without its conversation", part.engine.product))
            }
            None => Ok(after.contains(&part.word)),
        }
    })?;
    println!("   {}: process {} was asked (nonce {nonce}) and answers {}", part.pane, part.process.pid, part.word);
    Ok(())
}

/// What is in a pane in which the engine is not, for the message.
fn what_runs(rove: &Rove, pane: &str) -> String {
    let shell = rove.panes().ok().and_then(|panes| panes.into_iter().find(|found| found.id == pane));
    let names: Vec<String> = shell
        .map(|pane| process::tree(pane.shell))
        .unwrap_or_default()
        .into_iter()
        .map(|process| process.comm)
        .collect();
    match names.as_slice() {
        [] => "; the pane is dead".to_owned(),
        [shell] => format!("; the pane is back as a plain shell ({shell})"),
        several => format!("; in the pane run {}", several.join(", ")),
    }
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
