//! `rove doctor --codeword`: whether the user's own engines come back, tried with each in a server and a home of their own. The one place
//! where rove types into an engine, and only into one that it started for this.
//!
//! It spends two turns of an engine, so it says so first.

use std::io::{IsTerminal, Write};

use agents::{Engine, Table};

use super::{Afterwards, Cast, Options, Place, Return, story};

const USAGE: &str = "usage: rove doctor --codeword [--yes] [--here] [engine ...]";

/// Nothing was tried.
const UNTRIED: i32 = 3;

struct Wish {
    sure: bool,
    place: Place,
    engines: Vec<&'static Engine>,
}

/// Whether the arguments of `rove doctor` ask for this.
pub fn is_codeword(args: &[String]) -> bool {
    args.iter().any(|word| word == "--codeword")
}

/// Tries the engines named, or all that are installed. Gives the exit code: 0 when every word came back, 1 when one did not, 2 for arguments
/// that don't read, 3 when nothing was tried.
pub fn codeword(args: &[String]) -> i32 {
    let wish = match wish(args, &crate::engines::load()) {
        Ok(wish) => wish,
        Err((words, code)) => {
            eprintln!("{words}");
            return code;
        }
    };
    let names: Vec<&str> = wish.engines.iter().map(|engine| engine.product).collect();
    println!(
        "This starts {} in a server and a home of its own, tells it a word, kills everything, and asks for the word.",
        names.join(", ")
    );
    println!("It spends two turns of each. The conversation stays in its history; your sessions are not touched.");
    if !wish.sure && !agrees() {
        return UNTRIED;
    }
    let mut failed = Vec::new();
    for engine in wish.engines {
        println!("{}:", engine.product);
        let cast = Cast::One { engine, place: wish.place };
        match story::play(Options { cast, coming_back: Return::Resume, afterwards: Afterwards::Remove }) {
            Ok(()) => println!("PASS {}", engine.id),
            Err(why) => {
                println!("FAIL {}: {why}", engine.id);
                failed.push(engine.id);
            }
        }
    }
    if !failed.is_empty() && wish.place == Place::Scratch {
        println!(
            "An engine that asked whether to trust an unknown directory can be tried where you stand: add --here."
        );
    }
    i32::from(!failed.is_empty())
}

fn wish(args: &[String], table: &Table) -> Result<Wish, (String, i32)> {
    let mut wish = Wish { sure: false, place: Place::Scratch, engines: Vec::new() };
    for word in args {
        match word.as_str() {
            "--codeword" => {}
            "--yes" | "-y" => wish.sure = true,
            "--here" => wish.place = Place::Here,
            word if word.starts_with('-') => return Err((USAGE.to_owned(), 2)),
            name => wish.engines.push(named(name, table)?),
        }
    }
    if wish.engines.is_empty() {
        wish.engines = table.listed();
        wish.engines.retain(|engine| engine.resumes() && story::is_installed(engine));
    }
    if wish.engines.is_empty() {
        return Err(("no engine is installed; `rove engines` lists those that rove knows".to_owned(), UNTRIED));
    }
    Ok(wish)
}

fn named(name: &str, table: &Table) -> Result<&'static Engine, (String, i32)> {
    if let Some(problem) = table.problem(name) {
        return Err((problem.to_string(), UNTRIED));
    }
    let engine = table.find(name).ok_or((format!("no engine is called {name}; `rove engines` lists them"), 2))?;
    if !engine.resumes() {
        return Err((
            format!("{} has no way to come back to a conversation, so there is nothing to try", engine.product),
            UNTRIED,
        ));
    }
    if !story::is_installed(engine) {
        return Err((
            format!("{} is not installed: no {} on the PATH", engine.product, engine.program_names()),
            UNTRIED,
        ));
    }
    Ok(engine)
}

fn agrees() -> bool {
    if !std::io::stdin().is_terminal() {
        eprintln!("rove doctor --codeword spends turns; without a terminal it needs --yes");
        return false;
    }
    print!("Go on? [y/N] ");
    let _ = std::io::stdout().flush();
    let mut answer = String::new();
    let _ = std::io::stdin().read_line(&mut answer);
    let agrees = matches!(answer.trim(), "y" | "Y" | "yes");
    if !agrees {
        println!("nothing was done");
    }
    agrees
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Result<Wish, (String, i32)> {
        wish(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>(), &Table::default())
    }

    #[test]
    fn arguments_read() {
        let wish = read("--codeword --yes pinned --here discovered").ok().unwrap();
        assert!(wish.sure && wish.place == Place::Here);
        assert_eq!(wish.engines.iter().map(|engine| engine.id).collect::<Vec<_>>(), ["pinned", "discovered"]);
        assert_eq!(read("--codeword --what").err().unwrap().1, 2);
        assert_eq!(
            read("--codeword nothing").err().unwrap(),
            ("no engine is called nothing; `rove engines` lists them".to_owned(), 2)
        );
    }

    #[test]
    fn one_asks_for_it_by_its_word() {
        assert!(is_codeword(&["--codeword".to_owned()]) && !is_codeword(&["claude".to_owned()]));
    }
}
