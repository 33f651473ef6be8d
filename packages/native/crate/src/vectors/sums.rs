//! Sums of the vectors of notes, of which their middles are made.

use super::integers::RowLane;
use super::table::Table;

/// Parallel lists, an entry (of as many numbers as there are dimensions) for each note asked for.
pub struct Sums {
    pub sums: Vec<f64>,
    pub counts: Vec<u32>,
}

/// The sum and number of each note's rows. Rows are added in the order of their keys: a sum of floats depends on its
/// order, and that must depend on nothing but what the rows are made of.
pub fn sums(table: &Table, notes: &[u32]) -> Sums {
    let dimensions = table.dimensions;
    let mut all = Sums { sums: vec![0.0; notes.len() * dimensions], counts: Vec::with_capacity(notes.len()) };
    for (at, &note) in notes.iter().enumerate() {
        let mut places: Vec<u32> = table.places_of(note).collect();
        places.sort_unstable_by_key(|&place| table.key(place));
        let sum = &mut all.sums[at * dimensions..(at + 1) * dimensions];
        for &place in &places {
            add(sum, table.lanes_at(place), table.slot(place).scale);
        }
        all.counts.push(places.len() as u32);
    }
    all
}

fn add(sum: &mut [f64], lanes: &[RowLane], scale: f32) {
    let integers = lanes.iter().flat_map(|lane| lane.0);
    for (sum, integer) in sum.iter_mut().zip(integers) {
        *sum += f64::from(scale) * f64::from(integer);
    }
}
