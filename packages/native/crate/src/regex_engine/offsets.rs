//! Byte offsets that come in ascending order to UTF-16 offsets, reading the text once.

use crate::utf16::utf16_len;

pub struct Ascending<'a> {
    text: &'a str,
    byte: usize,
    unit: u32,
}

impl<'a> Ascending<'a> {
    pub fn new(text: &'a str) -> Self {
        Self { text, byte: 0, unit: 0 }
    }

    /// UTF-16 offset of `byte`, which is not before the last one asked for.
    pub fn unit(&mut self, byte: usize) -> u32 {
        self.unit += utf16_len(&self.text[self.byte..byte]);
        self.byte = byte;
        self.unit
    }
}
