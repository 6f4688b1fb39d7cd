//! Completing the word at the cursor of a prompt: commands, options and layouts by name, and targets.

use super::Prompt;
use crate::Mux;
use crate::id::SessionId;

/// Words that stand for layouts.
const LAYOUTS: &[&str] = &[
    "even-horizontal",
    "even-vertical",
    "main-horizontal",
    "main-horizontal-mirrored",
    "main-vertical",
    "main-vertical-mirrored",
    "tiled",
];

impl Prompt {
    /// The word that the cursor is in or behind.
    fn word(&self) -> Option<(usize, usize)> {
        let blank = |at: usize| self.input.get(at) == Some(&' ');
        let at = self.cursor.saturating_sub(1);
        let from = (0..=at).rev().find(|at| blank(*at)).map_or(0, |at| at + 1);
        let to = (at..self.input.len()).find(|at| blank(*at)).unwrap_or(self.input.len());
        (from <= to && (from..to).contains(&at) || self.input.is_empty()).then_some((from, to))
    }
}

impl Mux {
    /// Complete the word at the cursor as far as that is clear. True when there was something to add.
    pub(super) fn complete(&self, prompt: &mut Prompt, session: Option<SessionId>) -> bool {
        let Some((from, to)) = prompt.word() else { return false };
        let word: String = prompt.input[from..to].iter().collect();
        let Some(completed) = self.completion(&word, &prompt.history, from == 0, session) else { return false };
        if completed == word {
            return false;
        }
        let length = completed.chars().count();
        prompt.input.splice(from..to, completed.chars());
        prompt.cursor = from + length;
        true
    }

    fn completion(&self, word: &str, kind: &str, first: bool, session: Option<SessionId>) -> Option<String> {
        match kind {
            "search" => return None,
            "target" => return self.complete_target("", word, session),
            "window-target" => return self.complete_window("", session?, word),
            _ if word.is_empty() => return None,
            _ => {}
        }
        for flag in ["-t", "-s"] {
            if let Some(target) = word.strip_prefix(flag) {
                return self.complete_target(flag, target, session);
            }
        }
        let rows = crate::commands::rows(self.identity.face);
        let names = rows.flat_map(|row| [Some(row.signature.name), row.signature.alias]).flatten().map(str::to_owned);
        let mut names: Vec<String> = names.collect();
        if let Some(aliases) = self.globals.server.get("command-alias") {
            names.extend(aliases.items().filter_map(|(_, text)| Some(text.split_once('=')?.0.to_owned())));
        }
        if !first {
            names.extend(crate::option::OPTIONS.iter().map(|row| row.name.to_owned()));
            names.extend(LAYOUTS.iter().map(|name| (*name).to_owned()));
        }
        only(names, word, " ")
    }

    fn complete_target(&self, flag: &str, word: &str, own: Option<SessionId>) -> Option<String> {
        let Some((name, window)) = word.split_once(':') else {
            let names = self.sessions.values().map(|session| session.name.clone()).collect();
            return only(names, word, ":").map(|name| format!("{flag}{name}"));
        };
        if window.contains('.') {
            return None;
        }
        let session = if name.is_empty() { own? } else { self.session_named(name)? };
        let name = self.sessions.get(&session)?.name.clone();
        self.complete_window(&format!("{flag}{name}:"), session, window)
    }

    fn complete_window(&self, before: &str, session: SessionId, word: &str) -> Option<String> {
        let indexes = self.sessions.get(&session)?.windows.keys().map(ToString::to_string).collect();
        only(indexes, word, "").map(|index| format!("{before}{index}"))
    }
}

/// What all of the names that begin with a word have in common; of one alone the name itself, with `end` after it.
fn only(names: Vec<String>, word: &str, end: &str) -> Option<String> {
    let mut matching: Vec<&String> = names.iter().filter(|name| name.starts_with(word)).collect();
    matching.sort_unstable();
    matching.dedup();
    let first = matching.first()?;
    if matching.len() == 1 {
        return Some(format!("{first}{end}"));
    }
    let common = matching.iter().fold(first.as_str(), |common, name| {
        let same = common.char_indices().zip(name.chars()).take_while(|((_, a), b)| a == b);
        let length = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
        &common[..length]
    });
    Some(common.to_owned())
}

#[cfg(test)]
mod tests {
    use super::super::Answer;
    use super::*;
    use crate::Face;
    use crate::fake::Bench;
    use std::rc::Rc;

    fn completed(kind: &str, text: &str) -> String {
        let mut bench = Bench::new(Face::Tmux);
        bench.lines(&["new-session -d -s alpha", "new-session -d -s beta", "new-window -t beta:7"]);
        let mut prompt = Prompt::new(Answer::Command(String::new()), Rc::default());
        prompt.history = kind.to_owned();
        prompt.set_text(text);
        let session = bench.mux.session_named("alpha");
        bench.mux.complete(&mut prompt, session);
        prompt.text()
    }

    #[test]
    fn words_are_completed_by_what_they_can_be() {
        assert_eq!(completed("command", "new-w"), "new-window ");
        assert_eq!(completed("command", "select-"), "select-");
        assert_eq!(completed("command", "mouse"), "mouse");
        assert_eq!(completed("command", "set mous"), "set mouse ");
        assert_eq!(completed("command", "select-layout even-h"), "select-layout even-horizontal ");
        assert_eq!(completed("command", "kill-session -tal"), "kill-session -talpha:");
        assert_eq!(completed("command", "select-window -tbeta:7"), "select-window -tbeta:7");
        assert_eq!(completed("target", "be"), "beta:");
        assert_eq!(completed("window-target", ""), "0");
        assert_eq!(completed("search", "new-w"), "new-w");
    }
}
