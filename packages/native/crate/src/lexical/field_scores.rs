//! Scores of one word or phrase in several fields, put together by dis-max: a note's best field counts,
//! and its others a little.

use super::hits::Hits;

/// Dense over all slots; used again for each word of a query.
pub struct FieldScores {
    best: Vec<f64>,
    sum: Vec<f64>,
    /// One bit a slot that has a score.
    scored: Vec<u64>,
}

impl FieldScores {
    pub fn new(slots: u32) -> Self {
        let slots = slots as usize;
        Self { best: vec![0.0; slots], sum: vec![0.0; slots], scored: vec![0; slots.div_ceil(64)] }
    }

    #[inline]
    pub fn add(&mut self, slot: u32, score: f64) {
        let at = slot as usize;
        let (word, bit) = (&mut self.scored[at / 64], 1 << (at % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.best[at] = score;
            self.sum[at] = score;
        } else {
            self.best[at] = self.best[at].max(score);
            self.sum[at] += score;
        }
    }

    pub fn add_all(&mut self, hits: &Hits) {
        for (&slot, &score) in hits.slots.iter().zip(&hits.scores) {
            self.add(slot, score);
        }
    }

    /// Best plus `tie_breaker` times the others, each times `factor`; leaves everything empty.
    pub fn take(&mut self, tie_breaker: f64, factor: f64) -> Hits {
        let mut found = Hits::default();
        for (at, word) in self.scored.iter_mut().enumerate() {
            let mut left = std::mem::take(word);
            while left != 0 {
                let slot = at * 64 + left.trailing_zeros() as usize;
                left &= left - 1;
                let best = self.best[slot];
                found.slots.push(slot as u32);
                found.scores.push(factor * (best + tie_breaker * (self.sum[slot] - best)));
            }
        }
        found
    }
}
