//! Regular expressions from outside: linear in the text, bounded in memory, with teaching errors.

use regex::{Regex, RegexBuilder};

use crate::failure::{Failure, Outcome};
use crate::utf16::utf16_len;

/// Compiled size of a pattern, and of its lazily built automaton.
pub const SIZE_LIMIT: usize = 4 << 20;
/// The same for a pattern that is compiled on the calling thread: some 2 ms of work.
pub const SMALL_SIZE_LIMIT: usize = 96 << 10;
const DFA_LIMIT: usize = 4 << 20;
/// Longest pattern, in bytes.
const LONGEST: usize = 10_000;

#[derive(Clone, Copy, Default)]
pub struct Flags {
    pub case_insensitive: bool,
    pub multi_line: bool,
    pub dot_all: bool,
}

pub fn build(source: &str, flags: Flags, size_limit: usize) -> Outcome<Regex> {
    if source.len() > LONGEST {
        return Err(bad(format!("the pattern is longer than {LONGEST} bytes"), None));
    }
    let built = RegexBuilder::new(source)
        .case_insensitive(flags.case_insensitive)
        .multi_line(flags.multi_line)
        .dot_matches_new_line(flags.dot_all)
        .size_limit(size_limit)
        .dfa_size_limit(DFA_LIMIT)
        .build();
    built.map_err(|error| explain(source, flags, &error))
}

fn bad(reason: String, position: Option<u32>) -> Failure {
    let mut failure = Failure::new("bad_regex", format!("The regular expression is wrong: {reason}."));
    failure.position = position;
    failure
}

/// `regex` reports text; its parser reports where the fault is.
fn explain(source: &str, flags: Flags, error: &regex::Error) -> Failure {
    let parsed = regex_syntax::ParserBuilder::new()
        .case_insensitive(flags.case_insensitive)
        .multi_line(flags.multi_line)
        .dot_matches_new_line(flags.dot_all)
        .build()
        .parse(source);
    let (reason, start) = match parsed {
        Err(regex_syntax::Error::Parse(error)) => (error.kind().to_string(), error.span().start.offset),
        Err(regex_syntax::Error::Translate(error)) => (error.kind().to_string(), error.span().start.offset),
        _ => match error {
            regex::Error::CompiledTooBig(_) => return bad("it is too large when compiled".into(), None),
            other => return bad(other.to_string().replace('\n', " "), None),
        },
    };
    let position = source.get(..start).map(utf16_len);
    let place = position.map_or(String::new(), |at| format!(" at offset {at}"));
    bad(format!("{reason}{place}"), position)
}
