//! Word forms to stems, by the script a word is written in.

use rustc_hash::FxHashMap;
use std::borrow::Cow;

use frostem::{Algorithm, Stemmer};

/// Stems kept at a time; texts repeat their words.
const CACHED: usize = 1 << 14;

#[derive(Clone, Default)]
pub struct StemCache {
    stems: FxHashMap<Box<str>, Box<str>>,
}

impl StemCache {
    /// Replaces `word`, which is folded, by its stem.
    pub fn apply(&mut self, word: &mut String) {
        let Some(algorithm) = algorithm(word) else { return };
        if let Some(stem) = self.stems.get(word.as_str()) {
            word.clear();
            word.push_str(stem);
            return;
        }
        let stemmed = match Stemmer::new(algorithm).stem(word) {
            Cow::Owned(stem) if stem.is_empty() => word.clone(),
            stem => stem.into_owned(),
        };
        if self.stems.len() >= CACHED {
            self.stems.clear();
        }
        self.stems.insert(word.as_str().into(), stemmed.as_str().into());
        *word = stemmed;
    }
}

/// Latin is read as English. Words that start with a digit, and other scripts, are left alone.
fn algorithm(word: &str) -> Option<Algorithm> {
    match word.chars().next()? {
        'a'..='z' => Some(Algorithm::English),
        '\u{370}'..='\u{3ff}' | '\u{1f00}'..='\u{1fff}' => Some(Algorithm::Greek),
        '\u{400}'..='\u{52f}' => Some(Algorithm::Russian),
        '\u{600}'..='\u{6ff}' | '\u{750}'..='\u{77f}' => Some(Algorithm::Arabic),
        _ => None,
    }
}
