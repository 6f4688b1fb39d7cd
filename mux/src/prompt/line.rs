//! Editing what is typed at a prompt, as emacs or vi do (option `status-keys`).

use super::Prompt;
use keymap::{Key, KeyCode, Modifiers, Named};

/// What a key did to a prompt.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It goes on, with the same text.
    Stay,
    /// The text is another one. An incremental prompt tells it with this before it.
    Changed(char),
    /// The word at the cursor is to be completed.
    Complete,
    /// This question is answered.
    Enter(String),
    /// It is given up.
    Cancel,
}

/// What a key means in vi's command state, or is.
enum Meaning {
    Key(Key),
    Word(Word),
    Nothing,
}

/// A motion by words that only vi has; with every character that is no blank in a word, or not.
enum Word {
    Next(bool),
    End(bool),
    Back(bool),
}

impl Prompt {
    fn is_blank(&self, at: usize) -> bool {
        self.input.get(at) == Some(&' ')
    }

    fn is_separator(&self, at: usize, separators: &str) -> bool {
        self.input.get(at).is_some_and(|c| separators.contains(*c))
    }

    /// Where the word before the cursor begins.
    fn word_start(&self, separators: &str) -> usize {
        let mut at = self.cursor;
        while at > 0 {
            at -= 1;
            if !self.is_blank(at) {
                break;
            }
        }
        let class = self.is_separator(at, separators);
        while at > 0 && !self.is_blank(at - 1) && self.is_separator(at - 1, separators) == class {
            at -= 1;
        }
        at
    }

    /// The end of the word at the cursor, or with `vi` the start of the next one.
    fn next_word(&self, separators: &str, vi: bool) -> usize {
        let end = self.input.len();
        let mut at = self.cursor;
        while !vi && at < end && self.is_blank(at) {
            at += 1;
        }
        if at == end {
            return end;
        }
        let class = self.is_separator(at, separators);
        at += 1;
        while at < end && !self.is_blank(at) && self.is_separator(at, separators) == class {
            at += 1;
        }
        while vi && at < end && self.is_blank(at) {
            at += 1;
        }
        at
    }

    /// The last character of the next word.
    fn word_end(&self, separators: &str) -> usize {
        let end = self.input.len();
        let mut at = (self.cursor + 1).min(end);
        while at < end && self.is_blank(at) {
            at += 1;
        }
        if at == end {
            return end;
        }
        let class = self.is_separator(at, separators);
        while at < end && !self.is_blank(at) && self.is_separator(at, separators) == class {
            at += 1;
        }
        at - 1
    }

    fn cut_word(&mut self) {
        let separators = self.separators.clone();
        let from = self.word_start(&separators);
        self.cut = Some(self.input.drain(from..self.cursor).collect());
        self.cursor = from;
    }

    /// The key as it is, when it is taken literally.
    fn literal(key: Key) -> Option<char> {
        match key.code() {
            KeyCode::Named(Named::BSpace) => Some('\x7f'),
            KeyCode::Char(c) if key.modifiers().contains(Modifiers::CTRL) && c.is_ascii() => {
                Some(char::from(c as u8 & 0x1f))
            }
            KeyCode::Char(c) => Some(c),
            _ => None,
        }
    }

    /// A key for a prompt of one character.
    pub(super) fn single_key(&mut self, key: Key) -> Step {
        match Prompt::literal(key) {
            Some(c) => Step::Enter(c.to_string()),
            None => Step::Stay,
        }
    }

    /// A key for a line, with what was typed before and the newest paste buffer.
    pub(super) fn line_key(&mut self, key: Key, history: &[String], buffer: Option<&str>) -> Step {
        if std::mem::take(&mut self.quoting) {
            return match Prompt::literal(key) {
                None => Step::Stay,
                Some(c) => {
                    self.insert(c);
                    Step::Changed('=')
                }
            };
        }
        if !self.vi {
            return self.emacs_key(key, history, buffer);
        }
        let escapes = key.code() == KeyCode::Char('\x1b')
            || key.code() == KeyCode::Char('[') && key.modifiers() == Modifiers::CTRL;
        if escapes {
            if !self.vi_command {
                self.vi_command = true;
                self.cursor = self.cursor.saturating_sub(1);
            }
            return Step::Stay;
        }
        if !self.vi_command {
            return self.emacs_key(key, history, buffer);
        }
        match self.meaning(key) {
            Meaning::Nothing => Step::Stay,
            Meaning::Key(key) => self.emacs_key(key, history, buffer),
            Meaning::Word(word) => {
                let separators = self.separators.clone();
                let within = |whole: bool| if whole { "" } else { separators.as_str() };
                self.cursor = match word {
                    Word::Next(whole) => self.next_word(within(whole), true),
                    Word::End(whole) => self.word_end(within(whole)),
                    Word::Back(whole) => self.word_start(within(whole)),
                };
                Step::Stay
            }
        }
    }

