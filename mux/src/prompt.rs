//! A question in a client's status line: what is typed, edited, completed and answered.

use crate::Mux;
use crate::id::ClientId;
use crate::queue::{Context, Flow, Item, State, Wait};
use keymap::{Key, KeyCode, Modifiers, Named};
use std::rc::Rc;

/// The kinds of histories, as `-T` names them.
pub(crate) const HISTORIES: &[&str] = &["command", "search", "target", "window-target"];

/// What is done with an answer.
#[derive(Debug, Clone)]
pub enum Answer {
    /// The template is run, `%1` or `%%` standing for the first answer and so on.
    Command(String),
    /// The list of a pane asked.
    List(crate::PaneId, crate::mode::list::Ask),
    /// The commands are run when the answer is this key; with the last, also when it is Enter.
    Confirm(crate::commands::Commands, char, bool),
}

/// One question of a prompt.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Question {
    /// What is shown before the answer.
    pub text: String,
    /// The answer it starts with.
    pub initial: String,
}

/// What kind of answer a prompt takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Takes {
    /// A line.
    #[default]
    Line,
    /// One key, as its character (`-1`, confirm-before).
    Character,
    /// One key, by its name (`-k`).
    KeyName,
    /// Digits; anything else ends it (`-N`).
    Number,
    /// A line, told at each change (`-i`).
    Incremental,
}

/// A prompt on a client.
#[derive(Debug, Clone)]
pub struct Prompt {
    /// Questions still to be answered; the first one is shown.
    pub questions: Vec<Question>,
    /// Answers given.
    pub answers: Vec<String>,
    /// What is typed.
    pub input: Vec<char>,
    /// Cursor in it.
    pub cursor: usize,
    /// What it takes.
    pub takes: Takes,
    /// What is done with the answers.
    pub answer: Answer,
    /// Where the commands stand.
    pub state: Rc<State>,
    /// A queue waits for the answer.
    pub waits: bool,
    /// Kind of history: `command`, `search`, ....
    pub history: String,
    /// How far back in the history, 0 for what is typed.
    pub history_at: usize,
    /// What was last cut, for `C-y`.
    pub cut: Vec<char>,
    /// In vi's command state (`status-keys vi`).
    pub vi_command: bool,
}

/// What a key did to a prompt.
enum Step {
    /// It goes on.
    Stay,
    /// This question is answered.
    Enter(String),
    /// It is given up.
    Cancel,
}

impl Prompt {
    /// A prompt without a question, for a line.
    pub(crate) fn new(answer: Answer, state: Rc<State>) -> Prompt {
        Prompt {
            questions: Vec::new(),
            answers: Vec::new(),
            input: Vec::new(),
            cursor: 0,
            takes: Takes::Line,
            answer,
            state,
            waits: false,
            history: "command".to_owned(),
            history_at: 0,
            cut: Vec::new(),
            vi_command: false,
        }
    }

    /// The question shown.
    pub fn question(&self) -> &str {
        self.questions.first().map_or("", |question| &question.text)
    }

    /// What is typed.
    pub fn text(&self) -> String {
        self.input.iter().collect()
    }

    /// Insert pasted text; control characters are left out.
    pub fn paste(&mut self, text: &str) {
        for c in text.chars().filter(|c| !c.is_control()) {
            self.insert(c);
        }
    }

    fn set_text(&mut self, text: &str) {
        self.input = text.chars().collect();
        self.cursor = self.input.len();
    }

    fn insert(&mut self, c: char) {
        self.input.insert(self.cursor, c);
        self.cursor += 1;
    }

    fn word_start(&self) -> usize {
        let mut at = self.cursor;
        while at > 0 && self.input[at - 1] == ' ' {
            at -= 1;
        }
        while at > 0 && self.input[at - 1] != ' ' {
            at -= 1;
        }
        at
    }

    fn word_end(&self) -> usize {
        let mut at = self.cursor;
        while at < self.input.len() && self.input[at] == ' ' {
            at += 1;
        }
        while at < self.input.len() && self.input[at] != ' ' {
            at += 1;
        }
        at
    }

    fn cut_range(&mut self, from: usize, to: usize) {
        self.cut = self.input.drain(from..to).collect();
        self.cursor = from;
    }

