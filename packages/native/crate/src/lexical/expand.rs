//! Terms of the dictionaries that start with a text or lie near it.

use std::collections::BTreeSet;

use tantivy::Term;
use tantivy::query::FuzzyTermQuery;

use super::postings::{frequency, of_term};
use super::requests::{ExpandRequest, ExpandedTerm, Match};
use super::snapshot::Snapshot;
use super::view::ViewStatistics;
use crate::analysis::MAX_TERM_BYTES;
use crate::failure::{Failure, Outcome};

/// Near terms that take part in a query.
pub const MOST_NEAR: usize = 50;

pub struct NearTerm {
    pub term: String,
    pub frequency: u32,
    pub distance: u8,
}

/// All terms of a field that start with `prefix`, in order; also such as no note of the View holds.
pub fn starting_with(snapshot: &Snapshot, field: usize, prefix: &str) -> Outcome<Vec<String>> {
    let mut terms = BTreeSet::new();
    // No UTF-8 text goes on with this byte.
    let end = [prefix.as_bytes(), &[0xff]].concat();
    for segment in &snapshot.segments {
        let dictionary = segment.reader.inverted_index(snapshot.fields.search[field])?;
        let mut stream = dictionary.terms().range().ge(prefix.as_bytes()).lt(&end).into_stream()?;
        while stream.advance() {
            if let Ok(term) = std::str::from_utf8(stream.key()) {
                terms.insert(term.to_string());
            }
        }
    }
    Ok(terms.into_iter().collect())
}

/// Terms of a field at most `distance` edits from `text`; also such as no note of the View holds.
fn near_terms(snapshot: &Snapshot, field: usize, text: &str, distance: u8) -> Outcome<Vec<String>> {
    if !(1..=2).contains(&distance) {
        return Err(Failure::bad_argument("The distance of a fuzzy word is 1 or 2."));
    }
    let term = Term::from_field_text(snapshot.fields.search[field], text);
    let automaton = FuzzyTermQuery::new(term, distance, true).automaton()?;
    let mut terms = BTreeSet::new();
    for segment in &snapshot.segments {
        let dictionary = segment.reader.inverted_index(snapshot.fields.search[field])?;
        let mut stream = dictionary.terms().search(&automaton).into_stream()?;
        while stream.advance() {
            if let Ok(term) = std::str::from_utf8(stream.key()) {
                terms.insert(term.to_string());
            }
        }
    }
    Ok(terms.into_iter().collect())
}

/// The best `MOST_NEAR` terms within `distance` by frequency in the View, then alphabet.
pub fn near(
    snapshot: &Snapshot,
    view: &ViewStatistics,
    field: usize,
    text: &str,
    distance: u8,
) -> Outcome<Vec<NearTerm>> {
    let mut found = Vec::new();
    for term in near_terms(snapshot, field, text, distance)? {
        let frequency = frequency(snapshot, view, field, &term)?;
        if frequency > 0 {
            let distance = edits(text, &term);
            found.push(NearTerm { term, frequency, distance });
        }
    }
    found
        .sort_by(|left, right| right.frequency.cmp(&left.frequency).then_with(|| left.term.cmp(&right.term)));
    found.truncate(MOST_NEAR);
    Ok(found)
}

/// What `request` asks for around `text`, each term counted once over all fields.
pub fn over_fields(
    snapshot: &Snapshot,
    view: &ViewStatistics,
    fields: &[usize],
    text: &str,
    request: &ExpandRequest,
) -> Outcome<Vec<ExpandedTerm>> {
    let mut terms = BTreeSet::new();
    for &field in fields {
        terms.extend(match request.matching {
            Match::Prefix => starting_with(snapshot, field, text)?,
            Match::Fuzzy => near_terms(snapshot, field, text, request.distance.unwrap_or(1))?,
        });
    }
    let mut found = Vec::new();
    for term in terms {
        let documents = holders(snapshot, view, fields, &term)?;
        if documents > 0 {
            let distance = if request.matching == Match::Fuzzy { edits(text, &term) } else { 0 };
            found.push(ExpandedTerm { term, documents, distance });
        }
    }
    Ok(found)
}

/// Notes of the View that hold `term` in one of the fields.
fn holders(snapshot: &Snapshot, view: &ViewStatistics, fields: &[usize], term: &str) -> Outcome<u32> {
    let mut slots = Vec::new();
    for &field in fields {
        slots.extend(of_term(snapshot, view, field, term)?.slots);
    }
    slots.sort_unstable();
    slots.dedup();
    Ok(slots.len() as u32)
}

/// Edits (insert, drop, replace, swap of neighbours) from one term to another.
pub fn edits(left: &str, right: &str) -> u8 {
    let left: Vec<char> = left.chars().take(MAX_TERM_BYTES).collect();
    let right: Vec<char> = right.chars().take(MAX_TERM_BYTES).collect();
    let mut before: Vec<u8> = Vec::new();
    let mut row: Vec<u8> = (0..=right.len() as u8).collect();
    for (l, &a) in left.iter().enumerate() {
        let mut next = vec![l as u8 + 1];
        for (r, &b) in right.iter().enumerate() {
            let mut least = (row[r + 1] + 1).min(next[r] + 1).min(row[r] + u8::from(a != b));
            if l > 0 && r > 0 && a == right[r - 1] && left[l - 1] == b {
                least = least.min(before[r - 1] + 1);
            }
            next.push(least);
        }
        before = std::mem::replace(&mut row, next);
    }
    row.last().copied().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::edits;

    #[test]
    fn counts_edits() {
        for (left, right, expected) in
            [("form", "from", 1), ("kitten", "sitting", 3), ("", "ab", 2), ("é", "e", 1), ("same", "same", 0)]
        {
            assert_eq!(edits(left, right), expected, "{left} {right}");
        }
    }
}
