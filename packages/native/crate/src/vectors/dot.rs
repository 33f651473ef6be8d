//! Dot products. The loops are plain; each is compiled for the vector units a processor may have, and the
//! choice is made when it runs.

/// Rows are padded to a multiple of this.
pub const LANES: usize = 32;

#[inline(always)]
fn int8_loop(left: &[i8], right: &[i8]) -> i32 {
    let mut sum = 0i32;
    for (a, b) in left.chunks_exact(LANES).zip(right.chunks_exact(LANES)) {
        let mut part = 0i32;
        for lane in 0..LANES {
            part += i32::from(i16::from(a[lane]) * i16::from(b[lane]));
        }
        sum += part;
    }
    sum
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn int8_avx2(left: &[i8], right: &[i8]) -> i32 {
    int8_loop(left, right)
}

/// A way to multiply that this processor has.
#[derive(Clone, Copy)]
pub struct Dot {
    #[cfg(target_arch = "x86_64")]
    avx2: bool,
}

impl Dot {
    pub fn detect() -> Self {
        Self {
            #[cfg(target_arch = "x86_64")]
            avx2: std::arch::is_x86_feature_detected!("avx2"),
        }
    }

    /// Exact; both sides have the same length, a multiple of `LANES`.
    #[inline]
    pub fn int8(self, left: &[i8], right: &[i8]) -> i32 {
        #[cfg(target_arch = "x86_64")]
        if self.avx2 {
            // SAFETY: the processor has AVX2, as `detect` found out.
            return unsafe { int8_avx2(left, right) };
        }
        int8_loop(left, right)
    }
}

/// In double precision, summed in a fixed order, so that a score is the same on every machine and path.
pub fn float(left: &[f32], right: &[f32]) -> f64 {
    let mut sums = [0f64; 8];
    let (left_parts, right_parts) = (left.chunks_exact(8), right.chunks_exact(8));
    let rest: f64 = left_parts
        .remainder()
        .iter()
        .zip(right_parts.remainder())
        .map(|(a, b)| f64::from(*a) * f64::from(*b))
        .sum();
    for (a, b) in left_parts.zip(right_parts) {
        for lane in 0..8 {
            sums[lane] += f64::from(a[lane]) * f64::from(b[lane]);
        }
    }
    sums.iter().sum::<f64>() + rest
}
