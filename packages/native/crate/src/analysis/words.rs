//! The terms of a query's text.

use super::segment::{PieceKind, Segmenter};
use super::stem::StemCache;
use super::tokenizer::{Form, write_term};

/// One term to look up.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Word {
    pub term: String,
    /// Ordinal in the text; the terms of a phrase keep their distances.
    pub position: u32,
    /// A single character of an unspaced script: it is found in the terms that start with it.
    pub starts_terms: bool,
}

/// The terms that find `text`. The last character of an unspaced run is left out: the pair before it
/// holds it.
pub fn words(text: &str, form: Form) -> Vec<Word> {
    let mut stems = StemCache::default();
    let mut found = Vec::new();
    for piece in Segmenter::new(text) {
        if piece.kind == (PieceKind::Tail { lone: false }) {
            continue;
        }
        let mut term = String::new();
        write_term(text, &piece, form, &mut stems, &mut term);
        if !term.is_empty() {
            let starts_terms = piece.kind == (PieceKind::Tail { lone: true });
            found.push(Word { term, position: piece.position, starts_terms });
        }
    }
    found
}
