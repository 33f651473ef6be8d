//! The rows of a vector set.

use rustc_hash::FxHashMap;

use super::dot::LANES;
use crate::failure::{Failure, Outcome};

/// A vector as 8-bit integers: `scale * integer` is within half a `scale` of each number.
pub struct Quantized {
    pub integers: Vec<i8>,
    pub scale: f32,
    /// Euclidean length of what rounding took away, and of what it left.
    pub error: f32,
    pub length: f32,
}

pub fn quantize(vector: &[f32]) -> Quantized {
    let largest = vector.iter().fold(0f32, |most, number| most.max(number.abs()));
    let scale = if largest > 0.0 { largest / 127.0 } else { 1.0 };
    let mut integers = vec![0i8; vector.len().next_multiple_of(LANES)];
    let (mut error, mut length) = (0f64, 0f64);
    for (integer, &number) in integers.iter_mut().zip(vector) {
        let rounded = (number / scale).round().clamp(-127.0, 127.0);
        *integer = rounded as i8;
        let kept = f64::from(rounded) * f64::from(scale);
        error += (f64::from(number) - kept).powi(2);
        length += kept * kept;
    }
    // Rounded up a little, so that a bound made of them holds in spite of single precision.
    let up = |square: f64| (square.sqrt() * 1.0001) as f32 + f32::MIN_POSITIVE;
    Quantized { integers, scale, error: up(error), length: up(length) }
}

/// Rows stand densely; the place of a removed row is taken by the last one.
pub struct Table {
    pub dimensions: usize,
    pub padded: usize,
    pub rows: Vec<u32>,
    pub notes: Vec<u32>,
    pub floats: Vec<f32>,
    pub integers: Vec<i8>,
    pub scales: Vec<f32>,
    pub errors: Vec<f32>,
    pub lengths: Vec<f32>,
    places: FxHashMap<u32, usize>,
}

impl Table {
    pub fn new(dimensions: usize) -> Self {
        Self {
            dimensions,
            padded: dimensions.next_multiple_of(LANES),
            rows: Vec::new(),
            notes: Vec::new(),
            floats: Vec::new(),
            integers: Vec::new(),
            scales: Vec::new(),
            errors: Vec::new(),
            lengths: Vec::new(),
            places: FxHashMap::default(),
        }
    }

    pub fn len(&self) -> usize {
        self.rows.len()
    }

    pub fn float(&self, place: usize) -> &[f32] {
        &self.floats[place * self.dimensions..(place + 1) * self.dimensions]
    }

    pub fn integer(&self, place: usize) -> &[i8] {
        &self.integers[place * self.padded..(place + 1) * self.padded]
    }

    pub fn upsert(&mut self, row: u32, note: u32, vector: &[f32]) {
        let quantized = quantize(vector);
        let place = match self.places.get(&row) {
            Some(&place) => place,
            None => {
                let place = self.len();
                self.places.insert(row, place);
                self.rows.push(row);
                self.notes.push(note);
                self.floats.resize(self.floats.len() + self.dimensions, 0.0);
                self.integers.resize(self.integers.len() + self.padded, 0);
                self.scales.push(0.0);
                self.errors.push(0.0);
                self.lengths.push(0.0);
                place
            }
        };
        self.notes[place] = note;
        self.floats[place * self.dimensions..(place + 1) * self.dimensions].copy_from_slice(vector);
        self.integers[place * self.padded..(place + 1) * self.padded].copy_from_slice(&quantized.integers);
        self.scales[place] = quantized.scale;
        self.errors[place] = quantized.error;
        self.lengths[place] = quantized.length;
    }

    pub fn remove(&mut self, row: u32) {
        let Some(place) = self.places.remove(&row) else { return };
        let last = self.len() - 1;
        self.rows.swap_remove(place);
        self.notes.swap_remove(place);
        self.scales.swap_remove(place);
        self.errors.swap_remove(place);
        self.lengths.swap_remove(place);
        let (d, p) = (self.dimensions, self.padded);
        self.floats.copy_within(last * d..(last + 1) * d, place * d);
        self.floats.truncate(last * d);
        self.integers.copy_within(last * p..(last + 1) * p, place * p);
        self.integers.truncate(last * p);
        if let Some(&moved) = self.rows.get(place) {
            self.places.insert(moved, place);
        }
    }

    pub fn check(&self, vectors: &[f32], rows: usize) -> Outcome<()> {
        if vectors.len() != rows * self.dimensions {
            return Err(Failure::bad_argument(format!(
                "{rows} vectors of {} numbers were expected, not {} numbers in all.",
                self.dimensions,
                vectors.len()
            )));
        }
        if vectors.iter().any(|number| !number.is_finite()) {
            return Err(Failure::bad_argument("A vector holds a number that is not finite."));
        }
        Ok(())
    }
}
