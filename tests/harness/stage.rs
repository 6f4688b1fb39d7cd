//! Agents on a stage: a session with an engine in each pane, told words and asked for them.

use std::fs;

use super::{Home, Tty, process, wait_for, wait_some};

/// A session in one directory with a pane for each engine, in that order.
pub struct Stage {
    /// Where all of it lives.
    pub home: Home,
    /// Ids of the panes, in order.
    pub panes: Vec<String>,
    /// The engine of each pane.
    pub engines: Vec<&'static str>,
}

impl Stage {
    pub fn set(engines: &[&'static str]) -> Stage {
        Stage::set_in(Home::rove(), engines)
    }

    /// A home with stand-ins for the engines of vendors on its PATH, as their documents describe those: `tests/fixtures/engines`.
    pub fn vendors() -> Home {
        let mut home = Home::rove();
        let (from, bin) = (super::root().join("tests/fixtures/engines"), home.path("bin"));
        for entry in fs::read_dir(from).unwrap().flatten() {
            fs::copy(entry.path(), bin.join(entry.file_name())).unwrap();
        }
        let bin = bin.display().to_string();
        home.set("STAND_INS", &bin);
        home.set("PATH", &format!("{bin}:{}", std::env::var("PATH").unwrap_or_default()));
        home
    }

    /// The same in a home that is there already.
    pub fn in_home(home: Home, engines: &[&'static str]) -> Stage {
        Stage::set_in(home, engines)
    }

    /// The same in a home that was made ready.
    pub fn set_in(home: Home, engines: &[&'static str]) -> Stage {
        let directory = home.path("work").display().to_string();
        Stage::set_at(home, &directory, engines)
    }

    /// The same in a directory.
    pub fn set_at(home: Home, directory: &str, engines: &[&'static str]) -> Stage {
        home.ok(&["new-session", "-d", "-s", "work", "-x", "200", "-y", "60", "-c", directory]);
        for _ in 1..engines.len() {
            home.ok(&["split-window", "-t", "work", "-c", directory]);
            home.ok(&["select-layout", "-t", "work", "tiled"]);
        }
        let panes: Vec<String> =
            home.ok(&["list-panes", "-t", "work", "-F", "#{pane_id}"]).lines().map(str::to_owned).collect();
        let stage = Stage { home, panes, engines: engines.to_vec() };
        for (pane, engine) in stage.panes.iter().zip(engines) {
            stage.home.ok(&[engine, "-t", pane]);
            stage.wait_ready(pane, engine);
        }
        stage
    }

    /// The process of an engine in a pane.
    pub fn engine(&self, pane: &str) -> Option<u32> {
        let shell: u32 =
            self.home.run(&["display-message", "-p", "-t", pane, "#{pane_pid}"]).stdout.trim().parse().ok()?;
        let below = process::descendants(shell);
        let bin = self.home.path("bin");
        let is_script =
            |pid: u32| process::argv(pid).get(1).is_some_and(|path| path.starts_with(&*bin.to_string_lossy()));
        below.into_iter().chain([shell]).find(|pid| {
            process::stat(*pid).is_some_and(|stat| ["rove-pinned", "rove-discovered"].contains(&stat.comm.as_str()))
                || is_script(*pid)
        })
    }

    #[track_caller]
    pub fn wait_ready(&self, pane: &str, engine: &str) -> u32 {
        let pid = wait_some(&format!("{engine} in pane {pane}"), || self.engine(pane));
        self.home.wait_screen(pane, &format!("{engine}>"));
        pid
    }

    #[track_caller]
    pub fn say(&self, pane: &str, line: &str) {
        self.home.ok(&["send-keys", "-t", pane, "-l", line]);
        self.home.ok(&["send-keys", "-t", pane, "Enter"]);
    }

    #[track_caller]
    pub fn tell(&self, pane: &str, word: &str) {
        self.say(pane, &format!("the codeword is {word}. Repeat the codeword."));
        self.home.wait_screen(pane, "noted");
    }

    /// Asks for the word; gives what was answered after the question.
    #[track_caller]
    pub fn ask(&self, pane: &str) -> String {
        let nonce = &uuid::Uuid::new_v4().simple().to_string()[..10];
        self.say(pane, &format!("what is the codeword? nonce {nonce}"));
        wait_some(&format!("an answer in pane {pane}"), || {
            let screen = self.home.ok(&["capture-pane", "-p", "-J", "-t", pane]);
            let (_, after) = screen.rsplit_once(nonce)?;
            let answer = after
                .lines()
                .map(str::trim)
                .find(|line| line.starts_with("The codeword is") || line.starts_with("I was told"))?;
            Some(answer.to_owned())
        })
    }

    /// Tells each pane a word of its own, last pane first, so that whoever takes the newest conversation for the first pane is found out.
    pub fn tell_all(&self) -> Vec<String> {
        let words: Vec<String> = (0..self.panes.len())
            .map(|number| format!("WORD-{number}-{}", &uuid::Uuid::new_v4().simple().to_string()[..8]))
            .collect();
        for (pane, word) in self.panes.iter().zip(&words).rev() {
            self.tell(pane, word);
        }
        words
    }

    /// The whole end: stop, then the server and the host killed.
    pub fn stop_and_kill(&self) {
        let engines: Vec<u32> = self.panes.iter().filter_map(|pane| self.engine(pane)).collect();
        self.end_all(&self.panes[0], &engines);
    }

    /// The same for a session of one pane that is not of the cast.
    pub fn stop_and_kill_pane(&self, pane: &str) {
        let engines: Vec<u32> = self.engine(pane).into_iter().collect();
        self.end_all(pane, &engines);
    }

    fn end_all(&self, pane: &str, engines: &[u32]) {
        let born = |pid: u32| process::stat(pid).map(|stat| (pid, stat.started));
        let engines: Vec<(u32, u64)> = engines.iter().filter_map(|pid| born(*pid)).collect();
        let (server, host) = (self.home.server(), self.home.host_of(pane));
        self.home.ok(&["stop", "work"]);
        [server, host]
            .iter()
            .filter(|pid| process::alive(**pid))
            .for_each(|pid| process::signal(*pid, process::Signal::KILL));
        self.home.wait_empty();
        // One that is ending has no environment any more, and is there for a moment yet.
        wait_for("the end of the engines", || {
            engines.iter().all(|(pid, started)| born(*pid) != Some((*pid, *started)))
        });
    }

    pub fn attach(&self) -> Tty {
        self.attach_to(self.panes.len())
    }

    /// Attaches to the session, which has so many panes in its window.
    pub fn attach_to(&self, panes: usize) -> Tty {
        let mut tty = Tty::open(&self.home, &["attach", "work"], 200, 61);
        tty.wait_until("the session", |screen| screen.alternate);
        wait_for("all panes", || self.home.run(&["list-panes", "-t", "work"]).stdout.lines().count() == panes);
        tty
    }

    /// Which conversation each engine has is known from its first words on, and kept a moment later.
    #[track_caller]
    pub fn wait_kept(&self) {
        for (file, _) in self.transcripts().iter().filter(|(file, _)| file.ends_with(".jsonl")) {
            let stem = file.trim_end_matches(".jsonl");
            let id = &stem[stem.len() - 36..];
            wait_for("the conversation in the records", || !self.home.files_with("home", id).is_empty());
        }
    }

    pub fn transcripts(&self) -> Vec<(String, u64)> {
        let mut files: Vec<(String, u64)> = self
            .home
            .files("engines")
            .iter()
            .map(|file| (file.display().to_string(), fs::metadata(file).unwrap().len()))
            .collect();
        files.sort();
        files
    }
}
