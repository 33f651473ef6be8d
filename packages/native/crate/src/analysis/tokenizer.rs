//! The segmenter as Tantivy's tokenizer, in two forms.

use tantivy::tokenizer::{Token, TokenStream, Tokenizer};

use super::fold::{fold_unit, fold_word};
use super::segment::{Piece, PieceKind, Segmenter};
use super::stem::StemCache;

/// How far a term is from what is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Hash, PartialOrd, Ord)]
pub enum Form {
    Stemmed,
    /// Folded only, with the suffix of `C++`.
    Exact,
}

/// Writes the term of `piece` into `out`; leaves it empty when nothing remains after folding.
pub fn write_term(text: &str, piece: &Piece, form: Form, stems: &mut StemCache, out: &mut String) {
    out.clear();
    match piece.kind {
        PieceKind::Word { suffixed } => {
            fold_word(&text[piece.from..piece.to], out);
            match form {
                Form::Exact if !out.is_empty() => out.push_str(&text[piece.to..suffixed]),
                Form::Exact => {}
                Form::Stemmed => stems.apply(out),
            }
        }
        PieceKind::Pair { middle } => {
            fold_unit(&text[piece.from..middle], out);
            fold_unit(&text[middle..piece.to], out);
        }
        PieceKind::Tail { .. } => fold_unit(&text[piece.from..piece.to], out),
    }
}

#[derive(Clone)]
pub struct NoteTokenizer {
    form: Form,
    stems: StemCache,
    token: Token,
}

impl NoteTokenizer {
    pub fn new(form: Form) -> Self {
        Self { form, stems: StemCache::default(), token: Token::default() }
    }
}

pub struct NoteTokenStream<'a> {
    text: &'a str,
    pieces: Segmenter<'a>,
    tokenizer: &'a mut NoteTokenizer,
}

impl Tokenizer for NoteTokenizer {
    type TokenStream<'a> = NoteTokenStream<'a>;

    fn token_stream<'a>(&'a mut self, text: &'a str) -> NoteTokenStream<'a> {
        self.token.reset();
        NoteTokenStream { text, pieces: Segmenter::new(text), tokenizer: self }
    }
}

impl TokenStream for NoteTokenStream<'_> {
    fn advance(&mut self) -> bool {
        let NoteTokenizer { form, stems, token } = &mut *self.tokenizer;
        for piece in self.pieces.by_ref() {
            write_term(self.text, &piece, *form, stems, &mut token.text);
            if !token.text.is_empty() {
                token.position = piece.position as usize;
                token.offset_from = piece.from;
                token.offset_to = piece.to;
                return true;
            }
        }
        false
    }

    fn token(&self) -> &Token {
        &self.tokenizer.token
    }

    fn token_mut(&mut self) -> &mut Token {
        &mut self.tokenizer.token
    }
}
