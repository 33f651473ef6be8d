//! The rows of a vector set.

use rustc_hash::FxHashMap;

use super::block::{Block, Key, NONE, ROWS, Slot};
use super::coarse::{code_lanes_of, push_codes};
use super::integers::{RowLane, lanes_of};
use crate::failure::{Failure, Outcome};

/// Rows stand densely; the place of a removed row is taken by the last one.
pub struct Table {
    pub dimensions: usize,
    pub lanes: usize,
    pub blocks: Vec<Block>,
    /// By row.
    places: FxHashMap<u32, u32>,
    /// By note, the place of the first of its rows.
    firsts: FxHashMap<u32, u32>,
}

impl Table {
    pub fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            lanes: lanes_of(dimensions),
            blocks: Vec::new(),
            places: FxHashMap::default(),
            firsts: FxHashMap::default(),
        }
    }

    /// Memory of the rows and of what finds them.
    pub fn bytes(&self) -> usize {
        // An entry and its control byte.
        let of_map = |map: &FxHashMap<u32, u32>| map.capacity() * 9;
        self.blocks.len() * Block::bytes(self.lanes) + of_map(&self.places) + of_map(&self.firsts)
    }

    /// The places of a note's rows, in no order.
    pub fn places_of(&self, note: u32) -> impl Iterator<Item = u32> {
        let existing = |place: u32| (place != NONE).then_some(place);
        std::iter::successors(self.firsts.get(&note).copied(), move |&place| existing(self.slot(place).next))
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether a row is there, is of this note, and was made of what this key names.
    pub fn holds(&self, row: u32, note: u32, key: &Key) -> bool {
        self.places.get(&row).is_some_and(|&place| self.slot(place).note == note && self.key(place) == key)
    }

    pub fn key(&self, place: u32) -> &Key {
        &self.blocks[place as usize / ROWS].keys[place as usize % ROWS]
    }

    pub fn lanes_at(&self, place: u32) -> &[RowLane] {
        let from = place as usize % ROWS * self.lanes;
        &self.blocks[place as usize / ROWS].lanes[from..from + self.lanes]
    }

    pub fn slot(&self, place: u32) -> &Slot {
        &self.blocks[place as usize / ROWS].slots[place as usize % ROWS]
    }

    fn slot_mut(&mut self, place: u32) -> &mut Slot {
        &mut self.blocks[place as usize / ROWS].slots[place as usize % ROWS]
    }

    /// Adds a row, or replaces the one with its number.
    pub fn upsert(&mut self, row: u32, note: u32, key: &Key, scale: f32, lanes: &[RowLane]) {
        self.remove(row);
        let place = self.places.len() as u32;
        if (place as usize).is_multiple_of(ROWS) {
            self.blocks.push(Block::new(self.lanes));
        }
        let Some(block) = self.blocks.last_mut() else { return };
        block.lanes.extend(lanes);
        let code_scale = push_codes(lanes, self.dimensions, scale, &mut block.codes);
        block.code_scales.push(code_scale);
        block.keys.push(*key);
        block.slots.push(Slot { row, note, scale, next: NONE, previous: NONE });
        self.places.insert(row, place);
        self.link(place, note);
    }

    /// Removes a row if it is there.
    pub fn remove(&mut self, row: u32) {
        let Some(place) = self.places.remove(&row) else { return };
        self.unlink(place);
        let last = self.places.len() as u32;
        if place != last {
            let moved = *self.slot(last);
            self.unlink(last);
            self.copy(last, place);
            self.places.insert(moved.row, place);
            self.link(place, moved.note);
        }
        if (last as usize).is_multiple_of(ROWS) {
            self.blocks.pop();
        } else if let Some(block) = self.blocks.last_mut() {
            block.slots.pop();
            block.keys.pop();
            block.lanes.truncate(block.slots.len() * self.lanes);
            block.codes.truncate(block.slots.len() * code_lanes_of(self.lanes));
            block.code_scales.pop();
        }
    }

    /// Writes the row at one place over that at another.
    fn copy(&mut self, from: u32, to: u32) {
        let (slot, key, lanes) = (*self.slot(from), *self.key(from), self.lanes_at(from).to_vec());
        let (codes, at) = (code_lanes_of(self.lanes), from as usize % ROWS);
        let block = &self.blocks[from as usize / ROWS];
        let (code_scale, coded) = (block.code_scales[at], block.codes[at * codes..(at + 1) * codes].to_vec());
        let (block, at) = (&mut self.blocks[to as usize / ROWS], to as usize % ROWS);
        (block.slots[at], block.keys[at], block.code_scales[at]) = (slot, key, code_scale);
        block.lanes[at * self.lanes..(at + 1) * self.lanes].copy_from_slice(&lanes);
        block.codes[at * codes..(at + 1) * codes].copy_from_slice(&coded);
    }

    /// Makes a row the first of its note.
    fn link(&mut self, place: u32, note: u32) {
        let next = self.firsts.insert(note, place).unwrap_or(NONE);
        if next != NONE {
            self.slot_mut(next).previous = place;
        }
        let slot = self.slot_mut(place);
        (slot.next, slot.previous) = (next, NONE);
    }

    fn unlink(&mut self, place: u32) {
        let Slot { note, next, previous, .. } = *self.slot(place);
        if next != NONE {
            self.slot_mut(next).previous = previous;
        }
        if previous != NONE {
            self.slot_mut(previous).next = next;
        } else if next != NONE {
            self.firsts.insert(note, next);
        } else {
            self.firsts.remove(&note);
        }
    }
}

/// Whether `vectors` holds so many rows of finite numbers.
pub fn check(vectors: &[f32], rows: usize, dimensions: usize) -> Outcome<()> {
    if vectors.len() != rows * dimensions {
        return Err(Failure::bad_argument(format!(
            "{rows} vectors of {dimensions} numbers were expected, not {} numbers in all.",
            vectors.len()
        )));
    }
    if vectors.iter().any(|number| !number.is_finite()) {
        return Err(Failure::bad_argument("A vector holds a number that is not finite."));
    }
    Ok(())
}
