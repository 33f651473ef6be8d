//! Spelling differences that search ignores: case, accents, width, compatibility forms.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::MAX_TERM_BYTES;

/// Appends the folded form of `word` to `out`, up to `MAX_TERM_BYTES` in all. May append nothing.
pub fn fold_word(word: &str, out: &mut String) {
    if word.is_ascii() {
        let room = MAX_TERM_BYTES.saturating_sub(out.len());
        let start = out.len();
        out.push_str(&word[..word.len().min(room)]);
        out[start..].make_ascii_lowercase();
        return;
    }
    // U+0439 and U+0451 are letters of their own in Cyrillic and must not lose their mark before stemming.
    if word.chars().any(|character| matches!(character, '\u{400}'..='\u{52f}')) {
        push_folded(word.nfkc(), out);
    } else {
        push_folded(word.nfkd(), out);
    }
}

fn push_folded(characters: impl Iterator<Item = char>, out: &mut String) {
    for character in characters {
        if is_ignored(character) {
            continue;
        }
        for lower in character.to_lowercase() {
            let mut buffer = [0; 4];
            let folded = match spelled_out(lower) {
                "" if !lower.is_alphanumeric() && !is_combining_mark(lower) => continue,
                "" if is_ignored(lower) => continue,
                "" => lower.encode_utf8(&mut buffer),
                text => text,
            };
            if out.len() + folded.len() > MAX_TERM_BYTES {
                return;
            }
            out.push_str(folded);
        }
    }
}

/// Appends one character of an unspaced script, with its marks, in its composed, full-width form.
pub fn fold_unit(unit: &str, out: &mut String) {
    let mut characters = unit.chars();
    let plain = matches!(
        (characters.next(), characters.next()),
        (Some('\u{3040}'..='\u{30ff}' | '\u{3400}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'), None)
    );
    if plain {
        out.push_str(unit);
        return;
    }
    for character in unit.nfkc() {
        if out.len() + character.len_utf8() > MAX_TERM_BYTES {
            return;
        }
        out.push(character);
    }
}

/// Combining accents; vowel points of Hebrew and Arabic, the Arabic stretcher; joiners, the soft hyphen.
fn is_ignored(character: char) -> bool {
    matches!(character,
        '\u{300}'..='\u{36f}' | '\u{591}'..='\u{5bd}' | '\u{5bf}' | '\u{5c1}'..='\u{5c2}'
        | '\u{610}'..='\u{61a}' | '\u{640}' | '\u{64b}'..='\u{65f}' | '\u{670}'
        | '\u{ad}' | '\u{200c}' | '\u{200d}')
}

/// ASCII spelling of lower-case letters that no decomposition reaches; "" for all others.
fn spelled_out(character: char) -> &'static str {
    match character {
        'ß' => "ss",
        'æ' => "ae",
        'œ' => "oe",
        'ø' => "o",
        'ł' | 'ƚ' => "l",
        'đ' | 'ð' | 'ɖ' => "d",
        'þ' => "th",
        'ħ' => "h",
        'ı' | 'ɨ' => "i",
        'ŋ' => "n",
        'ŧ' => "t",
        'ĸ' => "k",
        'ƀ' | 'ɓ' => "b",
        'ƒ' => "f",
        'ə' => "e",
        'ё' => "е",
        'ς' => "σ",
        _ => "",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folded(word: &str) -> String {
        let mut out = String::new();
        fold_word(word, &mut out);
        out
    }

    #[test]
    fn folds_case_accents_and_width() {
        for (word, expected) in [
            ("Café", "cafe"),
            ("CAFE\u{301}", "cafe"),
            ("ＡＢＣ１", "abc1"),
            ("ﬁn", "fin"),
            ("Straße", "strasse"),
            ("İstanbul", "istanbul"),
            ("ΟΔΌΣ", "οδοσ"),
            ("Ёлкой", "елкой"),
            ("и\u{306}", "й"),
            ("مُحَمَّد", "محمد"),
            ("\u{640}", ""),
        ] {
            assert_eq!(folded(word), expected, "{word}");
        }
    }

    #[test]
    fn cuts_long_words_at_a_character() {
        assert_eq!(folded(&"x".repeat(300_000)).len(), MAX_TERM_BYTES);
        assert_eq!(folded(&"ж".repeat(100)), "ж".repeat(32));
        assert_eq!(folded(&format!("a{}", "ж".repeat(100))).len(), 63);
    }

    #[test]
    fn composes_units() {
        let mut out = String::new();
        fold_unit("ﾊ\u{ff9e}", &mut out);
        fold_unit("\u{1112}\u{1161}\u{11ab}", &mut out);
        assert_eq!(out, "バ한");
    }
}
