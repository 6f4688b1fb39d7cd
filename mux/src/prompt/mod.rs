//! A question in a client's status line or over a pane: what is typed, edited, completed and answered.

mod complete;
mod history;
mod line;
mod menu;

use crate::Mux;
use crate::id::{ClientId, PaneId, SessionId};
use crate::queue::{Context, Flow, Item, State, Wait};
use keymap::{Key, KeyCode};
use line::Step;
pub use menu::area;
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
    /// What is typed is for the list of sessions or windows in a pane.
    Switch(crate::PaneId),
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

/// Where a prompt is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Seat {
    /// In the status line of a client, which alone types there.
    Client(ClientId),
    /// Over a pane, where everybody types who types into that.
    Pane(PaneId),
}

/// A prompt.
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
    pub cut: Option<Vec<char>>,
    /// Its keys are vi's (`status-keys`).
    pub vi: bool,
    /// In vi's command state.
    pub vi_command: bool,
    /// The next key is taken as it is.
    pub quoting: bool,
    /// A backspace in an empty line gives it up (`-e`).
    pub ends_at_start: bool,
    /// What parts words (`word-separators`).
    pub(crate) separators: String,
    /// The text an incremental prompt had at first.
    pub(crate) last: String,
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
            cut: None,
            vi: false,
            vi_command: false,
            quoting: false,
            ends_at_start: false,
            separators: String::new(),
            last: String::new(),
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
}

impl Mux {
    /// The prompt at a seat.
    pub(crate) fn prompt_at(&self, seat: Seat) -> Option<&Prompt> {
        match seat {
            Seat::Client(id) => self.clients.get(&id)?.prompt.as_ref(),
            Seat::Pane(id) => self.panes.get(&id)?.prompt.as_deref(),
        }
    }

    fn seat_prompt(&mut self, seat: Seat, prompt: Option<Prompt>) -> Option<Prompt> {
        self.redraw();
        match seat {
            Seat::Client(id) => std::mem::replace(&mut self.clients.get_mut(&id)?.prompt, prompt),
            Seat::Pane(id) => {
                std::mem::replace(&mut self.panes.get_mut(&id)?.prompt, prompt.map(Box::new)).map(|prompt| *prompt)
            }
        }
    }

    /// Put a prompt that belongs to something else there.
    pub(crate) fn place_prompt(&mut self, seat: Seat, prompt: Prompt) {
        self.seat_prompt(seat, Some(prompt));
    }

    /// Take a prompt away without an answer.
    pub(crate) fn take_prompt(&mut self, seat: Seat) {
        self.seat_prompt(seat, None);
    }

    fn session_of_seat(&self, seat: Seat) -> Option<SessionId> {
        match seat {
            Seat::Client(id) => self.clients.get(&id)?.session,
            Seat::Pane(id) => crate::target::from_pane(self, id)?.session,
        }
    }

    /// Ask something at a seat. Gives what the queue waits for, when it is to wait.
    pub(crate) fn ask(&mut self, context: &mut Context<'_>, seat: Seat, mut prompt: Prompt) -> Flow {
        let waits = prompt.waits;
        if let Some(session) = self.session_of_seat(seat) {
            prompt.vi = self.session_text(session, "status-keys") == "vi";
            prompt.separators = self.session_text(session, "word-separators");
        }
        if let Some(first) = prompt.questions.first().cloned() {
            let is_search = prompt.takes == Takes::Incremental;
            prompt.set_text(if is_search { "" } else { &first.initial });
            prompt.last = first.initial;
        }
        match seat {
            Seat::Client(id) => drop(self.clear_message(id)),
            Seat::Pane(id) => self.tell_of_prompt("pane-prompt-opened", id, &prompt),
        }
        if prompt.takes == Takes::Incremental {
            self.run_answer(context, seat, &prompt, &["=".to_owned()]);
        }
        self.seat_prompt(seat, Some(prompt));
        if waits { Flow::Wait(Wait::Answer(seat)) } else { Flow::Done }
    }

