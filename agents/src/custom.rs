//! The user's own engines: rows out of the text of `engines.toml`. Each table of the file is a row; one that can't be used costs only
//! itself. Reads no file.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::engines::{self, Engine, Ground, IdSource, Ids, Visibility};
use crate::store::{Head, Root, Store};
use crate::table::{Problem, Table};

/// The most bytes of such a file that are read.
pub const TEXT_MAX: usize = 256 * 1024;

/// What an entry may say, and one line about it.
pub const KEYS: &[(&str, &str)] = &[
    ("about", "one line for lists"),
    ("command", "the program and the words that always follow it"),
    ("flags-with-session", "flags that choose a conversation, each followed by its id; not given again"),
    ("flags-with-value", "flags followed by a value, which are given again when it comes back"),
    ("launch", "the arguments of a new conversation; {args} stands for yours"),
    ("like", "the engine whose row this one begins with"),
    ("name", "its name for people"),
    ("pin", "the words that give it an id which rove makes: {session}"),
    ("process", "what its process is called, when not like the program"),
    ("ready", "texts that show that it waits for a message"),
    ("resume", "the arguments that take up a conversation: {session}, {args}"),
    ("scrub", "variables of the environment that it must not get"),
    ("store", "where its transcripts are, with {session} where the id stands: ~/..., /..., {cwd}/... or $VARIABLE/..."),
];

/// Reads the text of a file that is called `file` in what is said of it.
pub fn read(file: &str, text: &str) -> Table {
    let (root, errors) = DeTable::parse_recoverable(text);
    let problem = |id: &str, at: usize, words: String| Problem {
        id: id.to_owned(),
        file: file.to_owned(),
        line: line_of(text, at),
        words,
    };
    let mut problems: Vec<Problem> = Vec::new();
    for error in errors {
        let at = error.span().map_or(0, |span| span.start);
        let id = entry_at(text, at);
        // What follows the first mistake of an entry follows from it.
        if problems.iter().all(|problem| problem.id != id) {
            problems.push(problem(&id, at, format!("{}; the rest of this entry is not read", error.message())));
        }
    }
    let mut own = Vec::new();
    for (key, value) in root.get_ref() {
        let id: &str = key.get_ref();
        let under = entry_at(text, key.span().start);
        if problems.iter().any(|problem| problem.id == id || problem.id == under && !under.is_empty()) {
            continue;
        }
        let made = match value.get_ref() {
            DeValue::Table(table) => entry(id, key.span(), table),
            _ => Err((key.span(), format!("{id} stands before any entry: begin one with a line [name]"))),
        };
        match made {
            Ok(engine) => own.push(engine),
            Err((span, words)) => problems.push(problem(id, span.start, words)),
        }
    }
    own.sort_by_key(|engine: &&'static Engine| engine.id);
    problems.sort_by_key(|problem| problem.line);
    Table::new(own, problems)
}

type Wrong = (Range<usize>, String);

/// The line of a byte, from 1.
fn line_of(text: &str, at: usize) -> usize {
    text.bytes().take(at).filter(|byte| *byte == b'\n').count() + 1
}

/// The name in the last header line at or before a byte; empty when there is none.
fn entry_at(text: &str, at: usize) -> String {
    let lines = text.lines().take(line_of(text, at));
    let name = |line: &str| {
        let name = line.trim().strip_prefix('[')?.split([']', '.']).next()?.trim().trim_matches(['"', '\'']);
        Some(name.to_owned())
    };
    lines.filter_map(name).last().unwrap_or_default()
}

/// Whether a name can be a command's first word and a record's engine.
fn is_name(id: &str) -> bool {
    let tail = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    id.len() <= 48 && id.starts_with(|c: char| c.is_ascii_lowercase()) && id.chars().all(tail)
}

/// The values of one entry.
struct Entry<'a> {
    span: Range<usize>,
    table: &'a DeTable<'a>,
}

impl<'a> Entry<'a> {
    fn get(&self, key: &str) -> Option<&'a Spanned<DeValue<'a>>> {
        self.table.iter().find(|(name, _)| name.get_ref() == key).map(|(_, value)| value)
    }

    fn at(&self, key: &str) -> Range<usize> {
        self.get(key).map_or_else(|| self.span.clone(), Spanned::span)
    }

