//! The parts of a note's text that show why it was found.

mod marks;
mod wanted;
mod window;

use std::ops::Range;

use super::evaluate::Evaluator;
use super::query::Node;
use super::requests::{Snippet, SnippetOptions};
use crate::failure::Outcome;
use crate::utf16::Utf16Map;
use marks::{Mark, Marker};
use window::{Window, best_windows, opening};

/// Cuts snippets for the hits of one search.
pub struct Cutter {
    marker: Marker,
    chars: u32,
    per_note: usize,
}

impl Cutter {
    pub fn new(evaluator: &Evaluator, query: &Node, options: &SnippetOptions) -> Outcome<Self> {
        let wanted = wanted::collect(evaluator, query, options.terms.as_deref())?;
        Ok(Self {
            marker: Marker::new(wanted),
            chars: options.chars.max(1),
            per_note: options.per_note.max(1) as usize,
        })
    }

    /// The best windows of the body; of the frontmatter when only that holds a marked word; else how the
    /// body begins, or the frontmatter when there is no body.
    pub fn cut(&mut self, text: &str, body_start: usize) -> Vec<Snippet> {
        let map = Utf16Map::new(text);
        let mut region = body_start..text.len();
        let mut marks = self.marker.find(text, &region);
        if !marks.iter().any(|mark| mark.shown) && body_start > 0 {
            let front = self.marker.find(text, &(0..body_start));
            if front.iter().any(|mark| mark.shown) {
                (region, marks) = (0..body_start, front);
            }
        }
        let mut windows = best_windows(text, &map, &region, &marks, self.chars, self.per_note);
        if windows.is_empty() {
            let body_is_blank = text[region.clone()].trim().is_empty();
            let shown = if body_is_blank { 0..body_start } else { region };
            windows.push(opening(text, &map, &shown, self.chars));
        }
        windows.into_iter().map(|window| snippet(text, &map, window, &marks)).collect()
    }
}

fn snippet(text: &str, map: &Utf16Map, window: Window, marks: &[Mark]) -> Snippet {
    let Window { range, score } = window;
    let mut shown: Vec<Range<usize>> = Vec::new();
    for mark in marks.iter().filter(|mark| mark.shown) {
        let (from, to) = (mark.from.max(range.start), mark.to.min(range.end));
        if from >= to {
            continue;
        }
        match shown.last_mut() {
            Some(last) if from <= last.end => last.end = last.end.max(to),
            _ => shown.push(from..to),
        }
    }
    let start = map.get(range.start);
    let first = shown.first().map_or(range.start, |mark| mark.start);
    Snippet {
        text: text[range.clone()].to_string(),
        start,
        end: map.get(range.end),
        line: 1 + memchr::memchr_iter(b'\n', &text.as_bytes()[..first]).count() as u32,
        marks: shown
            .iter()
            .flat_map(|mark| [map.get(mark.start) - start, map.get(mark.end) - start])
            .collect(),
        score,
    }
}
