//! A run of rows in memory of fixed size: a table grows by blocks, so nothing is ever copied to make room, and what is
//! held without need is less than one block.

use super::coarse::{CodeLane, code_lanes_of};
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
    pub codes: Vec<CodeLane>,
    pub code_scales: Vec<f32>,
}

impl Block {
    pub fn new(lanes: usize) -> Self {
        Self {
            slots: Vec::with_capacity(ROWS),
            keys: Vec::with_capacity(ROWS),
            lanes: Vec::with_capacity(ROWS * lanes),
            codes: Vec::with_capacity(ROWS * code_lanes_of(lanes)),
            code_scales: Vec::with_capacity(ROWS),
        }
    }

    /// Memory of a block whose rows take so many lanes.
    pub fn bytes(lanes: usize) -> usize {
        let codes = size_of::<f32>() + code_lanes_of(lanes) * size_of::<CodeLane>();
        ROWS * (size_of::<Slot>() + size_of::<Key>() + lanes * size_of::<RowLane>() + codes)
    }
}
