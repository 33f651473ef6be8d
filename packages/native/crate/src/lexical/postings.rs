//! Which notes of a View hold a term, and how often.

use tantivy::schema::IndexRecordOption;

use super::snapshot::{Segment, Snapshot};
use super::view::ViewStatistics;
use crate::failure::Outcome;

/// Slots in ascending order with the number of occurrences in each.
#[derive(Default)]
pub struct Occurrences {
    pub slots: Vec<u32>,
    pub counts: Vec<u32>,
}

/// Calls `each(segment, document, count)` for every note of the View that holds `term` in a field, by slot.
#[inline]
pub fn walk(
    snapshot: &Snapshot,
    view: &ViewStatistics,
    field: usize,
    term: &str,
    mut each: impl FnMut(&Segment, u32, u32),
) -> Outcome<()> {
    for segment in &snapshot.segments {
        let dictionary = segment.reader.inverted_index(snapshot.fields.search[field])?;
        let Some(info) = dictionary.terms().get(term.as_bytes())? else { continue };
        let mut block = dictionary.read_block_postings_from_terminfo(&info, IndexRecordOption::WithFreqs)?;
        while !block.docs().is_empty() {
            for (&document, &count) in block.docs().iter().zip(block.freqs()) {
                if view.holds(segment.first_slot + document) {
                    each(segment, document, count);
                }
            }
            block.advance();
        }
    }
    Ok(())
}

pub fn of_term(snapshot: &Snapshot, view: &ViewStatistics, field: usize, term: &str) -> Outcome<Occurrences> {
    let mut found = Occurrences::default();
    walk(snapshot, view, field, term, |segment, document, count| {
        found.slots.push(segment.first_slot + document);
        found.counts.push(count);
    })?;
    Ok(found)
}

/// Several terms counted as one.
pub fn of_any(
    snapshot: &Snapshot,
    view: &ViewStatistics,
    field: usize,
    terms: &[String],
) -> Outcome<Occurrences> {
    if let [term] = terms {
        return of_term(snapshot, view, field, term);
    }
    let mut counts = vec![0u32; snapshot.slots as usize];
    for term in terms {
        walk(snapshot, view, field, term, |segment, document, count| {
            counts[(segment.first_slot + document) as usize] += count;
        })?;
    }
    let mut found = Occurrences::default();
    for (slot, &count) in counts.iter().enumerate() {
        if count > 0 {
            found.slots.push(slot as u32);
            found.counts.push(count);
        }
    }
    Ok(found)
}

/// In how many notes of the View `term` stands in a field.
pub fn frequency(snapshot: &Snapshot, view: &ViewStatistics, field: usize, term: &str) -> Outcome<u32> {
    view.frequency(field, term, || {
        let mut documents = 0;
        if view.holds_all() {
            for segment in &snapshot.segments {
                let dictionary = segment.reader.inverted_index(snapshot.fields.search[field])?;
                documents += dictionary.terms().get(term.as_bytes())?.map_or(0, |info| info.doc_freq);
            }
        } else {
            walk(snapshot, view, field, term, |_, _, _| documents += 1)?;
        }
        Ok(documents)
    })
}
