//! Words of the command language: quotes, escapes, `~`, `$NAME`, comments, joined lines. Knows no grammar.

use super::parse::{Assignment, ParseContext};

/// The longest name after `$` or `~`, in bytes.
const NAME_LIMIT: usize = 1022;

/// One word or mark.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token {
    /// A word, with what it stands for.
    Word(String),
    /// A word of the form `NAME=value`.
    Equals(String),
    /// A `#{...}` right after a `%` word.
    Format(String),
    /// `;`
    Semicolon,
    /// `{`
    Open,
    /// `}`
    Close,
    /// The end of a line, and once the end of the text.
    Newline,
    /// `%hidden`
    Hidden,
    /// `%if`
    If,
    /// `%elif`
    Elif,
    /// `%else`
    Else,
    /// `%endif`
    Endif,
    /// Nothing that could be a word; `Lexer::cause` may say why.
    Bad,
    /// Past the end.
    End,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Quotes {
    Start,
    None,
    Double,
    Single,
}

/// A word that could not be read; the reason is in `Lexer::cause` unless it is a plain syntax error.
struct BadWord;

pub(super) struct Lexer<'a> {
    text: &'a [u8],
    offset: usize,
    /// Backslashes seen but not yet given out.
    escapes: usize,
    /// The line being read.
    pub(super) line: u32,
    after_condition: bool,
    line_ended: bool,
    text_ended: bool,
    /// Why the first bad word was bad, when that is more than a syntax error.
    pub(super) cause: Option<String>,
    /// Assignments that took effect so far; `$NAME` sees them.
    pub(super) assignments: Vec<Assignment>,
    context: &'a ParseContext<'a>,
}

fn is_blank(c: u8) -> bool {
    c == b' ' || c == b'\t'
}

fn is_name(c: u8, first: bool) -> bool {
    c == b'_' || c.is_ascii_alphabetic() || (!first && c.is_ascii_digit())
}

