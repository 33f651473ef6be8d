//! The rows nearest to a query.

use super::block::ROWS;
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

/// The best `limit` rows of the members, or with `per_note` the best row of each of the best notes; those that are as
/// good as the last one with them.
pub fn search(table: &Table, query: &[f32], limit: usize, per_note: bool, members: &Members) -> Matches {
    let mut comparison = Comparison::new(query);
    let mut leaders = Leaders::new(limit);
    let mut places = Vec::with_capacity(ROWS);
    for (at, block) in table.blocks.iter().enumerate() {
        places.clear();
        places.extend(
            (0..block.slots.len() as u32).filter(|&place| members.hold(block.slots[place as usize].note)),
        );
        comparison.each(table, at, &places, |scored| {
            leaders.offer(if per_note { scored.note } else { scored.row }, scored);
        });
    }
    let best = leaders.into_sorted();
    Matches {
        rows: best.iter().map(|one| one.row).collect(),
        notes: best.iter().map(|one| one.note).collect(),
        scores: best.iter().map(|one| one.score).collect(),
    }
}

/// Parallel lists, one entry for each note asked for.
pub struct Best {
    pub rows: Vec<u32>,
    pub scores: Vec<f32>,
}

/// The best row of each of `notes` with its score; `u32::MAX` and NaN for a note without rows.
pub fn best(table: &Table, query: &[f32], notes: &[u32]) -> Best {
    let mut comparison = Comparison::new(query);
    let nothing = Best { rows: Vec::with_capacity(notes.len()), scores: Vec::with_capacity(notes.len()) };
    notes.iter().fold(nothing, |mut all, &note| {
        let mut best: Option<Scored> = None;
        for place in table.places_of(note) {
            let (block, place) = (place as usize / ROWS, place % ROWS as u32);
            comparison.each(table, block, &[place], |scored| {
                if best.is_none_or(|best| scored.is_before(&best)) {
                    best = Some(scored);
                }
            });
        }
        all.rows.push(best.map_or(u32::MAX, |best| best.row));
        all.scores.push(best.map_or(f32::NAN, |best| best.score));
        all
    })
}
