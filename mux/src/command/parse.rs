//! Text to parsed commands: the grammar of configuration files, bindings and control lines. Never resolves a name.

use super::build::Command;
use super::lexer::{Lexer, Token};

/// How deep `{` and `%if` may nest.
const NESTING_LIMIT: usize = 200;

/// The longest `NAME=value`, in bytes.
const ASSIGNMENT_LIMIT: usize = 16384;

/// What the text may ask of its surroundings.
pub struct ParseContext<'a> {
    /// The value of an environment variable, for `$NAME`.
    pub variable: &'a dyn Fn(&str) -> Option<String>,
    /// The home of a user, for `~user`; of our own for an empty name (asked only when `HOME` is not set).
    pub home: &'a dyn Fn(&str) -> Option<String>,
    /// Expands the condition of `%if` or `%elif`; the second argument holds the assignments the text made before it.
    pub expand: &'a dyn Fn(&str, &[Assignment]) -> String,
    /// Puts all commands into one group, as tmux does for text that is not a file.
    pub one_group: bool,
    /// Checks only: assignments have no effect.
    pub parse_only: bool,
    /// Number of the first line.
    pub line: u32,
}

impl ParseContext<'static> {
    /// A context without environment, homes or formats (conditions are taken as they stand); one group, first line 1.
    pub const PLAIN: ParseContext<'static> = ParseContext {
        variable: &|_| None,
        home: &|_| None,
        expand: &|text, _| String::from(text),
        one_group: true,
        parse_only: false,
        line: 1,
    };
}

/// One command as it was written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParsedCommand {
    /// The line its end stands on, from 1.
    pub line: u32,
    /// Commands of one line share a group; an error in one drops the rest of the group. Numbers start at 0 in each list.
    pub group: u32,
    /// The name and what follows it; never empty.
    pub arguments: Vec<Argument>,
}

/// A word of a command.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Argument {
    /// A plain word.
    Text(String),
    /// A `{ ... }` block.
    Commands(Vec<ParsedCommand>),
    /// A block that was built before, as an argument of another command.
    Built(Vec<Command>),
}

/// An environment variable the text sets.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Assignment {
    /// Its name.
    pub name: String,
    /// Its value.
    pub value: String,
    /// Written after `%hidden`: not passed on to children.
    pub hidden: bool,
}

/// What a text holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Parsed {
    /// The commands, in order.
    pub commands: Vec<ParsedCommand>,
    /// The assignments that took effect, in order.
    pub assignments: Vec<Assignment>,
}

/// Why a text is not in the language.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{message}")]
pub struct ParseError {
    /// The line of the error; the caller puts `file:line: ` before the message when there is a file.
    pub line: u32,
    /// tmux's words.
    pub message: String,
    /// Assignments that took effect before the error.
    pub assignments: Vec<Assignment>,
}

/// Parses a text. Quotes that are still open at its end are closed.
pub fn parse(text: &str, context: &ParseContext<'_>) -> Result<Parsed, ParseError> {
    let mut parser = Parser::new(text, context);
    match parser.lines() {
        Ok(commands) => Ok(Parsed { commands, assignments: parser.lexer.assignments }),
        Err(Bad(message)) => Err(ParseError {
            line: parser.lexer.line,
            message: parser.lexer.cause.take().unwrap_or_else(|| String::from(message)),
            assignments: parser.lexer.assignments,
        }),
    }
}

/// Splits words that are already words, as of a command line; see [`split`].
pub fn parse_argv(words: &[String]) -> Vec<ParsedCommand> {
    split(words.iter().cloned().map(Argument::Text), 0)
}