    fn text(&self, key: &str) -> Result<Option<&'a str>, Wrong> {
        match self.get(key).map(Spanned::get_ref) {
            None => Ok(None),
            Some(DeValue::String(text)) if !text.trim().is_empty() => Ok(Some(text)),
            Some(_) => Err((self.at(key), format!("{key} must be a text, as in {key} = \"...\""))),
        }
    }

    /// A list of texts, or one text as a list of one.
    fn list(&self, key: &str) -> Result<Option<Vec<&'a str>>, Wrong> {
        let wrong = || (self.at(key), format!("{key} must be a list of texts, as in {key} = [\"...\"]"));
        match self.get(key).map(Spanned::get_ref) {
            None => Ok(None),
            Some(DeValue::String(text)) => Ok(Some(vec![text.as_ref()])),
            Some(DeValue::Array(values)) => {
                let text = |value: &'a Spanned<DeValue<'a>>| match value.get_ref() {
                    DeValue::String(text) => Ok(text.as_ref()),
                    _ => Err(wrong()),
                };
                values.iter().map(text).collect::<Result<Vec<_>, _>>().map(Some)
            }
            Some(_) => Err(wrong()),
        }
    }

    /// Words of a command line: a list of them, or a text with blanks between them.
    fn words(&self, key: &str) -> Result<Option<Vec<&'a str>>, Wrong> {
        match self.get(key).map(Spanned::get_ref) {
            Some(DeValue::String(text)) if text.contains(['"', '\'', '\\']) => Err((
                self.at(key),
                format!("{key} has quotes in it: write it as a list of words, {key} = [\"...\", \"...\"]"),
            )),
            Some(DeValue::String(text)) => Ok(Some(text.split_whitespace().collect())),
            _ => self.list(key),
        }
    }
}