    /// What a key means in vi's command state; some leave it.
    fn meaning(&mut self, key: Key) -> Meaning {
        let control = |c: char| Meaning::Key(Key::char(c).with(Modifiers::CTRL));
        let named = |named: Named| Meaning::Key(Key::named(named));
        let KeyCode::Char(c) = key.code() else {
            return match key.code() {
                KeyCode::Named(Named::BSpace) => named(Named::Left),
                KeyCode::Named(Named::Delete | Named::Down | Named::Up | Named::Left | Named::Right) => {
                    Meaning::Key(key)
                }
                _ => Meaning::Nothing,
            };
        };
        if matches!(c, 'A' | 'I' | 'C' | 's' | 'a' | 'S' | 'i') && key.modifiers().is_empty() {
            self.vi_command = false;
        }
        if key.modifiers() == Modifiers::CTRL {
            return if matches!(c, 'h' | 'c') { Meaning::Key(key) } else { Meaning::Nothing };
        }
        match c {
            'S' | 'd' => control('u'),
            'A' | '$' => named(Named::End),
            'I' | '0' | '^' => named(Named::Home),
            'C' | 'D' => control('k'),
            'X' => named(Named::BSpace),
            'b' => Meaning::Word(Word::Back(false)),
            'B' => Meaning::Word(Word::Back(true)),
            'e' => Meaning::Word(Word::End(false)),
            'E' => Meaning::Word(Word::End(true)),
            'w' => Meaning::Word(Word::Next(false)),
            'W' => Meaning::Word(Word::Next(true)),
            'p' => control('y'),
            'q' => control('c'),
            's' | 'x' => named(Named::Delete),
            'j' => named(Named::Down),
            'k' => named(Named::Up),
            'h' => named(Named::Left),
            'a' | 'l' => named(Named::Right),
            '\r' | '\n' => Meaning::Key(key),
            _ => Meaning::Nothing,
        }
    }

