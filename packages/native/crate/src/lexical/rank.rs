//! The best notes of those found.

use std::cmp::Ordering;

use super::hits::Hits;
use super::snapshot::Snapshot;

/// Hits `offset..offset + limit` by score, then path, as (slot, score).
pub fn page(snapshot: &Snapshot, found: &Hits, offset: usize, limit: usize) -> Vec<(u32, f64)> {
    let mut ranked: Vec<(u32, f64)> = found.slots.iter().copied().zip(found.scores.iter().copied()).collect();
    let order = |left: &(u32, f64), right: &(u32, f64)| -> Ordering {
        right.1.total_cmp(&left.1).then_with(|| snapshot.compare_paths(left.0, right.0))
    };
    let end = offset.saturating_add(limit).min(ranked.len());
    if offset >= end {
        return Vec::new();
    }
    if end < ranked.len() {
        ranked.select_nth_unstable_by(end, order);
        ranked.truncate(end);
    }
    ranked.sort_unstable_by(order);
    ranked.split_off(offset)
}
