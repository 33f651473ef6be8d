//! Scored notes, and how lists of them are put together. Sums run in the order of the lists, note by
//! note, so a note's score is the same whatever other notes there are.

use std::cmp::Ordering;

/// Slots in ascending order with a score each.
#[derive(Default, Clone, Debug)]
pub struct Hits {
    pub slots: Vec<u32>,
    pub scores: Vec<f64>,
}

impl Hits {
    fn push(&mut self, slot: u32, score: f64) {
        self.slots.push(slot);
        self.scores.push(score);
    }

    pub fn scaled(mut self, factor: f64) -> Self {
        if factor != 1.0 {
            self.scores.iter_mut().for_each(|score| *score *= factor);
        }
        self
    }

    pub fn retain(&mut self, mut keep: impl FnMut(u32) -> bool) {
        let mut kept = 0;
        for at in 0..self.slots.len() {
            if keep(self.slots[at]) {
                self.slots[kept] = self.slots[at];
                self.scores[kept] = self.scores[at];
                kept += 1;
            }
        }
        self.slots.truncate(kept);
        self.scores.truncate(kept);
    }
}

/// Notes of either list; `both` joins the scores of a note in both.
fn merge(left: &Hits, right: &Hits, both: impl Fn(f64, f64) -> f64) -> Hits {
    let mut merged = Hits::default();
    let (mut l, mut r) = (0, 0);
    while l < left.slots.len() && r < right.slots.len() {
        match left.slots[l].cmp(&right.slots[r]) {
            Ordering::Less => {
                merged.push(left.slots[l], left.scores[l]);
                l += 1;
            }
            Ordering::Greater => {
                merged.push(right.slots[r], right.scores[r]);
                r += 1;
            }
            Ordering::Equal => {
                merged.push(left.slots[l], both(left.scores[l], right.scores[r]));
                (l, r) = (l + 1, r + 1);
            }
        }
    }
    merged.slots.extend(&left.slots[l..]);
    merged.scores.extend(&left.scores[l..]);
    merged.slots.extend(&right.slots[r..]);
    merged.scores.extend(&right.scores[r..]);
    merged
}

/// The best score of each note.
pub fn best(lists: Vec<Hits>) -> Hits {
    lists.into_iter().reduce(|left, right| merge(&left, &right, f64::max)).unwrap_or_default()
}

/// Notes of both lists, scores summed.
pub fn intersect(left: &Hits, right: &Hits) -> Hits {
    let mut common = Hits::default();
    let mut r = 0;
    for (&slot, &score) in left.slots.iter().zip(&left.scores) {
        while r < right.slots.len() && right.slots[r] < slot {
            r += 1;
        }
        if r < right.slots.len() && right.slots[r] == slot {
            common.push(slot, score + right.scores[r]);
        }
    }
    common
}

/// Sums over many lists at once, dense over all slots.
pub struct Sums {
    scores: Vec<f64>,
    counts: Vec<u32>,
}

impl Sums {
    pub fn new(slots: u32) -> Self {
        Self { scores: vec![0.0; slots as usize], counts: vec![0; slots as usize] }
    }

    pub fn add(&mut self, list: &Hits) {
        for (&slot, &score) in list.slots.iter().zip(&list.scores) {
            self.scores[slot as usize] += score;
            self.counts[slot as usize] += 1;
        }
    }

    /// Notes that were in at least `minimum` (which is positive) of the lists.
    pub fn at_least(&self, minimum: u32) -> Hits {
        let mut found = Hits::default();
        for (slot, &count) in self.counts.iter().enumerate() {
            if count >= minimum {
                found.push(slot as u32, self.scores[slot]);
            }
        }
        found
    }

    /// Adds what was summed to notes that are found anyway.
    pub fn add_to(&self, found: &mut Hits) {
        for (&slot, score) in found.slots.iter().zip(&mut found.scores) {
            *score += self.scores[slot as usize];
        }
    }

    pub fn count(&self, slot: u32) -> u32 {
        self.counts[slot as usize]
    }
}
