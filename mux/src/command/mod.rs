//! The command language: text to commands ([`parse`]), commands to checked flags and arguments ([`build`],
//! [`arguments`]), and back to text ([`print`]). Pure: nothing here knows the model or runs a command.

pub mod arguments;
pub mod build;
mod lexer;
pub mod parse;
pub mod print;
pub mod template;

pub use arguments::{Arguments, ArgumentsError, Kind, Template, Value};
pub use build::{Command, CommandTable, Signature, build, build_values, resolve};
pub use parse::{Argument, Assignment, ParseContext, ParseError, Parsed, ParsedCommand, parse, parse_argv, split};
pub use print::{Separator, escape, print_arguments, print_command, print_commands, print_parsed};