fn entry(id: &str, span: Range<usize>, table: &DeTable<'_>) -> Result<&'static Engine, Wrong> {
    let entry = Entry { span: span.clone(), table };
    if !is_name(id) {
        return Err((span, format!("\"{id}\" can't be an engine's name: use a-z, 0-9, - and _, with a letter first")));
    }
    if let Some((key, _)) = table.iter().find(|(key, _)| KEYS.iter().all(|(name, _)| name != key.get_ref())) {
        let known: Vec<&str> = KEYS.iter().map(|(name, _)| *name).collect();
        return Err((key.span(), format!("there is no {}; an entry has {}", key.get_ref(), known.join(", "))));
    }
    let mut engine = base(id, &entry)?;
    program(&mut engine, &entry)?;
    templates(&mut engine, &entry)?;
    if let Some(patterns) = entry.list("store")? {
        engine.store = Some(store(&patterns).map_err(|words| (entry.at("store"), words))?);
    }
    identity(&mut engine, &entry)?;
    let keep_list = |key| Ok(entry.list(key)?.map(|list| kept(&list)));
    engine.scrub = keep_list("scrub")?.unwrap_or(engine.scrub);
    engine.ready = keep_list("ready")?.unwrap_or(engine.ready);
    engine.flags.valued = keep_list("flags-with-value")?.unwrap_or(engine.flags.valued);
    engine.flags.session_valued = keep_list("flags-with-session")?.unwrap_or(engine.flags.session_valued);
    Ok(Box::leak(Box::new(engine)))
}

/// What the entry begins with: the row that it is like, the row whose name it has, or nothing.
fn base(id: &str, entry: &Entry<'_>) -> Result<Engine, Wrong> {
    let like = entry.text("like")?;
    let row = like.or(Some(id)).and_then(engines::find).filter(|row| row.visibility == Visibility::Listed);
    if let (Some(like), None) = (like, row) {
        let known: Vec<&str> = engines::listed().map(|row| row.id).collect();
        return Err((entry.at("like"), format!("no engine is called {like}; there are {}", known.join(", "))));
    }
    let mut engine = row.copied().unwrap_or(engines::PLAIN);
    engine.id = kept_text(id);
    engine.ground = Ground::User;
    let default_name = if engine.product.is_empty() || like.is_some() { id } else { engine.product };
    engine.product = kept_text(entry.text("name")?.unwrap_or(default_name));
    engine.about = kept_text(entry.text("about")?.unwrap_or(if row.is_some() { engine.about } else { "Your own" }));
    Ok(engine)
}

fn program(engine: &mut Engine, entry: &Entry<'_>) -> Result<(), Wrong> {
    if let Some(words) = entry.words("command")? {
        let argv: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        let Some(name) = crate::detect::program_of(&argv).filter(|name| !name.is_empty()) else {
            return Err((entry.at("command"), "command names no program".to_owned()));
        };
        if words[0].contains('/') && !words[0].starts_with('/') {
            return Err((
                entry.at("command"),
                format!("command begins with {}: give a name on the PATH or a whole path", words[0]),
            ));
        }
        engine.command = kept(&words);
        // A wrapper that ends in the program it is like shows as either.
        let before = engine.programs.iter().copied().filter(|program| *program != name);
        engine.programs = kept(&std::iter::once(name).chain(before.clone()).collect::<Vec<_>>());
        let comm = name.char_indices().nth(15).map_or(name, |(end, _)| &name[..end]);
        engine.comms = kept(&std::iter::once(comm).chain(engine.comms.iter().copied()).collect::<Vec<_>>());
    } else if engine.programs.is_empty() {
        return Err((
            entry.span.clone(),
            "there is no command: say which program to run, as in command = \"...\"".to_owned(),
        ));
    }
    if let Some(names) = entry.list("process")? {
        engine.programs = kept(&names);
        let short = |name: &&'_ str| name.char_indices().nth(15).map_or(*name, |(end, _)| &name[..end]).to_owned();
        engine.comms = kept(&names.iter().map(short).collect::<Vec<_>>());
    }
    Ok(())
}

fn templates(engine: &mut Engine, entry: &Entry<'_>) -> Result<(), Wrong> {
    if let Some(words) = entry.words("launch")? {
        one_session(entry, "launch", &words, 0)?;
        engine.launch = kept(&with_args(words));
    }
    if let Some(words) = entry.words("resume")? {
        one_session(entry, "resume", &words, 1)?;
        engine.resume = kept(&with_args(words));
    }
    Ok(())
}

/// Who forgot `{args}` means the end.
fn with_args(mut words: Vec<&str>) -> Vec<&str> {
    if !words.contains(&"{args}") {
        words.push("{args}");
    }
    words
}

fn one_session(entry: &Entry<'_>, key: &str, words: &[&str], times: usize) -> Result<(), Wrong> {
    let found: usize = words.iter().map(|word| word.matches("{session}").count()).sum();
    if found == times {
        return Ok(());
    }
    let words = match (key, times) {
        ("launch", _) => "launch has no place for {session}: the words that give an id stand in pin".to_owned(),
        _ => format!("{key} must say once where the conversation's id goes: {{session}}"),
    };
    Err((entry.at(key), words))
}

fn identity(engine: &mut Engine, entry: &Entry<'_>) -> Result<(), Wrong> {
    if let Some(words) = entry.words("pin")? {
        one_session(entry, "pin", &words, 1)?;
        engine.identity = IdSource::Pinned { words: kept(&words) };
        engine.ids = Ids::Uuid;
    } else if entry.get("store").is_some() && engine.identity == IdSource::None {
        engine.identity = IdSource::Discovered;
        engine.ids = Ids::Word;
    }
    let chooses = entry.get("flags-with-session").is_some();
    match (engine.identity, engine.resume) {
        (IdSource::None, [_, ..]) if !chooses => Err((
            entry.at("resume"),
            "resume is never used, as nothing tells which conversation: add pin or store".to_owned(),
        )),
        (IdSource::Pinned { .. } | IdSource::Discovered | IdSource::Precreated { .. }, []) => {
            Err((entry.span.clone(), "it could be launched and never brought back: add resume".to_owned()))
        }
        _ => Ok(()),
    }
}

fn store(patterns: &[&str]) -> Result<Store, String> {
    let mut moved_by: &'static [(&'static str, &'static str)] = &[];
    let mut transcripts = Vec::new();
    for pattern in patterns {
        let place = pattern.split('/').filter(|part| part.contains("{session}")).count();
        if place != 1 || pattern.matches("{session}").count() != 1 {
            return Err(format!("{pattern} must say once where the conversation's id stands: {{session}}"));
        }
        if pattern
            .split('/')
            .any(|part| part == ".." || part == "**" || part.contains('*') && part.contains("{session}"))
        {
            return Err(format!("{pattern} may have no .. or ** in it, and no * beside {{session}}"));
        }
        if let Some(rest) = pattern.strip_prefix("~/") {
            transcripts.push(rest.to_owned());
        } else if pattern.starts_with('/') || pattern.starts_with("{cwd}/") {
            transcripts.push((*pattern).to_owned());
        } else if let Some((variable, rest)) = pattern.strip_prefix('$').and_then(|rest| rest.split_once('/')) {
            if patterns.len() > 1 {
                return Err(format!("{pattern} begins with a variable, so it must be the only one"));
            }
            moved_by = Box::leak(Box::new([(kept_text(variable), "")]));
            transcripts.push(rest.to_owned());
        } else {
            return Err(format!("{pattern} must begin with ~/, /, {{cwd}}/ or $VARIABLE/"));
        }
    }
    if transcripts.is_empty() {
        return Err("store is empty".to_owned());
    }
    let root = Root { moved_by, below_home: "" };
    Ok(Store { root, transcripts: kept(&transcripts), databases: &[], lock: None, state: None, head: Head::Plain })
}

/// Rows are handed around for as long as the program lives, so what is in them is never freed. A file is read again only after it was
/// changed, so that this stays small.
fn kept_text(text: &str) -> &'static str {
    Box::leak(text.to_owned().into_boxed_str())
}

fn kept<T: AsRef<str>>(list: &[T]) -> &'static [&'static str] {
    Box::leak(list.iter().map(|text| kept_text(text.as_ref())).collect::<Vec<_>>().into_boxed_slice())
}

#[cfg(test)]
mod tests;
