//! Where the wanted words stand in a text.

use rustc_hash::FxHashMap;
use std::ops::Range;

use super::wanted::Wanted;
use crate::analysis::{Form, Piece, PieceKind, Segmenter, StemCache, write_term};

/// One occurrence, as byte offsets.
#[derive(Clone, Copy, Debug)]
pub struct Mark {
    pub from: usize,
    pub to: usize,
    /// Which wanted thing it is.
    pub wanted: usize,
    pub weight: f64,
    pub shown: bool,
}

/// A word that takes part in something wanted: (wanted, place).
type Part = (usize, usize);

pub struct Marker {
    wanted: Vec<Wanted>,
    stemmed: FxHashMap<String, Vec<Part>>,
    exact: FxHashMap<String, Vec<Part>>,
    prefixes: Vec<(String, Part)>,
    /// First bytes of ASCII words that can be wanted.
    first_bytes: [bool; 128],
    stems: StemCache,
}

/// A word of the text at a place of a phrase.
struct Seen {
    part: Part,
    position: u32,
    from: usize,
    to: usize,
}

impl Marker {
    pub fn new(wanted: Vec<Wanted>) -> Self {
        let mut marker = Self {
            wanted: Vec::new(),
            stemmed: FxHashMap::default(),
            exact: FxHashMap::default(),
            prefixes: Vec::new(),
            first_bytes: [false; 128],
            stems: StemCache::default(),
        };
        for (at, entry) in wanted.iter().enumerate() {
            for (index, place) in entry.places.iter().enumerate() {
                let part = (at, index);
                for term in &place.stemmed {
                    marker.note_first(term);
                    marker.stemmed.entry(term.clone()).or_default().push(part);
                }
                for term in &place.exact {
                    marker.note_first(term);
                    marker.exact.entry(term.clone()).or_default().push(part);
                }
                for prefix in &place.prefixes {
                    marker.note_first(prefix);
                    marker.prefixes.push((prefix.clone(), part));
                }
            }
        }
        marker.wanted = wanted;
        marker
    }

    fn note_first(&mut self, term: &str) {
        if let Some(&first @ 0..128) = term.as_bytes().first() {
            self.first_bytes[first as usize] = true;
        }
    }

    /// Marks in a region of the text, by where they start.
    pub fn find(&mut self, text: &str, region: &Range<usize>) -> Vec<Mark> {
        let mut marks = Vec::new();
        let mut seen: Vec<Seen> = Vec::new();
        if self.wanted.is_empty() {
            return marks;
        }
        let body = &text[region.clone()];
        let mut term = String::new();
        for piece in Segmenter::new(body) {
            if !self.possible(body, &piece) {
                continue;
            }
            write_term(body, &piece, Form::Exact, &mut self.stems, &mut term);
            let to = region.start + marked_end(&piece);
            let from = region.start + piece.from;
            for (prefix, part) in &self.prefixes {
                if term.starts_with(prefix.as_str()) {
                    // Of a pair that starts with the one character asked for, that character is marked.
                    let to = match piece.kind {
                        PieceKind::Pair { middle } if prefix.chars().nth(1).is_none() => {
                            region.start + middle
                        }
                        _ => to,
                    };
                    seen.push(Seen { part: *part, position: piece.position, from, to });
                }
            }
            if let Some(parts) = self.exact.get(&term) {
                seen.extend(parts.iter().map(|&part| Seen { part, position: piece.position, from, to }));
            }
            if !self.stemmed.is_empty() {
                write_term(body, &piece, Form::Stemmed, &mut self.stems, &mut term);
                if let Some(parts) = self.stemmed.get(&term) {
                    seen.extend(parts.iter().map(|&part| Seen { part, position: piece.position, from, to }));
                }
            }
        }
        self.settle(&seen, &mut marks);
        marks.sort_by_key(|mark| (mark.from, mark.to, mark.wanted));
        marks.dedup_by_key(|mark| (mark.from, mark.to, mark.wanted));
        marks
    }

    /// Whether an ASCII word can be wanted, by its first letter, which no folding or English stem changes.
    fn possible(&self, body: &str, piece: &Piece) -> bool {
        match body.as_bytes()[piece.from] {
            first @ 0..128 => self.first_bytes[first.to_ascii_lowercase() as usize],
            _ => true,
        }
    }

    /// Single words are marks; words of a phrase only where the phrase is whole.
    fn settle(&self, seen: &[Seen], marks: &mut Vec<Mark>) {
        let mark = |seen: &Seen| Mark {
            from: seen.from,
            to: seen.to,
            wanted: seen.part.0,
            weight: self.wanted[seen.part.0].weight,
            shown: self.wanted[seen.part.0].shown,
        };
        for (at, first) in seen.iter().enumerate() {
            let wanted = &self.wanted[first.part.0];
            if wanted.places.len() == 1 {
                marks.push(mark(first));
            } else if first.part.1 == 0 {
                let mut whole = vec![first];
                let mut reached = first.position;
                for (place, expected) in wanted.places.iter().enumerate().skip(1) {
                    let lowest = reached;
                    let next = seen[at..]
                        .iter()
                        .take_while(|later| later.position <= first.position + expected.offset + wanted.slop);
                    let found = next.filter(|later| later.part == (first.part.0, place)).find(|later| {
                        later.position >= first.position + expected.offset && later.position > lowest
                    });
                    let Some(found) = found else { break };
                    reached = found.position;
                    whole.push(found);
                }
                if whole.len() == wanted.places.len() {
                    marks.extend(whole.into_iter().map(mark));
                }
            }
        }
    }
}

fn marked_end(piece: &Piece) -> usize {
    match piece.kind {
        PieceKind::Word { suffixed } => suffixed,
        _ => piece.to,
    }
}
