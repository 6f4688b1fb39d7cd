//! What has to be true after every step, and what at the end.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::time::Duration;

use super::{Ended, Kind, Storm};
use crate::harness::{Tty, process, wait::poll, wait_for};

/// How long a step's consequences may take: the grace of a kill, a write, a busy machine.
const PATIENCE: Duration = Duration::from_secs(15);

impl Storm {
    /// What is not as it has to be, once all had the time to become so.
    pub(super) fn what_is_wrong(&mut self) -> Option<String> {
        let mut wrong = None;
        poll(PATIENCE, || {
            wrong = self.wrong_now();
            wrong.is_none().then_some(())
        });
        if wrong.is_some() {
            return wrong;
        }
        // One history a step: all of them are long.
        let ids: Vec<String> = self.panes.keys().cloned().collect();
        let id = self.dice.one_of(&ids).clone();
        self.missing(&id)
    }

    fn wrong_now(&self) -> Option<String> {
        self.wrong_panes()
            .or_else(|| self.wrong_processes())
            .or_else(|| self.wrong_starts())
            .or_else(|| self.wrong_files())
    }

    /// The list of panes is the list of those that are to be there, with the same programs.
    fn wrong_panes(&self) -> Option<String> {
        let call = self.home().run(&[
            "list-panes",
            "-a",
            "-F",
            "#{pane_id} #{session_name} #{window_id} #{pane_pid} #{pane_uuid}",
        ]);
        let wanted: BTreeSet<String> = self
            .panes
            .iter()
            .map(|(id, pane)| format!("{id} {} {} {} {}", pane.session, pane.window, pane.pid.unwrap_or(0), pane.uuid))
            .collect();
        let found: BTreeSet<String> = call.stdout.lines().map(str::to_owned).collect();
        let missing: Vec<_> = wanted.difference(&found).collect();
        let extra: Vec<_> = found.difference(&wanted).collect();
        let same = missing.is_empty() && extra.is_empty();
        (!same).then(|| format!("panes missing {missing:?}, not wanted {extra:?} {}", call.stderr))
    }

    /// Every process of the home is a client of ours, the server, the host, or belongs to a pane that is to live.
    fn wrong_processes(&self) -> Option<String> {
        let lives: BTreeSet<u32> = self.panes.values().filter_map(|pane| pane.pid).collect();
        if let Some(dead) = lives.iter().find(|pid| !process::alive(**pid)) {
            return Some(format!("process {dead} of a pane is gone"));
        }
        let hosts: BTreeSet<u32> = lives.iter().map(|pid| process::parent(*pid)).collect();
        if hosts.len() > 1 {
            return Some(format!("more than one host: {hosts:?}"));
        }
        let clients: BTreeSet<u32> = self.clients.iter().map(|watcher| watcher.tty.pid()).collect();
        let (mut servers, mut strangers) = (0, Vec::new());
        for pid in self.home().processes() {
            let known = |pid: &u32| lives.contains(pid) || clients.contains(pid);
            let comm = process::stat(pid).map(|stat| stat.comm).unwrap_or_default();
            match comm.as_str() {
                _ if known(&pid) || process::ancestors(pid).iter().any(known) => {}
                "rove: server" => servers += 1,
                "rove: host" => {}
                _ => strangers.push((pid, comm, process::argv(pid))),
            }
        }
        if servers != 1 || !strangers.is_empty() {
            return Some(format!("{servers} servers, processes of nobody: {strangers:?}"));
        }
        let host = hosts.first()?;
        let (memories, terminals) = (descriptors(*host, "/memfd:"), descriptors(*host, "/ptmx"));
        // One memory more is the model's. A stopped pane's is kept for the next server.
        let (least, most) = (lives.len(), self.panes.len());
        let fits = (least + 1..=most + 1).contains(&memories) && (least..=most).contains(&terminals);
        (!fits)
            .then(|| format!("the host has {memories} memories and {terminals} terminals for {least} to {most} panes"))
    }

    /// No program was started but by coming back once.
    fn wrong_starts(&self) -> Option<String> {
        self.panes.values().filter(|pane| pane.kind == Kind::Feeder).find_map(|pane| {
            let wanted = pane.ended.len() + usize::from(pane.pid.is_some());
            let started = self.starts(&pane.name);
            (started != wanted).then(|| format!("{} was started {started} times, not {wanted}", pane.name))
        })
    }

