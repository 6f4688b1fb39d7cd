//! Environment variables of the server, of a session or of a client: set, cleared for those who inherit, or hidden.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::fnmatch::fnmatch;

/// One variable.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variable {
    /// Its value; none when it is to be taken away from those who inherit it.
    pub value: Option<String>,
    /// Formats and configuration see it, programs don't.
    pub hidden: bool,
}

/// Variables by name.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Environment {
    variables: BTreeMap<String, Variable>,
}

/// Which variables a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Visibility {
    /// Those that programs see.
    #[default]
    Shown,
    /// Only hidden ones (-h).
    Hidden,
}

/// The form of a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Form {
    /// `NAME=value` or `-NAME`.
    #[default]
    Plain,
    /// Commands for a shell (-s).
    Shell,
}

impl Environment {
    /// From `NAME=value` texts; others are left out.
    pub fn from_texts<'a>(texts: impl IntoIterator<Item = &'a str>) -> Self {
        let mut environment = Self::default();
        for text in texts {
            environment.put(text);
        }
        environment
    }

    /// The variable, also a cleared one.
    pub fn find(&self, name: &str) -> Option<&Variable> {
        self.variables.get(name)
    }

    /// The value, if it has one.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.find(name)?.value.as_deref()
    }

    /// Sets a variable that programs see.
    pub fn set(&mut self, name: &str, value: &str) {
        self.assign(name, value, false);
    }

    /// Sets a variable, hidden or not.
    pub fn assign(&mut self, name: &str, value: &str, hidden: bool) {
        self.variables.insert(name.to_owned(), Variable { value: Some(value.to_owned()), hidden });
    }

    /// Puts a directory first on `PATH`, where it may be already; an empty name changes nothing.
    pub fn put_first_on_path(&mut self, directory: &str) {
        if directory.is_empty() {
            return;
        }
        let path = self.get("PATH").unwrap_or("/usr/local/bin:/usr/bin:/bin");
        let others = path.split(':').filter(|place| *place != directory);
        let path = [directory].into_iter().chain(others).collect::<Vec<_>>().join(":");
        self.set("PATH", &path);
    }

    /// Sets a variable from `NAME=value`. False when there is no `=`.
    pub fn put(&mut self, text: &str) -> bool {
        let Some((name, value)) = text.split_once('=') else { return false };
        self.set(name, value);
        true
    }

    /// Takes a variable away from those who inherit it (set-environment -r).
    pub fn clear(&mut self, name: &str) {
        let hidden = self.find(name).is_some_and(|variable| variable.hidden);
        self.variables.insert(name.to_owned(), Variable { value: None, hidden });
    }

    /// Forgets a variable (set-environment -u).
    pub fn unset(&mut self, name: &str) {
        self.variables.remove(name);
    }

    /// Takes over everything of another one, its cleared variables too.
    pub fn merge(&mut self, other: &Environment) {
        for (name, variable) in &other.variables {
            match &variable.value {
                Some(value) => self.assign(name, value, variable.hidden),
                None => self.clear(name),
            }
        }
    }

    /// Takes over the variables of a client that match a pattern; a pattern that none matches is cleared
    /// (update-environment).
    pub fn update<'a>(&mut self, client: &Environment, patterns: impl IntoIterator<Item = &'a str>) {
        for pattern in patterns {
            let mut found = false;
            for (name, variable) in client.variables.iter().filter(|(name, _)| fnmatch(pattern, name, false)) {
                self.set(name, variable.value.as_deref().unwrap_or(""));
                found = true;
            }
            if !found {
                self.clear(pattern);
            }
        }
    }

    /// Every variable by name, for saving.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Variable)> {
        self.variables.iter().map(|(name, variable)| (name.as_str(), variable))
    }

    /// What a program is given.
    pub fn iter_for_child(&self) -> impl Iterator<Item = (&str, &str)> {
        let seen = |(name, variable): (&'_ String, &'_ Variable)| !variable.hidden && !name.is_empty();
        self.variables
            .iter()
            .filter(move |&(name, variable)| seen((name, variable)))
            .filter_map(|(name, variable)| Some((name.as_str(), variable.value.as_deref()?)))
    }

    /// The lines of show-environment.
    pub fn show(&self, visibility: Visibility, form: Form) -> Vec<String> {
        self.variables.keys().filter_map(|name| self.show_one(name, visibility, form)).collect()
    }

    /// The line for one variable, unless it is not to be seen or not there.
    pub fn show_one(&self, name: &str, visibility: Visibility, form: Form) -> Option<String> {
        let variable = self.find(name)?;
        if variable.hidden != (visibility == Visibility::Hidden) {
            return None;
        }
        Some(match (form, &variable.value) {
            (Form::Plain, Some(value)) => format!("{name}={value}"),
            (Form::Plain, None) => format!("-{name}"),
            (Form::Shell, Some(value)) => format!("{name}=\"{}\"; export {name};", shell_escape(value)),
            (Form::Shell, None) => format!("unset {name};"),
        })
    }
}

/// What a shell would read between double quotes gets a backslash.
fn shell_escape(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    for letter in value.chars() {
        if matches!(letter, '$' | '`' | '"' | '\\') {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_overrides_and_clears_what_is_global() {
        let mut child = Environment::from_texts(["A=1", "B=2", "C=3", "no"]);
        let mut session = Environment::from_texts(["A=x=y"]);
        session.clear("B");
        session.assign("H", "secret", true);
        child.merge(&session);
        assert_eq!(child.iter_for_child().collect::<Vec<_>>(), [("A", "x=y"), ("C", "3")]);
        assert_eq!(child.get("H"), Some("secret"));
        child.unset("C");
        assert_eq!(child.find("C"), None);
        assert_eq!(child.iter().count(), 3);
    }

    #[test]
    fn a_client_brings_what_the_patterns_name() {
        let client = Environment::from_texts(["SSH_A=1", "SSH_B=2", "TERM=x"]);
        let mut session = Environment::from_texts(["DISPLAY=:0"]);
        session.update(&client, ["SSH_*", "DISPLAY"]);
        assert_eq!(session.show(Visibility::Shown, Form::Plain), ["-DISPLAY", "SSH_A=1", "SSH_B=2"]);
    }

    #[test]
    fn lists_are_for_eyes_or_for_a_shell() {
        let mut environment = Environment::from_texts(["A=a \"$b\" `c` \\"]);
        environment.clear("B");
        environment.assign("H", "h", true);
        assert_eq!(
            environment.show(Visibility::Shown, Form::Shell),
            ["A=\"a \\\"\\$b\\\" \\`c\\` \\\\\"; export A;", "unset B;"]
        );
        assert_eq!(environment.show(Visibility::Hidden, Form::Plain), ["H=h"]);
        assert_eq!(environment.show_one("H", Visibility::Shown, Form::Plain), None);
    }
}
