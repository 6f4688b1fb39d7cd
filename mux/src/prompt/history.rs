//! What was typed at prompts: remembered by kind, and kept in the file that `history-file` names.

use super::HISTORIES;
use crate::Mux;
use crate::world::World;

impl Mux {
    /// Remember an answer, unless it is the last one again.
    pub(super) fn remember(&mut self, kind: &str, text: &str) {
        if text.is_empty() {
            return;
        }
        let limit = self.globals.server.number("prompt-history-limit").clamp(0, 100_000) as usize;
        let history = self.prompt_history.entry(kind.to_owned()).or_default();
        if history.last().is_none_or(|last| last != text) {
            history.push(text.to_owned());
        }
        let surplus = history.len().saturating_sub(limit);
        history.drain(..surplus);
    }

    /// Read the file once the configuration has said which it is. Lines are `KIND:TEXT`; others, as an old tmux wrote
    /// them, are commands.
    pub(crate) fn load_prompt_history(&mut self, world: &dyn World) {
        let Some(text) = self.history_file(world).and_then(|path| world.read_file(&path).ok()) else { return };
        for line in crate::raw::text(&text).lines() {
            match line.split_once(':').filter(|(kind, _)| HISTORIES.contains(kind)) {
                Some((kind, text)) => self.remember(kind, text),
                None => self.remember("command", line),
            }
        }
    }

    /// Write the file, at the end of the server.
    pub fn save_prompt_history(&self, world: &mut dyn World) {
        let Some(path) = self.history_file(world) else { return };
        let of = |kind: &&'static str| {
            let lines = self.prompt_history.get(*kind).map_or(&[][..], Vec::as_slice);
            lines.iter().map(move |line| format!("{kind}:{line}\n")).collect::<String>()
        };
        let text: String = HISTORIES.iter().map(of).collect();
        // Nobody is there any more to be told that it can't be written.
        let _ = world.write_file(&path, text.as_bytes(), false);
    }

    /// The path of the file: a whole one, or one in the home directory.
    fn history_file(&self, world: &dyn World) -> Option<String> {
        let path = self.globals.server.text("history-file");
        match path.strip_prefix("~/") {
            Some(rest) => Some(format!("{}/{rest}", world.home(None)?)),
            None => Some(path).filter(|path| path.starts_with('/')),
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::Face;
    use crate::fake::{Bench, empty};

    #[test]
    fn what_was_typed_at_prompts_is_kept_in_the_history_file() {
        let mut bench = Bench::of(empty(Face::Tmux));
        bench.world.files.insert("/home/u/typed".to_owned(), b"command:set @a 1\nsearch:needle\nold\n".to_vec());
        bench.world.files.insert("/conf".to_owned(), b"set -s history-file ~/typed".to_vec());
        bench.mux.configured = false;
        bench.mux.read_config(bench.now, &mut bench.world, &[("/conf".to_owned(), false)]);
        assert_eq!(bench.line("show-prompt-history -T command"), "History for command:\n\n1: set @a 1\n2: old\n");
        assert_eq!(bench.line("show-prompt-history -T search"), "History for search:\n\n1: needle\n");
        let client = bench.terminal((80, 24), &["new-session"]);
        bench.keys(client, b"\x02:set @b 2\r");
        bench.mux.save_prompt_history(&mut bench.world);
        let saved = String::from_utf8_lossy(&bench.world.files["/home/u/typed"]).into_owned();
        assert_eq!(saved, "command:set @a 1\ncommand:old\ncommand:set @b 2\nsearch:needle\n");
        bench.line("set -s history-file typed");
        bench.mux.save_prompt_history(&mut bench.world);
        assert_eq!(bench.world.files.len(), 2);
    }
}