    /// A key for a prompt. False when it is no key of that, and means what it means otherwise.
    pub(crate) fn prompt_key(&mut self, context: &mut Context<'_>, seat: Seat, key: Key) -> bool {
        if let Some(Answer::Switch(pane)) = self.prompt_at(seat).map(|prompt| prompt.answer.clone())
            && self.switch_key(context, pane, key)
        {
            return true;
        }
        let Some(mut prompt) = self.seat_prompt(seat, None) else { return true };
        let mut taken = true;
        let step = match prompt.takes {
            Takes::Character => prompt.single_key(key),
            Takes::KeyName => Step::Enter(keymap::key_name(key)),
            Takes::Number => match key.code() {
                KeyCode::Char(c) if c.is_ascii_digit() => {
                    prompt.insert(c);
                    Step::Stay
                }
                _ => {
                    taken = false;
                    Step::Enter(prompt.text())
                }
            },
            Takes::Line | Takes::Incremental => {
                let history = self.prompt_history.get(&prompt.history).cloned().unwrap_or_default();
                let buffer =
                    self.buffers.iter().next().map(|buffer| String::from_utf8_lossy(&buffer.data).into_owned());
                match prompt.line_key(key, &history, buffer.as_deref()) {
                    Step::Complete => self.complete(context.client, seat, &mut prompt),
                    step => step,
                }
            }
        };
        match step {
            Step::Stay | Step::Complete => drop(self.seat_prompt(seat, Some(prompt))),
            Step::Changed(sign) => {
                if prompt.takes == Takes::Incremental {
                    let text = prompt.text();
                    self.run_answer(context, seat, &prompt, &[format!("{sign}{text}")]);
                }
                self.seat_prompt(seat, Some(prompt));
            }
            Step::Cancel => {
                if let Answer::List(pane, ask) = prompt.answer.clone() {
                    self.list_answered(context, pane, ask, None);
                }
                self.end_prompt(context.client, seat, &prompt, Vec::new());
            }
            Step::Enter(text) => self.prompt_answered(context, seat, prompt, text),
        }
        taken
    }

    /// A paste for a prompt.
    pub(crate) fn paste_in_prompt(&mut self, context: &mut Context<'_>, seat: Seat, text: &str) {
        let Some(mut prompt) = self.seat_prompt(seat, None) else { return };
        prompt.paste(text);
        if prompt.takes == Takes::Incremental {
            let typed = format!("={}", prompt.text());
            self.run_answer(context, seat, &prompt, &[typed]);
        }
        self.seat_prompt(seat, Some(prompt));
    }

    fn prompt_answered(&mut self, context: &mut Context<'_>, seat: Seat, mut prompt: Prompt, text: String) {
        if prompt.takes == Takes::Incremental {
            self.remember(&prompt.history, &text);
            return self.end_prompt(context.client, seat, &prompt, Vec::new());
        }
        if prompt.takes == Takes::Line {
            self.remember(&prompt.history, &text);
        }
        prompt.answers.push(text);
        if !prompt.questions.is_empty() {
            prompt.questions.remove(0);
        }
        if let Some(next) = prompt.questions.first().cloned() {
            prompt.set_text(&next.initial);
            prompt.history_at = 0;
            self.seat_prompt(seat, Some(prompt));
            return;
        }
        let answers = std::mem::take(&mut prompt.answers);
        let items = self.answer_items(context, &prompt, &answers);
        self.end_prompt(context.client, seat, &prompt, items);
    }

    /// Run what the text so far leads to, while the prompt stays.
    fn run_answer(&mut self, context: &mut Context<'_>, seat: Seat, prompt: &Prompt, answers: &[String]) {
        let items = self.answer_items(context, prompt, answers);
        let client = match seat {
            Seat::Client(id) => Some(id),
            Seat::Pane(_) => context.client,
        };
        self.queues.append(client, items);
    }

    /// What the answers lead to.
    fn answer_items(&mut self, context: &mut Context<'_>, prompt: &Prompt, answers: &[String]) -> Vec<Item> {
        match &prompt.answer {
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
            Answer::Switch(pane) => {
                let typed = answers.first().and_then(|answer| answer.get(1..)).unwrap_or("");
                self.find_fits(context.now, context.world, *pane, typed);
                Vec::new()
            }
            Answer::List(pane, ask) => {
                self.list_answered(context, *pane, ask.clone(), answers.first().map(String::as_str));
                Vec::new()
            }
        }
    }

    /// What is to be done is put in front of the queue that waits, or at the end of that of who typed.
    fn end_prompt(&mut self, typist: Option<ClientId>, seat: Seat, prompt: &Prompt, items: Vec<Item>) {
        let wait = Wait::Answer(seat);
        let waiting = self.queues.who_waits(&wait).filter(|_| prompt.waits);
        if let Seat::Pane(pane) = seat {
            self.tell_of_prompt("pane-prompt-closed", pane, prompt);
        }
        match waiting {
            Some(client) => {
                self.queues.wake(&wait);
                self.queues.prepend(client, items);
            }
            None => {
                let client = match seat {
                    Seat::Client(id) => Some(id),
                    Seat::Pane(_) => typist,
                };
                self.queues.append(client, items);
            }
        }
    }

    fn tell_of_prompt(&mut self, event: &str, pane: PaneId, prompt: &Prompt) {
        self.fire(event, self.pane_payload(pane).with("prompt_type", &prompt.history));
    }

    /// Take a prompt away that nobody can answer any more.
    pub(crate) fn drop_prompt(&mut self, seat: Seat) {
        if let Some(prompt) = self.seat_prompt(seat, None) {
            self.end_prompt(None, seat, &prompt, Vec::new());
        }
    }
}
