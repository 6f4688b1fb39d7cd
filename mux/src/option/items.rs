//! The items of an array, by the key of each: numbers first, then names.

use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;

/// Greatest number that a key may be.
const NUMBER_MAXIMUM: u32 = i32::MAX as u32;

/// What an item of an array is called: a number or, as on tmux's main branch, a name.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub enum ItemKey {
    /// A number.
    Number(u32),
    /// A name.
    Name(String),
}

/// The items of an array: what is shown of each.
pub type Items = BTreeMap<ItemKey, String>;

impl ItemKey {
    /// The key that a user wrote between brackets. One of digits is a number, and `01` is 1.
    pub fn parse(written: &str) -> Option<ItemKey> {
        if written.is_empty() || written.contains(']') {
            return None;
        }
        if !written.bytes().all(|byte| byte.is_ascii_digit()) {
            return Some(ItemKey::Name(written.to_owned()));
        }
        written.parse().ok().filter(|number| *number <= NUMBER_MAXIMUM).map(ItemKey::Number)
    }

    /// The number, when it is one.
    pub fn number(&self) -> Option<u32> {
        match self {
            ItemKey::Number(number) => Some(*number),
            ItemKey::Name(_) => None,
        }
    }
}

impl fmt::Display for ItemKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ItemKey::Number(number) => write!(f, "{number}"),
            ItemKey::Name(name) => f.write_str(name),
        }
    }
}

/// Items with the numbers from 0.
pub fn numbered(texts: impl IntoIterator<Item = String>) -> Items {
    (0..).map(ItemKey::Number).zip(texts).collect()
}

/// Puts an item at the first free number.
pub(super) fn add(items: &mut Items, item: String) {
    let free = (0..=u32::MAX).map(ItemKey::Number).find(|key| !items.contains_key(key));
    if let Some(free) = free {
        items.insert(free, item);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_before_names() {
        let mut keys: Vec<ItemKey> = ["b-2", "10", "a", "9", "09x"].into_iter().filter_map(ItemKey::parse).collect();
        keys.sort();
        let shown: Vec<String> = keys.iter().map(ItemKey::to_string).collect();
        assert_eq!(shown, ["9", "10", "09x", "a", "b-2"]);
        assert_eq!(ItemKey::parse("01"), Some(ItemKey::Number(1)));
        assert_eq!(["", "a]b", "4294967295", "99999999999"].map(ItemKey::parse), [None, None, None, None]);
    }
}