    /// The store has what is to be there and nothing else, and so has the directory of the sockets.
    fn wrong_files(&self) -> Option<String> {
        let names = |part: &str| -> BTreeSet<String> {
            let entries = fs::read_dir(self.home().path(part)).into_iter().flatten().flatten();
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
        };
        let mut kinds: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for name in names("home/pty-sessions") {
            let (stem, kind) = name
                .split_once('.')
                .map_or((name.clone(), String::new()), |(stem, kind)| (stem.to_owned(), kind.to_owned()));
            kinds.entry(kind).or_default().insert(stem);
        }
        let uuids: BTreeSet<String> = self.panes.values().map(|pane| pane.uuid.clone()).collect();
        // The generation before counts where a server was killed between two steps of a write.
        let plain = |kind: &str| -> BTreeSet<String> {
            let both = [kind.to_owned(), format!("{kind}.old")];
            both.iter().filter_map(|kind| kinds.get(kind)).flatten().cloned().collect()
        };
        if plain("pane") != uuids {
            return Some(format!("records of {:?} for {uuids:?}", plain("pane")));
        }
        for (kind, stems) in &kinds {
            let of_pane = kind.starts_with("pane") || kind.starts_with("screen");
            if let Some(extra) = stems.iter().find(|stem| of_pane && !uuids.contains(*stem)) {
                return Some(format!("left over: {extra}.{kind}"));
            }
        }
        let sessions: BTreeSet<String> = self.sessions().into_iter().collect();
        if plain("session") != sessions {
            return Some(format!("records of sessions {:?} for {sessions:?}", plain("session")));
        }
        // A session's own record is written after those of its panes.
        for pane in self.panes.values() {
            let record = self.home().path(&format!("home/pty-sessions/{}.session", pane.session));
            let record = if record.exists() { record } else { record.with_extension("session.old") };
            if !fs::read(&record).is_ok_and(|bytes| contains(&bytes, pane.uuid.as_bytes())) {
                return Some(format!("{} is not in the record of {}", pane.name, pane.session));
            }
        }
        // What a stopped program said last is there for good, before anything else happens.
        let asleep = self.panes.iter().filter(|(_, pane)| pane.pid.is_none());
        for (id, pane) in asleep.filter(|(_, pane)| pane.ended.last() == Some(&Ended::Stopped)) {
            // In a narrow pane the line is in pieces.
            let width = self.home().run(&["display-message", "-p", "-t", id, "#{pane_width}"]).stdout;
            if width.trim().parse::<u32>().is_ok_and(|width| width < 40) {
                continue;
            }
            let file = self.home().path(&format!("home/pty-sessions/{}.screen", pane.uuid));
            let last = self.last_line(pane);
            // The generation before has it where a server was killed between two steps of a write.
            let holds = |file: &Path| fs::read(file).is_ok_and(|bytes| contains(&bytes, last.as_bytes()));
            let kept = holds(&file) || !file.exists() && holds(&file.with_extension("screen.old"));
            if pane.kind == Kind::Feeder && !kept {
                return Some(format!("{last:?} of {} is not on disk", pane.name));
            }
        }
        let sockets = names("home/run");
        let wanted: BTreeSet<String> =
            ["default", "default.bin", "default.host", "default.host.panes"].map(str::to_owned).into();
        (!sockets.is_subset(&wanted)).then(|| format!("beside the sockets: {sockets:?}"))
    }

    /// The calm after it: all wake, all lines are there, all agents know their words; then all is closed, and nothing remains.
    pub(super) fn end(&mut self) {
        for session in self.sessions() {
            if !self.is_awake(&session) {
                self.attach(&session);
            }
        }
        if let Some(wrong) = self.what_is_wrong() {
            panic!("at the end: {wrong}");
        }
        fs::write(self.home().path("work/end"), "").unwrap();
        let ids: Vec<String> = self.panes.keys().cloned().collect();
        let mut lines = 0;
        for id in &ids {
            let pane = self.panes[id].clone();
            match &pane.kind {
                Kind::Feeder => {
                    wait_for("the end of the lines", || self.home().history(id).contains("ends at"));
                    assert_eq!(self.missing(id), None);
                    lines += self.home().history(id).lines().count();
                }
                Kind::Agent(_, word) => assert_eq!(self.stage.ask(id), format!("The codeword is {word}."), "{id}"),
            }
        }
        println!("{lines} lines; the most that went with a host: {:.1} s", self.worst_loss);
        for session in self.sessions() {
            self.ok(&["kill-session", "-t", &session]);
        }
        for watcher in &mut self.clients {
            watcher.tty.wait_end();
        }
        self.home().wait_empty();
        assert_eq!(self.home().run(&["ls"]).stdout, "");
        self.home().wait_empty();
        let left: Vec<_> =
            self.home().files("home").into_iter().filter(|file| !file.ends_with("server.state")).collect();
        let left: Vec<_> = left
            .into_iter()
            .filter(|file| !file.ends_with("pty-exits.json") && !file.ends_with("server.state.old"))
            .collect();
        assert!(left.is_empty(), "left over: {left:?}");
        let sockets: Vec<_> =
            fs::read_dir(self.home().path("home/run")).unwrap().flatten().map(|entry| entry.path()).collect();
        assert!(sockets.is_empty(), "left over: {sockets:?}");
    }

    /// Opens one more client, and waits for all of its session.
    pub(super) fn attach(&mut self, session: &str) {
        let (cols, rows) = (self.dice.between(40, 200), self.dice.between(10, 60));
        let mut tty = Tty::open(self.home(), &["attach", session], cols, rows);
        tty.wait_until("the session", |screen| {
            screen.alternate && screen.bottom().starts_with(&format!("[{session}]"))
        });
        self.clients.push(super::Watcher { tty, session: session.to_owned() });
        self.woken(session);
    }
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    part.is_empty() || bytes.windows(part.len()).any(|window| window == part)
}

/// How many of a process's descriptors are such files.
fn descriptors(pid: u32, part: &str) -> usize {
    let entries = fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten();
    entries.filter(|entry| fs::read_link(entry.path()).is_ok_and(|to| to.to_string_lossy().contains(part))).count()
}
