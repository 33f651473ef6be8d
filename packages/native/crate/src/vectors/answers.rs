//! Answers of the vector set as JavaScript sees them.

use napi::bindgen_prelude::{Float32Array, Float64Array, Uint32Array};
use napi_derive::napi;

use super::search::{Best, Matches, Nearest};
use super::sums::Sums;

#[napi(object)]
pub struct VectorMatches {
    pub rows: Uint32Array,
    pub notes: Uint32Array,
    pub scores: Float32Array,
}

#[napi(object)]
pub struct NoteSums {
    pub sums: Float64Array,
    pub counts: Uint32Array,
}

#[napi(object)]
pub struct NearestNotes {
    pub notes: Uint32Array,
    pub scores: Float32Array,
}

#[napi(object)]
pub struct BestRows {
    pub rows: Uint32Array,
    pub scores: Float32Array,
}

pub fn to_matches(matches: Matches) -> VectorMatches {
    VectorMatches { rows: matches.rows.into(), notes: matches.notes.into(), scores: matches.scores.into() }
}

pub fn to_best(best: Best) -> BestRows {
    BestRows { rows: best.rows.into(), scores: best.scores.into() }
}

pub fn to_nearest(nearest: Nearest) -> NearestNotes {
    NearestNotes { notes: nearest.notes.into(), scores: nearest.scores.into() }
}

pub fn to_scores(scores: Vec<f32>) -> Float32Array {
    scores.into()
}

pub fn to_sums(sums: Sums) -> NoteSums {
    NoteSums { sums: sums.sums.into(), counts: sums.counts.into() }
}
