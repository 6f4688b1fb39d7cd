//! Texts and what they parse to.

use super::super::print::{Separator, print_parsed};
use super::*;
use proptest::prelude::*;

fn context() -> ParseContext<'static> {
    ParseContext {
        variable: &|name| match name {
            "HOME" => Some("/home/me".into()),
            "V" => Some("val ue".into()),
            _ => None,
        },
        home: &|user| (user == "ann").then(|| "/home/ann".into()),
        expand: &|text, assignments| match text.strip_prefix("#{").and_then(|text| text.strip_suffix('}')) {
            Some(name) => assignments
                .iter()
                .rev()
                .find(|assignment| assignment.name == name)
                .map_or_else(|| name.into(), |assignment| assignment.value.clone()),
            None => text.into(),
        },
        one_group: false,
        parse_only: false,
        line: 1,
    }
}

fn words(text: &str) -> Vec<String> {
    let parsed = parse(text, &context()).unwrap();
    parsed.commands[0]
        .arguments
        .iter()
        .map(|argument| match argument {
            Argument::Text(text) => text.clone(),
            Argument::Commands(commands) => format!("<{}>", print_parsed(commands, Separator::Plain)),
            Argument::Built(_) => unreachable!("text has no built commands"),
        })
        .collect()
}

/// The commands of a text, printed; groups show as `;;`.
fn commands(text: &str) -> String {
    print_parsed(&parse(text, &context()).unwrap().commands, Separator::Plain)
}

fn error(text: &str) -> String {
    let error = parse(text, &context()).unwrap_err();
    format!("{}: {error}", error.line)
}

#[test]
fn words_are_split_and_quotes_join() {
    assert_eq!(words("a  b\tc"), ["a", "b", "c"]);
    assert_eq!(words("a 'b c'\"d e\"f"), ["a", "b cd ef"]);
    assert_eq!(words("a '' \"\""), ["a", "", ""]);
    assert_eq!(words("a 'x\\n$V~'"), ["a", "x\\n$V~"]);
    assert_eq!(words("a b{c"), ["a", "b{c"]);
    assert_eq!(words("a b#c # d"), ["a", "b#c"]);
    assert_eq!(words("a %0 %% FOO=bar"), ["a", "%0", "%%", "FOO=bar"]);
}

#[test]
fn open_quotes_close_at_the_end() {
    assert_eq!(words("a 'b c"), ["a", "b c"]);
    assert_eq!(words("a \"b"), ["a", "b"]);
    assert_eq!(words("a b\r"), ["a", "b\r"]);
    assert_eq!(words("a b\r\n"), ["a", "b"]);
}

