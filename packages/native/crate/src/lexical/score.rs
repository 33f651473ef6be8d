//! BM25 (Robertson and Zaragoza, 2009) over the notes of a View, in double precision. A note's score
//! depends on its own words and the View's statistics alone.

use super::hits::Hits;
use super::postings::Occurrences;
use super::snapshot::{Segment, Snapshot};
use super::view::ViewStatistics;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// How much a term that stands in `frequency` of `documents` notes tells; never negative.
pub fn idf(documents: u32, frequency: u32) -> f64 {
    let (documents, frequency) = (f64::from(documents), f64::from(frequency));
    (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// What one occurrence list is worth: BM25 in a text of the View's notes, times a factor.
#[derive(Clone, Copy)]
pub struct Bm25 {
    text: usize,
    factor: f64,
    base: f64,
    slope: f64,
}

impl Bm25 {
    /// `told` is the idf of the term, or the sum over the terms of a phrase, times any weight.
    pub fn new(view: &ViewStatistics, text: usize, told: f64) -> Self {
        let slope = K1 * B / view.average_length(text);
        Self { text, factor: told * (K1 + 1.0), base: K1 * (1.0 - B), slope }
    }

    #[inline]
    pub fn score(&self, segment: &Segment, document: u32, count: u32) -> f64 {
        let length = f64::from(segment.columns.lengths[self.text][document as usize]);
        let count = f64::from(count);
        self.factor * count / (count + self.base + self.slope * length)
    }

    pub fn scores(&self, snapshot: &Snapshot, found: Occurrences) -> Hits {
        let mut scores = Vec::with_capacity(found.slots.len());
        for segment in &snapshot.segments {
            while let Some(&slot) = found.slots.get(scores.len()) {
                if slot >= segment.end_slot() {
                    break;
                }
                let count = found.counts[scores.len()];
                scores.push(self.score(segment, slot - segment.first_slot, count));
            }
        }
        Hits { slots: found.slots, scores }
    }
}