    fn line_key(&mut self, key: Key, history: &[String]) -> Step {
        let control = key.modifiers().contains(Modifiers::CTRL);
        let meta = key.modifiers().contains(Modifiers::META);
        match (key.code(), control, meta) {
            (KeyCode::Char('\r' | '\n'), ..) | (KeyCode::Char('m' | 'j'), true, _) => return Step::Enter(self.text()),
            (KeyCode::Char('\x1b'), ..) | (KeyCode::Char('c' | 'g'), true, _) => return Step::Cancel,
            (KeyCode::Named(Named::BSpace), false, false)
            | (KeyCode::Char('h'), true, _)
            | (KeyCode::Char('\x7f'), ..)
                if self.cursor > 0 =>
            {
                self.cursor -= 1;
                self.input.remove(self.cursor);
            }
            (KeyCode::Named(Named::Delete), ..) | (KeyCode::Char('d'), true, _) if self.cursor < self.input.len() => {
                self.input.remove(self.cursor);
            }
            (KeyCode::Named(Named::Left), false, _) | (KeyCode::Char('b'), true, _) => {
                self.cursor = self.cursor.saturating_sub(1);
            }
            (KeyCode::Named(Named::Right), false, _) | (KeyCode::Char('f'), true, _) => {
                self.cursor = (self.cursor + 1).min(self.input.len());
            }
            (KeyCode::Named(Named::Home), ..) | (KeyCode::Char('a'), true, _) => self.cursor = 0,
            (KeyCode::Named(Named::End), ..) | (KeyCode::Char('e'), true, _) => self.cursor = self.input.len(),
            (KeyCode::Char('u'), true, _) => self.cut_range(0, self.input.len()),
            (KeyCode::Char('k'), true, _) => self.cut_range(self.cursor, self.input.len()),
            (KeyCode::Char('w'), true, _) | (KeyCode::Named(Named::BSpace), _, true) => {
                self.cut_range(self.word_start(), self.cursor);
            }
            (KeyCode::Char('d'), _, true) => self.cut_range(self.cursor, self.word_end()),
            (KeyCode::Char('b'), _, true) | (KeyCode::Named(Named::Left), true, _) => self.cursor = self.word_start(),
            (KeyCode::Char('f'), _, true) | (KeyCode::Named(Named::Right), true, _) => self.cursor = self.word_end(),
            (KeyCode::Char('y'), true, _) => {
                for c in self.cut.clone() {
                    self.insert(c);
                }
            }
            (KeyCode::Char('t'), true, _) => self.transpose(),
            (KeyCode::Named(Named::Up), ..) | (KeyCode::Char('p'), true, _) => self.recall(history, 1),
            (KeyCode::Named(Named::Down), ..) | (KeyCode::Char('n'), true, _) => self.recall(history, -1),
            (KeyCode::Char(c), false, false) if !c.is_control() => self.insert(c),
            _ => {}
        }
        Step::Stay
    }

    fn transpose(&mut self) {
        let at = self.cursor.min(self.input.len().saturating_sub(1)).max(1);
        if self.input.len() >= 2 {
            self.input.swap(at - 1, at);
            self.cursor = at + 1;
        }
    }

    fn recall(&mut self, history: &[String], step: i64) {
        let at = (self.history_at as i64 + step).clamp(0, history.len() as i64) as usize;
        if at != self.history_at {
            self.history_at = at;
            let text = if at == 0 { String::new() } else { history[history.len() - at].clone() };
            self.set_text(&text);
        }
    }
}

impl Mux {
    /// Ask something on a client. Gives what the queue waits for, when it is to wait.
    pub(crate) fn ask(&mut self, id: ClientId, mut prompt: Prompt) -> Flow {
        let waits = prompt.waits;
        if let Some(first) = prompt.questions.first().cloned() {
            prompt.set_text(&first.initial);
        }
        self.clear_message(id);
        if let Some(client) = self.clients.get_mut(&id) {
            client.prompt = Some(prompt);
        }
        self.redraw();
        if waits { Flow::Wait(Wait::Answer(id)) } else { Flow::Done }
    }

    /// A key for a client's prompt.
    pub(crate) fn prompt_key(&mut self, context: &mut Context<'_>, id: ClientId, key: Key) {
        let Some(mut prompt) = self.clients.get_mut(&id).and_then(|client| client.prompt.take()) else { return };
        self.redraw();
        let step = match prompt.takes {
            Takes::Character => match key.code() {
                KeyCode::Char('\x1b') => Step::Cancel,
                KeyCode::Char(c) if key.modifiers().is_empty() => Step::Enter(c.to_string()),
                KeyCode::Char('c' | 'g') => Step::Cancel,
                _ => Step::Stay,
            },
            Takes::KeyName => Step::Enter(keymap::key_name(key)),
            Takes::Number => match key.code() {
                KeyCode::Char(c) if c.is_ascii_digit() => {
                    prompt.insert(c);
                    Step::Stay
                }
                _ => Step::Enter(prompt.text()),
            },
            Takes::Line | Takes::Incremental => {
                let history = self.prompt_history.get(&prompt.history).cloned().unwrap_or_default();
                if key.code() == KeyCode::Char('\t') {
                    self.complete(&mut prompt);
                    Step::Stay
                } else {
                    prompt.line_key(key, &history)
                }
            }
        };
        match step {
            Step::Stay => {
                if prompt.takes == Takes::Incremental {
                    let text = prompt.text();
                    self.run_answer(context, id, &prompt, &[format!("={text}")]);
                }
                if let Some(client) = self.clients.get_mut(&id) {
                    client.prompt = Some(prompt);
                }
            }
            Step::Cancel => {
                if let Answer::List(pane, ask) = prompt.answer.clone() {
                    self.list_answered(context, id, pane, ask, None);
                }
                self.end_prompt(id, &prompt, Vec::new());
            }
            Step::Enter(text) => self.prompt_answered(context, id, prompt, text),
        }
    }