#[test]
fn escapes_are_read() {
    assert_eq!(words(r#"a \n\t\e\s\" \101 \u00e9 \U0001F600 \; \x"#), ["a", "\n\t\u{1b} \"", "A", "é", "😀", ";", "x"]);
    assert_eq!(words(r"a \303\251"), ["a", "é"]);
    assert_eq!(words("a b\\\nc"), ["a", "bc"]);
    assert_eq!(words("a b\\\\\\\nc"), ["a", "b\\c"]);
    assert_eq!(error(r"a \9 \400"), "1: invalid octal escape");
    assert_eq!(error(r"a \18"), "1: invalid octal escape");
    assert_eq!(error(r"a \u12g4"), "1: invalid \\u argument");
    assert_eq!(error(r"a \ud800"), "1: invalid \\u argument");
    assert_eq!(error("a \\"), "1: syntax error");
}

#[test]
fn variables_and_homes_expand() {
    assert_eq!(
        words("a $V ${V}x \"$V\" '$V' $nope $1 \\$V"),
        ["a", "val ue", "val uex", "val ue", "$V", "", "$1", "$V"]
    );
    assert_eq!(
        words("a ~ ~/x ~ann/y x~ \"~/z\" '~'"),
        ["a", "/home/me", "/home/me/x", "/home/ann/y", "x~", "/home/me/z", "~"]
    );
    assert_eq!(error("a ~nobody"), "1: syntax error");
    assert_eq!(error("a ${V"), "1: invalid environment variable");
    assert_eq!(error("a $"), "1: syntax error");
    assert_eq!(error(&format!("a ${}", "x".repeat(2000))), "1: environment variable is too long");
    assert_eq!(error(&format!("a ~{}", "x".repeat(2000))), "1: user name is too long");
}

#[test]
fn newlines_in_quotes_drop_the_indent_and_comments() {
    assert_eq!(words("a 'b\n   c'"), ["a", "b\nc"]);
    assert_eq!(words("a 'b\n  # comment\n  c'"), ["a", "b\n\nc"]);
    assert_eq!(words("a 'b\n  #{c}'"), ["a", "b\n#{c}"]);
}

#[test]
fn commands_and_groups() {
    assert_eq!(commands("a; b ;c"), "a ; b ; c");
    assert_eq!(commands("a\nb; c\n\n# x\nd"), "a ;; b ; c ;; d");
    assert_eq!(commands("a ;; b ;"), "a ; b");
    assert_eq!(commands("a { b ; c } { }"), "a { b ; c } {  }");
    assert_eq!(commands("a {\n  b\n  c\n}\nd"), "a { b ;; c } ;; d");
    assert_eq!(commands(""), "");
    assert_eq!(error("; a"), "1: syntax error");
    assert_eq!(error("a }"), "1: syntax error");
    assert_eq!(error("a\nb {"), "2: syntax error");
    assert_eq!(error("a\n{ b }"), "2: syntax error");
    assert_eq!(error("refresh -A %0:pause"), "1: syntax error");
}

#[test]
fn a_command_stands_on_the_line_of_its_end() {
    let parsed = parse("a\nb {\nc\n}\nd", &context()).unwrap().commands;
    assert_eq!(parsed.iter().map(|command| command.line).collect::<Vec<_>>(), [1, 4, 5]);
    let Argument::Commands(inner) = &parsed[1].arguments[1] else { panic!("a block") };
    assert_eq!(inner[0].line, 3);
}

#[test]
fn assignments_are_seen_at_once() {
    let parsed = parse("A=1 a $A\n%hidden B=\"x y\"\nb $B", &context()).unwrap();
    assert_eq!(print_parsed(&parsed.commands, Separator::Plain), "a 1 ;; b \"x y\"");
    let assignment = |name: &str, value: &str, hidden| Assignment { name: name.into(), value: value.into(), hidden };
    assert_eq!(parsed.assignments, [assignment("A", "1", false), assignment("B", "x y", true)]);
    assert_eq!(error("A=1 B=2"), "1: syntax error");
    assert_eq!(error("%hidden a"), "1: syntax error");
    let long = format!("A={}", "x".repeat(20000));
    assert_eq!(error(&long), "1: environment variable is too long");
    let only = parse("A=1 a $A", &ParseContext { parse_only: true, ..context() }).unwrap();
    assert_eq!((only.assignments.len(), words("a x")[1].as_str()), (0, "x"));
}

#[test]
fn conditions_choose() {
    assert_eq!(commands("%if #{1}\na\n%elif 1\nb\n%else\nc\n%endif\nd"), "a ;; d");
    assert_eq!(commands("%if #{0}\na\n%elif 1\nb\n%else\nc\n%endif\nd"), "b ;; d");
    assert_eq!(commands("%if #{0}\na\n%elif 0\nb\n%else\nc\n%endif"), "c");
    assert_eq!(commands("%if 0\n%if 1\na\n%endif\n%else\nb\n%endif"), "b");
    assert_eq!(commands("X=1\n%if #{X}\na\n%endif"), "a");
    assert_eq!(commands("%if 1 a ; b %else c %endif"), "a ; b");
    assert_eq!(commands("%if 0 a %elif 1 b %endif ; d"), "b ; d");
    assert_eq!(commands("x; %if 0 a %else %if 1 b %endif %endif"), "x ; b");
    assert_eq!(commands("y {\n%if 1\na\n%endif\n}"), "y { a }");
    let parsed = parse("%if 0\nA=1\n%else\nB=1\n%endif", &context()).unwrap();
    assert_eq!(parsed.assignments.len(), 1);
    for bad in ["%if 1\na", "%endif", "%if 1\n%endif", "%if 1 %endif", "%if\na\n%endif", "%foo", "a %if 1 b %endif"] {
        assert!(error(bad).ends_with(": syntax error"), "{bad}");
    }
}

#[test]
fn nesting_is_bounded() {
    assert_eq!(error(&"a { ".repeat(100_000)), "1: memory exhausted");
    assert_eq!(error(&"%if 1 ".repeat(100_000)), "1: memory exhausted");
    let deep = format!("{}{}", "a { ".repeat(NESTING_LIMIT), "} ".repeat(NESTING_LIMIT));
    assert_eq!(parse(&deep, &context()).unwrap().commands.len(), 1);
}

#[test]
fn words_of_a_command_line_split_at_semicolons() {
    let split = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| String::from(*word)).collect();
        print_parsed(&parse_argv(&words), Separator::Plain)
    };
    assert_eq!(split(&["a", "b;", "c"]), "a b ; c");
    assert_eq!(split(&["a", ";", "b", "\\;"]), "a ; b \\;");
    assert_eq!(split(&["a", "x\\;", ";", ";"]), "a \"x;\"");
    assert_eq!(split(&[";"]), "");
}

proptest! {
    #[test]
    fn no_text_panics(text in "([a-z ;{}'\"$~%#\\\\\n\r=0-9\u{e9}]|%if |%endif|%else|%elif |#\\{|\\\\u){0,60}") {
        let _ = parse(&text, &context());
    }

    #[test]
    fn no_text_at_all_panics(text in any::<String>()) {
        let _ = parse(&text, &context());
    }
}