fn is_assignment(word: &[u8]) -> bool {
    let Some(equals) = word.iter().position(|&c| c == b'=') else { return false };
    equals > 0 && word[..equals].iter().enumerate().all(|(index, &c)| is_name(c, index == 0))
}

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, context: &'a ParseContext<'a>) -> Lexer<'a> {
        Lexer {
            text: text.as_bytes(),
            offset: 0,
            escapes: 0,
            line: context.line,
            after_condition: false,
            line_ended: false,
            text_ended: false,
            cause: None,
            assignments: Vec::new(),
            context,
        }
    }

    fn raw(&mut self) -> Option<u8> {
        let c = self.text.get(self.offset).copied();
        self.offset += usize::from(c.is_some());
        c
    }

    fn unget(&mut self, c: Option<u8>) {
        if c.is_some() {
            self.offset = self.offset.saturating_sub(1);
        }
    }

    /// The next byte. An odd number of backslashes before a newline joins the lines; other runs of them come out one
    /// at a time.
    fn get(&mut self) -> Option<u8> {
        if self.escapes > 0 {
            self.escapes -= 1;
            return Some(b'\\');
        }
        loop {
            let c = self.raw();
            if c == Some(b'\\') {
                self.escapes += 1;
                continue;
            }
            if c == Some(b'\n') && self.escapes % 2 == 1 {
                self.line = self.line.saturating_add(1);
                self.escapes -= 1;
                continue;
            }
            if self.escapes > 0 {
                self.unget(c);
                self.escapes -= 1;
                return Some(b'\\');
            }
            return c;
        }
    }

    fn fail<T>(&mut self, cause: impl Into<String>) -> Result<T, BadWord> {
        self.cause.get_or_insert_with(|| cause.into());
        Err(BadWord)
    }

    /// The next token.
    pub(super) fn next(&mut self) -> Token {
        if std::mem::take(&mut self.line_ended) {
            self.line = self.line.saturating_add(1);
        }
        let after_condition = std::mem::take(&mut self.after_condition);
        loop {
            let Some(c) = self.get() else {
                if self.text_ended {
                    return Token::End;
                }
                self.text_ended = true;
                return Token::Newline;
            };
            match c {
                b' ' | b'\t' => {}
                b'\n' => return self.end_line(),
                b'\r' => match self.get() {
                    Some(b'\n') => return self.end_line(),
                    next => {
                        self.unget(next);
                        return self.word_token(b'\r');
                    }
                },
                b';' => return Token::Semicolon,
                b'{' => return Token::Open,
                b'}' => return Token::Close,
                b'#' => match self.get() {
                    Some(b'{') if after_condition => return self.format().map_or(Token::Bad, Token::Format),
                    next => {
                        if self.skip_comment(next) {
                            return Token::Newline;
                        }
                    }
                },
                b'%' => return self.percent(),
                c => return self.word_token(c),
            }
        }
    }

    fn end_line(&mut self) -> Token {
        self.line_ended = true;
        Token::Newline
    }

    /// Skips to the end of the line; true when there was one.
    fn skip_comment(&mut self, mut next: Option<u8>) -> bool {
        loop {
            match next {
                None => return false,
                Some(b'\n') => {
                    self.line = self.line.saturating_add(1);
                    return true;
                }
                Some(_) => next = self.get(),
            }
        }
    }

    /// A word that starts with `%`: a directive, or plain text when it is all `%` and digits.
    fn percent(&mut self) -> Token {
        let mut word = vec![b'%'];
        loop {
            match self.get() {
                Some(c) if !is_blank(c) && c != b'\n' => word.push(c),
                end => {
                    self.unget(end);
                    break;
                }
            }
        }
        if word.iter().all(|&c| c == b'%' || c.is_ascii_digit()) {
            return Token::Word(lossy(word));
        }
        self.after_condition = true;
        match word.as_slice() {
            b"%hidden" => Token::Hidden,
            b"%if" => Token::If,
            b"%elif" => Token::Elif,
            b"%else" => Token::Else,
            b"%endif" => Token::Endif,
            _ => Token::Bad,
        }
    }

    fn format(&mut self) -> Option<String> {
        let mut text = b"#{".to_vec();
        let mut depth = 1usize;
        while depth > 0 {
            match self.get() {
                None | Some(b'\n') => return None,
                Some(b'#') => match self.get() {
                    None | Some(b'\n') => return None,
                    Some(c) => {
                        depth += usize::from(c == b'{');
                        text.extend([b'#', c]);
                    }
                },
                Some(c) => {
                    depth -= usize::from(c == b'}');
                    text.push(c);
                }
            }
        }
        Some(lossy(text))
    }

    fn word_token(&mut self, first: u8) -> Token {
        match self.word(first) {
            Err(BadWord) => Token::Bad,
            Ok(word) if is_assignment(&word) => Token::Equals(lossy(word)),
            Ok(word) => Token::Word(lossy(word)),
        }
    }

    fn word(&mut self, first: u8) -> Result<Vec<u8>, BadWord> {
        let mut word = Vec::new();
        let mut quotes = Quotes::None;
        let mut last = Quotes::Start;
        let mut next = Some(first);
        while let Some(mut c) = next {
            if quotes == Quotes::None {
                if c == b'\r' {
                    match self.get() {
                        Some(b'\n') => c = b'\n',
                        after => self.unget(after),
                    }
                }
                if matches!(c, b'\n' | b' ' | b'\t' | b';' | b'}') {
                    next = Some(c);
                    break;
                }
            } else if c == b'\n' {
                self.line = self.line.saturating_add(1);
                next = self.newline_in_quotes(&mut word);
                continue;
            }
            match c {
                b'\\' if quotes != Quotes::Single => {
                    self.escape(&mut word)?;
                    last = quotes;
                }
                b'~' if quotes != Quotes::Single && last != quotes => {
                    self.tilde(&mut word)?;
                    last = quotes;
                }
                b'$' if quotes != Quotes::Single => {
                    self.variable(&mut word)?;
                    last = quotes;
                }
                b'\'' if quotes == Quotes::None => quotes = Quotes::Single,
                b'\'' if quotes == Quotes::Single => quotes = Quotes::None,
                b'"' if quotes == Quotes::None => quotes = Quotes::Double,
                b'"' if quotes == Quotes::Double => quotes = Quotes::None,
                c => {
                    word.push(c);
                    last = quotes;
                }
            }
            next = self.get();
        }
        self.unget(next);
        Ok(word)
    }

    /// A newline inside quotes stays; the blanks that open the next line go, and so does a comment there.
    /// Gives the byte to go on with.
    fn newline_in_quotes(&mut self, word: &mut Vec<u8>) -> Option<u8> {
        word.push(b'\n');
        let mut c = self.get();
        while c.is_some_and(is_blank) {
            c = self.get();
        }
        if c != Some(b'#') {
            return c;
        }
        c = self.get();
        if c.is_some_and(|c| b",#{}:".contains(&c)) {
            self.unget(c);
            return Some(b'#');
        }
        // The byte after the # is dropped unread, so a comment of nothing swallows its own line end.
        c = self.get();
        while c.is_some_and(|c| c != b'\n') {
            c = self.get();
        }
        c
    }

    fn escape(&mut self, word: &mut Vec<u8>) -> Result<(), BadWord> {
        let Some(c) = self.get() else { return Err(BadWord) };
        let byte = match c {
            b'4'..=b'7' => return self.fail("invalid octal escape"),
            b'0'..=b'3' => return self.octal(c, word),
            b'u' => return self.unicode('u', 4, word),
            b'U' => return self.unicode('U', 8, word),
            b'a' => 0x07,
            b'b' => 0x08,
            b'e' => 0x1b,
            b'f' => 0x0c,
            b's' => b' ',
            b'v' => 0x0b,
            b'r' => b'\r',
            b'n' => b'\n',
            b't' => b'\t',
            c => c,
        };
        word.push(byte);
        Ok(())
    }

    fn octal(&mut self, first: u8, word: &mut Vec<u8>) -> Result<(), BadWord> {
        let mut value = first - b'0';
        for _ in 0..2 {
            match self.get() {
                Some(c @ b'0'..=b'7') => value = value.wrapping_mul(8) | (c - b'0'),
                _ => return self.fail("invalid octal escape"),
            }
        }
        word.push(value);
        Ok(())
    }

    fn unicode(&mut self, letter: char, digits: usize, word: &mut Vec<u8>) -> Result<(), BadWord> {
        let mut value = 0u32;
        for _ in 0..digits {
            let digit = match self.get() {
                None | Some(b'\n') => return Err(BadWord),
                Some(c) => (c as char).to_digit(16),
            };
            let Some(digit) = digit else { return self.fail(format!("invalid \\{letter} argument")) };
            value = value << 4 | digit;
        }
        match char::from_u32(value) {
            Some(c) => {
                word.extend(c.encode_utf8(&mut [0; 4]).as_bytes());
                Ok(())
            }
            None => self.fail(format!("invalid \\{letter} argument")),
        }
    }

    fn variable(&mut self, word: &mut Vec<u8>) -> Result<(), BadWord> {
        let Some(first) = self.get() else { return Err(BadWord) };
        let braces = first == b'{';
        let mut name = Vec::new();
        if !braces {
            if !is_name(first, true) {
                word.push(b'$');
                self.unget(Some(first));
                return Ok(());
            }
            name.push(first);
        }
        loop {
            match self.get() {
                Some(b'}') if braces => break,
                Some(c) if is_name(c, false) => {
                    if name.len() >= NAME_LIMIT {
                        return self.fail("environment variable is too long");
                    }
                    name.push(c);
                }
                _ if braces => return self.fail("invalid environment variable"),
                end => {
                    self.unget(end);
                    break;
                }
            }
        }
        if let Some(value) = self.environment(&lossy(name)) {
            word.extend(value.as_bytes());
        }
        Ok(())
    }

    /// The value of a variable, with the assignments of this text over those of the context.
    fn environment(&self, name: &str) -> Option<String> {
        match self.assignments.iter().rev().find(|assignment| assignment.name == name) {
            Some(assignment) => Some(assignment.value.clone()),
            None => (self.context.variable)(name),
        }
    }

    fn tilde(&mut self, word: &mut Vec<u8>) -> Result<(), BadWord> {
        let mut name = Vec::new();
        loop {
            match self.get() {
                Some(c) if !b"/ \t\n\"'".contains(&c) => {
                    if name.len() >= NAME_LIMIT {
                        return self.fail("user name is too long");
                    }
                    name.push(c);
                }
                end => {
                    self.unget(end);
                    break;
                }
            }
        }
        let home = if name.is_empty() {
            self.environment("HOME").filter(|home| !home.is_empty()).or_else(|| (self.context.home)(""))
        } else {
            (self.context.home)(&lossy(name))
        };
        word.extend(home.ok_or(BadWord)?.as_bytes());
        Ok(())
    }
}

/// Text of bytes that octal escapes may have made invalid.
fn lossy(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_else(|error| String::from_utf8_lossy(error.as_bytes()).into_owned())
}
