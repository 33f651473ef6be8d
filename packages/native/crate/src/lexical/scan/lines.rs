//! The lines of a text on which something matches.

use std::ops::Range;
use std::time::{Duration, Instant};

use regex::Regex;

use super::super::requests::ScanLine;
use super::pattern::Pattern;
use crate::utf16::utf16_len;

/// Longest line given, in UTF-16 units.
const LINE_UNITS: usize = 300;
/// Marks on a line at most.
const LINE_MARKS: usize = 50;
/// Some patterns look far ahead at every match; their lines are counted no longer than this.
const PATIENCE: Duration = Duration::from_secs(1);

/// How many lines match, and the first `most` of them.
pub fn matching_lines(text: &str, pattern: &Pattern, most: u32) -> (u32, Vec<ScanLine>) {
    let started = Instant::now();
    let mut cursors: Vec<Cursor> = pattern.shown().iter().map(Cursor::new).collect();
    let (mut count, mut lines) = (0, Vec::new());
    let (mut at, mut line_number, mut counted_to) = (0, 1, 0);
    while at <= text.len() && started.elapsed() < PATIENCE {
        let found =
            cursors.iter_mut().filter_map(|cursor| cursor.seek(text, at)).min_by_key(|found| found.start);
        let Some(found) = found else { break };
        let line = line_around(text, found.start);
        count += 1;
        if lines.len() < most as usize {
            line_number +=
                memchr::memchr_iter(b'\n', &text.as_bytes()[counted_to..line.start]).count() as u32;
            counted_to = line.start;
            lines.push(show(text, &line, pattern.shown(), found.start, line_number));
        }
        // A match may go on over later lines; they belong to the line it starts on.
        at = (line.end + 1).max(found.end);
        while at < text.len() && !text.is_char_boundary(at) {
            at += 1;
        }
    }
    (count, lines)
}

/// Walks over the matches of one regex, and does not look again for one that it has found ahead.
struct Cursor<'a> {
    regex: &'a Regex,
    next: Option<Range<usize>>,
    ended: bool,
}

impl<'a> Cursor<'a> {
    fn new(regex: &'a Regex) -> Self {
        Self { regex, next: None, ended: false }
    }

    /// The first match that starts at or after `at`, which never goes back.
    fn seek(&mut self, text: &str, at: usize) -> Option<Range<usize>> {
        if !self.ended && self.next.as_ref().is_none_or(|next| next.start < at) {
            self.next = self.regex.find_at(text, at).map(|found| found.range());
            self.ended = self.next.is_none();
        }
        self.next.clone()
    }
}

/// The line that holds byte `at`, without its line end.
fn line_around(text: &str, at: usize) -> Range<usize> {
    let bytes = text.as_bytes();
    let start = memchr::memrchr(b'\n', &bytes[..at]).map_or(0, |newline| newline + 1);
    let end = memchr::memchr(b'\n', &bytes[at..]).map_or(text.len(), |offset| at + offset);
    start..end
}

fn show(text: &str, line: &Range<usize>, shown: &[Regex], first: usize, number: u32) -> ScanLine {
    let trimmed = text[line.clone()].trim_end_matches('\r').len();
    let line = line.start..line.start + trimmed;
    let cut = cut(text, &line, first.min(line.end));
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for regex in shown {
        let mut at = first;
        for _ in 0..LINE_MARKS {
            let Some(found) = regex.find_at(text, at).filter(|found| found.start() < cut.end) else { break };
            if !found.is_empty() {
                ranges.push(found.start()..found.end().min(cut.end));
            }
            at = found.end().max(found.start() + 1);
            while at < text.len() && !text.is_char_boundary(at) {
                at += 1;
            }
            if at >= cut.end {
                break;
            }
        }
    }
    ranges.sort_by_key(|range| (range.start, range.end));
    let mut marks: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match marks.last_mut() {
            Some(last) if range.start < last.end => last.end = last.end.max(range.end),
            _ => marks.push(range),
        }
    }
    let unit = |at: usize| utf16_len(&text[cut.start..at]);
    ScanLine {
        line: number,
        text: text[cut.clone()].to_string(),
        marks: marks.iter().flat_map(|mark| [unit(mark.start), unit(mark.end)]).collect(),
    }
}

/// At most `LINE_UNITS` of the line, a third of them before its first match.
fn cut(text: &str, line: &Range<usize>, first: usize) -> Range<usize> {
    if text[line.clone()].len() <= LINE_UNITS {
        return line.clone();
    }
    let before = text[line.start..first].chars().rev();
    let start = first - take(before, LINE_UNITS / 3);
    let end = start + take(text[start..line.end].chars(), LINE_UNITS);
    start..end
}

/// Bytes of the characters that fit into `units`.
fn take(characters: impl Iterator<Item = char>, units: usize) -> usize {
    let (mut used, mut bytes) = (0, 0);
    for character in characters {
        used += character.len_utf16();
        if used > units {
            break;
        }
        bytes += character.len_utf8();
    }
    bytes
}
