//! Vectors as integers, and their products. Sums of integers are exact, so a score is the same on every machine, by
//! every path, and in any company.

/// Vectors are padded with zeros to a multiple of this.
pub const LANES: usize = 32;

/// Part of a row, aligned for the widest loads.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct RowLane(pub [i8; LANES]);

/// Part of a query.
#[derive(Clone, Copy)]
#[repr(align(32))]
pub struct QueryLane(pub [i16; LANES]);

/// `scale * integer` is within half a `scale` of each number of a vector.
pub struct Quantized<Lane> {
    pub lanes: Vec<Lane>,
    pub scale: f32,
}

/// Lanes that a vector of so many numbers takes.
pub fn lanes_of(dimensions: usize) -> usize {
    dimensions.div_ceil(LANES)
}

/// A row: integers of -127 to 127.
pub fn quantize_row(vector: &[f32]) -> Quantized<RowLane> {
    let scale = scale_of(vector, 127.0);
    let lanes = vector.chunks(LANES).map(|part| {
        let mut lane = RowLane([0; LANES]);
        for (integer, number) in lane.0.iter_mut().zip(part) {
            *integer = rounded(*number, scale, 127.0) as i8;
        }
        lane
    });
    Quantized { lanes: lanes.collect(), scale }
}

/// A query, as fine as lets no product with a row overflow: 16 bits up to 516 dimensions, 12 at 8192.
pub fn quantize_query(vector: &[f32]) -> Quantized<QueryLane> {
    let most = i32::MAX as usize / (127 * lanes_of(vector.len()).max(1) * LANES);
    let most = most.min(i16::MAX as usize) as f32;
    let scale = scale_of(vector, most);
    let lanes = vector.chunks(LANES).map(|part| {
        let mut lane = QueryLane([0; LANES]);
        for (integer, number) in lane.0.iter_mut().zip(part) {
            *integer = rounded(*number, scale, most) as i16;
        }
        lane
    });
    Quantized { lanes: lanes.collect(), scale }
}

fn scale_of(vector: &[f32], most: f32) -> f32 {
    let scale = vector.iter().fold(0f32, |largest, number| largest.max(number.abs())) / most;
    if scale > 0.0 { scale } else { 1.0 }
}

fn rounded(number: f32, scale: f32, most: f32) -> f32 {
    (number / scale).round().clamp(-most, most)
}

/// A way to multiply that this processor has.
#[derive(Clone, Copy)]
pub struct Product {
    #[cfg(target_arch = "x86_64")]
    avx2: bool,
}

impl Product {
    pub fn detect() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx2: std::arch::is_x86_feature_detected!("avx2"),
        }
    }

    /// The dot products of `query` with the rows at `places` of `rows`, which stand one after another.
    pub fn each(self, query: &[QueryLane], rows: &[RowLane], places: &[u32], products: &mut Vec<i32>) {
        products.clear();
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: the processor has AVX2, as `detect` found out.
            return unsafe { each_avx2(query, rows, places, products) };
        }
        each_plain(query, rows, places, products);
    }
}

#[inline(always)]
fn row_at(rows: &[RowLane], place: u32, lanes: usize) -> &[RowLane] {
    &rows[place as usize * lanes..(place as usize + 1) * lanes]
}

/// The same numbers for any processor; the compiler makes of it what vector units there are.
fn each_plain(query: &[QueryLane], rows: &[RowLane], places: &[u32], products: &mut Vec<i32>) {
    products.extend(places.iter().map(|&place| {
        let mut sums = [0i32; LANES];
        for (left, right) in query.iter().zip(row_at(rows, place, query.len())) {
            for ((sum, left), right) in sums.iter_mut().zip(left.0).zip(right.0) {
                *sum += i32::from(left) * i32::from(right);
            }
        }
        sums.iter().sum::<i32>()
    }));
}

/// How many rows ahead memory is asked for: it answers that much later.
#[cfg(target_arch = "x86_64")]
pub const ROWS_AHEAD: usize = 12;

