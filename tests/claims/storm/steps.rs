//! What may happen.

use std::fs;

use super::{Ended, Kind, Pane, Storm};
use crate::harness::{process, wait_for, wait_some};

const MOST_PANES: usize = 10;
const MOST_CLIENTS: usize = 2;

impl Storm {
    /// Does one thing, and says which.
    pub(super) fn step(&mut self) -> String {
        self.drop_ended_clients();
        loop {
            let done = match self.dice.below(100) {
                0..10 => self.kill_client(),
                10..20 => self.kill_server(),
                20..28 => self.restart(),
                28..32 => self.kill_host(),
                32..35 => self.kill_both(),
                35..45 => self.open_client(),
                45..55 => self.resize(),
                55..64 => self.new_window(),
                64..74 => self.split(),
                74..84 => self.close_pane(),
                84..88 => self.leave(),
                88..91 => self.new_agent(),
                91..95 => self.stop(),
                95..97 => Some(self.new_session()),
                _ => self.detach(),
            };
            if let Some(done) = done {
                return done;
            }
        }
    }

    /// A client whose session ended has ended; every other one is there.
    fn drop_ended_clients(&mut self) {
        let sessions = self.sessions();
        let mut clients = std::mem::take(&mut self.clients);
        clients.retain_mut(|watcher| {
            if !sessions.contains(&watcher.session) {
                watcher.tty.wait_end();
                return false;
            }
            assert_eq!(
                watcher.tty.code(),
                None,
                "the client of {} ended:\n{}",
                watcher.session,
                watcher.tty.screen().text()
            );
            true
        });
        self.clients = clients;
    }

    fn kill_client(&mut self) -> Option<String> {
        (!self.clients.is_empty()).then_some(())?;
        let at = self.dice.below(self.clients.len());
        let mut watcher = self.clients.swap_remove(at);
        if self.dice.below(2) == 0 {
            process::kill(watcher.tty.pid());
            return Some(format!("kill a client of {}", watcher.session));
        }
        watcher.tty.close();
        watcher.tty.wait_end();
        Some(format!("close the terminal of a client of {}", watcher.session))
    }

    fn detach(&mut self) -> Option<String> {
        (!self.clients.is_empty()).then_some(())?;
        let at = self.dice.below(self.clients.len());
        let mut watcher = self.clients.swap_remove(at);
        watcher.tty.type_keys("\u{1}d");
        assert_eq!(watcher.tty.wait_end().0, 0);
        Some(format!("detach from {}", watcher.session))
    }

    fn kill_server(&mut self) -> Option<String> {
        let server = self.home().server();
        process::kill(server);
        if self.dice.below(2) == 0 {
            let next = self.home().server();
            process::kill(next);
        }
        Some("kill the server".to_owned())
    }

    fn restart(&mut self) -> Option<String> {
        self.ok(&["daemon", "restart"]);
        Some("restart".to_owned())
    }

    fn host(&self) -> Option<u32> {
        self.panes.values().find_map(|pane| pane.pid).map(process::parent).filter(|host| *host > 1)
    }

    /// The host goes, and the server with it.
    fn kill_host(&mut self) -> Option<String> {
        let (server, host) = (self.home().server(), self.host()?);
        process::kill(host);
        wait_for("the end of the server", || !process::alive(server));
        self.crashed(&[server, host]);
        Some("kill the host".to_owned())
    }

    fn kill_both(&mut self) -> Option<String> {
        let (server, host) = (self.home().server(), self.host()?);
        let order = if self.dice.below(2) == 0 { [server, host] } else { [host, server] };
        for pid in order {
            process::signal(pid, process::Signal::KILL);
        }
        self.crashed(&order);
        Some(format!("kill {}", if order[0] == server { "server and host" } else { "host and server" }))
    }

    /// All programs ended with their host; the next call starts a server, and what is attached comes back.
    fn crashed(&mut self, killed: &[u32]) {
        let pids: Vec<u32> = self.panes.values().filter_map(|pane| pane.pid).collect();
        wait_for("the end of all programs", || pids.iter().chain(killed).all(|pid| !process::alive(*pid)));
        for pane in self.panes.values_mut() {
            if pane.pid.take().is_some() {
                pane.ended.push(Ended::Crashed);
            }
        }
        // Some clients find the next server by themselves; here all begin anew.
        self.clients.clear();
        self.ok(&["ls"]);
        let session = self.some_session();
        self.attach(&session);
    }

