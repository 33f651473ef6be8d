//! Cuts text into words: runs of letters and digits, except that scripts written without spaces come
//! out as overlapping pairs of characters, so that a word is found in the middle of a sentence.

use unicode_normalization::char::is_combining_mark;

/// One word of a text, as byte offsets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    pub from: usize,
    pub to: usize,
    /// Ordinal of the word in the text.
    pub position: u32,
    pub kind: PieceKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PieceKind {
    /// A run of letters and digits. `suffixed` is its end with a `++` or `#` that belongs to it, else `to`.
    Word { suffixed: usize },
    /// Two neighbours of an unspaced script; the second starts at `middle`.
    Pair { middle: usize },
    /// The last character of an unspaced run; `lone` when it is the only one.
    Tail { lone: bool },
}

pub struct Segmenter<'a> {
    text: &'a str,
    at: usize,
    position: u32,
    in_unspaced: bool,
}

impl<'a> Segmenter<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, at: 0, position: 0, in_unspaced: false }
    }

    fn char_at(&self, at: usize) -> Option<char> {
        self.text[at..].chars().next()
    }

    fn piece(&mut self, from: usize, to: usize, kind: PieceKind) -> Option<Piece> {
        let position = self.position;
        self.position += 1;
        Some(Piece { from, to, position, kind })
    }

    fn word(&mut self, from: usize) -> Option<Piece> {
        let bytes = self.text.as_bytes();
        let (mut at, mut last_is_letter) = (from, false);
        while at < bytes.len() {
            let byte = bytes[at];
            if byte < 128 {
                if !byte.is_ascii_alphanumeric() {
                    break;
                }
                last_is_letter = byte.is_ascii_alphabetic();
                at += 1;
            } else {
                let Some(next) = self.char_at(at) else { break };
                if is_unspaced(next) || !continues_word(next) {
                    break;
                }
                last_is_letter = next.is_alphabetic();
                at += next.len_utf8();
            }
        }
        self.at = at;
        let suffixed = if last_is_letter { self.suffix(at) } else { at };
        self.piece(from, at, PieceKind::Word { suffixed })
    }

    /// End of `[+#]{1,2}` at `at` when no letter or digit follows, nor `^` (as in the link `Note#^block`).
    fn suffix(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        let signs = bytes[at..].iter().take(2).take_while(|&&byte| byte == b'+' || byte == b'#').count();
        let end = at + signs;
        match self.char_at(end) {
            Some(next) if next == '^' || next.is_alphanumeric() => at,
            _ => end,
        }
    }

    /// One character of an unspaced script with the marks that belong to it.
    fn unit_end(&self, from: usize) -> Option<usize> {
        let mut characters = self.text[from..].char_indices();
        let (_, first) = characters.next()?;
        if !is_unspaced(first) {
            return None;
        }
        let next = characters.find(|&(_, next)| !joins_unit(next)).map(|(offset, _)| from + offset);
        Some(next.unwrap_or(self.text.len()))
    }

    fn unspaced(&mut self, from: usize) -> Option<Piece> {
        let middle = self.unit_end(from)?;
        self.at = middle;
        let continued = std::mem::replace(&mut self.in_unspaced, true);
        match self.unit_end(middle) {
            Some(to) => self.piece(from, to, PieceKind::Pair { middle }),
            None => {
                self.in_unspaced = false;
                self.piece(from, middle, PieceKind::Tail { lone: !continued })
            }
        }
    }
}

impl Iterator for Segmenter<'_> {
    type Item = Piece;

    fn next(&mut self) -> Option<Piece> {
        let bytes = self.text.as_bytes();
        while self.at < bytes.len() {
            let byte = bytes[self.at];
            if byte < 128 {
                if byte.is_ascii_alphanumeric() {
                    return self.word(self.at);
                }
                self.at += 1;
                continue;
            }
            let next = self.char_at(self.at)?;
            if is_unspaced(next) {
                return self.unspaced(self.at);
            }
            if next.is_alphanumeric() {
                return self.word(self.at);
            }
            self.at += next.len_utf8();
        }
        None
    }
}

/// Marks, joiners (U+200C, U+200D) and the soft hyphen stand inside words.
fn continues_word(character: char) -> bool {
    character.is_alphanumeric()
        || matches!(character, '\u{ad}' | '\u{200c}' | '\u{200d}')
        || is_combining_mark(character)
}

/// Marks, half-width voicing marks, and vowels and finals of decomposed Hangul.
fn joins_unit(character: char) -> bool {
    matches!(character, '\u{ff9e}' | '\u{ff9f}' | '\u{1160}'..='\u{11ff}') || is_combining_mark(character)
}

/// Han, Kana, Hangul, Thai, Lao, Khmer, Myanmar: letters and digits of scripts written without spaces
/// between words, or (Hangul) with words that carry their particles.
fn is_unspaced(character: char) -> bool {
    let in_range = matches!(character as u32,
        0x0E00..=0x0EFF | 0x1000..=0x109F | 0x1100..=0x11FF | 0x1780..=0x17FF | 0x19E0..=0x19FF
        | 0x3005..=0x3007 | 0x303B | 0x3040..=0x30FF | 0x3130..=0x318F | 0x31F0..=0x31FF
        | 0x3400..=0x4DBF | 0x4E00..=0x9FFF | 0xA960..=0xA97F | 0xA9E0..=0xA9FF | 0xAA60..=0xAA7F
        | 0xAC00..=0xD7FF | 0xF900..=0xFAFF | 0xFF66..=0xFF9F | 0xFFA0..=0xFFDC | 0x20000..=0x3FFFF);
    in_range && (character.is_alphanumeric() || is_combining_mark(character))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(text: &str) -> Vec<&str> {
        Segmenter::new(text).map(|piece| &text[piece.from..piece.to]).collect()
    }

    #[test]
    fn cuts_words_and_unspaced_runs() {
        assert_eq!(cut("Real-time GB/s don't, 1.0"), ["Real", "time", "GB", "s", "don", "t", "1", "0"]);
        assert_eq!(cut("a東京都b"), ["a", "東京", "京都", "都", "b"]);
        assert_eq!(cut("都"), ["都"]);
        assert_eq!(cut("ﾊﾞｽ"), ["ﾊﾞｽ", "ｽ"]);
        assert_eq!(cut("หิมะ"), ["หิม", "มะ", "ะ"]);
        assert_eq!(cut("e\u{301}té \u{0} \u{fffd}"), ["e\u{301}té"]);
    }

    #[test]
    fn finds_suffixes() {
        let suffixed = |text: &str| {
            Segmenter::new(text)
                .map(|piece| match piece.kind {
                    PieceKind::Word { suffixed } => text[piece.from..suffixed].to_string(),
                    _ => String::new(),
                })
                .collect::<Vec<_>>()
        };
        assert_eq!(suffixed("C++, c# F#"), ["C++", "c#", "F#"]);
        assert_eq!(suffixed("a+b x1+ Note#^id Note#h"), ["a", "b", "x1", "Note", "id", "Note", "h"]);
    }
}
