//! What a scan looks for.

use regex::{Regex, RegexBuilder};

use super::super::requests::ScanRequest;
use crate::failure::{Failure, Outcome};
use crate::regex_engine::{Flags, SIZE_LIMIT, build};

/// Words asked for at most.
const MOST_WORDS: usize = 64;

pub struct Pattern {
    /// Each must match the text.
    required: Vec<Regex>,
    /// Any of them makes a line worth showing.
    shown: Vec<Regex>,
}

impl Pattern {
    pub fn new(request: &ScanRequest) -> Outcome<Self> {
        let (mut required, mut shown) = (Vec::new(), Vec::new());
        let mut words: Vec<&str> =
            request.words.iter().map(String::as_str).filter(|word| !word.is_empty()).collect();
        if words.len() > MOST_WORDS {
            return Err(Failure::bad_argument(format!("At most {MOST_WORDS} words can be looked for.")));
        }
        // Longer words are rarer, and the first that is missing ends the look.
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        for word in &words {
            required.push(any_of(&[word])?);
        }
        if !words.is_empty() {
            shown.push(any_of(&words)?);
        }
        if let Some(source) = &request.regex {
            let flags =
                Flags { case_insensitive: request.case_insensitive, multi_line: true, dot_all: false };
            let regex = build(source, flags, SIZE_LIMIT)?;
            shown.push(regex.clone());
            required.push(regex);
        }
        if required.is_empty() {
            return Err(Failure::bad_argument("A scan needs words or a regex."));
        }
        Ok(Self { required, shown })
    }

    pub fn matches(&self, text: &str) -> bool {
        self.required.iter().all(|regex| regex.is_match(text))
    }

    pub fn shown(&self) -> &[Regex] {
        &self.shown
    }
}

/// Any of these words as substrings, ignoring case (simple folding of Unicode).
fn any_of(words: &[&str]) -> Outcome<Regex> {
    let source = words.iter().map(|word| regex::escape(word)).collect::<Vec<_>>().join("|");
    RegexBuilder::new(&source)
        .case_insensitive(true)
        .build()
        .map_err(|error| Failure::bad_argument(format!("The words are too long to look for: {error}")))
}
