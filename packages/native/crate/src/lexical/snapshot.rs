//! What one commit made searchable. Notes are numbered through all segments: a note's slot is its
//! segment's first slot plus its document number there.

use std::cmp::Ordering;
use std::sync::Arc;

use tantivy::index::SegmentId;
use tantivy::schema::IndexRecordOption;
use tantivy::{DocAddress, DocSet, Searcher, SegmentReader, TERMINATED, Term};

use super::document::StoredText;
use super::schema::{self, Fields, TEXTS};
use super::view::ViewStatistics;
use crate::failure::Outcome;

/// Columns of a segment, in memory; they never change, so later snapshots share them.
pub struct Columns {
    segment: SegmentId,
    pub ids: Vec<u32>,
    /// Word counts of each text.
    pub lengths: [Vec<u32>; TEXTS],
    body_starts: Vec<u32>,
    paths: String,
    path_ends: Vec<u32>,
}

impl Columns {
    fn read(reader: &SegmentReader) -> tantivy::Result<Self> {
        let columns = reader.fast_fields();
        let documents = reader.max_doc();
        let numbers = |name: &str| -> tantivy::Result<Vec<u32>> {
            let column = columns.u64(name)?;
            Ok((0..documents).map(|document| column.first(document).unwrap_or(0) as u32).collect())
        };
        let mut lengths: [Vec<u32>; TEXTS] = Default::default();
        for (text, length) in lengths.iter_mut().enumerate() {
            *length = numbers(&schema::length_name(text))?;
        }
        let (mut paths, mut path_ends) = (String::new(), Vec::with_capacity(documents as usize));
        let column = columns.str(schema::PATH_KEY)?;
        let mut path = String::new();
        for document in 0..documents {
            if let Some(column) = &column
                && let Some(ordinal) = column.term_ords(document).next()
            {
                path.clear();
                column.ord_to_str(ordinal, &mut path)?;
                paths.push_str(&path);
            }
            path_ends.push(paths.len() as u32);
        }
        let (ids, body_starts) = (numbers(schema::ID)?, numbers(schema::BODY_START)?);
        Ok(Self { segment: reader.segment_id(), ids, lengths, body_starts, paths, path_ends })
    }

    fn path(&self, document: usize) -> &str {
        let start = if document == 0 { 0 } else { self.path_ends[document - 1] };
        &self.paths[start as usize..self.path_ends[document] as usize]
    }
}

pub struct Segment {
    pub reader: SegmentReader,
    pub columns: Arc<Columns>,
    pub first_slot: u32,
}

impl Segment {
    pub fn end_slot(&self) -> u32 {
        self.first_slot + self.reader.max_doc()
    }
}

pub struct Snapshot {
    pub segments: Vec<Segment>,
    pub slots: u32,
    pub generation: u64,
    pub payload: Option<String>,
    pub fields: Fields,
    /// Statistics over all live notes.
    pub whole: Arc<ViewStatistics>,
    searcher: Searcher,
}

impl Snapshot {
    pub fn new(
        searcher: Searcher,
        fields: Fields,
        generation: u64,
        payload: Option<String>,
        before: Option<&Snapshot>,
    ) -> Outcome<Self> {
        let mut segments: Vec<Segment> = Vec::new();
        let mut slots = 0;
        for reader in searcher.segment_readers() {
            let known = before.and_then(|snapshot| {
                snapshot.segments.iter().find(|segment| segment.columns.segment == reader.segment_id())
            });
            let columns = match known {
                Some(segment) => segment.columns.clone(),
                None => Arc::new(Columns::read(reader)?),
            };
            segments.push(Segment { reader: reader.clone(), columns, first_slot: slots });
            slots += reader.max_doc();
        }
        let whole = Arc::new(ViewStatistics::count(&segments, slots, None));
        Ok(Self { segments, slots, generation, payload, fields, whole, searcher })
    }

    pub fn segment_of(&self, slot: u32) -> (usize, u32) {
        let at = self.segments.partition_point(|segment| segment.end_slot() <= slot);
        (at, slot - self.segments[at].first_slot)
    }

    pub fn id(&self, slot: u32) -> u32 {
        let (segment, document) = self.segment_of(slot);
        self.segments[segment].columns.ids[document as usize]
    }

    pub fn path(&self, slot: u32) -> &str {
        let (segment, document) = self.segment_of(slot);
        self.segments[segment].columns.path(document as usize)
    }

    /// By path, then id: ids only differ in order where a caller gave two notes one path.
    pub fn compare_paths(&self, left: u32, right: u32) -> Ordering {
        self.path(left).cmp(self.path(right)).then_with(|| self.id(left).cmp(&self.id(right)))
    }

    /// The stored text and the byte offset where its body starts.
    pub fn text(&self, slot: u32) -> Outcome<(String, usize)> {
        let (segment, document) = self.segment_of(slot);
        let stored: StoredText = self.searcher.doc(DocAddress::new(segment as u32, document))?;
        let body_start = self.segments[segment].columns.body_starts[document as usize];
        Ok((stored.0, body_start as usize))
    }

    pub fn slot_of_id(&self, id: u32) -> Outcome<Option<u32>> {
        let term = Term::from_field_u64(self.fields.id, id.into());
        for segment in &self.segments {
            let dictionary = segment.reader.inverted_index(self.fields.id)?;
            let Some(mut postings) = dictionary.read_postings(&term, IndexRecordOption::Basic)? else {
                continue;
            };
            while postings.doc() != TERMINATED {
                if !segment.reader.is_deleted(postings.doc()) {
                    return Ok(Some(segment.first_slot + postings.doc()));
                }
                postings.advance();
            }
        }
        Ok(None)
    }
}
