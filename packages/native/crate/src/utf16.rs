//! Byte offsets of UTF-8 text to offsets of the same text in UTF-16, which is what JavaScript counts in.

/// How many bytes one entry of the table covers.
const STRIDE: usize = 64;

/// A table over one text; building it reads the text once, a look-up reads at most 64 bytes.
pub struct Utf16Map<'a> {
    bytes: &'a [u8],
    /// UTF-16 units before byte `STRIDE * i`; empty when the text is ASCII.
    before: Vec<u32>,
}

/// UTF-16 units of whole or partial UTF-8 text: every byte that starts a character counts one,
/// and a byte that starts a four-byte character counts two.
fn units(bytes: &[u8]) -> u32 {
    bytes.iter().map(|&byte| u32::from((byte as i8) >= -64) + u32::from(byte >= 0xF0)).sum()
}

/// Length of `text` in UTF-16 units.
pub fn utf16_len(text: &str) -> u32 {
    units(text.as_bytes())
}

/// The byte offset of UTF-16 offset `target` in `text`: the start of the character that holds it,
/// or the end of the text when it lies beyond.
pub fn byte_of_utf16(text: &str, target: u32) -> usize {
    if text.is_ascii() {
        return text.len().min(target as usize);
    }
    let mut seen = 0;
    for (at, character) in text.char_indices() {
        let next = seen + character.len_utf16() as u32;
        if next > target {
            return at;
        }
        seen = next;
    }
    text.len()
}

impl<'a> Utf16Map<'a> {
    pub fn new(text: &'a str) -> Self {
        let bytes = text.as_bytes();
        let mut before = Vec::new();
        if !bytes.is_ascii() {
            before.reserve(bytes.len() / STRIDE + 1);
            let mut total = 0;
            for block in bytes.chunks(STRIDE) {
                before.push(total);
                total += units(block);
            }
            before.push(total);
        }
        Self { bytes, before }
    }

    /// UTF-16 offset of byte offset `at`, which must be at most the text's length.
    pub fn get(&self, at: usize) -> u32 {
        if self.before.is_empty() {
            return at as u32;
        }
        let block = at / STRIDE;
        self.before[block] + units(&self.bytes[block * STRIDE..at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn agrees_with_counting_from_the_start() {
        let text = "aé漢😀\u{0}\n".repeat(40);
        let map = Utf16Map::new(&text);
        for (at, _) in text.char_indices() {
            let expected = text[..at].encode_utf16().count() as u32;
            assert_eq!(map.get(at), expected);
            assert_eq!(byte_of_utf16(&text, expected), at);
        }
        assert_eq!(map.get(text.len()), utf16_len(&text));
        assert_eq!(byte_of_utf16(&text, u32::MAX), text.len());
    }
}
