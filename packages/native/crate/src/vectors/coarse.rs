//! Rows in two bits a number, a quarter of what they take otherwise: a first look at all of them, by which few are left to
//! be compared for good. What a row scores here depends on the query and the row alone.

use super::integers::{LANES, RowLane};
#[cfg(target_arch = "x86_64")]
use super::integers::{ROWS_AHEAD, fetch, sum_of};

/// Numbers of a row that share a lane: four to a byte.
const PER_LANE: usize = 4;

/// 32 bytes, each with one number of four row lanes that follow one another, the first in its lowest bits.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct CodeLane(pub [u8; LANES]);

/// Part of a query, one number for each of a row lane.
#[derive(Clone, Copy)]
#[repr(align(32))]
struct ByteLane([i8; LANES]);

pub fn code_lanes_of(row_lanes: usize) -> usize {
    row_lanes.div_ceil(PER_LANE)
}

/// Adds the codes of a row: 0 to 3, which stand for -3, -1, 1 and 3 times the scale that it returns. Which code a number
/// gets depends on whether it is above 1.15 times the mean: of numbers that are normally distributed about a third are.
pub fn push_codes(lanes: &[RowLane], dimensions: usize, scale: f32, codes: &mut Vec<CodeLane>) -> f32 {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        // SAFETY: the processor has AVX2.
        return unsafe { push_codes_avx2(lanes, dimensions, scale, codes) };
    }
    push_codes_plain(lanes, dimensions, scale, codes)
}

/// The compiler makes of it what this processor has.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn push_codes_avx2(lanes: &[RowLane], dimensions: usize, scale: f32, codes: &mut Vec<CodeLane>) -> f32 {
    push_codes_plain(lanes, dimensions, scale, codes)
}

#[inline(always)]
fn push_codes_plain(lanes: &[RowLane], dimensions: usize, scale: f32, codes: &mut Vec<CodeLane>) -> f32 {
    let mut whole = 0i32;
    for lane in lanes {
        for number in lane.0 {
            whole += i32::from(number).abs();
        }
    }
    // As integers: a number is above it or not on any machine.
    let bound = (i64::from(whole) * 23 / (dimensions as i64 * 20)).min(127) as i8;
    let (mut squares, mut product) = (0i32, 0i32);
    for four in lanes.chunks(PER_LANE) {
        let mut coded = [0u8; LANES];
        for (at, lane) in four.iter().enumerate() {
            for (byte, &number) in coded.iter_mut().zip(&lane.0) {
                // Without a branch, so that many numbers are taken at a time.
                let code = u8::from(number >= -bound) + u8::from(number >= 0) + u8::from(number > bound);
                *byte |= code << (at * 2);
                squares += i32::from(number) * i32::from(number);
                product += i32::from(number) * (2 * i32::from(code) - 3);
            }
        }
        codes.push(CodeLane(coded));
    }
    // So that a row scores what it should with itself.
    let factor = if product > 0 { f64::from(squares) / f64::from(product) } else { 0.0 };
    (factor * f64::from(scale)) as f32
}

/// The ways to multiply that a processor may have, from the plainest on.
#[derive(Clone, Copy, PartialEq, Debug)]
enum Way {
    Plain,
    #[cfg(target_arch = "x86_64")]
    Avx2,
    /// Products of bytes that are summed as they are made.
    #[cfg(target_arch = "x86_64")]
    AvxVnni,
    #[cfg(target_arch = "x86_64")]
    Avx512Vnni,
}

impl Way {
    fn all() -> Vec<Self> {
        #[allow(unused_mut)]
        let mut ways = vec![Self::Plain];
        #[cfg(target_arch = "x86_64")]
        {
            use std::arch::is_x86_feature_detected as has;
            if has!("avx2") {
                ways.push(Self::Avx2);
            }
            if has!("avx2") && has!("avxvnni") {
                ways.push(Self::AvxVnni);
            }
            if has!("avx2") && has!("avx512vnni") && has!("avx512vl") {
                ways.push(Self::Avx512Vnni);
            }
        }
        ways
    }
}

/// Rows whose codes and scales stand one after another.
#[derive(Clone, Copy)]
pub struct CodedRows<'a> {
    pub codes: &'a [CodeLane],
    pub scales: &'a [f32],
}

/// A query, and the way to multiply that this processor has.
pub struct CoarseQuery {
    lanes: Vec<ByteLane>,
    sum: i32,
    way: Way,
}

/// Scores of rows by 32 numbers at a time, for ways that differ in how they add `codes` times `query` to `sums`.
#[cfg(target_arch = "x86_64")]
macro_rules! wide_scores {
    ($name:ident, $features:literal, $add_products:expr) => {
        #[target_feature(enable = $features)]
        fn $name(&self, rows: CodedRows, places: &[u32], scores: &mut Vec<f32>) {
            use std::arch::x86_64::*;
            let low_bits = _mm256_set1_epi8(3);
            scores.reserve(places.len());
            for at in 0..places.len() {
                if at + ROWS_AHEAD < places.len() {
                    fetch(self.codes_at(rows, places[at + ROWS_AHEAD]));
                }
                let codes = self.codes_at(rows, places[at]);
                let mut sums = [_mm256_setzero_si256(); PER_LANE];
                for four in 0..codes.len() {
                    // SAFETY: each lane holds 32 bytes and is aligned to them.
                    let mut lane = unsafe { _mm256_load_si256(codes[four].0.as_ptr().cast::<__m256i>()) };
                    for part in 0..PER_LANE {
                        let query = &self.lanes[four * PER_LANE + part];
                        // SAFETY: the same.
                        let query = unsafe { _mm256_load_si256(query.0.as_ptr().cast::<__m256i>()) };
                        // What was shifted in from the byte beside is masked.
                        sums[part] = $add_products(sums[part], _mm256_and_si256(lane, low_bits), query);
                        lane = _mm256_srli_epi16(lane, 2);
                    }
                }
                let (left, right) = (_mm256_add_epi32(sums[0], sums[1]), _mm256_add_epi32(sums[2], sums[3]));
                scores.push(self.score(sum_of(_mm256_add_epi32(left, right)), rows, places[at]));
            }
        }
    };
}

