//! Searching a list: the next row, shown or not, of which a source says that it matches.

use super::{Item, List};

impl List {
    /// Set what is searched for; nothing forgets it.
    pub(super) fn set_search(&mut self, text: Option<String>) {
        self.search = text.filter(|text| !text.is_empty());
    }

    pub(super) fn set_direction(&mut self, forward: bool) {
        self.searches_forward = forward;
    }

    /// What is searched for, and whether upper and lower case are the same.
    pub(super) fn searched(&self) -> Option<(String, bool)> {
        let text = self.search.clone()?;
        let ignore_case = !text.chars().any(|c| c.is_ascii_uppercase());
        Some((text, ignore_case))
    }

    /// The next row that `matches`, all around; the rows above it are expanded. False when there is none.
    pub(super) fn search(&mut self, matches: impl Fn(&Item, &str) -> bool) -> Option<Item> {
        let from = *self.lines.get(self.current)?;
        let count = self.rows.len();
        let found = (1..count)
            .map(|step| if self.searches_forward { from + step } else { from + count - step } % count)
            .find(|at| matches(&self.rows[*at].draft.item, &self.rows[*at].draft.name))?;
        let mut above = self.rows[found].parent;
        while let Some(at) = above {
            self.rows[at].expanded = true;
            above = self.rows[at].parent;
        }
        Some(self.rows[found].draft.item.clone())
    }
}

/// Whether a text holds another.
pub(super) fn holds(text: &str, part: &str, ignore_case: bool) -> bool {
    if !ignore_case {
        return text.contains(part);
    }
    text.to_ascii_lowercase().contains(&part.to_ascii_lowercase())
}
