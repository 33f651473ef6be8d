//! Which rows there are: 64 to a word, for rows are numbered nearly without gaps.

use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct RowSet {
    words: FxHashMap<u32, u64>,
    size: usize,
}

impl RowSet {
    pub fn len(&self) -> usize {
        self.size
    }

    pub fn has(&self, row: u32) -> bool {
        self.words.get(&(row / 64)).is_some_and(|word| word >> (row % 64) & 1 == 1)
    }

    pub fn insert(&mut self, row: u32) {
        let word = self.words.entry(row / 64).or_default();
        self.size += usize::from(*word >> (row % 64) & 1 == 0);
        *word |= 1 << (row % 64);
    }

    pub fn remove(&mut self, row: u32) {
        let Some(word) = self.words.get_mut(&(row / 64)) else { return };
        self.size -= usize::from(*word >> (row % 64) & 1 == 1);
        *word &= !(1 << (row % 64));
        if *word == 0 {
            self.words.remove(&(row / 64));
        }
    }
}
