//! Which engine a process is, and which of a pane's processes are the pane's own engine. Looks at data, not at `/proc`.

use crate::engines::{ENGINES, Engine, Visibility};

/// A process, as the kernel tells of it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Process {
    /// Its id.
    pub pid: u32,
    /// Its parent's.
    pub parent: u32,
    /// Its name, cut at 15 bytes.
    pub comm: String,
    /// Its command line.
    pub argv: Vec<String>,
    /// When it began, in milliseconds since 1970.
    pub started_ms: u64,
    /// The paths it holds open, as `/proc/PID/fd` links say.
    pub open_files: Vec<String>,
}

/// Programs that run another one which stands in their arguments.
const RUNNERS: &[&str] = &["node", "nodejs", "bun", "deno", "python", "python3", "npx", "bunx"];

/// The engine of a process. Knows it by its name, or by its command line, through an interpreter or `env`.
pub fn engine_of(comm: &str, argv: &[String]) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.comms.contains(&comm)).or_else(|| engine_of_argv(argv))
}

/// The engine that a command line starts.
pub fn engine_of_argv(argv: &[String]) -> Option<&'static Engine> {
    let mut words = argv.iter().map(String::as_str).peekable();
    let mut program = words.next()?;
    if stem(program) == "env" {
        // `env -u X -C /d A=1 program`: its options, the ones with a word of their own too, then the assignments.
        loop {
            program = words.next()?;
            if ["-u", "--unset", "-C", "--chdir"].contains(&program) {
                words.next();
            } else if !program.starts_with('-') && !program.contains('=') {
                break;
            }
        }
    }
    if let Some(engine) = by_program(program) {
        return Some(engine);
    }
    if RUNNERS.contains(&stem(program)) {
        // The first word that is no option is the script.
        return by_program(words.find(|word| !word.starts_with('-'))?);
    }
    // This program in the part of a stand-in.
    let (first, second) = (words.next()?, words.next()?);
    ENGINES
        .iter()
        .find(|engine| engine.visibility == Visibility::StandIn && engine.launch.starts_with(&[first, second]))
}

fn by_program(path: &str) -> Option<&'static Engine> {
    ENGINES.iter().find(|engine| engine.programs.contains(&stem(path)))
}

/// The name of a program without directories, a login shell's `-`, and a script's ending.
fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_prefix('-').unwrap_or(name);
    [".js", ".mjs", ".cjs", ".exe"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// The processes that are the pane's own `engine`: the topmost one, and those below it through nothing but itself (a launcher and the
/// program proper). An engine started by a tool of the engine is not among them. Empty when there is none, or more than one that could be it.
pub fn own<'a>(engine: &Engine, processes: &'a [Process]) -> Vec<&'a Process> {
    let is_engine =
        |process: &&Process| engine_of(&process.comm, &process.argv).is_some_and(|found| found.id == engine.id);
    let parent =
        |process: &Process| processes.iter().find(|other| other.pid == process.parent && other.pid != process.pid);
    let is_below_an_engine = |process: &Process| {
        let mut above = parent(process);
        // As many steps as there are processes: a snapshot taken in motion may hold a cycle.
        for _ in 0..processes.len() {
            let Some(one) = above else { return false };
            if engine_of(&one.comm, &one.argv).is_some() {
                return true;
            }
            above = parent(one);
        }
        true
    };
    let mut tops = processes.iter().filter(is_engine).filter(|process| !is_below_an_engine(process));
    let (Some(top), None) = (tops.next(), tops.next()) else { return Vec::new() };
    let mut chain = vec![top];
    while let Some(next) = processes.iter().filter(is_engine).find(|process| {
        chain.iter().any(|above| above.pid == process.parent) && chain.iter().all(|seen| seen.pid != process.pid)
    }) {
        chain.push(next);
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn argv(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn id(comm: &str, line: &str) -> Option<&'static str> {
        engine_of(comm, &argv(line)).map(|engine| engine.id)
    }

    #[test]
    fn every_row_is_known_by_its_processes() {
        for engine in ENGINES {
            for comm in engine.comms {
                assert_eq!(id(comm, ""), Some(engine.id));
            }
            for program in engine.programs {
                assert_eq!(id("x", &format!("/opt/bin/{program} --verbose")), Some(engine.id));
            }
        }
    }

    #[test]
    fn wrappers_are_looked_through() {
        assert_eq!(
            id("node", "node --no-warnings /usr/lib/node_modules/@openai/codex/bin/codex.js -m x"),
            Some("codex")
        );
        assert_eq!(id("env", "env -u CLAUDECODE X=1 claude --resume u"), Some("claude"));
        assert_eq!(id("node", "/usr/bin/node /home/u/.local/bin/claude"), Some("claude"));
        assert_eq!(id("rove", "/usr/bin/rove __engine pinned --session-id u"), Some("pinned"));
    }

    #[test]
    fn what_only_mentions_an_engine_is_none() {
        assert_eq!(id("vim", "vim claude.md"), None);
        assert_eq!(id("bash", "bash -c claude"), None);
        assert_eq!(id("node", "node server.js codex"), None);
        assert_eq!(id("rove", "rove attach work"), None);
        assert_eq!(id("env", "env"), None);
        assert_eq!(id("", ""), None);
    }

    #[test]
    fn an_engine_inside_an_engine_is_not_the_panes_own() {
        let process = |pid, parent, comm: &str, line: &str| Process {
            pid,
            parent,
            comm: comm.into(),
            argv: argv(line),
            ..Process::default()
        };
        let codex = find_row("codex");
        let processes = [
            process(10, 1, "bash", "bash -l"),
            process(11, 10, "node", "node /x/bin/codex"),
            process(12, 11, "codex", "/x/codex"),
            process(13, 12, "sh", "sh -c codex"),
            process(14, 13, "node", "node /x/bin/codex exec"),
            process(15, 14, "codex", "/x/codex exec"),
        ];
        assert_eq!(own(codex, &processes).iter().map(|process| process.pid).collect::<Vec<_>>(), [11, 12]);
        let inside_claude =
            [process(10, 1, "claude", "claude"), process(11, 10, "sh", "sh"), process(12, 11, "codex", "codex")];
        assert!(own(codex, &inside_claude).is_empty());
        let two = [process(11, 10, "codex", "codex"), process(12, 10, "codex", "codex")];
        assert!(own(codex, &two).is_empty());
        let cycle = [process(11, 12, "codex", "codex"), process(12, 11, "sh", "sh")];
        assert!(own(codex, &cycle).is_empty());
    }

    fn find_row(id: &str) -> &'static Engine {
        crate::engines::find(id).unwrap()
    }
}
