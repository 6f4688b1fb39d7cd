//! Agents in panes: launching them, learning which conversation each has, bringing them back. What an engine is stands
//! in the agents crate; here is only when it is asked.

use crate::id::PaneId;
use crate::input::Now;
use crate::queue::{CommandError, Context};
use crate::spawn::Wanted;
use crate::timer::Timer;
use crate::world::World;
use crate::{Mux, Pane};
use agents::identity::Evidence;
use agents::identity::Identity as ProvenIdentity;
use agents::launch::Launch;
use agents::probe::{self, Answer, Facts};
use agents::{AgentRecord, Request, Resume};
use std::time::Duration;

/// How often the conversations of running agents are looked for.
const LOOK_INTERVAL: Duration = Duration::from_secs(1);

/// How long after its output an agent whose conversation is not known yet is looked at.
pub(crate) const LOOK_SOON: Duration = Duration::from_millis(20);

/// A pane's lasting id as text: an RFC 4122 UUID in lower case.
pub fn uuid_text(uuid: u128) -> String {
    let hex = format!("{uuid:032x}");
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

/// A random number made into a version 4 UUID.
pub(crate) fn as_uuid(random: u128) -> u128 {
    random & !(0xf << 76) & !(0x3 << 62) | 0x4 << 76 | 0x2 << 62
}

impl Mux {
    /// Take the engines there are; what is wrong with the user's own is shown as mistakes of a configuration file are.
    pub fn set_engines(&mut self, engines: agents::Table) {
        // As tmux it shows what is wrong with tmux's files only.
        let shown = engines.problems.iter().filter(|_| self.identity.face == crate::Face::Rove);
        for text in shown.map(ToString::to_string) {
            if !self.config_errors.contains(&text) {
                self.config_errors.push(text);
            }
        }
        self.engines = engines;
    }

    /// The row of an engine; the error says what is wrong with the user's own entry, or lists the engines there are.
    pub(crate) fn engine_named(&self, name: &str) -> Result<&'static agents::Engine, CommandError> {
        if let Some(problem) = self.engines.problem(name) {
            return Err(CommandError(format!("engine {name} can't be used: {problem}")));
        }
        let known = || self.engines.listed().iter().map(|engine| engine.id).collect::<Vec<_>>().join(", ");
        self.engines
            .find(name)
            .ok_or_else(|| CommandError(format!("no engine is called {name}; there are: {}", known())))
    }

    /// Plan the launch of an engine in a pane, and note it in the pane's record.
    pub(crate) fn plan_launch(
        &mut self,
        now: Now,
        world: &mut dyn World,
        id: PaneId,
        engine: &str,
        args: Vec<String>,
        cwd: String,
    ) -> Result<(&'static agents::Engine, Launch), CommandError> {
        let row = self.engine_named(engine)?;
        let pane = self.panes.get(&id).ok_or("the pane is gone")?;
        let request = Request { args, pane: uuid_text(pane.uuid), cwd, record: pane.agent.clone() };
        let conversation = agents::launch::conversation(row, &request);
        let facts = self.facts(now, world, id, row, (conversation.as_deref(), &request.cwd));
        let launch = agents::launch(row, &request, &facts).map_err(|error| error.to_string())?;
        for (from, to) in &launch.move_aside {
            world.rename_file(from, to).map_err(|error| format!("could not move the old transcript aside: {error}"))?;
        }
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.agent = Some(launch.record.clone());
        }
        self.timers.set_once(Timer::Agents, now.instant + LOOK_INTERVAL);
        self.changed();
        Ok((row, launch))
    }

    /// What is known of the world about a conversation in a directory.
    fn facts(
        &self,
        now: Now,
        world: &mut dyn World,
        id: PaneId,
        engine: &'static agents::Engine,
        (conversation, cwd): (Option<&str>, &str),
    ) -> Facts {
        let probes = probe::for_conversation(engine, conversation, cwd);
        let answers: Vec<Answer> = probes.iter().filter_map(|probe| world.probe(id, probe)).collect();
        let mut facts = Facts::new(&self.engines, conversation, &answers);
        // A file that was replaced meanwhile has the same name.
        facts.this_program = self.identity.executable.trim_end_matches(" (deleted)").to_owned();
        facts.holder = conversation.and_then(|conversation| self.holder(id, engine.id, conversation));
        facts.fresh_id = uuid_text(as_uuid(world.random()));
        facts.now_ms = now.unix.as_millis() as u64;
        facts
    }

    /// Another live pane that has a conversation.
    fn holder(&self, own: PaneId, engine: &str, conversation: &str) -> Option<String> {
        let has = |pane: &&Pane| {
            pane.id != own
                && pane.running()
                && pane
                    .agent
                    .as_ref()
                    .is_some_and(|agent| agent.engine == engine && agent.id.as_deref() == Some(conversation))
                && pane.agent_runs
        };
        self.panes.values().find(has).map(|pane| {
            let found = crate::target::from_pane(self, pane.id).unwrap_or_default();
            let name = found.session.and_then(|id| self.sessions.get(&id)).map_or("", |session| session.name.as_str());
            format!("pane {} of session {name}", pane.id)
        })
    }

    /// Look which conversation each running agent has; again a little later while there is one.
    pub(crate) fn find_agents(&mut self, now: Now, world: &mut dyn World) {
        let panes: Vec<PaneId> =
            self.panes.values().filter(|pane| pane.running() && pane.agent.is_some()).map(|pane| pane.id).collect();
        if panes.is_empty() {
            return;
        }
        for id in panes {
            self.find_agent(world, id);
        }
        self.timers.set_once(Timer::Agents, now.instant + LOOK_INTERVAL);
    }

    fn find_agent(&mut self, world: &mut dyn World, id: PaneId) {
        let Some(pane) = self.panes.get(&id) else { return };
        let Some(record) = pane.agent.clone() else { return };
        let Some(engine) = self.engines.find(&record.engine) else { return };
        let mut evidence = Evidence { pane: uuid_text(pane.uuid), ..Evidence::default() };
        let mut everyone = Vec::new();
        for probe in probe::for_identity(engine, &record) {
            match world.probe(id, &probe) {
                Some(Answer::Processes(processes)) => evidence.processes = processes,
                Some(Answer::States(states)) => evidence.states = states.into_iter().map(|state| state.text).collect(),
                Some(Answer::Heads(heads)) => evidence.candidates.extend(heads),
                Some(Answer::Everyone(processes)) => everyone = processes,
                _ => {}
            }
        }
        let runs = !agents::detect::own(&self.engines, engine, &evidence.processes).is_empty();
        let same =
            |pane: &&Pane| pane.id != id && pane.agent.as_ref().is_some_and(|agent| agent.engine == record.engine);
        evidence.claimed =
            self.panes.values().filter(same).filter_map(|pane| pane.agent.as_ref()?.id.clone()).collect();
        evidence.rivals = self
            .panes
            .values()
            .filter(same)
            .filter(|pane| pane.running() && pane.agent.as_ref().is_some_and(|agent| agent.cwd == record.cwd))
            .count();
        // A transcript that tells no directory may be that of an engine in any.
        let tells_directory = engine.store.is_some_and(|store| store.head != agents::store::Head::Plain);
        let cwd = tells_directory.then_some(record.cwd.as_str());
        evidence.rivals += agents::detect::rivals(engine, &evidence.processes, &everyone, cwd);
        let proven =
            if runs { agents::prove(&self.engines, engine, &record, &evidence) } else { ProvenIdentity::Unknown };
        let Some(pane) = self.panes.get_mut(&id) else { return };
        pane.agent_runs = runs;
        let learned = match (proven, &mut pane.agent) {
            (ProvenIdentity::Proven { id, how }, Some(agent)) => agent.learn(&id, how),
            _ => false,
        };
        if learned {
            self.changed();
        }
    }

    /// How a conversation comes back that no pane has: what runs it, and a line for the user. `beside` is the pane whose
    /// environment counts.
    pub(crate) fn plan_return(
        &mut self,
        context: &mut Context<'_>,
        beside: Option<PaneId>,
        row: &agents::Conversation,
    ) -> Result<(&'static agents::Engine, Launch, Option<String>), CommandError> {
        let engine = self.engine_named(&row.engine)?;
        if !context.world.is_directory(&row.directory) {
            return Err(format!("its directory {} is not there any more: make it again first", row.directory).into());
        }
        // Whoever had it before gave it flags that are to count again.
        let had = |agent: &&AgentRecord| {
            agent.engine == row.engine && (agent.id.as_ref() == Some(&row.id) || agent.earlier.contains(&row.id))
        };
        let args = self.panes.values().filter_map(|pane| pane.agent.as_ref()).find(had).map(|agent| agent.args.clone());
        let record = AgentRecord {
            engine: row.engine.clone(),
            id: Some(row.id.clone()),
            how: Some(agents::How::Argv),
            args: args.unwrap_or_default(),
            cwd: row.directory.clone(),
            ..AgentRecord::default()
        };
        let beside = beside.unwrap_or(PaneId(u32::MAX));
        let facts = self.facts(context.now, context.world, beside, engine, (Some(&row.id), &row.directory));
        match agents::plan(engine, &record, &facts) {
            Resume::Run { launch } => Ok((engine, launch, None)),
            Resume::Fresh { launch, why } => Ok((engine, launch, Some(why))),
            Resume::Refuse { why, remedy } => Err(format!("{why}; {remedy}").into()),
        }
    }

    /// A pane runs a conversation from now on: one that ran it before and does not now lets go of it.
    pub(crate) fn agent_moved(&mut self, now: Now, id: PaneId, record: AgentRecord) {
        let had = |agent: &AgentRecord| agent.engine == record.engine && agent.id.is_some() && agent.id == record.id;
        for pane in self.panes.values_mut().filter(|pane| pane.id != id && pane.agent.as_ref().is_some_and(had)) {
            pane.agent = None;
        }
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.agent = Some(record);
            pane.agent_runs = true;
        }
        self.timers.set_once(Timer::Agents, now.instant + LOOK_INTERVAL);
        self.changed();
    }

    /// How a pane with an agent comes back: what it runs, and a line for its screen.
    pub(crate) fn plan_resume(&mut self, now: Now, world: &mut dyn World, id: PaneId) -> (Wanted, Option<String>) {
        let plain = Wanted::default();
        let Some(record) = self.panes.get(&id).and_then(|pane| pane.agent.clone()) else { return (plain, None) };
        if !self.globals.server.flag("resume") {
            return (plain, None);
        }
        if let Some(problem) = self.engines.problem(&record.engine) {
            let name = &record.engine;
            return (plain, Some(format!("engine {name} can't be used: {problem}; mend that, then run: rove {name}")));
        }
        let Some(engine) = self.engines.find(&record.engine) else {
            let Resume::Refuse { why, remedy } = agents::resume::unknown_engine(&record) else { return (plain, None) };
            return (plain, Some(format!("{why}; {remedy}")));
        };
        let facts = self.facts(now, world, id, engine, (record.id.as_deref(), &record.cwd));
        let (launch, note) = match agents::plan(engine, &record, &facts) {
            Resume::Run { launch } => (launch, None),
            Resume::Fresh { launch, why } => (launch, Some(why)),
            Resume::Refuse { why, remedy } => return (plain, Some(format!("{why}; {remedy}"))),
        };
        let shell = self.panes.get(&id).map_or("/bin/sh".to_owned(), |pane| pane.shell.clone());
        let path = self.environment.get("PATH").unwrap_or_default().to_owned();
        let wanted = wrapped(engine, &launch, &shell, &path);
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.agent = Some(launch.record);
            pane.agent_runs = true;
        }
        self.timers.set_once(Timer::Agents, now.instant + LOOK_INTERVAL);
        self.changed();
        (wanted, note)
    }
}

/// The program of a pane that runs an engine first and its login shell then.
pub(crate) fn wrapped(engine: &agents::Engine, launch: &Launch, shell: &str, path: &str) -> Wanted {
    let cwd = Some(launch.record.cwd.as_str()).filter(|cwd| !cwd.is_empty());
    Wanted {
        once: Some(agents::shell::wrap(shell, &launch.argv, cwd, path, engine.product)),
        cwd: cwd.map(str::to_owned),
        without: launch.env_remove.clone(),
        ..Wanted::default()
    }
}

/// True for a record that says an agent of ours was launched here.
pub fn is_launched(record: Option<&AgentRecord>) -> bool {
    record.is_some_and(|record| !record.engine.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_random_number_becomes_a_version_4_uuid() {
        for random in [0, u128::MAX, 0x0123_4567_89ab_cdef_0123_4567_89ab_cdef] {
            let text = uuid_text(as_uuid(random));
            assert_eq!(text.len(), 36);
            assert_eq!(text.as_bytes()[14], b'4');
            assert!(b"89ab".contains(&text.as_bytes()[19]), "{text}");
        }
    }
}