    fn some_session(&mut self) -> String {
        let sessions = self.sessions();
        self.dice.one_of(&sessions).clone()
    }

    fn some_awake(&mut self) -> Option<String> {
        let awake: Vec<String> = self.sessions().into_iter().filter(|session| self.is_awake(session)).collect();
        (!awake.is_empty()).then(|| self.dice.one_of(&awake).clone())
    }

    fn some_pane(&mut self) -> String {
        let ids: Vec<String> = self.panes.keys().cloned().collect();
        self.dice.one_of(&ids).clone()
    }

    /// A session was attached to: all of it comes back.
    pub(super) fn woken(&mut self, session: &str) {
        let asleep: Vec<String> = self
            .panes
            .iter()
            .filter(|(_, pane)| pane.session == session && pane.pid.is_none())
            .map(|(id, _)| id.clone())
            .collect();
        for id in asleep {
            let pid = wait_some("a pane that comes back", || {
                let pid: u32 =
                    self.home().run(&["display-message", "-p", "-t", &id, "#{pane_pid}"]).stdout.trim().parse().ok()?;
                (pid > 0).then_some(pid)
            });
            if let Some(pane) = self.panes.get_mut(&id) {
                pane.pid = Some(pid);
            }
            if let Kind::Agent(engine, _) = self.panes[&id].kind.clone() {
                self.stage.wait_ready(&id, engine);
            }
        }
    }

    fn open_client(&mut self) -> Option<String> {
        (self.clients.len() < MOST_CLIENTS).then_some(())?;
        let session = self.some_session();
        self.attach(&session);
        Some(format!("attach to {session}"))
    }

    fn resize(&mut self) -> Option<String> {
        (!self.clients.is_empty()).then_some(())?;
        let at = self.dice.below(self.clients.len());
        for _ in 0..=self.dice.below(4) {
            let (cols, rows) = (self.dice.between(20, 220), self.dice.between(6, 70));
            self.clients[at].tty.resize(cols, rows);
            // Each is drawn before the next one comes, or not: both happen.
            if self.dice.below(2) == 0 {
                let _ = self.clients[at].tty.screen();
            }
        }
        Some("resize".to_owned())
    }

    /// Takes in a new pane; `said` is what its making printed.
    fn add(&mut self, said: &str, session: &str, name: String, kind: Kind) {
        let [id, window, pid, uuid] = *said.split(' ').collect::<Vec<_>>() else { panic!("{said:?}") };
        let pane = Pane {
            name,
            uuid: uuid.to_owned(),
            session: session.to_owned(),
            window: window.to_owned(),
            kind,
            pid: Some(pid.parse().unwrap()),
            ended: Vec::new(),
        };
        self.panes.insert(id.to_owned(), pane);
    }

    fn name(&mut self) -> String {
        self.named += 1;
        format!("p{}x", self.named)
    }

    pub(super) fn new_session(&mut self) -> String {
        let name = self.name();
        let session = format!("s{}", self.named);
        let made =
            self.ok(&["new-session", "-d", "-P", "-F", MADE, "-s", &session, "-x", "100", "-y", "30", &feed(&name)]);
        self.add(&made, &session, name, Kind::Feeder);
        format!("new session {session}")
    }

    fn new_window(&mut self) -> Option<String> {
        (self.panes.len() < MOST_PANES).then_some(())?;
        let session = self.some_awake()?;
        let name = self.name();
        let target = format!("{session}:");
        let made = self.ok(&["new-window", "-d", "-P", "-F", MADE, "-t", &target, &feed(&name)]);
        self.add(&made, &session, name, Kind::Feeder);
        Some(format!("new window in {session}"))
    }

