//! Agents in panes: launching them, learning which conversation each has, bringing them back. What an engine is stands
//! in the agents crate; here is only when it is asked.

mod report;
mod start;

pub(crate) use start::Ended;
pub use start::Start;

use crate::id::PaneId;
use crate::input::Now;
use crate::queue::{CommandError, Context};
use crate::spawn::Wanted;
use crate::timer::Timer;
use crate::world::World;
use crate::{Mux, Pane};
use agents::hook::Reporter;
use agents::identity::{Evidence, HookReport};
use agents::launch::Launch;
use agents::probe::{self, Answer, Facts, Holder};
use agents::{AgentRecord, Engine, Request, Resume};
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
        if let Some(holder) = conversation.as_deref().and_then(|it| self.holding_pane(id, row.id, it)) {
            // It may have ended since it was last looked at.
            self.find_agent(world, holder, None);
        }
        let facts = self.facts(now, world, id, row, conversation.as_deref(), &request.cwd);
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

    /// The directory of a pane's shell, with its symbolic links resolved: the one that it tells of (OSC 7), else its process's, else the one it
    /// was started in.
    pub(crate) fn directory_of(&self, world: &dyn World, id: PaneId) -> String {
        let Some(pane) = self.panes.get(&id) else { return String::new() };
        let told = told_directory(pane.terminal.path(), &world.host_name()).filter(|path| world.is_directory(path));
        let path = told.or_else(|| world.foreground_path(id)).unwrap_or_else(|| pane.cwd.clone());
        world.real_path(&path).unwrap_or(path)
    }

    /// What is known of the world about a conversation and a directory.
    fn facts(
        &self,
        now: Now,
        world: &mut dyn World,
        id: PaneId,
        engine: &'static Engine,
        conversation: Option<&str>,
        directory: &str,
    ) -> Facts {
        let fresh_id = uuid_text(as_uuid(world.random()));
        let answer = |probes: Vec<probe::Probe>| -> Vec<Answer> {
            probes.iter().filter_map(|probe| world.probe(id, probe)).collect()
        };
        let mut answers = answer(probe::for_conversation(engine, conversation, directory));
        answers.extend(answer(probe::for_directory(engine, directory)));
        let mut facts = Facts { fresh_id, ..Facts::new(&self.engines, conversation, &answers) };
        let texts = |answer: &Answer| match answer {
            Answer::Texts(texts) => texts.clone(),
            _ => Vec::new(),
        };
        // A file that was replaced meanwhile has the same name.
        facts.this_program = self.identity.executable.trim_end_matches(" (deleted)").to_owned();
        let configured = answers.iter().flat_map(texts).collect();
        facts.reporter = Some(Reporter {
            program: facts.this_program.clone(),
            token: self.panes.get(&id).map_or_else(String::new, |pane| uuid_text(pane.uuid)),
            configured,
        });
        facts.holder = conversation
            .and_then(|conversation| self.holding_pane(id, engine.id, conversation))
            .map(|holder| self.holder(holder));
        facts.directory_gone = !directory.is_empty() && !world.is_directory(directory);
        facts.now_ms = now.unix.as_millis() as u64;
        facts
    }

    /// Another live pane, in any session, that has a conversation: it has the lease.
    fn holding_pane(&self, own: PaneId, engine: &str, conversation: &str) -> Option<PaneId> {
        let has = |pane: &&Pane| {
            let agent = pane.agent.as_ref().filter(|_| pane.id != own && pane.running() && pane.agent_runs);
            agent.is_some_and(|agent| agent.engine == engine && agent.id.as_deref() == Some(conversation))
        };
        self.panes.values().find(has).map(|pane| pane.id)
    }

    /// Where the holder of a lease is, and how to go there.
    fn holder(&self, pane: PaneId) -> Holder {
        Holder { place: self.place_of(pane), way: format!("switch-client -t {pane}") }
    }

    /// Where a pane is, for people.
    pub(crate) fn place_of(&self, pane: PaneId) -> String {
        let found = crate::target::from_pane(self, pane).unwrap_or_default();
        let session = found.session.and_then(|id| self.sessions.get(&id));
        let window = self.panes.get(&pane).and_then(|pane| self.windows.get(&pane.window));
        let index = session
            .zip(window)
            .and_then(|(session, window)| session.windows.iter().find(|(_, link)| link.window == window.id))
            .map_or_else(String::new, |(index, _)| index.to_string());
        format!(
            "session {}, window {index} ({}), pane {pane}",
            session.map_or("", |session| session.name.as_str()),
            window.map_or("", |window| window.name.as_str())
        )
    }

    /// Look which conversation each running agent has; again a little later while there is one.
    pub(crate) fn find_agents(&mut self, now: Now, world: &mut dyn World) {
        let panes: Vec<PaneId> =
            self.panes.values().filter(|pane| pane.running() && pane.agent.is_some()).map(|pane| pane.id).collect();
        if panes.is_empty() {
            return;
        }
        for id in panes {
            self.find_agent(world, id, None);
            self.end_start(now, id);
        }
        self.timers.set_once(Timer::Agents, now.instant + LOOK_INTERVAL);
    }

    /// Look which conversation a pane's agent has, with what a hook just told.
    fn find_agent(&mut self, world: &dyn World, id: PaneId, report: Option<HookReport>) {
        let Some(pane) = self.panes.get(&id) else { return };
        let Some(mut record) = pane.agent.clone() else { return };
        let Some(engine) = self.engines.find(&record.engine) else { return };
        let probes = match &report {
            Some(report) => probe::for_report(engine, &report.session, &record.cwd),
            None => probe::for_identity(engine, &record),
        };
        let mut evidence = self.evidence(world, id, engine, &record, &probes);
        evidence.reports = report.into_iter().collect();
        let runs = !agents::detect::own(&self.engines, engine, &evidence.processes).is_empty();
        let learned = runs && agents::identity::learn(&self.engines, engine, &mut record, &evidence);
        let Some(pane) = self.panes.get_mut(&id) else { return };
        pane.agent_runs = runs;
        if learned {
            pane.agent = Some(record);
            self.changed();
        }
    }

    fn evidence(
        &self,
        world: &dyn World,
        id: PaneId,
        engine: &Engine,
        record: &AgentRecord,
        probes: &[probe::Probe],
    ) -> Evidence {
        let token = self.panes.get(&id).map_or_else(String::new, |pane| uuid_text(pane.uuid));
        let mut evidence = Evidence { pane: token, ..Evidence::default() };
        let mut everyone = Vec::new();
        for probe in probes {
            match world.probe(id, probe) {
                Some(Answer::Processes(processes)) => evidence.processes = processes,
                Some(Answer::States(states)) => evidence.states = states.into_iter().map(|state| state.text).collect(),
                Some(Answer::Heads(heads)) => evidence.candidates.extend(heads),
                Some(Answer::Everyone(processes)) => everyone = processes,
                _ => {}
            }
        }
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
        evidence
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
        let mut facts = self.facts(context.now, context.world, beside, engine, Some(&row.id), &row.directory);
        // The pane that it is to run in has no token yet.
        if let Some(reporter) = &mut facts.reporter {
            reporter.token = agents::hook::OWN_TOKEN.to_owned();
        }
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
            pane.agent_start = Some(Start::default());
        }
        self.timers.set_once(Timer::Agents, now.instant + LOOK_INTERVAL);
        self.changed();
    }

    /// How a pane with an agent comes back: what it runs, and a line for its screen.
    /// `None` when that is to be asked again in a moment: the conversation's last process is just ending.
    pub(crate) fn plan_resume(
        &mut self,
        now: Now,
        world: &mut dyn World,
        id: PaneId,
    ) -> Option<(Wanted, Option<String>)> {
        let plain = Wanted::default();
        let Some(record) = self.panes.get(&id).and_then(|pane| pane.agent.clone()) else { return Some((plain, None)) };
        if !self.globals.server.flag("resume") {
            return Some((plain, None));
        }
        if let Some(problem) = self.engines.problem(&record.engine) {
            let name = &record.engine;
            let why = format!("engine {name} can't be used: {problem}; mend that, then run: rove {name}");
            return Some((plain, Some(why)));
        }
        let Some(engine) = self.engines.find(&record.engine) else {
            return Some(self.begin_unknown(&record));
        };
        // Each return is an attempt of its own.
        let record = AgentRecord { failures: 0, ..record };
        let facts = self.facts(now, world, id, engine, record.id.as_deref(), &record.cwd);
        if facts.open_elsewhere && facts.holder.is_none() && self.waits(now, id) {
            return None;
        }
        let resume = agents::plan(engine, &record, &facts);
        Some(self.begin(now, id, engine, resume))
    }

    fn begin_unknown(&self, record: &AgentRecord) -> (Wanted, Option<String>) {
        let note = match agents::resume::unknown_engine(record) {
            Resume::Refuse { why, remedy } => Some(format!("{why}; {remedy}")),
            _ => None,
        };
        (Wanted::default(), note)
    }

    /// Note what a plan starts in a pane: what to run, and a line for its screen.
    fn begin(&mut self, now: Now, id: PaneId, engine: &'static Engine, resume: Resume) -> (Wanted, Option<String>) {
        let (launch, note) = match resume {
            Resume::Run { launch } => (launch, None),
            Resume::Fresh { launch, why } => (launch, Some(why)),
            Resume::Refuse { why, remedy } => return (Wanted::default(), Some(format!("{why}; {remedy}"))),
        };
        let path = self.environment.get("PATH").unwrap_or_default().to_owned();
        let shell = self.panes.get(&id).map_or_else(|| "/bin/sh".to_owned(), |pane| pane.shell.clone());
        let wanted = self.wrapped(engine, &launch, &shell, &path);
        if let Some(pane) = self.panes.get_mut(&id) {
            pane.agent = Some(launch.record);
            pane.agent_runs = true;
            pane.agent_start = Some(Start::default());
        }
        self.timers.set_once(Timer::Agents, now.instant + LOOK_INTERVAL);
        self.changed();
        (wanted, note)
    }

    /// The program of a pane that runs an engine first and its login shell then.
    pub(crate) fn wrapped(&self, engine: &Engine, launch: &Launch, shell: &str, path: &str) -> Wanted {
        let cwd = Some(launch.record.cwd.as_str()).filter(|cwd| !cwd.is_empty());
        let ended =
            [self.identity.executable.as_str(), "__report", agents::hook::OWN_TOKEN, "--ended"].map(str::to_owned);
        // What is set is for the engine alone, and not for the shell after it.
        let set = launch.env_set.iter().map(|(name, value)| format!("{name}={value}"));
        let mut argv: Vec<String> = set.collect();
        if !argv.is_empty() {
            argv.insert(0, "env".to_owned());
        }
        argv.extend(launch.argv.iter().cloned());
        Wanted {
            once: Some(agents::shell::wrap(shell, &argv, cwd, path, engine.product, &ended)),
            cwd: cwd.map(str::to_owned),
            without: launch.env_remove.clone(),
            ..Wanted::default()
        }
    }
}

/// The directory in what a shell says by OSC 7, `file://HOST/PATH` with `%XX`; of another host it is none of ours.
fn told_directory(text: &str, host: &str) -> Option<String> {
    let rest = text.strip_prefix("file://")?;
    let (said, path) = rest.split_at(rest.find('/')?);
    if !["", "localhost", host].contains(&said) {
        return None;
    }
    let mut bytes = Vec::new();
    let mut rest = path.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
                u8::try_from(digit(rest.next())? * 16 + digit(rest.next())?).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok()
}

/// True for a record that says an agent of ours was launched here.
pub fn is_launched(record: Option<&AgentRecord>) -> bool {
    record.is_some_and(|record| !record.engine.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_tells_its_directory() {
        assert_eq!(told_directory("file://vm/a%20b/%C3%A9", "vm").as_deref(), Some("/a b/é"));
        assert_eq!(told_directory("file:///a", "vm").as_deref(), Some("/a"));
        for none in ["file://other/a", "/a", "", "file://vm", "file:///a%2", "file:///%FF"] {
            assert_eq!(told_directory(none, "vm"), None, "{none}");
        }
    }

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
