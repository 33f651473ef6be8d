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
    let mut matching = matching(snapshot, &pattern, &members)?;
    let total = matching.len() as u32;
    if let Some(after) = &request.after {
        matching.retain(|&slot| snapshot.path(slot) > after.as_str());
    }
    let limit = request.max_notes as usize;
    let truncated = matching.len() > limit;
    if truncated {
        matching.select_nth_unstable_by(limit, |left, right| snapshot.compare_paths(*left, *right));
        matching.truncate(limit);
    }
    matching.sort_unstable_by(|left, right| snapshot.compare_paths(*left, *right));
    let mut hits = Vec::with_capacity(matching.len());
    for slot in matching {
        let (text, _) = snapshot.text(slot)?;
        let (line_count, lines) = lines::matching_lines(&text, &pattern, request.lines_per_note);
        hits.push(ScanHit { id: snapshot.id(slot), line_count, lines });
    }
    Ok(ScanAnswer { total, hits, truncated })
}

/// The members whose text matches, in any order.
fn matching(snapshot: &Snapshot, pattern: &Pattern, members: &[u32]) -> Outcome<Vec<u32>> {
    let next = AtomicUsize::new(0);
    let work = || -> Outcome<Vec<u32>> {
        let mut texts = Texts::new(snapshot)?;
        let mut found = Vec::new();
        loop {
            let start = next.fetch_add(TAKEN, Ordering::Relaxed);
            let Some(taken) = members.get(start..members.len().min(start + TAKEN)) else { break };
            if taken.is_empty() {
                break;
            }
            for &slot in taken {
                if pattern.matches(&texts.get(slot)?) {
                    found.push(slot);
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
