//! The best of many, without keeping all of them.

use rustc_hash::FxHashMap;

#[derive(Clone, Copy)]
pub struct Scored {
    pub row: u32,
    pub note: u32,
    pub score: f32,
}

impl Scored {
    /// Of two rows of one note the nearer one; of equal ones that with the lower number.
    pub fn is_before(&self, other: &Self) -> bool {
        self.score > other.score || (self.score == other.score && self.row < other.row)
    }
}

/// The best `limit` of what was offered, and all that are as good as the last of them: which of equal ones come first
/// is not decided here.
pub struct Leaders {
    limit: usize,
    /// What `limit` of them reach for sure.
    floor: f32,
    kept: FxHashMap<u32, Scored>,
    /// How many may be kept until the floor is raised again.
    room: usize,
}

impl Leaders {
    pub fn new(limit: usize) -> Self {
        Self { limit, floor: f32::NEG_INFINITY, kept: FxHashMap::default(), room: limit.saturating_mul(2) }
    }

    /// Of those with one key the best counts.
    #[inline]
    pub fn offer(&mut self, key: u32, scored: Scored) {
        if scored.score < self.floor || self.limit == 0 {
            return;
        }
        let best = self.kept.entry(key).or_insert(scored);
        if scored.is_before(best) {
            *best = scored;
        }
        if self.kept.len() > self.room {
            self.raise();
            // So many may be equal that nothing was dropped: the next turn comes when there are twice as many.
            self.room = self.limit.max(self.kept.len()).saturating_mul(2);
        }
    }

    fn raise(&mut self) {
        if self.kept.len() <= self.limit {
            return;
        }
        let mut scores: Vec<f32> = self.kept.values().map(|kept| kept.score).collect();
        let last = scores.select_nth_unstable_by(self.limit - 1, |left, right| right.total_cmp(left)).1;
        self.floor = *last;
        self.kept.retain(|_, kept| kept.score >= self.floor);
    }

    /// Best first; equal ones by note, then row.
    pub fn into_sorted(mut self) -> Vec<Scored> {
        self.raise();
        let mut sorted: Vec<Scored> = self.kept.into_values().collect();
        sorted.sort_unstable_by(|left, right| {
            right
                .score
                .total_cmp(&left.score)
                .then_with(|| (left.note, left.row).cmp(&(right.note, right.row)))
        });
        sorted
    }
}
