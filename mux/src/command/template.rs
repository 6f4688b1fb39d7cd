//! `%%` and `%1` to `%9` in commands that are run later with an answer (prompts, menus, key choices).

use super::arguments::Value;
use super::build::Command;

/// Puts `text` for `%index` (1 to 9) everywhere in `template` and for the first `%%`. A further `%` after either, as in
/// `%%%`, escapes what the command language would read; `%%` between single quotes stays between them, whatever it holds.
pub fn replace(template: &str, text: &str, index: usize) -> String {
    let mut out = String::with_capacity(template.len() + text.len());
    let mut rest = template;
    let mut replaced = false;
    let mut quotes = Quotes::default();
    while let Some(place) = rest.find('%') {
        out.push_str(&rest[..place]);
        quotes.pass(&rest[..place]);
        rest = &rest[place + 1..];
        let next = rest.as_bytes().first().copied();
        let numbered = next.is_some_and(|c| c.is_ascii_digit() && c != b'0' && usize::from(c - b'0') == index);
        if !numbered && (next != Some(b'%') || replaced) {
            out.push('%');
            continue;
        }
        replaced |= !numbered;
        rest = &rest[1..];
        let quoted = rest.strip_prefix('%');
        rest = quoted.unwrap_or(rest);
        for c in text.chars() {
            match c {
                '\'' if !numbered && quoted.is_none() && quotes.single => out.push_str("'\\'"),
                c if quoted.is_some() && "\"\\$;~".contains(c) => out.push('\\'),
                _ => {}
            }
            out.push(c);
        }
    }
    out.push_str(rest);
    out
}

/// Which quotes of the command language a place in a text is between.
#[derive(Default)]
struct Quotes {
    single: bool,
    double: bool,
    escaped: bool,
}

impl Quotes {
    fn pass(&mut self, text: &str) {
        for c in text.chars() {
            let escaped = std::mem::take(&mut self.escaped);
            match c {
                _ if escaped => {}
                '\\' => self.escaped = !self.single,
                '\'' if !self.double => self.single = !self.single,
                '"' if !self.single => self.double = !self.double,
                _ => {}
            }
        }
    }
}

/// [`replace`] with each of several answers: the first is `%1`, and so on.
pub fn replace_all(template: &str, texts: &[String]) -> String {
    texts.iter().enumerate().fold(String::from(template), |text, (index, with)| replace(&text, with, index + 1))
}

/// The commands with the answers put into all their arguments.
pub fn replace_in_commands(commands: &[Command], texts: &[String]) -> Vec<Command> {
    let mut change = |value: &Value| match value {
        Value::Text(text) => Value::Text(replace_all(text, texts)),
        Value::Commands(commands) => Value::Commands(replace_in_commands(commands, texts)),
    };
    let copy = |command: &Command| Command { arguments: command.arguments.map(&mut change), ..command.clone() };
    commands.iter().map(copy).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percents_are_replaced() {
        assert_eq!(replace("rename-window '%%'", "a", 1), "rename-window 'a'");
        assert_eq!(replace("set @r '%%'", "can't ; x", 1), r"set @r 'can'\''t ; x'");
        assert_eq!(replace("set @r \"'%%'\" ; y '%%'", "it's", 1), "set @r \"'it's'\" ; y '%%'");
        assert_eq!(replace("%1 %2 %1", "a", 1), "a %2 a");
        assert_eq!(replace("%% %%", "a", 1), "a %%");
        assert_eq!(replace("say \"%%%\"", "a\"$", 1), "say \"a\\\"\\$\"");
        assert_eq!(replace("100% %", "a", 1), "100% %");
        assert_eq!(replace_all("%1-%2", &["x".into(), "y".into()]), "x-y");
    }
}