/// Asks memory for what is read soon.
#[cfg(target_arch = "x86_64")]
#[inline(always)]
pub fn fetch<Lane>(lanes: &[Lane]) {
    use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
    let mut at = 0;
    while at < size_of_val(lanes) {
        // SAFETY: it reads nothing that a program could see.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(lanes.as_ptr().cast::<i8>().add(at)) };
        at += 64;
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn each_avx2(query: &[QueryLane], rows: &[RowLane], places: &[u32], products: &mut Vec<i32>) {
    use std::arch::x86_64::{
        __m128i, __m256i, _mm_load_si128, _mm256_add_epi32, _mm256_cvtepi8_epi16, _mm256_load_si256,
        _mm256_madd_epi16, _mm256_setzero_si256,
    };
    products.reserve(places.len());
    for at in 0..places.len() {
        if at + ROWS_AHEAD < places.len() {
            fetch(row_at(rows, places[at + ROWS_AHEAD], query.len()));
        }
        let row = row_at(rows, places[at], query.len());
        let (mut low, mut high) = (_mm256_setzero_si256(), _mm256_setzero_si256());
        for lane in 0..row.len() {
            let (integers, bytes) = (query[lane].0.as_ptr(), row[lane].0.as_ptr());
            // SAFETY: both lanes hold 32 numbers and are aligned to 32 bytes.
            let (left_low, left_high, right_low, right_high) = unsafe {
                (
                    _mm256_load_si256(integers.cast::<__m256i>()),
                    _mm256_load_si256(integers.add(16).cast::<__m256i>()),
                    _mm_load_si128(bytes.cast::<__m128i>()),
                    _mm_load_si128(bytes.add(16).cast::<__m128i>()),
                )
            };
            low = _mm256_add_epi32(low, _mm256_madd_epi16(left_low, _mm256_cvtepi8_epi16(right_low)));
            high = _mm256_add_epi32(high, _mm256_madd_epi16(left_high, _mm256_cvtepi8_epi16(right_high)));
        }
        products.push(sum_of(_mm256_add_epi32(low, high)));
    }
}

/// The sum of eight numbers.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[inline]
pub fn sum_of(eight: std::arch::x86_64::__m256i) -> i32 {
    use std::arch::x86_64::{
        _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_castsi256_si128, _mm256_extracti128_si256,
    };
    let four = _mm_add_epi32(_mm256_castsi256_si128(eight), _mm256_extracti128_si256::<1>(eight));
    let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
    _mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers that are the same in every run.
    fn numbers(count: usize, mut state: u32) -> Vec<f32> {
        let next = |_| {
            state = state.wrapping_mul(1664525).wrapping_add(1013904223);
            state as f32 / u32::MAX as f32 - 0.5
        };
        (0..count).map(next).collect()
    }

    fn both(query: &[f32], row: &[f32]) -> (i64, i32, i32) {
        let (query, row) = (quantize_query(query), quantize_row(row));
        let exact = query.lanes.iter().zip(&row.lanes).flat_map(|(left, right)| {
            left.0.iter().zip(&right.0).map(|(a, b)| i64::from(*a) * i64::from(*b))
        });
        let (mut plain, mut detected) = (Vec::new(), Vec::new());
        each_plain(&query.lanes, &row.lanes, &[0], &mut plain);
        Product::detect().each(&query.lanes, &row.lanes, &[0], &mut detected);
        (exact.sum(), plain[0], detected[0])
    }

    #[test]
    fn products_are_exact_on_every_path() {
        for dimensions in [1, 31, 32, 33, 384, 516, 517, 1024, 3072, 8192] {
            let (exact, plain, detected) = both(&numbers(dimensions, 1), &numbers(dimensions, 2));
            assert_eq!((i64::from(plain), i64::from(detected)), (exact, exact), "{dimensions} dimensions");
        }
    }

    #[test]
    fn the_greatest_product_does_not_overflow() {
        for dimensions in [384, 512, 544, 1024, 8192] {
            let (exact, plain, detected) = both(&vec![1.0; dimensions], &vec![-1.0; dimensions]);
            assert_eq!((i64::from(plain), i64::from(detected)), (exact, exact), "{dimensions} dimensions");
        }
    }

    #[test]
    fn the_smallest_numbers_have_a_scale() {
        let quantized = quantize_row(&[f32::from_bits(1), 0.0]);
        assert!(quantized.scale > 0.0);
        assert_eq!(quantize_row(&[0.0; 3]).lanes[0].0, [0; LANES]);
    }
}
