//! Parsed commands to commands: aliases, names, checked arguments. Works on any table of signatures.

use super::arguments::{Arguments, ArgumentsError, Template, Value};
use super::parse::{Argument, ParseContext, ParseError, ParsedCommand, parse, split};

/// The part of a row of the table of commands that the language needs.
#[derive(Debug)]
pub struct Signature {
    /// The full name.
    pub name: &'static str,
    /// The short name.
    pub alias: Option<&'static str>,
    /// What it takes.
    pub template: Template,
    /// Its flags and arguments as the manual shows them.
    pub usage: &'static str,
}

/// The names a text can use.
pub trait CommandTable {
    /// The command of a name, alias or unique beginning of a name (see [`resolve`]).
    fn find(&self, name: &str) -> Result<&'static Signature, String>;
    /// The text of the user's alias of that name (option `command-alias`).
    fn user_alias(&self, name: &str) -> Option<String>;
}

/// A command that can run.
#[derive(Clone, Debug)]
pub struct Command {
    /// Its row.
    pub signature: &'static Signature,
    /// Its arguments.
    pub arguments: Arguments,
    /// The line it stood on.
    pub line: u32,
    /// Its group, counted within its list.
    pub group: u32,
}

impl PartialEq for Command {
    fn eq(&self, other: &Command) -> bool {
        self.signature.name == other.signature.name
            && self.arguments == other.arguments
            && self.line == other.line
            && self.group == other.group
    }
}

impl Eq for Command {}

/// Finds a name among rows in table order: an exact alias or name wins, else the one name that begins so.
pub fn resolve<'a, T>(
    name: &str,
    rows: impl Iterator<Item = T> + Clone,
    names: impl Fn(&T) -> (&'a str, Option<&'a str>),
) -> Result<T, String> {
    let mut candidates = Vec::new();
    for row in rows {
        let (full, alias) = names(&row);
        if alias == Some(name) || full == name {
            return Ok(row);
        }
        if full.starts_with(name) {
            candidates.push(row);
        }
    }
    if candidates.len() > 1 {
        let list = candidates.iter().map(|row| names(row).0).collect::<Vec<_>>().join(", ");
        return Err(format!("ambiguous command: {name}, could be: {list}"));
    }
    candidates.pop().ok_or_else(|| format!("unknown command: {name}"))
}

/// Whether user aliases are looked up: they are not inside the text of one.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Aliases {
    Expand,
    Keep,
}

/// Resolves names and checks arguments, inside blocks too. A user's alias is replaced by its text, which is parsed in
/// `context`; what followed the alias goes to the last command of that text.
pub fn build(
    parsed: Vec<ParsedCommand>,
    table: &dyn CommandTable,
    context: &ParseContext<'_>,
) -> Result<Vec<Command>, ParseError> {
    build_list(parsed, table, context, Aliases::Expand)
}

/// Commands from the arguments of another command, as `bind-key` has them: split at `;`, all on `line`.
pub fn build_values(
    values: &[Value],
    line: u32,
    table: &dyn CommandTable,
    context: &ParseContext<'_>,
) -> Result<Vec<Command>, ParseError> {
    let words = values.iter().map(|value| match value {
        Value::Text(text) => Argument::Text(text.clone()),
        Value::Commands(commands) => Argument::Built(commands.clone()),
    });
    build(split(words, line), table, context)
}

fn build_list(
    parsed: Vec<ParsedCommand>,
    table: &dyn CommandTable,
    context: &ParseContext<'_>,
    aliases: Aliases,
) -> Result<Vec<Command>, ParseError> {
    let mut commands = Vec::with_capacity(parsed.len());
    for command in parsed {
        let Some(Argument::Text(name)) = command.arguments.first() else { continue };
        match table.user_alias(name).filter(|_| aliases == Aliases::Expand) {
            None => commands.push(build_one(command, table, context, aliases)?),
            Some(text) => commands.extend(build_alias(&text, command, table, context)?),
        }
    }
    Ok(commands)
}

fn build_alias(
    text: &str,
    command: ParsedCommand,
    table: &dyn CommandTable,
    context: &ParseContext<'_>,
) -> Result<Vec<Command>, ParseError> {
    let mut expanded = parse(text, &ParseContext { line: command.line, one_group: true, ..*context })?.commands;
    if let Some(last) = expanded.last_mut() {
        last.arguments.extend(command.arguments.into_iter().skip(1));
    }
    let mut commands = build_list(expanded, table, context, Aliases::Keep)?;
    for built in &mut commands {
        built.group = command.group;
    }
    Ok(commands)
}