/// Splits words into commands of one group, all on `line`: a word `;`, or a `;` at the end of one, ends a command;
/// `\;` at the end is a semicolon of the word.
pub fn split(words: impl Iterator<Item = Argument>, line: u32) -> Vec<ParsedCommand> {
    let mut commands = Vec::new();
    let mut arguments = Vec::new();
    let mut end = |arguments: &mut Vec<Argument>| {
        if !arguments.is_empty() {
            commands.push(ParsedCommand { line, group: 0, arguments: std::mem::take(arguments) });
        }
    };
    for word in words {
        let stem = match &word {
            Argument::Text(text) => text.strip_suffix(';').map(String::from),
            _ => None,
        };
        let Some(stem) = stem else {
            arguments.push(word);
            continue;
        };
        if let Some(stem) = stem.strip_suffix('\\') {
            arguments.push(Argument::Text(format!("{stem};")));
            continue;
        }
        if !stem.is_empty() {
            arguments.push(Argument::Text(stem));
        }
        end(&mut arguments);
    }
    end(&mut arguments);
    commands
}

/// Numbers the groups of a finished list.
fn number_groups(commands: &mut [ParsedCommand], one_group: bool) {
    let mut group = 0;
    let mut line = commands.first().map_or(0, |command| command.line);
    for command in commands {
        if !one_group && command.line != line {
            group += 1;
        }
        line = command.line;
        command.group = group;
    }
}

/// The text is wrong; the words for it, unless the lexer has better ones.
struct Bad(&'static str);

type Parse<T> = Result<T, Bad>;

const SYNTAX: Bad = Bad("syntax error");

/// Which form of `%if` is being read: on lines of its own, or within one line.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    Lines,
    Inline,
}

struct Parser<'a> {
    lexer: Lexer<'a>,
    context: &'a ParseContext<'a>,
    peeked: Option<Token>,
    depth: usize,
    /// False inside a branch that was not taken.
    active: bool,
}

