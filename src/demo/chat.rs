//! The talk of a stand-in engine: a prompt, a line, an answer. All it knows stands in its transcript on disk; it remembers nothing itself.

use std::ffi::CStr;
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;

use serde_json::{Value, json};

use super::words;

/// The longest line that is taken; a terminal in its ordinary mode gives 4096 bytes at most.
const LINE_MAX: u64 = 64 * 1024;

/// A conversation of a stand-in.
pub(super) trait Conversation {
    /// The name of its process.
    fn comm(&self) -> &'static CStr;
    /// What stands before the place to type.
    fn prompt(&self) -> &'static str;
    /// Writes a line of the transcript to disk; the first one makes the file.
    fn append(&mut self, line: &Value) -> std::io::Result<()>;
    /// Where the transcript is, once there is one.
    fn transcript(&self) -> Option<&Path>;
    /// It is about to talk; what it says first.
    fn greet(&mut self) -> String {
        String::new()
    }
    /// A line that begins with `/`: another conversation is begun or taken up. What it says to that; `None` for a line it does not know.
    fn turn_to(&mut self, line: &str) -> Option<String>;
    /// A turn is over.
    fn turned(&mut self) {}
}

/// Talks until the input ends or says `/exit [CODE]`; `!LINE` is run in a shell. Gives the exit code.
pub(super) fn run(conversation: &mut dyn Conversation, input: &mut dyn BufRead, output: &mut dyn Write) -> i32 {
    match talk(conversation, input, output) {
        Ok(code) => code,
        Err(error) => {
            eprintln!("{error}");
            1
        }
    }
}

fn talk(conversation: &mut dyn Conversation, input: &mut dyn BufRead, output: &mut dyn Write) -> std::io::Result<i32> {
    loop {
        write!(output, "{} ", conversation.prompt())?;
        output.flush()?;
        let mut bytes = Vec::new();
        if input.take(LINE_MAX).read_until(b'\n', &mut bytes)? == 0 {
            return Ok(0);
        }
        let text = String::from_utf8_lossy(&bytes);
        let text = text.trim();
        if let Some(code) = text.strip_prefix("/exit") {
            return Ok(code.trim().parse().unwrap_or(0));
        }
        if text.is_empty() {
            continue;
        }
        if let Some(line) = text.strip_prefix('!') {
            writeln!(output, "{}", tool(line))?;
            continue;
        }
        if let Some(said) = text.starts_with('/').then(|| conversation.turn_to(text)).flatten() {
            write!(output, "{said}")?;
            continue;
        }
        conversation.append(&json!({ "type": "message", "role": "user", "text": text }))?;
        let answer = answer(text, conversation.transcript())?;
        conversation.append(&json!({ "type": "message", "role": "engine", "text": answer }))?;
        writeln!(output, "{answer}")?;
        conversation.turned();
    }
}

/// What a shell line says, as when an engine uses its shell.
fn tool(line: &str) -> String {
    let output = std::process::Command::new("/bin/sh").args(["-c", line]).stdin(std::process::Stdio::null()).output();
    match output {
        Ok(output) => String::from_utf8_lossy(&[output.stdout, output.stderr].concat()).trim_end().to_owned(),
        Err(error) => error.to_string(),
    }
}

fn answer(text: &str, transcript: Option<&Path>) -> std::io::Result<String> {
    if words::asks(text) {
        let told = transcript.map(told_in).transpose()?.flatten();
        return Ok(told.map_or_else(|| words::DENIAL.to_owned(), |word| format!("The codeword is {word}.")));
    }
    Ok(if words::told(text).is_some() { "noted" } else { "ok" }.to_owned())
}

/// The last codeword that the user told, by the transcript. A line that is torn or foreign counts for nothing.
fn told_in(transcript: &Path) -> std::io::Result<Option<String>> {
    let mut last = None;
    for line in BufReader::new(File::open(transcript)?).lines() {
        let Ok(line) = serde_json::from_str::<Value>(&line?) else { continue };
        let text = line["text"].as_str().filter(|_| line["role"] == "user");
        last = text.and_then(words::told).map(str::to_owned).or(last);
    }
    Ok(last)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// What a conversation says to `lines`, and its exit code.
    pub(in super::super) fn say(conversation: &mut dyn Conversation, lines: &str) -> (String, i32) {
        let mut output = Vec::new();
        let code = run(conversation, &mut lines.as_bytes(), &mut output);
        (String::from_utf8(output).unwrap(), code)
    }

    /// A directory of one test, removed at its end.
    pub(in super::super) struct Place(pub(in super::super) std::path::PathBuf);

    impl Place {
        pub(in super::super) fn new() -> Place {
            let path = std::env::temp_dir().join(format!("rove-stand-in-{}", uuid::Uuid::new_v4()));
            std::fs::create_dir_all(&path).unwrap();
            Place(path)
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }
}
