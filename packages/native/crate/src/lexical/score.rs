//! BM25 (Robertson and Zaragoza, 2009) over the notes of a View, in double precision. A note's score
//! depends on its own words and the View's statistics alone.

use super::hits::Hits;
use super::postings::Occurrences;
use super::snapshot::Snapshot;
use super::view::ViewStatistics;

const K1: f64 = 1.2;
const B: f64 = 0.75;

/// How much a term that stands in `frequency` of `documents` notes tells; never negative.
pub fn idf(documents: u32, frequency: u32) -> f64 {
    let (documents, frequency) = (f64::from(documents), f64::from(frequency));
    (1.0 + (documents - frequency + 0.5) / (frequency + 0.5)).ln()
}

/// Scores of occurrences in a text, each `factor` times its BM25 weight.
pub fn bm25(
    snapshot: &Snapshot,
    view: &ViewStatistics,
    text: usize,
    found: Occurrences,
    factor: f64,
) -> Hits {
    let (base, slope) = (K1 * (1.0 - B), K1 * B / view.average_length(text));
    let factor = factor * (K1 + 1.0);
    let mut scores = Vec::with_capacity(found.slots.len());
    let mut at = 0;
    for segment in &snapshot.segments {
        let lengths = &segment.columns.lengths[text];
        while at < found.slots.len() && found.slots[at] < segment.end_slot() {
            let count = f64::from(found.counts[at]);
            let length = f64::from(lengths[(found.slots[at] - segment.first_slot) as usize]);
            scores.push(factor * count / (count + base + slope * length));
            at += 1;
        }
    }
    Hits { slots: found.slots, scores }
}
