//! What would come back, and what would not: a look ahead at every pane, which changes nothing.

use super::{Mux, Now, PaneId, Resume};
use crate::id::SessionId;
use crate::pane::Program;
use crate::world::World;
use agents::AgentRecord;
use agents::probe::Holder;

/// What would become of a pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It runs now, so nothing would.
    Runs,
    /// Its engine would be resumed on its conversation.
    Resumes,
    /// Its engine would begin a new conversation, for this reason.
    Begins(String),
    /// Its command, or its shell when it has none, would be started again.
    Starts,
    /// Its shell alone would be started; why not its engine, and what to do about it.
    Refused(String, String),
    /// It ended, and stays as it is.
    Stays,
}

/// One pane.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Returning {
    /// Its session's name.
    pub session: String,
    /// Where it is: `session work, window 0 (sh), pane %1`.
    pub place: String,
    /// The pane.
    pub pane: PaneId,
    /// What would come of it.
    pub outcome: Outcome,
    /// What would be run, or runs; empty for a login shell.
    pub command: Vec<String>,
    /// In which directory.
    pub directory: String,
    /// The name of its engine, as in commands.
    pub engine: Option<String>,
    /// The conversation that would be gone on with.
    pub conversation: Option<String>,
}

impl Mux {
    /// What would come back if a session (all of them for `None`) were attached now: a row for each pane, in the order in which they would be
    /// started. Changes nothing and starts nothing; asks the world only where files are and who holds them. Works as well on a model that was
    /// just read from the disk and never ran.
    ///
    /// `mux.returning(now, world, None)`, for `rove doctor --dry-run` and for the list of conversations.
    pub fn returning(&self, now: Now, world: &dyn World, session: Option<SessionId>) -> Vec<Returning> {
        let sessions: Vec<SessionId> = match session {
            Some(session) => vec![session],
            None => self.sessions.keys().copied().collect(),
        };
        let mut rows: Vec<Returning> = Vec::new();
        for session in sessions {
            for pane in self.panes_of(session) {
                if rows.iter().all(|row| row.pane != pane) {
                    rows.extend(self.returning_pane(now, world, session, pane, &rows));
                }
            }
        }
        rows
    }

    fn returning_pane(
        &self,
        now: Now,
        world: &dyn World,
        session: SessionId,
        id: PaneId,
        before: &[Returning],
    ) -> Option<Returning> {
        let pane = self.panes.get(&id)?;
        let session = self.sessions.get(&session)?.name.clone();
        let agent = pane.agent.as_ref().filter(|_| self.globals.server.flag("resume"));
        let mut row = Returning {
            session,
            place: self.place_of(id),
            pane: id,
            outcome: Outcome::Starts,
            command: pane.argv.clone(),
            directory: pane.cwd.clone(),
            engine: pane.agent.as_ref().map(|agent| agent.engine.clone()),
            conversation: None,
        };
        match &pane.program {
            Program::Running => {
                row.outcome = Outcome::Runs;
                if let Some(agent) = pane.agent.as_ref().filter(|_| pane.agent_runs) {
                    row.take(agent);
                }
            }
            Program::Dead(..) | Program::None => row.outcome = Outcome::Stays,
            Program::Frozen => {
                if let Some(agent) = agent {
                    row.directory.clone_from(&agent.cwd);
                    match self.returning_agent(now, world, id, agent, before) {
                        Resume::Run { launch } => {
                            row.outcome = Outcome::Resumes;
                            row.take(&launch.record);
                        }
                        Resume::Fresh { launch, why } => {
                            row.outcome = Outcome::Begins(why);
                            row.take(&launch.record);
                            row.conversation = None;
                        }
                        Resume::Refuse { why, remedy } => {
                            row.outcome = Outcome::Refused(why, remedy);
                            row.command = Vec::new();
                        }
                    }
                }
            }
        }
        Some(row)
    }

    fn returning_agent(
        &self,
        now: Now,
        world: &dyn World,
        id: PaneId,
        record: &AgentRecord,
        before: &[Returning],
    ) -> Resume {
        let Some(engine) = self.engines.find(&record.engine) else { return agents::resume::unknown_engine(record) };
        let record = AgentRecord { failures: 0, ..record.clone() };
        let mut facts = self.facts_ahead(now, world, id, engine, record.id.as_deref(), &record.cwd);
        facts.fresh_id = "(new)".to_owned();
        // Of two that have one conversation the first to be started gets it.
        let is_taken = |row: &&Returning| {
            row.outcome == Outcome::Resumes && row.engine.as_deref() == Some(engine.id) && row.conversation == record.id
        };
        let first = before.iter().find(is_taken);
        let place =
            |row: &Returning| Holder { place: row.place.clone(), way: format!("switch-client -t {}", row.pane) };
        facts.holder = facts.holder.or_else(|| first.map(place));
        agents::plan(engine, &record, &facts)
    }
}