    fn emacs_key(&mut self, key: Key, history: &[String], buffer: Option<&str>) -> Step {
        let control = key.modifiers().contains(Modifiers::CTRL);
        let meta = key.modifiers().contains(Modifiers::META);
        let before = self.input.clone();
        match (key.code(), control, meta) {
            (KeyCode::Char('\r' | '\n'), ..) => return Step::Enter(self.text()),
            (KeyCode::Char('m' | 'j'), true, _) => return Step::Enter(self.text()),
            (KeyCode::Char('\x1b'), ..) | (KeyCode::Char('c' | 'g' | '['), true, _) => return Step::Cancel,
            (KeyCode::Char('\t'), ..) | (KeyCode::Char('i'), true, _) => return Step::Complete,
            (KeyCode::Named(Named::BSpace), ..) | (KeyCode::Char('h'), true, _) | (KeyCode::Char('\x7f'), ..) => {
                if self.ends_at_start && self.input.is_empty() {
                    return Step::Cancel;
                }
                if self.cursor > 0 {
                    self.cursor -= 1;
                    self.input.remove(self.cursor);
                }
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
            (KeyCode::Char('u'), true, _) => {
                self.input.clear();
                self.cursor = 0;
            }
            (KeyCode::Char('k'), true, _) => self.input.truncate(self.cursor),
            (KeyCode::Char('w'), true, _) => self.cut_word(),
            (KeyCode::Char('b'), _, true) | (KeyCode::Named(Named::Left), true, _) => {
                self.cursor = self.word_start(&self.separators);
            }
            (KeyCode::Char('f'), _, true) | (KeyCode::Named(Named::Right), true, _) => {
                self.cursor = self.next_word(&self.separators, false);
            }
            (KeyCode::Char('y'), true, _) => self.yank(buffer),
            (KeyCode::Char('t'), true, _) => self.transpose(),
            (KeyCode::Named(Named::Up), ..) | (KeyCode::Char('p'), true, _) => self.recall(history, 1),
            (KeyCode::Named(Named::Down), ..) | (KeyCode::Char('n'), true, _) => self.recall(history, -1),
            (KeyCode::Char('v'), true, _) => self.quoting = true,
            (KeyCode::Char(c @ ('r' | 's')), true, _) if self.takes == super::Takes::Incremental => {
                return self.search_on(if c == 'r' { '-' } else { '+' });
            }
            (KeyCode::Char(c), false, false) if !c.is_control() => self.insert(c),
            _ => {}
        }
        if self.input == before { Step::Stay } else { Step::Changed('=') }
    }

    /// On to the next match or back: an incremental prompt tells the same text again, or what it had before.
    fn search_on(&mut self, sign: char) -> Step {
        if !self.input.is_empty() {
            return Step::Changed(sign);
        }
        let last = std::mem::take(&mut self.last);
        self.set_text(&last);
        Step::Changed('=')
    }

    /// Insert what was cut last, or the beginning of the newest paste buffer up to what can't be typed.
    fn yank(&mut self, buffer: Option<&str>) {
        let text: Vec<char> = match (&self.cut, buffer) {
            (Some(cut), _) => cut.clone(),
            (None, Some(buffer)) => buffer.chars().take_while(|c| !c.is_control()).collect(),
            (None, None) => Vec::new(),
        };
        text.into_iter().for_each(|c| self.insert(c));
    }

    fn transpose(&mut self) {
        let at = (self.cursor + 1).min(self.input.len());
        if at >= 2 {
            self.input.swap(at - 2, at - 1);
            self.cursor = at;
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

#[cfg(test)]
mod tests {
    use super::super::{Answer, Takes};
    use super::*;
    use std::rc::Rc;

    /// The text and cursor after keys by name, from an empty line.
    fn after(vi: bool, keys: &str) -> (String, usize) {
        let mut prompt = Prompt::new(Answer::Command(String::new()), Rc::default());
        prompt.vi = vi;
        prompt.separators = "!/".to_owned();
        for name in keys.split(' ') {
            let key = keymap::parse_key(name).unwrap_or_else(|| panic!("{name} is a key"));
            prompt.line_key(key, &["one".to_owned(), "two".to_owned()], Some("buf\nfer"));
        }
        (prompt.text(), prompt.cursor)
    }

    fn text(keys: &str) -> String {
        after(false, keys).0
    }

    #[test]
    fn emacs_keys_move_and_change() {
        assert_eq!(text("a b c d Left Left X"), "abXcd");
        assert_eq!(text("a b c C-a X C-e Y"), "XabcY");
        assert_eq!(text("a b c Left BSpace DC"), "a");
        assert_eq!(text("a b C-a C-k X"), "X");
        assert_eq!(text("a b C-t"), "ba");
        assert_eq!(text("a Space b C-w Z"), "a Z");
        assert_eq!(text("a / b C-w"), "a/");
        assert_eq!(text("a Space b C-w C-y C-y"), "a bb");
        assert_eq!(text("C-y"), "buf");
        assert_eq!(text("Up Up"), "one");
        assert_eq!(text("Up Up Down Down"), "");
        assert_eq!(text("a / b M-b X M-b Y"), "a/YXb");
        assert_eq!(text("a Space b C-a M-f X"), "aX b");
    }

    #[test]
    fn the_next_key_can_be_taken_as_it_is() {
        assert_eq!(text("a C-v C-g b"), "a\u{7}b");
        assert_eq!(text("a C-v C-g b Left BSpace"), "ab");
    }

    #[test]
    fn vi_has_a_command_state() {
        assert_eq!(after(true, "a b c Escape x"), ("ab".to_owned(), 2));
        assert_eq!(after(true, "a b Escape 0 i X"), ("Xab".to_owned(), 1));
        assert_eq!(after(true, "a Space b Escape 0 w x"), ("a ".to_owned(), 2));
        assert_eq!(after(true, "a b Space c Escape 0 e"), ("ab c".to_owned(), 1));
        assert_eq!(after(true, "a b Escape D"), ("a".to_owned(), 1));
        assert_eq!(after(true, "a b Escape S x"), ("x".to_owned(), 1));
    }

    #[test]
    fn steps_say_what_came_of_a_key() {
        let mut prompt = Prompt::new(Answer::Command(String::new()), Rc::default());
        prompt.takes = Takes::Incremental;
        let mut step = |name: &str| prompt.line_key(keymap::parse_key(name).expect("a key"), &[], None);
        assert_eq!(step("a"), Step::Changed('='));
        assert_eq!(step("Left"), Step::Stay);
        assert_eq!(step("C-r"), Step::Changed('-'));
        assert_eq!(step("C-s"), Step::Changed('+'));
        assert_eq!(step("Tab"), Step::Complete);
        assert_eq!(step("Enter"), Step::Enter("a".to_owned()));
        assert_eq!(step("Escape"), Step::Cancel);
        prompt.ends_at_start = true;
        prompt.input.clear();
        prompt.cursor = 0;
        assert_eq!(prompt.line_key(Key::named(Named::BSpace), &[], None), Step::Cancel);
    }
}
