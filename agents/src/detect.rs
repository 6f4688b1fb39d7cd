//! Which engine a process is, and which of a pane's processes are the pane's own engine. Looks at data, not at `/proc`.

use crate::engines::{Engine, Visibility};
use crate::table::Table;

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
    /// Its directory, when that can be seen.
    pub cwd: Option<String>,
    /// The paths it holds open, as `/proc/PID/fd` links say.
    pub open_files: Vec<String>,
}

/// Programs that run another one which stands in their arguments.
const RUNNERS: &[&str] = &["node", "nodejs", "bun", "deno", "python", "npx", "bunx", "uv", "uvx"];

/// Programs that run a script whose path is their first argument, and much else.
const SHELLS: &[&str] = &["sh", "bash", "dash", "zsh", "ksh", "fish"];

/// Whether a process is one of `engine`'s.
pub fn is_of(engine: &Engine, comm: &str, argv: &[String]) -> bool {
    engine.comms.contains(&comm) || starts(engine, argv)
}

/// Whether a command line starts `engine`.
pub fn starts(engine: &Engine, argv: &[String]) -> bool {
    if engine.visibility == Visibility::StandIn {
        // This program in the part of a stand-in.
        let words: Vec<&str> = argv.iter().skip(1).take(2).map(String::as_str).collect();
        return words.len() == 2 && engine.launch.starts_with(&words);
    }
    program_of(argv).is_some_and(|program| engine.programs.contains(&program))
}

/// The name of the program that a command line is about, through an interpreter or `env`.
pub fn program_of(argv: &[String]) -> Option<&str> {
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
    let name = stem(program);
    if RUNNERS.contains(&name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.')) {
        // The first word that is no option is the script.
        return words.find(|word| !word.starts_with('-')).map(stem);
    }
    if SHELLS.contains(&name)
        && let Some(script) = words.next().filter(|word| word.contains('/') && !word.starts_with('-'))
    {
        return Some(stem(script));
    }
    Some(name)
}

/// The name of a program without directories, a login shell's `-`, and a script's ending.
pub(crate) fn stem(path: &str) -> &str {
    let name = path.rsplit('/').next().unwrap_or(path);
    let name = name.strip_prefix('-').unwrap_or(name);
    [".js", ".mjs", ".cjs", ".exe", ".py", ".sh"].iter().find_map(|ending| name.strip_suffix(ending)).unwrap_or(name)
}

/// The processes that are the pane's own `engine`: the topmost one, and those below it through nothing but itself (a launcher and the
/// program proper). An engine started by a tool of the engine is not among them. Empty when there is none, or more than one that could be it.
pub fn own<'a>(table: &Table, engine: &Engine, processes: &'a [Process]) -> Vec<&'a Process> {
    let is_engine = |process: &&Process| is_of(engine, &process.comm, &process.argv);
    let parent =
        |process: &Process| processes.iter().find(|other| other.pid == process.parent && other.pid != process.pid);
    let is_below_an_engine = |process: &Process| {
        let mut above = parent(process);
        // As many steps as there are processes: a snapshot taken in motion may hold a cycle.
        for _ in 0..processes.len() {
            let Some(one) = above else { return false };
            // What only makes a conversation ends again.
            let begins = one.argv.get(1).is_some_and(|word| word == crate::launch::BEGIN);
            if begins || is_engine(&one) || table.engine_of(&one.comm, &one.argv).is_some() {
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

/// How many processes of `engine` there are besides those below the pane's shell: in the directory `cwd` when that is given, anywhere else.
pub fn rivals(engine: &Engine, below: &[Process], everyone: &[Process], cwd: Option<&str>) -> usize {
    let is_foreign = |process: &&Process| !below.iter().any(|own| own.pid == process.pid);
    let is_here = |process: &&Process| cwd.is_none() || process.cwd.is_none() || process.cwd.as_deref() == cwd;
    let of_engine = |process: &&Process| is_of(engine, &process.comm, &process.argv);
    everyone.iter().filter(is_foreign).filter(of_engine).filter(is_here).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::ENGINES;

    fn argv(line: &str) -> Vec<String> {
        line.split_whitespace().map(str::to_owned).collect()
    }

    fn id(comm: &str, line: &str) -> Option<&'static str> {
        Table::default().engine_of(comm, &argv(line)).map(|engine| engine.id)
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
        assert_eq!(id("x", "/usr/bin/python3.13 -P /home/u/bin/claude"), Some("claude"));
        assert_eq!(id("x", "/bin/sh /home/u/bin/claude --resume u"), Some("claude"));
        assert_eq!(id("rove", "/usr/bin/rove __engine pinned --session-id u"), Some("pinned"));
    }

    #[test]
    fn what_only_mentions_an_engine_is_none() {
        assert_eq!(id("vim", "vim claude.md"), None);
        assert_eq!(id("bash", "bash -c claude"), None);
        assert_eq!(id("bash", "bash claude"), None);
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
        assert_eq!(
            own(&Table::default(), codex, &processes).iter().map(|process| process.pid).collect::<Vec<_>>(),
            [11, 12]
        );
        let inside_claude =
            [process(10, 1, "claude", "claude"), process(11, 10, "sh", "sh"), process(12, 11, "codex", "codex")];
        assert!(own(&Table::default(), codex, &inside_claude).is_empty());
        let two = [process(11, 10, "codex", "codex"), process(12, 10, "codex", "codex")];
        assert!(own(&Table::default(), codex, &two).is_empty());
        let begins = [process(11, 10, "rove", "/x/rove __begin codex"), process(12, 11, "codex", "codex import")];
        assert!(own(&Table::default(), codex, &begins).is_empty(), "it makes a conversation and is none");
        let cycle = [process(11, 12, "codex", "codex"), process(12, 11, "sh", "sh")];
        assert!(own(&Table::default(), codex, &cycle).is_empty());
    }

    #[test]
    fn rivals_are_those_outside_the_pane_in_the_same_directory() {
        let process = |pid, cwd: Option<&str>| Process {
            pid,
            comm: "codex".into(),
            cwd: cwd.map(str::to_owned),
            ..Process::default()
        };
        let codex = find_row("codex");
        let everyone = [process(1, Some("/w")), process(2, Some("/w")), process(3, Some("/x")), process(4, None)];
        assert_eq!(rivals(codex, &everyone[..1], &everyone, Some("/w")), 2, "one there, one that can't be seen");
        assert_eq!(rivals(codex, &everyone[..1], &everyone, None), 3);
        assert_eq!(rivals(find_row("claude"), &[], &everyone, None), 0);
    }

    fn find_row(id: &str) -> &'static Engine {
        crate::engines::find(id).unwrap()
    }
}
