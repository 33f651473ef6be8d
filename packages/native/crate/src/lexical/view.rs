//! What is counted over the notes of one View.

use std::collections::HashMap;
use std::sync::Mutex;

use super::schema::TEXTS;
use super::snapshot::Segment;
use crate::id_set::IdBits;

/// Terms whose frequency is remembered at a time.
const REMEMBERED: usize = 1 << 14;

/// Live notes of one snapshot that one View holds, and the statistics BM25 needs of them.
pub struct ViewStatistics {
    /// One bit a slot; None when every slot is a live note of the View.
    bits: Option<Vec<u64>>,
    pub documents: u32,
    /// Words in each text.
    pub words: [u64; TEXTS],
    /// By field and term.
    pub frequencies: Mutex<HashMap<(usize, String), u32>>,
}

impl ViewStatistics {
    pub fn count(segments: &[Segment], slots: u32, members: Option<&IdBits>) -> Self {
        let mut bits = vec![0u64; slots.div_ceil(64) as usize];
        let (mut documents, mut words) = (0, [0u64; TEXTS]);
        for segment in segments {
            for document in 0..segment.reader.max_doc() {
                let id = segment.columns.ids[document as usize];
                if segment.reader.is_deleted(document) || members.is_some_and(|set| !set.has(id)) {
                    continue;
                }
                let slot = segment.first_slot + document;
                bits[slot as usize / 64] |= 1 << (slot % 64);
                documents += 1;
                for (sum, lengths) in words.iter_mut().zip(&segment.columns.lengths) {
                    *sum += u64::from(lengths[document as usize]);
                }
            }
        }
        let bits = (documents < slots).then_some(bits);
        Self { bits, documents, words, frequencies: Mutex::default() }
    }

    pub fn holds_all(&self) -> bool {
        self.bits.is_none()
    }

    #[inline]
    pub fn holds(&self, slot: u32) -> bool {
        match &self.bits {
            None => true,
            Some(bits) => bits[slot as usize / 64] >> (slot % 64) & 1 == 1,
        }
    }

    /// Average number of words of a text; 1 when there are none, so that it divides.
    pub fn average_length(&self, text: usize) -> f64 {
        if self.words[text] == 0 { 1.0 } else { self.words[text] as f64 / f64::from(self.documents) }
    }

    /// `count()` unless it is remembered.
    pub fn frequency<E>(
        &self,
        field: usize,
        term: &str,
        count: impl FnOnce() -> Result<u32, E>,
    ) -> Result<u32, E> {
        let key = (field, term.to_string());
        if let Ok(known) = self.frequencies.lock()
            && let Some(frequency) = known.get(&key)
        {
            return Ok(*frequency);
        }
        let frequency = count()?;
        if let Ok(mut known) = self.frequencies.lock() {
            if known.len() >= REMEMBERED {
                known.clear();
            }
            known.insert(key, frequency);
        }
        Ok(frequency)
    }
}