    fn new_agent(&mut self) -> Option<String> {
        (self.panes.len() < MOST_PANES).then_some(())?;
        let session = self.some_awake()?;
        let name = self.name();
        let (engine, word) =
            (*self.dice.one_of(&["pinned", "discovered"]), format!("WORD-{name}-{}", self.dice.below(1000)));
        let target = format!("{session}:");
        let made = self.ok(&["new-window", "-d", "-P", "-F", MADE, "-t", &target]);
        let id = made.split(' ').next().unwrap_or_default().to_owned();
        self.ok(&[engine, "-t", &id]);
        self.stage.wait_ready(&id, engine);
        self.stage.tell(&id, &word);
        let made = self.home().format(&id, MADE);
        let conversation = self.stage.transcripts().into_iter().map(|(file, _)| file);
        let conversation = conversation.filter(|file| fs::read_to_string(file).is_ok_and(|text| text.contains(&word)));
        for file in conversation.filter(|file| file.ends_with(".jsonl")) {
            let stem = file.trim_end_matches(".jsonl");
            let id = stem[stem.len() - 36..].to_owned();
            wait_for("the conversation in the records", || !self.home().files_with("home", &id).is_empty());
        }
        self.add(&made, &session, name, Kind::Agent(engine, word));
        Some(format!("{engine} in {session}"))
    }

    fn split(&mut self) -> Option<String> {
        (self.panes.len() < MOST_PANES).then_some(())?;
        let id = self.some_pane();
        let session = self.panes[&id].session.clone();
        self.is_awake(&session).then_some(())?;
        let name = self.name();
        let direction = *self.dice.one_of(&["-h", "-v"]);
        let call = self.home().run(&["split-window", direction, "-d", "-P", "-F", MADE, "-t", &id, &feed(&name)]);
        if call.stderr.contains("no space") {
            return None;
        }
        self.add(call.ok().trim_end(), &session, name, Kind::Feeder);
        Some(format!("split {id} of {session}"))
    }

    /// Leaves the model as after the end of a pane; `None` when that would end all.
    fn forget(&mut self, id: &str) -> Option<Pane> {
        (self.panes.len() > 2).then_some(())?;
        let pane = self.panes.remove(id)?;
        self.closed.push((id.to_owned(), pane.uuid.clone()));
        Some(pane)
    }

    /// Closes a pane, or its whole window; the program may be asleep.
    fn close_pane(&mut self) -> Option<String> {
        let id = self.some_pane();
        let window = self.panes[&id].window.clone();
        let others: Vec<String> =
            self.panes.iter().filter(|(_, pane)| pane.window == window).map(|(id, _)| id.clone()).collect();
        if self.dice.below(3) == 0 && self.panes.len() > others.len() + 1 {
            let pids: Vec<u32> = others.iter().filter_map(|id| self.panes[id].pid).collect();
            self.ok(&["kill-window", "-t", &id]);
            for id in &others {
                self.forget(id);
                self.panes.remove(id);
            }
            wait_for("the end of a closed window", || pids.iter().all(|pid| !process::alive(*pid)));
            return Some(format!("kill-window {window} {others:?}"));
        }
        let pane = self.forget(&id)?;
        self.ok(&["kill-pane", "-t", &id]);
        if let Some(pid) = pane.pid {
            wait_for("the end of a closed pane", || !process::alive(pid));
        }
        Some(format!("kill-pane {id}"))
    }

    /// A program ends by itself.
    fn leave(&mut self) -> Option<String> {
        let id = self.some_pane();
        let pane = self.panes[&id].clone();
        let pid = pane.pid.filter(|_| pane.kind == Kind::Feeder)?;
        self.forget(&id)?;
        fs::write(self.home().path(&format!("work/leave.{}", pane.name)), "").unwrap();
        wait_for("the end of a program", || !process::alive(pid));
        Some(format!("{} exits", pane.name))
    }

    /// One session is put to sleep, while another is awake.
    fn stop(&mut self) -> Option<String> {
        let session = self.some_awake()?;
        let others = self.sessions().into_iter().filter(|other| *other != session && self.is_awake(other)).count();
        (others > 0).then_some(())?;
        self.ok(&["stop", &session]);
        for pane in self.panes.values_mut().filter(|pane| pane.session == session) {
            if pane.pid.take().is_some() {
                pane.ended.push(Ended::Stopped);
            }
        }
        let (gone, stay) =
            std::mem::take(&mut self.clients).into_iter().partition(|watcher| watcher.session == session);
        self.clients = stay;
        let gone: Vec<super::Watcher> = gone;
        for mut watcher in gone {
            assert_eq!(watcher.tty.wait_end().0, 0);
        }
        Some(format!("stop {session}"))
    }
}

/// What is told of a new pane.
const MADE: &str = "#{pane_id} #{window_id} #{pane_pid} #{pane_uuid}";

fn feed(name: &str) -> String {
    format!("exec sh feed {name}")
}
