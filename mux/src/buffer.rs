//! Paste buffers: named by users, or `bufferN` and limited in number.

/// A paste buffer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buffer {
    /// Its name.
    pub name: String,
    /// Its content; any bytes.
    pub data: Vec<u8>,
    /// When it was made, seconds since the epoch.
    pub created: i64,
    /// True for a name that we gave.
    pub automatic: bool,
    order: u64,
}

impl Buffer {
    /// What formats say of a self.
    pub fn values(&self) -> Vec<(String, String)> {
        const SAMPLE: usize = 50;
        let text = String::from_utf8_lossy(&self.data);
        let escape = |c: char| match c {
            '\n' => "\\n".to_owned(),
            '\t' => "\\t".to_owned(),
            '\\' => "\\\\".to_owned(),
            c if c.is_control() => format!("\\{:03o}", c as u32),
            c => c.to_string(),
        };
        let mut shown: String = text.chars().take(SAMPLE).map(escape).collect();
        if text.chars().nth(SAMPLE).is_some() {
            shown.push_str("...");
        }
        vec![
            ("buffer_name".to_owned(), self.name.clone()),
            ("buffer_size".to_owned(), self.data.len().to_string()),
            ("buffer_created".to_owned(), self.created.to_string()),
            ("buffer_sample".to_owned(), shown),
        ]
    }
}

/// A name that is no buffer's.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BufferError {
    /// There is no buffer of this name.
    #[error("no buffer {0}")]
    Unknown(String),
    /// The name is empty.
    #[error("empty buffer name")]
    EmptyName,
    /// The name has a character that would break a line of a list.
    #[error("invalid buffer name: {0}")]
    InvalidName(String),
}

/// All paste buffers.
#[derive(Debug, Default)]
pub struct Buffers {
    items: Vec<Buffer>,
    next_number: u32,
    next_order: u64,
}

impl Buffers {
    /// The buffers, newest first.
    pub fn iter(&self) -> impl Iterator<Item = &Buffer> {
        self.items.iter().rev()
    }

    /// The buffer of this name.
    pub fn get(&self, name: &str) -> Option<&Buffer> {
        self.items.iter().find(|buffer| buffer.name == name)
    }

    /// The newest buffer with an automatic name.
    pub fn top(&self) -> Option<&Buffer> {
        self.items.iter().rev().find(|buffer| buffer.automatic)
    }

    /// Add a buffer under a new automatic name; those beyond `limit` go. Gives the new name and the names that went.
    pub fn add(&mut self, data: Vec<u8>, limit: usize, now: i64) -> Option<(String, Vec<String>)> {
        self.add_named("buffer", data, limit, now)
    }

    /// The same with another beginning of the name.
    pub fn add_named(&mut self, prefix: &str, data: Vec<u8>, limit: usize, now: i64) -> Option<(String, Vec<String>)> {
        if data.is_empty() {
            return None;
        }
        let mut gone = Vec::new();
        while self.items.iter().filter(|buffer| buffer.automatic).count() >= limit.max(1) {
            let at = self.items.iter().position(|buffer| buffer.automatic)?;
            gone.push(self.items.remove(at).name);
        }
        let mut name = format!("{prefix}{}", self.next_number);
        while self.get(&name).is_some() {
            self.next_number += 1;
            name = format!("{prefix}{}", self.next_number);
        }
        self.next_number += 1;
        self.push(name.clone(), data, true, now);
        Some((name, gone))
    }

    /// Set the content of a named buffer; an empty content changes nothing.
    ///
    /// # Errors
    /// A name that cannot be.
    pub fn set(&mut self, name: &str, data: Vec<u8>, now: i64) -> Result<bool, BufferError> {
        check_name(name)?;
        if data.is_empty() {
            return Ok(false);
        }
        self.items.retain(|buffer| buffer.name != name);
        self.push(name.to_owned(), data, false, now);
        Ok(true)
    }

    /// Remove a buffer.
    ///
    /// # Errors
    /// There is none of this name.
    pub fn remove(&mut self, name: &str) -> Result<Buffer, BufferError> {
        let at = self.items.iter().position(|buffer| buffer.name == name);
        at.map(|at| self.items.remove(at)).ok_or_else(|| BufferError::Unknown(name.to_owned()))
    }

    /// Give a buffer another name; one that has it already goes.
    ///
    /// # Errors
    /// There is none of the old name, or the new one cannot be.
    pub fn rename(&mut self, old: &str, new: &str) -> Result<(), BufferError> {
        check_name(new)?;
        if self.get(old).is_none() {
            return Err(BufferError::Unknown(old.to_owned()));
        }
        if old != new {
            self.items.retain(|buffer| buffer.name != new);
        }
        for buffer in self.items.iter_mut().filter(|buffer| buffer.name == old) {
            buffer.name = new.to_owned();
            buffer.automatic = false;
        }
        Ok(())
    }

    /// The number that the next automatic name is tried with.
    pub fn next_number(&self) -> u32 {
        self.next_number
    }

    /// Set the number that the next automatic name is tried with.
    pub fn set_next_number(&mut self, number: u32) {
        self.next_number = number;
    }

    /// Put back a buffer as it was saved, as the newest one; one of the same name goes.
    ///
    /// # Errors
    /// A name that cannot be.
    pub fn put_back(&mut self, name: &str, data: Vec<u8>, automatic: bool, created: i64) -> Result<(), BufferError> {
        check_name(name)?;
        self.items.retain(|buffer| buffer.name != name);
        self.push(name.to_owned(), data, automatic, created);
        Ok(())
    }

    fn push(&mut self, name: String, data: Vec<u8>, automatic: bool, created: i64) {
        let order = self.next_order;
        self.next_order += 1;
        self.items.push(Buffer { name, data, created, automatic, order });
    }
}

impl Buffer {
    /// Counts up with each buffer made; for sorting by age.
    pub fn order(&self) -> u64 {
        self.order
    }
}

fn check_name(name: &str) -> Result<(), BufferError> {
    if name.is_empty() {
        return Err(BufferError::EmptyName);
    }
    if name.chars().any(|c| c.is_control() || crate::raw::byte(c).is_some()) {
        return Err(BufferError::InvalidName(name.escape_default().to_string()));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn automatic_buffers_are_limited_and_named_ones_are_not() {
        let mut buffers = Buffers::default();
        buffers.set("mine", b"x".to_vec(), 0).unwrap();
        for n in 0..5u8 {
            buffers.add(vec![n], 3, 0);
        }
        let names: Vec<&str> = buffers.iter().map(|buffer| buffer.name.as_str()).collect();
        assert_eq!(names, ["buffer4", "buffer3", "buffer2", "mine"]);
        assert_eq!(buffers.top().unwrap().name, "buffer4");
    }

    #[test]
    fn a_name_with_a_control_character_is_refused() {
        let mut buffers = Buffers::default();
        assert_eq!(buffers.set("a\nb", b"x".to_vec(), 0), Err(BufferError::InvalidName("a\\nb".to_owned())));
        assert_eq!(buffers.remove("none"), Err(BufferError::Unknown("none".to_owned())));
    }
}
