//! `rove engines`: which engines there are, where they are, and how each comes back. Asks no server.

use agents::{Engine, Table};

use super::{Invocation, complain, environment, line};
use crate::os::facts;

/// Prints a line for each engine, and what of the user's file can't be used. Status 1 when something of it can't.
pub(super) fn engines(invocation: &Invocation) -> i32 {
    if !invocation.argv.is_empty() {
        return complain("usage: rove engines", 2);
    }
    let table: Table = crate::engines::load();
    let path = environment("PATH").unwrap_or_default().to_string_lossy().into_owned();
    let rows: Vec<[String; 4]> = table.listed().into_iter().map(|engine| row(engine, &path)).collect();
    let heads = ["ENGINE", "PROGRAM", "CONVERSATION", "RESTS ON"].map(str::to_owned);
    let all: Vec<&[String; 4]> = std::iter::once(&heads).chain(&rows).collect();
    let width = |column: usize| all.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths = [width(0), width(1), width(2)];
    for row in &all {
        let [a, b, c] = widths;
        line(format!("{:a$}  {:b$}  {:c$}  {}", row[0], row[1], row[2], row[3]).trim_end());
    }
    table.problems.iter().for_each(|problem| {
        complain(&format!("rove: {problem}"), 1);
    });
    i32::from(!table.problems.is_empty())
}

fn row(engine: &Engine, path: &str) -> [String; 4] {
    let names = if engine.command.is_empty() { engine.programs } else { &engine.command[..1] };
    let found = names.iter().find_map(|name| facts::program_on(path, name));
    let program = found.unwrap_or_else(|| format!("not installed ({})", engine.program_names()));
    [engine.id.to_owned(), program, engine.identity_words().replace('`', ""), engine.ground.words()]
}