impl CoarseQuery {
    pub fn new(vector: &[f32]) -> Self {
        Self::by(vector, *Way::all().last().unwrap_or(&Way::Plain))
    }

    fn by(vector: &[f32], way: Way) -> Self {
        let most = vector.iter().fold(0f32, |most, number| most.max(number.abs()));
        let scale = if most > 0.0 { most / 127.0 } else { 1.0 };
        let row_lanes = vector.len().div_ceil(LANES);
        let mut lanes = vec![ByteLane([0; LANES]); code_lanes_of(row_lanes) * PER_LANE];
        for (lane, part) in lanes.iter_mut().zip(vector.chunks(LANES)) {
            for (integer, number) in lane.0.iter_mut().zip(part) {
                *integer = (number / scale).round().clamp(-127.0, 127.0) as i8;
            }
        }
        let sum = lanes.iter().flat_map(|lane| lane.0).map(i32::from).sum();
        Self { lanes, sum, way }
    }

    /// Adds the scores of the rows at `places`.
    pub fn each(&self, rows: CodedRows, places: &[u32], scores: &mut Vec<f32>) {
        match self.way {
            Way::Plain => scores.extend(
                places.iter().map(|&place| self.score(self.product(self.codes_at(rows, place)), rows, place)),
            ),
            // SAFETY: the processor has what `Way::all` found.
            #[cfg(target_arch = "x86_64")]
            Way::Avx2 => unsafe { self.each_avx2(rows, places, scores) },
            #[cfg(target_arch = "x86_64")]
            Way::AvxVnni => unsafe { self.each_avx_vnni(rows, places, scores) },
            #[cfg(target_arch = "x86_64")]
            Way::Avx512Vnni => unsafe { self.each_avx512_vnni(rows, places, scores) },
        }
    }

    #[inline(always)]
    fn codes_at<'a>(&self, rows: CodedRows<'a>, place: u32) -> &'a [CodeLane] {
        let lanes = self.lanes.len() / PER_LANE;
        &rows.codes[place as usize * lanes..(place as usize + 1) * lanes]
    }

    #[inline(always)]
    fn score(&self, product: i32, rows: CodedRows, place: u32) -> f32 {
        (2 * product - 3 * self.sum) as f32 * rows.scales[place as usize]
    }

    /// The sum of the query's numbers, each times its code: the same for any processor.
    fn product(&self, codes: &[CodeLane]) -> i32 {
        let mut sums = [0i32; LANES];
        for (query, codes) in self.lanes.chunks_exact(PER_LANE).zip(codes) {
            for (at, query) in query.iter().enumerate() {
                for ((sum, &number), &byte) in sums.iter_mut().zip(&query.0).zip(&codes.0) {
                    *sum += i32::from(number) * i32::from(byte >> (at * 2) & 3);
                }
            }
        }
        sums.iter().sum()
    }

    #[cfg(target_arch = "x86_64")]
    wide_scores!(each_avx2, "avx2", |sums, codes, query| {
        // Two products of at most 381 fit 16 bits.
        _mm256_add_epi32(sums, _mm256_madd_epi16(_mm256_maddubs_epi16(codes, query), _mm256_set1_epi16(1)))
    });

    #[cfg(target_arch = "x86_64")]
    wide_scores!(each_avx_vnni, "avx2,avxvnni", |sums, codes, query| {
        _mm256_dpbusd_avx_epi32(sums, codes, query)
    });

    #[cfg(target_arch = "x86_64")]
    wide_scores!(each_avx512_vnni, "avx2,avx512vnni,avx512vl", |sums, codes, query| {
        _mm256_dpbusd_epi32(sums, codes, query)
    });
}

#[cfg(test)]
mod tests {
    use super::super::integers::quantize_row;
    use super::*;

    #[test]
    fn scores_are_the_same_on_every_path_and_near_to_the_product() {
        for dimensions in [1usize, 32, 96, 384, 1024, 8192] {
            let row: Vec<f32> = (0..dimensions).map(|at| ((at * 37 % 101) as f32 - 50.0) / 50.0).collect();
            let query: Vec<f32> = (0..dimensions).map(|at| ((at * 53 % 97) as f32 - 48.0) / 48.0).collect();
            let quantized = quantize_row(&row);
            let mut codes = Vec::new();
            let scale = push_codes(&quantized.lanes, dimensions, quantized.scale, &mut codes);
            let score = |query: &[f32]| {
                let rows = CodedRows { codes: &codes, scales: &[scale] };
                let by = |way| {
                    let mut scores = Vec::new();
                    CoarseQuery::by(query, way).each(rows, &[0, 0], &mut scores);
                    assert_eq!(scores[0], scores[1]);
                    scores[0]
                };
                for way in Way::all() {
                    assert_eq!(by(way), by(Way::Plain), "{way:?}, {dimensions} dimensions");
                }
                let most = query.iter().fold(0f32, |most, number| most.max(number.abs()));
                by(Way::Plain) * most / 127.0
            };
            let squares: f32 = row.iter().map(|number| number * number).sum();
            assert!((score(&row) / squares - 1.0).abs() < 0.05, "{dimensions} dimensions with itself");
            let opposite: Vec<f32> = row.iter().map(|number| -number).collect();
            assert!(score(&opposite) < 0.0 && score(&query).is_finite());
        }
    }
}
