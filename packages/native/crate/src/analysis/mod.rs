//! How text becomes terms. Indexing, queries and snippets all go through here, so they agree.
//! A change that alters any term needs a new `lexical::schema::VERSION`.

mod fold;
mod segment;
mod stem;

mod tokenizer;
mod words;

pub use segment::{Piece, PieceKind, Segmenter};
pub use stem::StemCache;
pub use tokenizer::{Form, NoteTokenizer, write_term};
pub use words::{Word, words};

use napi::Env;
use napi_derive::napi;

use crate::failure::guard_sync;

/// Terms longer than this are cut, in documents and queries alike.
pub const MAX_TERM_BYTES: usize = 64;

/// How many terms the indexed forms of `text` have; both forms have the same number.
pub fn count_terms(text: &str) -> u32 {
    Segmenter::new(text).count() as u32
}

#[napi]
pub fn tokens(env: Env, text: String, exact: bool) -> napi::Result<Vec<String>> {
    let form = if exact { Form::Exact } else { Form::Stemmed };
    guard_sync(&env, || Ok(words(&text, form).into_iter().map(|word| word.term).collect()))
}
