//! Which stretch of a text to show.

use std::ops::Range;

use unicode_segmentation::GraphemeCursor;

use super::marks::Mark;
use crate::utf16::Utf16Map;

pub struct Window {
    pub range: Range<usize>,
    pub score: f64,
}

/// A word that occurs again in a window adds this share of its weight, up to `REPEATS` times.
const REPEATED: f64 = 0.1;
const REPEATS: u32 = 3;

/// The best windows of at most `chars` UTF-16 units that do not overlap, best first.
pub fn best_windows(
    text: &str,
    map: &Utf16Map,
    region: &Range<usize>,
    marks: &[Mark],
    chars: u32,
    most: usize,
) -> Vec<Window> {
    let mut windows: Vec<Window> = Vec::new();
    // What is still free, in ascending order.
    let mut free = vec![region.clone()];
    while windows.len() < most {
        let mut best: Option<(usize, Range<usize>, f64)> = None;
        for (at, gap) in free.iter().enumerate() {
            let first = marks.partition_point(|mark| mark.from < gap.start);
            let last = marks.partition_point(|mark| mark.from < gap.end);
            let inside = &marks[first..last];
            if let Some((span, score)) = best_span(map, inside, chars)
                && best.as_ref().is_none_or(|(_, _, other)| score > *other)
            {
                best = Some((at, inside[span.start].from..inside[span.end - 1].to.min(gap.end), score));
            }
        }
        let Some((at, core, score)) = best else { break };
        let gap = free.remove(at);
        let range = widen(text, map, &gap, core, chars);
        free.insert(at, range.end..gap.end);
        free.insert(at, gap.start..range.start);
        windows.push(Window { range, score });
    }
    windows
}

/// The run of marks that fits into `chars` with the greatest score; the first of equal ones.
fn best_span(map: &Utf16Map, marks: &[Mark], chars: u32) -> Option<(Range<usize>, f64)> {
    let mut counts: Vec<u32> = vec![0; marks.iter().map(|mark| mark.wanted + 1).max()?];
    let value = |mark: &Mark, count: u32| match count {
        0 => 0.0,
        count => mark.weight * (1.0 + REPEATED * f64::from((count - 1).min(REPEATS))),
    };
    let mut best: Option<(Range<usize>, f64)> = None;
    let (mut end, mut score) = (0, 0.0);
    for start in 0..marks.len() {
        let from = map.get(marks[start].from);
        // A mark longer than the window stands alone and is cut.
        while end < marks.len() && (end == start || map.get(marks[end].to) <= from + chars) {
            let count = &mut counts[marks[end].wanted];
            score += value(&marks[end], *count + 1) - value(&marks[end], *count);
            *count += 1;
            end += 1;
        }
        if best.as_ref().is_none_or(|(_, other)| score > *other + 1e-9) {
            best = Some((start..end, score));
        }
        let count = &mut counts[marks[start].wanted];
        score += value(&marks[start], *count - 1) - value(&marks[start], *count);
        *count -= 1;
    }
    best
}

/// `core` with text around it, up to `chars`: from the start of its line where that is near, to the end of
/// a word.
fn widen(text: &str, map: &Utf16Map, gap: &Range<usize>, core: Range<usize>, chars: u32) -> Range<usize> {
    let length = map.get(core.end) - map.get(core.start);
    let room = chars.saturating_sub(length);
    let line = text[gap.start..core.start].rfind('\n').map_or(gap.start, |at| gap.start + at + 1);
    let mut start = if map.get(core.start) - map.get(line) <= room * 3 / 5 {
        line
    } else {
        word_start(text, back(text, core.start, gap.start, room * 2 / 5), core.start)
    };
    let mut end = forth(text, start, gap.end, chars);
    if end == gap.end {
        // The text ends within the window: show more of what stands before.
        let before = back(text, end, gap.start, chars);
        start = start.min(word_start(text, before, core.start));
    } else {
        end = word_end(text, end, core.end.min(end));
    }
    trim(text, start..end, &core)
}

/// How the region begins.
pub fn opening(text: &str, map: &Utf16Map, region: &Range<usize>, chars: u32) -> Window {
    let body = &text[region.clone()];
    let start = region.start + (body.len() - body.trim_start().len());
    let mut end = forth(text, start, region.end, chars);
    if end < region.end {
        end = word_end(text, end, start);
    }
    let range = trim(text, start..end, &(start..start));
    debug_assert!(map.get(range.end) - map.get(range.start) <= chars);
    Window { range, score: 0.0 }
}

/// The furthest character start at most `units` after `from`.
fn forth(text: &str, from: usize, limit: usize, units: u32) -> usize {
    let mut left = units as usize;
    for (offset, character) in text[from..limit].char_indices() {
        match left.checked_sub(character.len_utf16()) {
            Some(rest) => left = rest,
            None => return from + offset,
        }
    }
    limit
}

/// The furthest character start at most `units` before `from`.
fn back(text: &str, from: usize, limit: usize, units: u32) -> usize {
    let mut left = units as usize;
    let mut at = from;
    for character in text[limit..from].chars().rev() {
        match left.checked_sub(character.len_utf16()) {
            Some(rest) => left = rest,
            None => break,
        }
        at -= character.len_utf8();
    }
    at
}

/// The first start of a word in `at..=limit`, else of a grapheme. Words are what white space separates; where
/// there is none, what other signs separate.
fn word_start(text: &str, at: usize, limit: usize) -> usize {
    if text[..at].chars().next_back().is_none_or(char::is_whitespace) {
        return at;
    }
    let between = &text[at..limit];
    if let Some(space) = between.find(char::is_whitespace) {
        // White space up to the limit: the word that starts there is the first one.
        return limit - between[space..].trim_start().len();
    }
    if let Some(sign) = between.find(is_sign) {
        return limit - between[sign..].trim_start_matches(is_sign).len();
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => at,
        _ => cursor.next_boundary(text, 0).ok().flatten().map_or(limit, |next| next.min(limit)),
    }
}

/// Of the signs that part words: emoji and the signs of other scripts stand for themselves.
fn is_sign(character: char) -> bool {
    character.is_ascii_punctuation()
}

/// The last end of a word in `limit..=at`, else of a grapheme, else `at`.
fn word_end(text: &str, at: usize, limit: usize) -> usize {
    if text[at..].chars().next().is_none_or(char::is_whitespace) {
        return at;
    }
    let between = &text[limit..at];
    if let Some(space) = between.rfind(char::is_whitespace) {
        return limit + space;
    }
    if let Some(sign) = between.rfind(is_sign) {
        return limit + between[..sign].trim_end_matches(is_sign).len();
    }
    let mut cursor = GraphemeCursor::new(at, text.len(), true);
    match cursor.is_boundary(text, 0) {
        Ok(true) => at,
        _ => match cursor.prev_boundary(text, 0) {
            Ok(Some(before)) if before > limit => before,
            _ => at,
        },
    }
}

/// Without white space at the ends, but never without `core`.
fn trim(text: &str, range: Range<usize>, core: &Range<usize>) -> Range<usize> {
    let slice = &text[range.clone()];
    let start = range.start + (slice.len() - slice.trim_start().len());
    let end = range.start + slice.trim_end().len();
    let start = start.min(core.start.max(range.start));
    start..end.max(core.end.min(range.end)).max(start)
}
