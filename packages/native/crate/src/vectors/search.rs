//! The rows nearest to a query.

use rustc_hash::{FxHashMap, FxHashSet};
use std::cmp::Ordering;

use super::dot::{Dot, float};
use super::table::{Table, quantize};
use crate::id_set::IdBits;

#[derive(Default)]
pub struct Matches {
    pub rows: Vec<u32>,
    pub notes: Vec<u32>,
    pub scores: Vec<f32>,
}

/// A row that may be among the best, and what its score is at least and at most.
struct Candidate {
    place: usize,
    least: f64,
    most: f64,
}

#[derive(Clone, Copy)]
struct Scored {
    place: usize,
    score: f64,
}

pub struct Members<'a> {
    pub view: Option<&'a IdBits>,
    pub filter: Option<&'a IdBits>,
}

impl Members<'_> {
    fn holds(&self, note: u32) -> bool {
        self.view.is_none_or(|set| set.has(note)) && self.filter.is_none_or(|set| set.has(note))
    }
}

/// The best `limit` rows of the members, or with `per_note` the best row of each of the best notes.
pub fn search(table: &Table, query: &[f32], limit: usize, per_note: bool, members: &Members) -> Matches {
    let mut candidates = bounds(table, query, members);
    let limit = limit.min(candidates.len());
    if limit == 0 {
        return Matches::default();
    }
    let floor = floor(table, &candidates, limit, per_note);
    candidates.retain(|candidate| candidate.most >= floor);
    let mut scored: Vec<Scored> = candidates
        .iter()
        .map(|candidate| Scored { place: candidate.place, score: float(query, table.float(candidate.place)) })
        .collect();
    scored.sort_unstable_by(|left, right| order(table, left, right));
    if per_note {
        let mut seen = FxHashSet::default();
        scored.retain(|entry| seen.insert(table.notes[entry.place]));
    }
    scored.truncate(limit);
    Matches {
        rows: scored.iter().map(|entry| table.rows[entry.place]).collect(),
        notes: scored.iter().map(|entry| table.notes[entry.place]).collect(),
        scores: scored.iter().map(|entry| entry.score as f32).collect(),
    }
}

fn order(table: &Table, left: &Scored, right: &Scored) -> Ordering {
    right
        .score
        .total_cmp(&left.score)
        .then_with(|| table.notes[left.place].cmp(&table.notes[right.place]))
        .then_with(|| table.rows[left.place].cmp(&table.rows[right.place]))
}

/// Bounds of each member's score from its integers. With q = q' + e and r = r' + f (kept and lost by
/// rounding), |q.r - q'.r'| = |q.f + e.r'| is at most |q| |f| + |e| |r'| (Cauchy and Schwarz).
fn bounds(table: &Table, query: &[f32], members: &Members) -> Vec<Candidate> {
    let dot = Dot::detect();
    let quantized = quantize(query);
    let query_length = float(query, query).sqrt() * 1.0001;
    let mut candidates = Vec::with_capacity(table.len());
    for place in 0..table.len() {
        if !members.holds(table.notes[place]) {
            continue;
        }
        let product = f64::from(dot.int8(&quantized.integers, table.integer(place)));
        let about = product * f64::from(quantized.scale) * f64::from(table.scales[place]);
        let slack = query_length * f64::from(table.errors[place])
            + f64::from(quantized.error) * f64::from(table.lengths[place]);
        candidates.push(Candidate { place, least: about - slack, most: about + slack });
    }
    candidates
}

/// What at least `limit` rows (or notes) reach for sure.
fn floor(table: &Table, candidates: &[Candidate], limit: usize, per_note: bool) -> f64 {
    let mut least: Vec<f64> = if per_note {
        let mut by_note: FxHashMap<u32, f64> = FxHashMap::default();
        for candidate in candidates {
            let best = by_note.entry(table.notes[candidate.place]).or_insert(candidate.least);
            *best = best.max(candidate.least);
        }
        by_note.into_values().collect()
    } else {
        candidates.iter().map(|candidate| candidate.least).collect()
    };
    if limit >= least.len() {
        return f64::NEG_INFINITY;
    }
    *least.select_nth_unstable_by(limit - 1, |left, right| right.total_cmp(left)).1
}

/// Parallel lists, one entry for each note asked for.
pub struct Best {
    pub rows: Vec<u32>,
    pub scores: Vec<f32>,
}

/// The best row of each of `notes` with its score; `u32::MAX` and NaN for a note without rows.
pub fn best(table: &Table, query: &[f32], notes: &[u32]) -> Best {
    let mut found: FxHashMap<u32, Option<Scored>> = notes.iter().map(|&note| (note, None)).collect();
    for place in 0..table.len() {
        let Some(best) = found.get_mut(&table.notes[place]) else { continue };
        let scored = Scored { place, score: float(query, table.float(place)) };
        if best.is_none_or(|best| order(table, &scored, &best) == Ordering::Less) {
            *best = Some(scored);
        }
    }
    let found = notes.iter().map(|note| found[note]);
    Best {
        rows: found.clone().map(|best| best.map_or(u32::MAX, |best| table.rows[best.place])).collect(),
        scores: found.map(|best| best.map_or(f32::NAN, |best| best.score as f32)).collect(),
    }
}
