//! The engines that a server knows: the rows of this program and those of the user's file, which come first.

use crate::detect;
use crate::engines::{ENGINES, Engine, Visibility};

/// An entry of the user's file that can't be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// The entry's name; empty when it is about the whole file.
    pub id: String,
    /// The file.
    pub file: String,
    /// The line of the file, from 1.
    pub line: usize,
    /// What is wrong, and what to do.
    pub words: String,
}

impl std::fmt::Display for Problem {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.words)
    }
}

/// The table. Rows live as long as the program, so that they can be handed around as those of this program are.
#[derive(Clone, Debug, Default)]
pub struct Table {
    own: Vec<&'static Engine>,
    /// What of the user's file can't be used.
    pub problems: Vec<Problem>,
}

impl Table {
    /// The rows of this program, with the user's before them. One with the id of a row here takes its place.
    pub fn new(own: Vec<&'static Engine>, problems: Vec<Problem>) -> Table {
        Table { own, problems }
    }

    /// Every row in force, the user's first.
    pub fn rows(&self) -> impl Iterator<Item = &'static Engine> + '_ {
        let replaced = |engine: &&'static Engine| !self.own.iter().any(|own| own.id == engine.id);
        self.own.iter().copied().chain(ENGINES.iter().filter(replaced))
    }

    /// The row of that id, stand-ins as well. An entry of the user's that can't be used hides no row of this program, but launching it is
    /// refused by who asks [`Table::problem`] first.
    pub fn find(&self, id: &str) -> Option<&'static Engine> {
        self.rows().find(|engine| engine.id == id)
    }

    /// The rows that users see, by id.
    pub fn listed(&self) -> Vec<&'static Engine> {
        let mut listed: Vec<_> = self.rows().filter(|engine| engine.visibility == Visibility::Listed).collect();
        listed.sort_by_key(|engine| engine.id);
        listed
    }

    /// Takes the user's rows out of whose ids something else is the name.
    pub fn retain(&mut self, file: &str, is_free: impl Fn(&str) -> bool) {
        let taken: Vec<_> = self.own.iter().copied().filter(|engine| !is_free(engine.id)).collect();
        self.own.retain(|engine| is_free(engine.id));
        self.problems.extend(taken.into_iter().map(|engine| Problem {
            id: engine.id.to_owned(),
            file: file.to_owned(),
            line: 1,
            words: format!("{} is the name of a command: give the entry another one", engine.id),
        }));
    }

    /// What is wrong with the user's entry of that id.
    pub fn problem(&self, id: &str) -> Option<&Problem> {
        self.problems.iter().find(|problem| problem.id == id)
    }

    /// The engine of a process. Knows it by its name, or by its command line, through an interpreter or `env`.
    pub fn engine_of(&self, comm: &str, argv: &[String]) -> Option<&'static Engine> {
        let named = self.rows().find(|engine| engine.comms.contains(&comm));
        named.or_else(|| self.rows().find(|engine| detect::starts(engine, argv)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engines::find;

    #[test]
    fn a_row_of_the_users_takes_the_place_of_ours() {
        let plain = Table::default();
        assert_eq!(plain.find("claude"), find("claude"));
        assert!(plain.listed().windows(2).all(|pair| pair[0].id < pair[1].id));
        let own: &'static Engine =
            Box::leak(Box::new(Engine { programs: &["wrapper"], comms: &[], ..*find("claude").unwrap() }));
        let table = Table::new(vec![own], Vec::new());
        assert_eq!(table.find("claude"), Some(own));
        assert_eq!(table.listed().len(), plain.listed().len());
        assert_eq!(table.engine_of("claude", &[]), None);
        assert_eq!(table.engine_of("x", &["/bin/wrapper".to_owned()]), Some(own));
    }
}
