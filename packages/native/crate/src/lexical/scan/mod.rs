//! A look through the stored texts of a View's notes.

mod lines;
mod pattern;

use std::sync::atomic::{AtomicUsize, Ordering};

use tantivy::store::StoreReader;

use super::document::StoredText;
use super::requests::{ScanAnswer, ScanHit, ScanRequest};
use super::snapshot::Snapshot;
use super::view::ViewStatistics;
use crate::failure::{Failure, Outcome};
use crate::id_set::IdBits;
use pattern::Pattern;

/// This thread and one more.
const THREADS: usize = 2;
/// Notes a thread takes at a time; neighbours share blocks of the store.
const TAKEN: usize = 64;
/// Blocks of the store kept decompressed by a thread.
const BLOCKS: usize = 2;

pub fn scan(
    snapshot: &Snapshot,
    view: &ViewStatistics,
    filter: Option<&IdBits>,
    request: &ScanRequest,
) -> Outcome<ScanAnswer> {
    let pattern = Pattern::new(request)?;
    let members: Vec<u32> = (0..snapshot.slots)
        .filter(|&slot| view.holds(slot) && filter.is_none_or(|set| set.has(snapshot.id(slot))))
        .collect();
    let mut matching = matching(snapshot, &pattern, &members, request.lines_per_note == 0)?;
    let total = matching.len() as u32;
    if let Some(after) = &request.after {
        matching.retain(|found| snapshot.path(found.slot) > after.as_str());
    }
    let limit = request.max_notes as usize;
    let truncated = matching.len() > limit;
    let by_path = |left: &Found, right: &Found| snapshot.compare_paths(left.slot, right.slot);
    if truncated {
        matching.select_nth_unstable_by(limit, by_path);
        matching.truncate(limit);
    }
    matching.sort_unstable_by(by_path);
    let mut hits = Vec::with_capacity(matching.len());
    for Found { slot, line_count } in matching {
        let (line_count, lines) = match line_count {
            Some(count) => (count, Vec::new()),
            None => lines::matching_lines(&snapshot.text(slot)?.0, &pattern, request.lines_per_note),
        };
        hits.push(ScanHit { id: snapshot.id(slot), line_count, lines });
    }
    Ok(ScanAnswer { total, hits, truncated })
}

/// A note that matches. Its lines are counted at once when that is all that is asked for.
struct Found {
    slot: u32,
    line_count: Option<u32>,
}

/// The members whose text matches, in any order.
fn matching(
    snapshot: &Snapshot,
    pattern: &Pattern,
    members: &[u32],
    count_lines: bool,
) -> Outcome<Vec<Found>> {
    let next = AtomicUsize::new(0);
    let work = || -> Outcome<Vec<Found>> {
        let mut texts = Texts::new(snapshot)?;
        let mut found = Vec::new();
        loop {
            let start = next.fetch_add(TAKEN, Ordering::Relaxed);
            let Some(taken) = members.get(start..members.len().min(start + TAKEN)) else { break };
            if taken.is_empty() {
                break;
            }
            for &slot in taken {
                let text = texts.get(slot)?;
                if pattern.matches(&text) {
                    let line_count = count_lines.then(|| lines::matching_lines(&text, pattern, 0).0);
                    found.push(Found { slot, line_count });
                }
            }
        }
        Ok(found)
    };
    std::thread::scope(|scope| {
        let others: Vec<_> = (1..THREADS).map(|_| scope.spawn(work)).collect();
        let mut found = work()?;
        for other in others {
            let theirs =
                other.join().map_err(|_| Failure::new("native_panic", "A scanning thread panicked."))?;
            found.extend(theirs?);
        }
        Ok(found)
    })
}

/// Stored texts read by one thread.
struct Texts<'a> {
    snapshot: &'a Snapshot,
    stores: Vec<StoreReader>,
}

impl<'a> Texts<'a> {
    fn new(snapshot: &'a Snapshot) -> Outcome<Self> {
        let mut stores = Vec::with_capacity(snapshot.segments.len());
        for segment in &snapshot.segments {
            stores.push(segment.reader.get_store_reader(BLOCKS)?);
        }
        Ok(Self { snapshot, stores })
    }

    fn get(&mut self, slot: u32) -> Outcome<String> {
        let (segment, document) = self.snapshot.segment_of(slot);
        let stored: StoredText = self.stores[segment].get(document)?;
        Ok(stored.0)
    }
}
