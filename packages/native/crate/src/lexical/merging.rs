//! When segments are merged.

use tantivy::indexer::LogMergePolicy;

/// Below this many notes all segments count as equally small: merging them costs milliseconds.
const SMALL_SEGMENT: u32 = 64;
/// Segments of one size that are merged into one.
const MERGED_AT_ONCE: usize = 5;
/// Sizes within a factor of four (two in log2) are one size.
const SIZE_LOG2: f64 = 2.0;
/// A segment with more than this share of deleted notes is rewritten.
const DELETED_SHARE: f32 = 0.25;

/// Keeps single-note commits cheap (a large segment is not rewritten for them) and their number small: at
/// most four segments of each size.
pub fn policy() -> LogMergePolicy {
    let mut policy = LogMergePolicy::default();
    policy.set_min_layer_size(SMALL_SEGMENT);
    policy.set_min_num_segments(MERGED_AT_ONCE);
    policy.set_level_log_size(SIZE_LOG2);
    policy.set_del_docs_ratio_before_merge(DELETED_SHARE);
    policy
}