impl<'a> Parser<'a> {
    fn new(text: &'a str, context: &'a ParseContext<'a>) -> Parser<'a> {
        Parser { lexer: Lexer::new(text, context), context, peeked: None, depth: 0, active: true }
    }

    fn peek(&mut self) -> &Token {
        if self.peeked.is_none() {
            self.peeked = Some(self.lexer.next());
        }
        self.peeked.as_ref().unwrap_or(&Token::End)
    }

    fn take(&mut self) -> Token {
        self.peeked.take().unwrap_or_else(|| self.lexer.next())
    }

    fn at(&mut self, token: &Token) -> bool {
        self.peek() == token
    }

    fn expect(&mut self, token: &Token) -> Parse<()> {
        if self.take() == *token { Ok(()) } else { Err(SYNTAX) }
    }

    fn descend(&mut self) -> Parse<()> {
        self.depth += 1;
        if self.depth > NESTING_LIMIT { Err(Bad("memory exhausted")) } else { Ok(()) }
    }

    fn lines(&mut self) -> Parse<Vec<ParsedCommand>> {
        let mut commands = Vec::new();
        while !self.at(&Token::End) {
            self.statement(&mut commands)?;
            self.expect(&Token::Newline)?;
        }
        number_groups(&mut commands, self.context.one_group);
        Ok(commands)
    }

    /// One statement, up to but without what ends it.
    fn statement(&mut self, commands: &mut Vec<ParsedCommand>) -> Parse<()> {
        match self.peek() {
            Token::Hidden => {
                self.take();
                match self.take() {
                    Token::Equals(text) => self.assign(&text, true),
                    _ => Err(SYNTAX),
                }
            }
            Token::If => {
                if self.condition(commands)? == Form::Lines {
                    Ok(())
                } else {
                    self.rest_of_commands(commands)
                }
            }
            Token::Word(_) | Token::Equals(_) => {
                self.command(commands)?;
                self.rest_of_commands(commands)
            }
            _ => Ok(()),
        }
    }

    /// What follows the first command of a line: `;` and further commands, in any number.
    fn rest_of_commands(&mut self, commands: &mut Vec<ParsedCommand>) -> Parse<()> {
        while self.at(&Token::Semicolon) {
            self.take();
            match self.peek() {
                Token::Word(_) | Token::Equals(_) => self.command(commands)?,
                Token::If => self.inline_condition(commands)?,
                _ => {}
            }
        }
        Ok(())
    }

    /// The commands of one branch of an inline condition; there must be one.
    fn commands(&mut self, commands: &mut Vec<ParsedCommand>) -> Parse<()> {
        match self.peek() {
            Token::Word(_) | Token::Equals(_) => self.command(commands)?,
            Token::If => self.inline_condition(commands)?,
            _ => return Err(SYNTAX),
        }
        self.rest_of_commands(commands)
    }

    fn inline_condition(&mut self, commands: &mut Vec<ParsedCommand>) -> Parse<()> {
        if self.condition(commands)? == Form::Inline { Ok(()) } else { Err(SYNTAX) }
    }

    /// A whole `%if` to `%endif`; says which form it had.
    fn condition(&mut self, commands: &mut Vec<ParsedCommand>) -> Parse<Form> {
        self.descend()?;
        let outer = self.active;
        self.take();
        let mut holds = self.expanded()?;
        let form = if self.at(&Token::Newline) { Form::Lines } else { Form::Inline };
        let mut decided = false;
        loop {
            self.active = outer && holds && !decided;
            self.branch(form, commands)?;
            decided |= holds;
            match self.take() {
                Token::Elif => holds = self.expanded()?,
                Token::Else => {
                    self.active = outer && !decided;
                    self.branch(form, commands)?;
                    self.expect(&Token::Endif)?;
                    break;
                }
                Token::Endif => break,
                _ => return Err(SYNTAX),
            }
        }
        self.active = outer;
        self.depth -= 1;
        Ok(form)
    }

    fn branch(&mut self, form: Form, commands: &mut Vec<ParsedCommand>) -> Parse<()> {
        if form == Form::Inline {
            return self.commands(commands);
        }
        self.expect(&Token::Newline)?;
        loop {
            self.statement(commands)?;
            self.expect(&Token::Newline)?;
            if matches!(self.peek(), Token::Elif | Token::Else | Token::Endif) {
                return Ok(());
            }
        }
    }

    /// The condition after `%if` or `%elif`: true unless empty or `0`.
    fn expanded(&mut self) -> Parse<bool> {
        let text = match self.take() {
            Token::Format(text) | Token::Word(text) => text,
            _ => return Err(SYNTAX),
        };
        let value = (self.context.expand)(&text, &self.lexer.assignments);
        Ok(!value.is_empty() && value != "0")
    }

    fn command(&mut self, commands: &mut Vec<ParsedCommand>) -> Parse<()> {
        let name = match self.take() {
            Token::Equals(text) => {
                self.assign(&text, false)?;
                if !matches!(self.peek(), Token::Word(_)) {
                    return Ok(());
                }
                match self.take() {
                    Token::Word(name) => name,
                    _ => return Err(SYNTAX),
                }
            }
            Token::Word(name) => name,
            _ => return Err(SYNTAX),
        };
        let mut arguments = vec![Argument::Text(name)];
        while matches!(self.peek(), Token::Word(_) | Token::Equals(_) | Token::Open) {
            let argument = match self.take() {
                Token::Word(text) | Token::Equals(text) => Argument::Text(text),
                _ => Argument::Commands(self.block()?),
            };
            arguments.push(argument);
        }
        if self.active {
            commands.push(ParsedCommand { line: self.lexer.line, group: 0, arguments });
        }
        Ok(())
    }

    /// The inside of `{ ... }` and its closing brace.
    fn block(&mut self) -> Parse<Vec<ParsedCommand>> {
        self.descend()?;
        let mut commands = Vec::new();
        loop {
            self.statement(&mut commands)?;
            match self.take() {
                Token::Close => break,
                Token::Newline => {}
                _ => return Err(SYNTAX),
            }
        }
        self.depth -= 1;
        number_groups(&mut commands, self.context.one_group);
        Ok(commands)
    }

    fn assign(&mut self, text: &str, hidden: bool) -> Parse<()> {
        if text.len() > ASSIGNMENT_LIMIT {
            return Err(Bad("environment variable is too long"));
        }
        if self.active && !self.context.parse_only {
            let (name, value) = text.split_once('=').unwrap_or((text, ""));
            let assignment = Assignment { name: String::from(name), value: String::from(value), hidden };
            self.lexer.assignments.push(assignment);
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
