//! The rows nearest to a query.

use rustc_hash::FxHashMap;

use super::block::{ROWS, Slot};
use super::coarse::{CoarseQuery, CodedRows};
use super::integers::{Product, Quantized, QueryLane, quantize_query};
use super::leaders::{Leaders, Scored};
use super::table::Table;
use crate::id_set::IdBits;

pub struct Matches {
    pub rows: Vec<u32>,
    pub notes: Vec<u32>,
    pub scores: Vec<f32>,
}

pub struct Members<'a> {
    pub view: Option<&'a IdBits>,
    pub filter: Option<&'a IdBits>,
}

impl Members<'_> {
    #[inline]
    fn hold(&self, note: u32) -> bool {
        self.view.is_none_or(|set| set.has(note)) && self.filter.is_none_or(|set| set.has(note))
    }
}

/// A query and what comparing it with rows of one block needs.
struct Comparison {
    product: Product,
    query: Quantized<QueryLane>,
    products: Vec<i32>,
}

impl Comparison {
    fn new(query: &[f32]) -> Self {
        Self { product: Product::detect(), query: quantize_query(query), products: Vec::with_capacity(ROWS) }
    }

    /// Scores the rows at these places of a block, in their order.
    fn each(&mut self, table: &Table, block: usize, places: &[u32], mut scored: impl FnMut(Scored)) {
        let block = &table.blocks[block];
        self.product.each(&self.query.lanes, &block.lanes, places, &mut self.products);
        for (&place, &product) in places.iter().zip(&self.products) {
            let slot = &block.slots[place as usize];
            let score = f64::from(product) * f64::from(self.query.scale) * f64::from(slot.scale);
            scored(Scored { row: slot.row, note: slot.note, score: score as f32 });
        }
    }
}

/// Rows of the members up to which each is compared as it is, without a first look.
const FEW_ROWS: usize = 16_384;
/// How many times as many as are wanted come through the first look.
const COARSE_SHARE: usize = 10;

/// The best `limit` rows of the members, or with `per_note` the best row of each of the best notes; those that are as
/// good as the last one with them. Of many members only those are compared that a first look at their codes finds: which
/// ones depends on the members alone, whatever else the table holds.
pub fn search(table: &Table, query: &[f32], limit: usize, per_note: bool, members: &Members) -> Matches {
    let key = |slot: &Slot| if per_note { slot.note } else { slot.row };
    let mut places = places_of(table, members);
    if places.len() > FEW_ROWS {
        places = likely(table, query, limit.saturating_mul(COARSE_SHARE), key, places);
    }
    let mut comparison = Comparison::new(query);
    let mut leaders = Leaders::new(limit);
    by_block(&places, |block, places| {
        comparison.each(table, block, places, |scored| {
            leaders.offer(if per_note { scored.note } else { scored.row }, scored);
        });
    });
    let best = leaders.into_sorted();
    Matches {
        rows: best.iter().map(|one| one.row).collect(),
        notes: best.iter().map(|one| one.note).collect(),
        scores: best.iter().map(|one| one.score).collect(),
    }
}

fn places_of(table: &Table, members: &Members) -> Vec<u32> {
    let mut places = Vec::with_capacity(table.len());
    for (at, block) in table.blocks.iter().enumerate() {
        let first = (at * ROWS) as u32;
        // Rows of one note stand beside each other as a rule.
        let mut last: Option<(u32, bool)> = None;
        for (place, slot) in (first..).zip(&block.slots) {
            let is_member = match last {
                Some((note, is_member)) if note == slot.note => is_member,
                _ => members.hold(slot.note),
            };
            last = Some((slot.note, is_member));
            if is_member {
                places.push(place);
            }
        }
    }
    places
}

/// Of these places those whose codes are as near as what the best `limit` by their codes reach; of those with one key
/// the best counts.
fn likely(
    table: &Table,
    query: &[f32],
    limit: usize,
    key: impl Fn(&Slot) -> u32,
    places: Vec<u32>,
) -> Vec<u32> {
    let query = CoarseQuery::new(query);
    let mut scores = Vec::with_capacity(places.len());
    // Rows of one key stand beside each other as a rule: one entry for as many as do.
    let mut runs: Vec<(u32, f32)> = Vec::new();
    by_block(&places, |at, places| {
        let (block, from) = (&table.blocks[at], scores.len());
        let rows = CodedRows { codes: &block.codes, scales: &block.code_scales };
        query.each(rows, places, &mut scores);
        for (&place, &score) in places.iter().zip(&scores[from..]) {
            let key = key(&block.slots[place as usize]);
            match runs.last_mut() {
                Some((last, best)) if *last == key => *best = best.max(score),
                _ => runs.push((key, score)),
            }
        }
    });
    let floor = floor_of(runs, limit);
    places.into_iter().zip(scores).filter(|&(_, score)| score >= floor).map(|(place, _)| place).collect()
}

