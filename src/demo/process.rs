//! What `/proc` says of processes: who is whose child, who has the demo's home in its environment, and who is really gone.

use std::fs;

use agents::detect::Process;
use rustix::process::{Pid, Signal, kill_process};

/// A process that once was: its id and when it began, which together never come again before the next boot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) struct Seen {
    pub(super) pid: u32,
    started_ticks: u64,
}

struct Stat {
    comm: String,
    state: char,
    parent: u32,
    started_ticks: u64,
}

fn stat(pid: u32) -> Option<Stat> {
    let text = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name may hold anything, a bracket too: the fields begin after the last one.
    let (before, after) = text.rsplit_once(')')?;
    let comm = before.split_once('(')?.1.to_owned();
    let mut fields = after.split_whitespace();
    let state = fields.next()?.chars().next()?;
    let parent = fields.next()?.parse().ok()?;
    let started_ticks = fields.nth(17)?.parse().ok()?;
    Some(Stat { comm, state, parent, started_ticks })
}

/// The process of that id, when it runs.
pub(super) fn seen(pid: u32) -> Option<Seen> {
    let stat = stat(pid)?;
    (!matches!(stat.state, 'Z' | 'X')).then_some(Seen { pid, started_ticks: stat.started_ticks })
}

/// Whether it still runs. A zombie does not: it is an exit code that nobody fetched.
pub(super) fn is_alive(process: Seen) -> bool {
    seen(process.pid) == Some(process)
}

/// The parent's id.
pub(super) fn parent(pid: u32) -> Option<u32> {
    stat(pid).map(|stat| stat.parent)
}

fn all() -> impl Iterator<Item = u32> {
    fs::read_dir("/proc").into_iter().flatten().flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok())
}

/// `root` and every process below it, as the table of engines wants them.
pub(super) fn tree(root: u32) -> Vec<Process> {
    let everyone: Vec<Process> = all().filter_map(process).collect();
    let mut found: Vec<Process> = everyone.iter().filter(|process| process.pid == root).cloned().collect();
    let mut next = 0;
    while let Some(above) = found.get(next).map(|process| process.pid) {
        let below = everyone.iter().filter(|process| process.parent == above && process.pid != root).cloned();
        found.extend(below.collect::<Vec<_>>());
        next += 1;
    }
    found
}

fn process(pid: u32) -> Option<Process> {
    let stat = stat(pid)?;
    let argv = fs::read(format!("/proc/{pid}/cmdline")).unwrap_or_default();
    let argv = argv.split(|byte| *byte == 0).map(|word| String::from_utf8_lossy(word).into_owned());
    let mut argv: Vec<String> = argv.collect();
    argv.pop_if(|last| last.is_empty());
    Some(Process { pid, parent: stat.parent, comm: stat.comm, argv, ..Process::default() })
}

/// Whether the process runs this very program.
pub(super) fn is_this_program(pid: u32) -> bool {
    let program = |who: &str| fs::read_link(format!("/proc/{who}/exe")).ok();
    program(&pid.to_string()).is_some_and(|path| Some(path) == program("self"))
}

/// Every running process with `entry` (`NAME=value`) in its environment.
pub(super) fn with_environment(entry: &str) -> Vec<Seen> {
    let has = |pid: &u32| {
        let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|found| found == entry.as_bytes())
    };
    all().filter(has).filter_map(seen).collect()
}

/// Ends it without asking.
pub(super) fn kill(process: Seen) {
    if let Some(pid) = Pid::from_raw(process.pid.cast_signed()).filter(|_| is_alive(process)) {
        // It may have gone by itself in between, which is as good.
        let _ = kill_process(pid, Signal::KILL);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn a_child_is_found_by_its_environment_and_is_gone_once_killed() {
        let entry = format!("ROVE_DEMO_TEST={}", uuid::Uuid::new_v4());
        let (name, value) = entry.split_once('=').unwrap();
        let mut child = Command::new("sh")
            .args(["-c", "read line"])
            .env(name, value)
            .stdin(std::process::Stdio::piped())
            .spawn()
            .unwrap();
        // Between fork and exec the child still has this process's environment.
        let found = super::super::wait::until("the child", std::time::Duration::from_secs(10), || {
            let found = with_environment(&entry);
            Ok((!found.is_empty()).then_some(found))
        });
        let found = found.unwrap();
        assert_eq!(found, [seen(child.id()).unwrap()]);
        assert_eq!(parent(child.id()), Some(std::process::id()));
        assert!(tree(std::process::id()).iter().any(|process| process.pid == child.id() && process.argv[1] == "-c"));
        kill(found[0]);
        super::super::wait::until("its end", std::time::Duration::from_secs(10), || {
            Ok((!is_alive(found[0])).then_some(()))
        })
        .unwrap();
        assert!(seen(child.id()).is_none(), "not waited for yet, but it does not run");
        child.wait().unwrap();
    }

    #[test]
    fn this_process_runs_this_program() {
        assert!(is_this_program(std::process::id()));
        assert!(!is_this_program(1));
    }
}
