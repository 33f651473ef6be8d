//! A run of rows in memory of fixed size: a table grows by blocks, so nothing is ever copied to make room, and what is
//! held without need is less than one block.

use super::integers::RowLane;

/// Rows of a block.
pub const ROWS: usize = 1024;

/// Where no row follows.
pub const NONE: u32 = u32::MAX;

/// Names what a row was made of: rows of one key have one vector.
pub type Key = [u8; 16];

/// What is known of a row besides its vector; the rows of one note are linked by their places.
#[derive(Clone, Copy)]
pub struct Slot {
    pub row: u32,
    pub note: u32,
    pub scale: f32,
    pub next: u32,
    pub previous: u32,
}

pub struct Block {
    pub slots: Vec<Slot>,
    /// Apart from the slots, of which a search reads each.
    pub keys: Vec<Key>,
    pub lanes: Vec<RowLane>,
}

impl Block {
    pub fn new(lanes: usize) -> Self {
        Self {
            slots: Vec::with_capacity(ROWS),
            keys: Vec::with_capacity(ROWS),
            lanes: Vec::with_capacity(ROWS * lanes),
        }
    }

    /// Memory of a block whose rows take so many lanes.
    pub fn bytes(lanes: usize) -> usize {
        ROWS * (size_of::<Slot>() + size_of::<Key>() + lanes * size_of::<RowLane>())
    }
}