impl Returning {
    fn take(&mut self, agent: &AgentRecord) {
        self.command.clone_from(&agent.argv);
        self.directory.clone_from(&agent.cwd);
        self.conversation.clone_from(&agent.id);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fake::Bench;
    use crate::option::Face;

    const A: &str = "5e1f7e57-0000-4000-8000-00000000000a";
    const B: &str = "5e1f7e57-0000-4000-8000-00000000000b";

    /// A stopped session whose panes have these conversations, engines and directories.
    fn stopped(panes: &[(&str, Option<&str>, &str)]) -> Bench {
        let mut bench = Bench::new(Face::Rove);
        bench.run(&["new-session", "-d", "-s", "work", "-x", "200", "-y", "60"]);
        for _ in 1..panes.len() {
            bench.run(&["split-window", "-t", "work"]);
            bench.run(&["select-layout", "-t", "work", "tiled"]);
        }
        bench.run(&["new-session", "-d", "-s", "other"]);
        let ids = bench.mux.panes_of(SessionId(0));
        for (id, (engine, conversation, directory)) in ids.iter().zip(panes) {
            let agent = (!engine.is_empty()).then(|| AgentRecord {
                engine: (*engine).to_owned(),
                id: conversation.map(str::to_owned),
                cwd: (*directory).to_owned(),
                ..AgentRecord::default()
            });
            bench.mux.panes.get_mut(id).unwrap().agent = agent;
        }
        bench.run(&["stop-session", "-t", "work"]);
        bench
    }

    fn rows(bench: &Bench) -> Vec<Returning> {
        let before = bench.mux.structure;
        let rows = bench.mux.returning(bench.now, &bench.world, Some(SessionId(0)));
        assert_eq!(bench.mux.structure, before, "it only looks");
        rows
    }

    #[test]
    fn each_pane_says_what_would_come_of_it() {
        let mut bench = stopped(&[
            ("pinned", Some(A), "/w"),
            ("pinned", Some(B), "/w"),
            ("pinned", Some(A), "/w"),
            ("discovered", None, "/w"),
            ("pinned", Some(B), "/bin/x"),
            ("of-tomorrow", Some(A), "/w"),
            ("", None, ""),
        ]);
        bench.world.transcripts = vec![A.to_owned()];
        let rows = rows(&bench);
        let resumed = &rows[0];
        assert_eq!((&resumed.outcome, resumed.conversation.as_deref()), (&Outcome::Resumes, Some(A)));
        assert!(resumed.command.windows(2).any(|pair| pair == ["--resume", A]), "{:?}", resumed.command);
        assert_eq!((resumed.session.as_str(), resumed.directory.as_str()), ("work", "/w"));
        assert!(matches!(&rows[1].outcome, Outcome::Begins(why) if why.contains("nothing was said")));
        assert!(rows[1].command.windows(2).any(|pair| pair == ["--session-id", B]));
        let taken = |row: &Returning| match &row.outcome {
            Outcome::Refused(why, remedy) => (why.clone(), remedy.clone()),
            other => panic!("{other:?}"),
        };
        let (why, remedy) = taken(&rows[2]);
        assert!(why.contains(&format!("is open in {}", resumed.place)), "{why}");
        assert!(remedy.contains(&format!("switch-client -t {}", resumed.pane)), "{remedy}");
        assert!(matches!(&rows[3].outcome, Outcome::Begins(why) if why.contains("no conversation of this pane")));
        assert!(taken(&rows[4]).0.contains("/bin/x, is not there"));
        assert!(taken(&rows[5]).0.contains("of-tomorrow"));
        assert_eq!((&rows[6].outcome, rows[6].command.len()), (&Outcome::Starts, 0));
    }

    #[test]
    fn what_runs_runs_and_without_the_option_no_engine_comes_back() {
        let mut bench = stopped(&[("pinned", Some(A), "/w")]);
        bench.run(&["set-option", "-s", "resume", "off"]);
        assert_eq!(rows(&bench)[0].outcome, Outcome::Starts);
        let all = bench.mux.returning(bench.now, &bench.world, None);
        let other = all.iter().find(|row| row.session == "other").unwrap();
        assert_eq!((other.outcome.clone(), all.len()), (Outcome::Runs, 2));
    }
}