fn build_one(
    command: ParsedCommand,
    table: &dyn CommandTable,
    context: &ParseContext<'_>,
    aliases: Aliases,
) -> Result<Command, ParseError> {
    let ParsedCommand { line, group, arguments } = command;
    let fail = |message| ParseError { line, message, assignments: Vec::new() };
    let mut name = String::new();
    let mut values = Vec::with_capacity(arguments.len());
    for (index, argument) in arguments.into_iter().enumerate() {
        match argument {
            Argument::Text(text) if index == 0 => name = text,
            Argument::Text(text) => values.push(Value::Text(text)),
            Argument::Built(commands) => values.push(Value::Commands(commands)),
            Argument::Commands(parsed) => values.push(Value::Commands(build_list(parsed, table, context, aliases)?)),
        }
    }
    let signature = table.find(&name).map_err(fail)?;
    let arguments = Arguments::parse(&signature.template, values).map_err(|error| match error {
        ArgumentsError::Usage => fail(format!("usage: {} {}", signature.name, signature.usage)),
        error => fail(format!("command {}: {error}", signature.name)),
    })?;
    Ok(Command { signature, arguments, line, group })
}

#[cfg(test)]
pub(super) mod tests {
    use super::super::print::{Separator, print_commands};
    use super::*;

    static SIGNATURES: &[Signature] = &[
        signature("bind-key", Some("bind"), Template::commands("nrN:T:", 1, None)),
        signature("display-message", Some("display"), Template::text("pt:E::", 0, Some(1))),
        signature("last-pane", Some("lastp"), Template::text("t:", 0, Some(0))),
        signature("last-window", Some("last"), Template::text("t:", 0, Some(0))),
        signature("send-keys", Some("send"), Template::text("XN:t:", 0, None)),
    ];

    const fn signature(name: &'static str, alias: Option<&'static str>, template: Template) -> Signature {
        Signature { name, alias, template, usage: "[-t target]" }
    }

    /// A table of a few commands and two aliases.
    pub(in crate::command) struct Table;

    impl CommandTable for Table {
        fn find(&self, name: &str) -> Result<&'static Signature, String> {
            resolve(name, SIGNATURES.iter(), |row| (row.name, row.alias))
        }

        fn user_alias(&self, name: &str) -> Option<String> {
            match name {
                "say" => Some("display-message -p".into()),
                "both" => Some("last-pane; say".into()),
                "send" => Some("send-keys -X".into()),
                _ => None,
            }
        }
    }

    pub(in crate::command) fn build_text(text: &str) -> Result<Vec<Command>, String> {
        let parsed = parse(text, &ParseContext::PLAIN).map_err(|error| error.message)?;
        build(parsed.commands, &Table, &ParseContext::PLAIN).map_err(|error| error.message)
    }

    #[test]
    fn names_resolve_by_alias_name_and_beginning() {
        assert_eq!(Table.find("last").unwrap().name, "last-window");
        assert_eq!(Table.find("disp").unwrap().name, "display-message");
        assert_eq!(Table.find("nope").unwrap_err(), "unknown command: nope");
        assert_eq!(Table.find("las").unwrap_err(), "ambiguous command: las, could be: last-pane, last-window");
    }

    #[test]
    fn arguments_of_a_binding_are_commands() {
        let binding = build_text("bind x bind y { send up } \\; say hi").unwrap();
        let values = &binding[0].arguments.positional()[1..];
        let commands = build_values(values, 7, &Table, &ParseContext::PLAIN).unwrap();
        let printed = "bind-key y { send-keys -X up } \\; display-message -p hi";
        assert_eq!(print_commands(&commands, Separator::Escaped), printed);
        assert_eq!(commands[1].line, 7);
    }

    #[test]
    fn errors_name_the_command() {
        assert_eq!(build_text("display -Z").unwrap_err(), "command display-message: unknown flag -Z");
        assert_eq!(build_text("bind x { nope }").unwrap_err(), "unknown command: nope");
        assert_eq!(build_text("last-pane -?").unwrap_err(), "usage: last-pane [-t target]");
    }

    #[test]
    fn a_user_alias_takes_the_rest_and_is_not_read_again() {
        let commands = build_text("say hello").unwrap();
        assert_eq!(commands[0].signature.name, "display-message");
        assert_eq!(commands[0].arguments.string(0).unwrap(), "hello");
        assert_eq!(build_text("both x").unwrap_err(), "unknown command: say");
        assert!(build_text("send cancel").unwrap()[0].arguments.has('X'));
    }

    proptest::proptest! {
        #[test]
        fn what_is_built_prints_the_same_again(text in "(display |bind |send |say )?([-a-zA-Z:?%{}; 0-9\u{e9}]|-E|-t ){0,20}") {
            if let Ok(commands) = build_text(&text) {
                let printed = print_commands(&commands, Separator::Plain);
                let again = build_text(&printed).map(|commands| print_commands(&commands, Separator::Plain));
                proptest::prop_assert_eq!(again, Ok(printed));
            }
        }
    }
}
