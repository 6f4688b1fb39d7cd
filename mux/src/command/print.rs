//! Commands back to text, as key lists, hooks and messages show them. What it prints, [`super::parse`] reads.

use super::arguments::{Arguments, Value};
use super::build::Command;
use super::parse::{Argument, ParsedCommand};

/// What stands between commands.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Separator {
    /// ` ; `, and ` ;; ` between groups: text to be parsed.
    Plain,
    /// ` \; ` and ` \;\; `: text that is itself an argument of another command.
    Escaped,
    /// ` \; ` always: the same, where groups don't matter.
    EscapedAlike,
    /// ` ; ` always.
    NoGroups,
}

impl Separator {
    fn text(self, same_group: bool) -> &'static str {
        match (self, same_group) {
            (Separator::NoGroups, _) | (Separator::Plain, true) => " ; ",
            (Separator::Plain, false) => " ;; ",
            (Separator::EscapedAlike, _) | (Separator::Escaped, true) => " \\; ",
            (Separator::Escaped, false) => " \\;\\; ",
        }
    }
}

/// One argument with the quotes and escapes it needs.
pub fn escape(text: &str) -> String {
    if text.is_empty() {
        return String::from("''");
    }
    let quote = if text.contains([' ', '#', '\'', ';', '$', '{', '}', '%']) {
        Some('"')
    } else if text.contains([' ', '"']) {
        Some('\'')
    } else {
        None
    };
    if text.len() == 1 && text != " " && (quote.is_some() || text == "~") {
        return format!("\\{text}");
    }
    let escaped = escape_characters(text, quote == Some('"'));
    let tilde = if escaped.starts_with('~') && quote != Some('\'') { "\\" } else { "" };
    match quote {
        None => format!("{tilde}{escaped}"),
        Some(quote) => format!("{quote}{tilde}{escaped}{quote}"),
    }
}

/// Escapes what is not printable, and `\`; in double quotes also `"` and a `$` that would name a variable.
fn escape_characters(text: &str, double_quoted: bool) -> String {
    let mut out = String::with_capacity(text.len() + 8);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        match c {
            '$' if double_quoted => {
                if characters.peek().is_some_and(|&next| next.is_ascii_alphabetic() || next == '_' || next == '{') {
                    out.push('\\');
                }
                out.push('$');
            }
            '"' if double_quoted => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\x08' => out.push_str("\\b"),
            '\x07' => out.push_str("\\a"),
            '\x0b' => out.push_str("\\v"),
            '\t' => out.push_str("\\t"),
            '\x0c' => out.push_str("\\f"),
            c if c.is_ascii_control() => out.push_str(&format!("\\{:03o}", u32::from(c))),
            c => out.push(c),
        }
    }
    out
}

/// Flags without values first, then those with one, then one whose optional value was left out, then the rest.
pub fn print_arguments(arguments: &Arguments) -> String {
    let mut words = Vec::new();
    let mut joined = String::new();
    for (letter, count, values, bare) in arguments.flags() {
        if !bare && values.is_empty() {
            joined.extend(std::iter::repeat_n(letter, count));
        }
    }
    if !joined.is_empty() {
        words.push(format!("-{joined}"));
    }
    for (letter, _, values, _) in arguments.flags() {
        words.extend(values.iter().map(|value| format!("-{letter} {}", print_value(value))));
    }
    // Its value can be left out only where nothing follows, so it stays without one when it is read again.
    words.extend(arguments.flags().filter(|(.., bare)| *bare).map(|(letter, ..)| format!("-{letter}")));
    words.extend(arguments.positional().iter().map(print_value));
    words.join(" ")
}

fn print_value(value: &Value) -> String {
    match value {
        Value::Text(text) => escape(text),
        Value::Commands(commands) => format!("{{ {} }}", print_commands(commands, Separator::Plain)),
    }
}

/// A command by its full name.
pub fn print_command(command: &Command) -> String {
    let arguments = print_arguments(&command.arguments);
    if arguments.is_empty() {
        String::from(command.signature.name)
    } else {
        format!("{} {arguments}", command.signature.name)
    }
}

/// A list of commands; inside blocks the separator is always plain.
pub fn print_commands(commands: &[Command], separator: Separator) -> String {
    let mut out = String::new();
    for (index, command) in commands.iter().enumerate() {
        if index > 0 {
            out.push_str(separator.text(commands[index - 1].group == command.group));
        }
        out.push_str(&print_command(command));
    }
    out
}