    fn prompt_answered(&mut self, context: &mut Context<'_>, id: ClientId, mut prompt: Prompt, text: String) {
        if prompt.takes == Takes::Line && !text.is_empty() {
            self.remember(&prompt.history, &text);
        }
        prompt.answers.push(text);
        if !prompt.questions.is_empty() {
            prompt.questions.remove(0);
        }
        if let Some(next) = prompt.questions.first().cloned() {
            prompt.set_text(&next.initial);
            prompt.history_at = 0;
            if let Some(client) = self.clients.get_mut(&id) {
                client.prompt = Some(prompt);
            }
            return;
        }
        let answers = std::mem::take(&mut prompt.answers);
        self.run_answer(context, id, &prompt, &answers);
    }

    /// Run what the answers lead to: in front of the queue that waits, or at the end of the client's own.
    fn run_answer(&mut self, context: &mut Context<'_>, id: ClientId, prompt: &Prompt, answers: &[String]) {
        let items = match &prompt.answer {
            Answer::Command(template) => {
                let text = crate::command::template::replace_all(template, answers);
                match self.commands(&text, None, context.world) {
                    Ok(commands) => self.queues.items(&commands, &prompt.state),
                    Err(error) => vec![Item::failed(prompt.state.clone(), error)],
                }
            }
            Answer::Confirm(commands, key, enter)
                if answers.first().is_some_and(|answer| {
                    answer.chars().eq([*key]) || (*enter && matches!(answer.as_str(), "" | "\r"))
                }) =>
            {
                self.queues.items(commands, &prompt.state)
            }
            Answer::Confirm(..) => Vec::new(),
            Answer::List(pane, ask) => {
                self.list_answered(context, id, *pane, ask.clone(), answers.first().map(String::as_str));
                Vec::new()
            }
        };
        self.end_prompt(id, prompt, items);
    }

    fn end_prompt(&mut self, id: ClientId, prompt: &Prompt, items: Vec<Item>) {
        if !prompt.waits || !self.queues.wake_with(&Wait::Answer(id), Vec::new()) {
            self.queues.append(Some(id), items);
            return;
        }
        self.queues.prepend(Some(id), items);
    }

    fn remember(&mut self, kind: &str, text: &str) {
        let limit = self.globals.server.number("prompt-history-limit").clamp(0, 100_000) as usize;
        let history = self.prompt_history.entry(kind.to_owned()).or_default();
        if history.last().is_none_or(|last| last != text) {
            history.push(text.to_owned());
        }
        let surplus = history.len().saturating_sub(limit);
        history.drain(..surplus);
    }

    /// Complete the word before the cursor: commands, options, and targets by name.
    fn complete(&self, prompt: &mut Prompt) {
        let start = prompt.word_start();
        let word: String = prompt.input[start..prompt.cursor].iter().collect();
        let word = word.trim_start();
        if word.is_empty() || prompt.history != "command" {
            return;
        }
        let rows = crate::commands::rows(self.identity.face);
        let mut names: Vec<String> =
            rows.flat_map(|row| [Some(row.signature.name), row.signature.alias]).flatten().map(str::to_owned).collect();
        if start > 0 {
            names = crate::option::OPTIONS.iter().map(|row| row.name.to_owned()).collect();
            names.extend(self.sessions.values().map(|session| format!("{}:", session.name)));
        }
        let matching: Vec<&String> = names.iter().filter(|name| name.starts_with(word)).collect();
        let Some(first) = matching.first() else { return };
        let common = matching.iter().fold(first.as_str(), |common, name| {
            let same = common.char_indices().zip(name.chars()).take_while(|((_, a), b)| a == b);
            let len = same.last().map_or(0, |((at, c), _)| at + c.len_utf8());
            &common[..len]
        });
        let mut completed = common.to_owned();
        if matching.len() == 1 {
            completed.push(' ');
        }
        let tail: Vec<char> = prompt.input.drain(prompt.cursor..).collect();
        prompt.input.truncate(start);
        prompt.input.extend(completed.chars());
        prompt.cursor = prompt.input.len();
        prompt.input.extend(tail);
    }
}
