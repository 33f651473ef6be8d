//! Words that stand in an order.

use tantivy::postings::{Postings as _, SegmentPostings};
use tantivy::schema::IndexRecordOption;
use tantivy::{DocSet, TERMINATED};

use super::postings::Occurrences;
use super::snapshot::{Segment, Snapshot};
use super::view::ViewStatistics;
use crate::failure::Outcome;

/// Notes whose positions are held in memory at a time.
const CHUNK: usize = 4096;

/// One place in a phrase: any of `terms`, `offset` words after the phrase's start.
pub struct Place {
    pub terms: Vec<String>,
    pub offset: u32,
}

/// Notes of the View where the places follow each other with at most `slop` more words between them in
/// all, and how often they do.
pub fn occurrences(
    snapshot: &Snapshot,
    view: &ViewStatistics,
    field: usize,
    places: &[Place],
    slop: u32,
) -> Outcome<Occurrences> {
    let mut found = Occurrences::default();
    for segment in &snapshot.segments {
        let candidates = candidates(snapshot, view, segment, field, places)?;
        for chunk in candidates.chunks(CHUNK) {
            let mut positions = Vec::with_capacity(places.len());
            for place in places {
                positions.push(place_positions(snapshot, segment, field, place, chunk)?);
            }
            let mut lists: Vec<&[u32]> = Vec::with_capacity(places.len());
            for (at, document) in chunk.iter().enumerate() {
                lists.clear();
                lists.extend(positions.iter().map(|place| place.of(at)));
                let count = count_matches(&lists, slop);
                if count > 0 {
                    found.slots.push(segment.first_slot + document);
                    found.counts.push(count);
                }
            }
        }
    }
    Ok(found)
}

fn open(
    snapshot: &Snapshot,
    segment: &Segment,
    field: usize,
    term: &str,
    option: IndexRecordOption,
) -> Outcome<Option<SegmentPostings>> {
    let dictionary = segment.reader.inverted_index(snapshot.fields.search[field])?;
    let Some(info) = dictionary.terms().get(term.as_bytes())? else { return Ok(None) };
    Ok(Some(dictionary.read_postings_from_terminfo(&info, option)?))
}

/// Documents of the View that hold something for every place, in order.
fn candidates(
    snapshot: &Snapshot,
    view: &ViewStatistics,
    segment: &Segment,
    field: usize,
    places: &[Place],
) -> Outcome<Vec<u32>> {
    let mut lists: Vec<Vec<SegmentPostings>> = Vec::with_capacity(places.len());
    for place in places {
        let mut list = Vec::new();
        for term in &place.terms {
            list.extend(open(snapshot, segment, field, term, IndexRecordOption::Basic)?);
        }
        if list.is_empty() {
            return Ok(Vec::new());
        }
        lists.push(list);
    }
    // The rarest place decides which documents are looked at.
    lists.sort_by_key(|list| list.iter().map(SegmentPostings::doc_freq).sum::<u32>());
    let mut documents = union(lists.remove(0));
    documents.retain(|&document| view.holds(segment.first_slot + document));
    for list in &mut lists {
        if let [postings] = list.as_mut_slice() {
            documents.retain(|&document| seek(postings, document));
        } else {
            let others = union(std::mem::take(list));
            documents.retain(|document| others.binary_search(document).is_ok());
        }
    }
    Ok(documents)
}

fn union(list: Vec<SegmentPostings>) -> Vec<u32> {
    let several = list.len() > 1;
    let mut documents = Vec::new();
    for mut postings in list {
        while postings.doc() != TERMINATED {
            documents.push(postings.doc());
            postings.advance();
        }
    }
    if several {
        documents.sort_unstable();
        documents.dedup();
    }
    documents
}

fn seek(postings: &mut SegmentPostings, document: u32) -> bool {
    if postings.doc() < document {
        postings.seek(document);
    }
    postings.doc() == document
}

/// For each of some documents the positions of a place, as starts of the phrase, ascending.
#[derive(Default)]
struct Positions {
    flat: Vec<u32>,
    ends: Vec<usize>,
}

impl Positions {
    fn of(&self, document: usize) -> &[u32] {
        let start = if document == 0 { 0 } else { self.ends[document - 1] };
        &self.flat[start..self.ends[document]]
    }
}

fn place_positions(
    snapshot: &Snapshot,
    segment: &Segment,
    field: usize,
    place: &Place,
    documents: &[u32],
) -> Outcome<Positions> {
    let mut found = Positions::default();
    let mut several: Vec<Vec<u32>> = Vec::new();
    let mut buffer = Vec::new();
    for term in &place.terms {
        let option = IndexRecordOption::WithFreqsAndPositions;
        let Some(mut postings) = open(snapshot, segment, field, term, option)? else { continue };
        if place.terms.len() > 1 {
            several.resize(documents.len(), Vec::new());
        }
        for (at, &document) in documents.iter().enumerate() {
            buffer.clear();
            if seek(&mut postings, document) {
                postings.positions(&mut buffer);
            }
            // A place that stands before the text's start would make the phrase start before it.
            let starts = buffer.iter().filter_map(|position| position.checked_sub(place.offset));
            if several.is_empty() {
                found.flat.extend(starts);
                found.ends.push(found.flat.len());
            } else {
                several[at].extend(starts);
            }
        }
    }
    for list in &mut several {
        list.sort_unstable();
        list.dedup();
        found.flat.append(list);
        found.ends.push(found.flat.len());
    }
    found.ends.resize(documents.len(), found.flat.len());
    Ok(found)
}

/// Starts in the first list from which every later list can be reached, each step going on by at most what
/// is left of `slop`.
fn count_matches(lists: &[&[u32]], slop: u32) -> u32 {
    let Some((first, rest)) = lists.split_first() else { return 0 };
    let mut rest: Vec<(&[u32], usize)> = rest.iter().map(|list| (*list, 0)).collect();
    let mut count = 0;
    for &start in *first {
        let mut at = start;
        let mut matched = true;
        for (list, cursor) in &mut rest {
            while *cursor < list.len() && list[*cursor] < at {
                *cursor += 1;
            }
            match list.get(*cursor) {
                Some(&next) if next - start <= slop => at = next,
                Some(_) => {
                    matched = false;
                    break;
                }
                // A list that has run out stays so for all later starts.
                None => return count,
            }
        }
        count += u32::from(matched);
    }
    count
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_starts_within_slop() {
        assert_eq!(count_matches(&[&[1, 5, 9], &[1, 9]], 0), 2);
        assert_eq!(count_matches(&[&[1, 5, 9], &[3, 9]], 0), 1);
        assert_eq!(count_matches(&[&[1, 5, 9], &[3, 9]], 2), 2);
        assert_eq!(count_matches(&[&[1], &[2], &[4]], 2), 0);
        assert_eq!(count_matches(&[&[1], &[2], &[4]], 3), 1);
        assert_eq!(count_matches(&[&[], &[2]], 3), 0);
    }
}
