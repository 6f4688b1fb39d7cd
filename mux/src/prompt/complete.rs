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

/// What a word can become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Completion {
    /// Nothing else.
    Nothing,
    /// This.
    Text(String),
    /// One of these.
    Choices(Vec<Choice>),
}

/// One of several things that a word can become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Choice {
    /// How it is shown.
    pub(super) name: String,
    /// What stands in the place of the word.
    pub(super) text: String,
}

impl Prompt {
    /// The word that the cursor is in or behind.
    pub(super) fn word(&self) -> Option<(usize, usize)> {
        let blank = |at: usize| self.input.get(at) == Some(&' ');
        let at = self.cursor.saturating_sub(1);
        let from = (0..=at).rev().find(|at| blank(*at)).map_or(0, |at| at + 1);
        let to = (at..self.input.len()).find(|at| blank(*at)).unwrap_or(self.input.len());
        (from <= to && (from..to).contains(&at) || self.input.is_empty()).then_some((from, to))
    }

    /// Put something in the place of the word at the cursor.
    pub(super) fn replace_word(&mut self, text: &str) {
        let Some((from, to)) = self.word() else { return };
        self.input.splice(from..to, text.chars());
        self.cursor = from + text.chars().count();
    }
}

impl Mux {
    /// What the word at the cursor can become; of more than so many `rows` of choices only some are given.
    pub(super) fn completion(&self, prompt: &Prompt, session: Option<SessionId>, rows: usize) -> Completion {
        let Some((from, to)) = prompt.word() else { return Completion::Nothing };
        let word: String = prompt.input[from..to].iter().collect();
        let completion = match prompt.history.as_str() {
            "target" => self.complete_target("", &word, session, rows),
            "window-target" => session.map_or(Completion::Nothing, |session| {
                self.complete_window(session, ("", &word), rows, |at| at.to_string())
            }),
            _ if word.is_empty() => Completion::Nothing,
            _ => match ["-t", "-s"].iter().find_map(|flag| Some((*flag, word.strip_prefix(flag)?))) {
                Some((flag, target)) => self.complete_target(flag, target, session, rows),
                None => self.complete_name(&word, from == 0, rows),
            },
        };
        match completion {
            Completion::Text(text) if text == word => Completion::Nothing,
            completion => completion,
        }
    }

    /// A command's name, or behind that also the name of an option or a layout.
    fn complete_name(&self, word: &str, first: bool, rows: usize) -> Completion {
        let commands = crate::commands::rows(self.identity.face);
        let names =
            commands.flat_map(|row| [Some(row.signature.name), row.signature.alias]).flatten().map(str::to_owned);
        let mut names: Vec<String> = names.collect();
        if let Some(aliases) = self.globals.server.get("command-alias") {
            names.extend(aliases.items().filter_map(|(_, text)| Some(text.split_once('=')?.0.to_owned())));
        }
        if !first {
            let options = crate::option::OPTIONS.iter().filter(|row| row.listed(self.identity.face));
            names.extend(options.map(|row| row.name.to_owned()));
            names.extend(LAYOUTS.iter().map(|name| (*name).to_owned()));
        }
        names.retain(|name| name.starts_with(word));
        of_names(names, "", word, " ", rows)
    }

    fn complete_target(&self, flag: &str, word: &str, own: Option<SessionId>, rows: usize) -> Completion {
        let Some((name, window)) = word.split_once(':') else {
            return of_names(self.sessions_beginning(word), flag, word, "", rows);
        };
        if window.contains('.') {
            return Completion::Nothing;
        }
        let session = if name.is_empty() { own } else { self.session_named(name) };
        let Some(session) = session.and_then(|id| self.sessions.get(&id)) else { return Completion::Nothing };
        self.complete_window(session.id, (flag, window), rows, |at| format!("{}:{at}", session.name))
    }

    /// The sessions whose name or, behind a `$`, whose number begins with a word.
    fn sessions_beginning(&self, word: &str) -> Vec<String> {
        let target = |session: &crate::Session| {
            let number = session.id.0.to_string();
            if session.name.starts_with(word) {
                Some(format!("{}:", session.name))
            } else {
                word.strip_prefix('$').filter(|word| number.starts_with(word)).map(|_| format!("${number}:"))
            }
        };
        self.sessions.values().filter_map(target).collect()
    }

    /// The windows of a session whose index begins with a word, each a target behind a flag.
    fn complete_window(
        &self,
        session: SessionId,
        (flag, word): (&str, &str),
        rows: usize,
        target: impl Fn(i32) -> String,
    ) -> Completion {
        let Some(session) = self.sessions.get(&session) else { return Completion::Nothing };
        let choice = |(index, link): (&i32, &crate::session::Winlink)| {
            let name = &self.windows.get(&link.window)?.name;
            let target = target(*index);
            let choice = || Choice { name: format!("{target} ({name})"), text: format!("{flag}{target}") };
            index.to_string().starts_with(word).then(choice)
        };
        let mut choices: Vec<Choice> = session.windows.iter().filter_map(choice).take(rows).collect();
        match choices.len() {
            0 => Completion::Nothing,
            1 => Completion::Text(choices.remove(0).text),
            _ => Completion::Choices(choices),
        }
    }
}

/// What a word becomes by names that begin with it: what all have in common, where that is more than the word, else one of
/// them. One name alone has `end` after it.
fn of_names(mut names: Vec<String>, flag: &str, word: &str, end: &str, rows: usize) -> Completion {
    names.sort_unstable();
    names.dedup();
    let Some(first) = names.first() else { return Completion::Nothing };
    if names.len() == 1 {
        return Completion::Text(format!("{flag}{first}{end}"));
    }
    let common = names.iter().fold(first.as_str(), |common, name| {
        let same = common.char_indices().zip(name.chars()).take_while(|((_, a), b)| a == b);
        let length = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
        &common[..length]
    });
    if common != word {
        return Completion::Text(format!("{flag}{common}"));
    }
    // Of many the last ones are shown.
    let first = names.len().saturating_sub(rows);
    let choice = |name: String| Choice { text: format!("{flag}{name}"), name };
    Completion::Choices(names.drain(first..).map(choice).collect())
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
        if let Completion::Text(text) = bench.mux.completion(&prompt, session, 10) {
            prompt.replace_word(&text);
        }
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
        assert_eq!(completed("search", "new-w"), "new-window ");
        assert_eq!(completed("command", "kill-session -t$"), "kill-session -t$");
        assert_eq!(completed("command", "kill-session -t$1"), "kill-session -t$1:");
        assert_eq!(completed("command", "select-window -t:"), "select-window -talpha:0");
    }
}