/// Commands whose names were not resolved, word for word.
pub fn print_parsed(commands: &[ParsedCommand], separator: Separator) -> String {
    let mut out = String::new();
    for (index, command) in commands.iter().enumerate() {
        if index > 0 {
            out.push_str(separator.text(commands[index - 1].group == command.group));
        }
        for (place, argument) in command.arguments.iter().enumerate() {
            if place > 0 {
                out.push(' ');
            }
            match argument {
                Argument::Text(text) => out.push_str(&escape(text)),
                Argument::Built(inner) => {
                    out.push_str(&format!("{{ {} }}", print_commands(inner, Separator::Plain)));
                }
                Argument::Commands(inner) => {
                    out.push_str("{ ");
                    out.push_str(&print_parsed(inner, Separator::Plain));
                    out.push_str(" }");
                }
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::super::build::tests::build_text;
    use super::super::parse::{ParseContext, parse};
    use super::*;
    use proptest::prelude::*;

    fn again(text: &str) -> String {
        print_commands(&build_text(text).unwrap(), Separator::Plain)
    }

    #[test]
    fn words_are_quoted_only_when_they_must_be() {
        for (text, printed) in [
            ("", "''"),
            ("plain", "plain"),
            ("two words", "\"two words\""),
            (";", "\\;"),
            ("~", "\\~"),
            ("~x", "\\~x"),
            ("~x y", "\"\\~x y\""),
            ("a\"b", "'a\"b'"),
            ("\"", "\\\""),
            ("it's", "\"it's\""),
            ("$HOME", "\"\\$HOME\""),
            ("$1", "\"$1\""),
            ("a\\b", "a\\\\b"),
            ("a\tb\x1b", "a\\tb\\033"),
            ("#{x}", "\"#{x}\""),
            ("é", "é"),
            (" ", "\" \""),
        ] {
            assert_eq!(escape(text), printed, "{text:?}");
        }
    }

    #[test]
    fn commands_print_with_full_names_and_sorted_flags() {
        assert_eq!(
            again("bind -T root -n x { send -N 5 up ; last }"),
            "bind-key -n -T root x { send-keys -X -N 5 up ; last-window }"
        );
        assert_eq!(again("display -E"), "display-message -E");
        assert_eq!(again("display -p -t -t -E"), "display-message -p -t -t -E");
        assert_eq!(again("display -p -E 'a b'"), "display-message -p -E \"a b\"");
        let commands = build_text("lastp ; last").unwrap();
        assert_eq!(print_commands(&commands, Separator::Escaped), "last-pane \\; last-window");
    }

    #[test]
    fn groups_show() {
        let context = ParseContext { one_group: false, ..ParseContext::PLAIN };
        let parsed = parse("a; b\nc", &context).unwrap().commands;
        assert_eq!(print_parsed(&parsed, Separator::Plain), "a ; b ;; c");
        assert_eq!(print_parsed(&parsed, Separator::Escaped), "a \\; b \\;\\; c");
        assert_eq!(print_parsed(&parsed, Separator::NoGroups), "a ; b ; c");
    }

    /// Words that survive: tmux leaves a backslash or control character inside single quotes escaped, so a word with
    /// a double quote but nothing that asks for double quotes is not read back.
    fn word() -> impl Strategy<Value = String> {
        "[a-z~$#;'\"{}%\\\\ =\n\t\u{e9}\u{1b}@-]{0,6}".prop_filter("kept by single quotes", |word| {
            let double = word.contains([' ', '#', '\'', ';', '$', '{', '}', '%']);
            double || !word.contains('"') || !word.contains(['\\', '\n', '\t', '\u{1b}'])
        })
    }

    fn command(depth: u32) -> BoxedStrategy<ParsedCommand> {
        let text = word().prop_map(Argument::Text);
        let argument = if depth == 0 {
            text.boxed()
        } else {
            prop_oneof![4 => text, 1 => prop::collection::vec(command(depth - 1), 0..3).prop_map(Argument::Commands)]
                .boxed()
        };
        ("[a-z-]{1,8}", prop::collection::vec(argument, 0..4))
            .prop_map(|(name, mut arguments)| {
                arguments.insert(0, Argument::Text(name));
                ParsedCommand { line: 1, group: 0, arguments }
            })
            .boxed()
    }

    proptest! {
        #[test]
        fn what_is_printed_is_read_back(commands in prop::collection::vec(command(2), 0..4)) {
            let printed = print_parsed(&commands, Separator::Plain);
            prop_assert_eq!(parse(&printed, &ParseContext::PLAIN).unwrap().commands, commands, "{}", printed);
        }
    }
}