/// What the best `limit` keys reach.
fn floor_of(runs: Vec<(u32, f32)>, limit: usize) -> f32 {
    let mut bests = FxHashMap::<u32, f32>::with_capacity_and_hasher(runs.len(), Default::default());
    for (key, score) in runs {
        bests.entry(key).and_modify(|best| *best = best.max(score)).or_insert(score);
    }
    if limit == 0 || bests.len() < limit {
        return f32::NEG_INFINITY;
    }
    let mut bests: Vec<f32> = bests.into_values().collect();
    *bests.select_nth_unstable_by(limit - 1, |left, right| right.total_cmp(left)).1
}

/// Calls with each block and the places within it, in their order.
fn by_block(places: &[u32], mut each: impl FnMut(usize, &[u32])) {
    let mut within = Vec::with_capacity(ROWS);
    for run in places.chunk_by(|left, right| *left as usize / ROWS == *right as usize / ROWS) {
        within.clear();
        within.extend(run.iter().map(|place| place % ROWS as u32));
        each(run[0] as usize / ROWS, &within);
    }
}

/// Parallel lists, one entry for each note asked for.
pub struct Best {
    pub rows: Vec<u32>,
    pub scores: Vec<f32>,
}

/// The best row of each of `notes` with its score; `u32::MAX` and NaN for a note without rows.
pub fn best(table: &Table, query: &[f32], notes: &[u32]) -> Best {
    let mut places: Vec<u32> = Vec::new();
    let ends: Vec<usize> = notes
        .iter()
        .map(|&note| {
            places.extend(table.places_of(note));
            places.len()
        })
        .collect();
    let mut all = Best { rows: vec![u32::MAX; notes.len()], scores: vec![f32::NAN; notes.len()] };
    let (mut comparison, mut note, mut at) = (Comparison::new(query), 0, 0);
    by_block(&places, |block, places| {
        comparison.each(table, block, places, |scored| {
            while ends[note] <= at {
                note += 1;
            }
            at += 1;
            let (row, score) = (&mut all.rows[note], &mut all.scores[note]);
            if score.is_nan() || scored.score > *score || (scored.score == *score && scored.row < *row) {
                (*row, *score) = (scored.row, scored.score);
            }
        });
    });
    all
}

/// Parallel lists, one entry for each note.
pub struct Nearest {
    pub notes: Vec<u32>,
    pub scores: Vec<f32>,
}

/// The notes that a search of either table finds, in no order, each with what [`means`] says of it.
pub fn nearest(tables: [&Table; 2], query: &[f32], limit: usize, members: &Members) -> Nearest {
    let found = tables.map(|table| search(table, query, limit, true, members));
    let mut notes: Vec<u32> = found.iter().flat_map(|matches| &matches.notes).copied().collect();
    notes.sort_unstable();
    notes.dedup();
    let known = found.map(|matches| matches.notes.into_iter().zip(matches.scores).collect());
    let scores = means(tables, query, &notes, &known);
    Nearest { notes, scores }
}

/// How near a note is as a whole, to each of `notes`: the mean of its best rows of two tables, or that of the one that has
/// rows of it; NaN for a note without any.
///
/// `known`: of either table what best rows are known already.
pub fn means(
    tables: [&Table; 2],
    query: &[f32],
    notes: &[u32],
    known: &[FxHashMap<u32, f32>; 2],
) -> Vec<f32> {
    let of = |side: usize| -> Vec<f32> {
        let asked: Vec<u32> = notes.iter().copied().filter(|note| !known[side].contains_key(note)).collect();
        let mut others = best(tables[side], query, &asked).scores.into_iter();
        let score = |note| known[side].get(note).copied().or_else(|| others.next()).unwrap_or(f32::NAN);
        notes.iter().map(score).collect()
    };
    let mean = |(left, right): (f32, f32)| match (left.is_nan(), right.is_nan()) {
        (true, _) => right,
        (_, true) => left,
        _ => ((f64::from(left) + f64::from(right)) / 2.0) as f32,
    };
    of(0).into_iter().zip(of(1)).map(mean).collect()
}
