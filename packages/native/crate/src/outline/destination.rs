//! Where a link's destination stands in the source, which the parser does not report.

use std::ops::Range;

/// The destination of `[text](dest "title")`, given where the text ends. Empty when it has none.
pub fn inline(source: &[u8], text_end: usize, link_end: usize) -> Option<Range<usize>> {
    let open = (text_end..link_end).find(|&at| source[at..link_end].starts_with(b"]("))?;
    Some(from(source, open + 2, link_end))
}

/// The destination of `[label]: dest "title"`.
pub fn definition(source: &[u8], start: usize, end: usize) -> Option<Range<usize>> {
    let mut at = start;
    while at + 1 < end {
        match source[at] {
            b'\\' => at += 2,
            b']' if source[at + 1] == b':' => return Some(from(source, at + 2, end)),
            _ => at += 1,
        }
    }
    None
}

/// The target of `[[target|text]]`, its brackets left out.
pub fn wikilink(source: &[u8], start: usize, end: usize) -> Range<usize> {
    let pipe = source[start..end].iter().position(|&byte| byte == b'|');
    let mut stop = pipe.map_or(end, |offset| start + offset);
    // Inside a table cell the pipe is written `\|`.
    if pipe.is_some() && stop > start && source[stop - 1] == b'\\' {
        stop -= 1;
    }
    start..stop
}

fn from(source: &[u8], mut at: usize, limit: usize) -> Range<usize> {
    while at < limit && source[at].is_ascii_whitespace() {
        at += 1;
    }
    if at < limit && source[at] == b'<' {
        let mut stop = at + 1;
        while stop < limit && source[stop] != b'>' {
            stop += if source[stop] == b'\\' { 2 } else { 1 };
        }
        return at + 1..stop.min(limit);
    }
    let (start, mut depth) = (at, 0u32);
    while at < limit && !source[at].is_ascii_whitespace() {
        match source[at] {
            b'\\' => at += 1,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    start..at.min(limit)
}
