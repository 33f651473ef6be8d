//! The index as JavaScript sees it.

use std::path::PathBuf;
use std::sync::Arc;

use napi::Env;
use napi::bindgen_prelude::{AsyncTask, Object, Uint32Array};
use napi_derive::napi;
use serde::de::DeserializeOwned;

use super::core::Core;
use super::document::NoteDocument;
use super::evaluate::Evaluator;
use super::requests::{
    ExpandRequest, ExpandedTerm, Match, ScanRequest, SearchAnswer, SearchHit, SearchRequest,
};
use super::schema::{SEARCH_FIELDS, exact_twin, field_index};
use super::snapshot::Snapshot;
use super::view::ViewStatistics;
use super::writer::{Change, WriterThread};
use super::{expand, postings, rank, scan, snippet};
use crate::analysis::{Form, words};
use crate::failure::{Failure, Outcome, guard, guard_sync};
use crate::handed_text::HandedText;
use crate::id_set::{IdBits, IdSet};
use crate::job::{Job, job};
use crate::promise::promise;
use crate::utf16::byte_of_utf16;

#[napi]
pub struct NativeIndex {
    core: Arc<Core>,
    writer: WriterThread,
}

fn same<T>(value: T) -> T {
    value
}

/// Opening reads files and may wait for the disk.
#[napi(ts_return_type = "Promise<NativeIndex>")]
pub fn open_index(dir: String, create: bool, fsync: bool) -> AsyncTask<Job<NativeIndex, NativeIndex>> {
    job(same, move || {
        // Tantivy panics on some damage instead of reporting it.
        let opened = guard(|| Core::open(&PathBuf::from(dir), create, fsync)).map_err(|failure| {
            if failure.code == "native_panic" {
                Failure { code: "index_corrupt", ..failure }
            } else {
                failure
            }
        });
        let (core, writer) = opened?;
        let writer = WriterThread::start(core.clone(), writer)?;
        Ok(NativeIndex { core, writer })
    })
}

fn parse<T: DeserializeOwned>(json: &str) -> Outcome<T> {
    serde_json::from_str(json)
        .map_err(|error| Failure::bad_argument(format!("The request is wrong: {error}")))
}

fn print<T: serde::Serialize>(answer: &T) -> Outcome<String> {
    serde_json::to_string(answer).map_err(|error| Failure::new("index_failed", error.to_string()))
}

fn bits(set: Option<&IdSet>) -> Option<Arc<IdBits>> {
    set.map(|set| set.bits.clone())
}

fn statistics(snapshot: &Arc<Snapshot>, view: &Option<Arc<IdBits>>) -> Arc<ViewStatistics> {
    match view {
        Some(view) => view.statistics(snapshot),
        None => snapshot.whole.clone(),
    }
}

#[napi]
impl NativeIndex {
    #[napi(getter)]
    pub fn generation(&self) -> f64 {
        self.core.current().map_or(0.0, |snapshot| snapshot.generation as f64)
    }

    #[napi(getter)]
    pub fn payload(&self) -> Option<String> {
        self.core.current().and_then(|snapshot| snapshot.payload.clone())
    }

    #[napi(getter)]
    pub fn document_count(&self) -> u32 {
        self.core.current().map_or(0, |snapshot| snapshot.whole.documents)
    }

    #[napi(ts_return_type = "Promise<void>")]
    pub fn add<'env>(&self, env: &'env Env, docs: Vec<NoteDocument>) -> napi::Result<Object<'env>> {
        self.send(env, Change::Add(docs))
    }

    /// One document whose text was handed over in parts.
    #[napi(ts_return_type = "Promise<void>")]
    pub fn add_handed<'env>(
        &self,
        env: &'env Env,
        doc: NoteDocument,
        text: &HandedText,
    ) -> napi::Result<Object<'env>> {
        self.send(env, Change::Add(vec![NoteDocument { text: text.take(), ..doc }]))
    }

    #[napi(ts_return_type = "Promise<void>")]
    pub fn remove<'env>(&self, env: &'env Env, ids: Uint32Array) -> napi::Result<Object<'env>> {
        self.send(env, Change::Remove(ids.to_vec()))
    }

    #[napi(ts_return_type = "Promise<void>")]
    pub fn commit<'env>(&self, env: &'env Env, payload: Option<String>) -> napi::Result<Object<'env>> {
        self.send(env, Change::Commit(payload))
    }

    #[napi(ts_return_type = "Promise<void>")]
    pub fn close<'env>(&self, env: &'env Env) -> napi::Result<Object<'env>> {
        self.send(env, Change::Close)
    }

    fn send<'env>(&self, env: &'env Env, change: Change) -> napi::Result<Object<'env>> {
        let (answer, promise) = promise(env)?;
        self.writer.send(change, answer);
        Ok(promise)
    }

    #[napi(ts_return_type = "Promise<string>")]
    pub fn search(
        &self,
        request: String,
        view: Option<&IdSet>,
        filter: Option<&IdSet>,
    ) -> AsyncTask<Job<String, String>> {
        let (core, view, filter) = (self.core.clone(), bits(view), bits(filter));
        job(same, move || {
            let request: SearchRequest = parse(&request)?;
            let snapshot = core.snapshot()?;
            let statistics = statistics(&snapshot, &view);
            print(&search(&snapshot, &statistics, filter.as_deref(), &request)?)
        })
    }

    /// Runs on threads of its own; the caller has one scan at a time.
    #[napi(ts_return_type = "Promise<string>")]
    pub fn scan<'env>(
        &self,
        env: &'env Env,
        request: String,
        view: Option<&IdSet>,
        filter: Option<&IdSet>,
    ) -> napi::Result<Object<'env>> {
        let (core, view, filter) = (self.core.clone(), bits(view), bits(filter));
        let (answer, promise) = promise(env)?;
        std::thread::spawn(move || {
            let outcome = guard(|| {
                let request: ScanRequest = parse(&request)?;
                let snapshot = core.snapshot()?;
                let statistics = statistics(&snapshot, &view);
                print(&scan::scan(&snapshot, &statistics, filter.as_deref(), &request)?)
            });
            answer.settle(outcome, same);
        });
        Ok(promise)
    }

    #[napi(ts_return_type = "Promise<string>")]
    pub fn expand(&self, request: String, view: Option<&IdSet>) -> AsyncTask<Job<String, String>> {
        let (core, view) = (self.core.clone(), bits(view));
        job(same, move || {
            let request: ExpandRequest = parse(&request)?;
            let snapshot = core.snapshot()?;
            let statistics = statistics(&snapshot, &view);
            print(&expand(&snapshot, &statistics, &request)?)
        })
    }

    #[napi(ts_return_type = "Promise<Uint32Array>")]
    pub fn document_frequencies(
        &self,
        terms: Vec<String>,
        field: String,
        view: Option<&IdSet>,
    ) -> AsyncTask<Job<Vec<u32>, Uint32Array>> {
        let (core, view) = (self.core.clone(), bits(view));
        job(Uint32Array::from, move || {
            let field = field_index(&field)?;
            let snapshot = core.snapshot()?;
            let statistics = statistics(&snapshot, &view);
            terms.iter().map(|term| postings::frequency(&snapshot, &statistics, field, term)).collect()
        })
    }

    #[napi(ts_return_type = "Promise<string | null>")]
    pub fn text(&self, id: u32) -> AsyncTask<Job<Option<String>, Option<HandedText>>> {
        let core = self.core.clone();
        job(
            |text| text.map(HandedText::from),
            move || {
                let snapshot = core.snapshot()?;
                match snapshot.slot_of_id(id)? {
                    Some(slot) => Ok(Some(snapshot.text(slot)?.0)),
                    None => Ok(None),
                }
            },
        )
    }

    /// Parts of stored texts, from one offset to another in UTF-16 units; null for a note that is not there.
    #[napi(ts_return_type = "Promise<(string | null)[]>")]
    pub fn parts(
        &self,
        env: Env,
        ids: Uint32Array,
        starts: Uint32Array,
        ends: Uint32Array,
    ) -> napi::Result<AsyncTask<Job<Parts, Parts>>> {
        guard_sync(&env, || {
            if starts.len() != ids.len() || ends.len() != ids.len() {
                return Err(Failure::bad_argument("Each part needs its start and its end."));
            }
            let (ids, starts, ends) = (ids.to_vec(), starts.to_vec(), ends.to_vec());
            let core = self.core.clone();
            Ok(job(same, move || {
                let snapshot = core.snapshot()?;
                let part = |(at, &id): (usize, &u32)| match snapshot.slot_of_id(id)? {
                    Some(slot) => {
                        Ok(Some(part_of(&snapshot.text(slot)?.0, starts[at], ends[at]).to_string()))
                    }
                    None => Ok(None),
                };
                ids.iter().enumerate().map(part).collect()
            }))
        })
    }

    #[napi(ts_return_type = "Promise<string[]>")]
    pub fn damaged_files(&self) -> AsyncTask<Job<Vec<String>, Vec<String>>> {
        let core = self.core.clone();
        job(same, move || {
            core.snapshot()?;
            let damaged = core.index.validate_checksum()?;
            let mut names: Vec<String> = damaged.iter().map(|path| path.display().to_string()).collect();
            names.sort();
            Ok(names)
        })
    }
}

type Parts = Vec<Option<String>>;

fn part_of(text: &str, start: u32, end: u32) -> &str {
    let (start, end) = (byte_of_utf16(text, start), byte_of_utf16(text, end));
    text.get(start..end).unwrap_or_default()
}

fn search(
    snapshot: &Snapshot,
    view: &ViewStatistics,
    filter: Option<&IdBits>,
    request: &SearchRequest,
) -> Outcome<SearchAnswer> {
    let evaluator = Evaluator::new(snapshot, view, request.tie_breaker);
    let mut found = evaluator.evaluate(&request.query)?;
    if let Some(filter) = filter {
        found.retain(|slot| filter.has(snapshot.id(slot)));
    }
    let total = found.slots.len() as u32;
    let page = rank::page(snapshot, &found, request.offset as usize, request.limit as usize);
    let mut hits = Vec::with_capacity(page.len());
    let mut cutter = match &request.snippets {
        Some(options) => Some(snippet::Cutter::new(&evaluator, &request.query, options)?),
        None => None,
    };
    for (slot, score) in page {
        let snippets = match &mut cutter {
            Some(cutter) => {
                let (text, body_start) = snapshot.text(slot)?;
                Some(cutter.cut(&text, body_start))
            }
            None => None,
        };
        hits.push(SearchHit { id: snapshot.id(slot), score, snippets });
    }
    Ok(SearchAnswer { total, hits })
}

fn expand(snapshot: &Snapshot, view: &ViewStatistics, request: &ExpandRequest) -> Outcome<Vec<ExpandedTerm>> {
    let fields: Vec<usize> = match &request.fields {
        Some(names) => names.iter().map(|name| field_index(name).map(exact_twin)).collect::<Outcome<_>>()?,
        None => ["title_exact", "aliases_exact", "headings_exact", "body_exact"]
            .iter()
            .map(|name| field_index(name))
            .collect::<Outcome<_>>()?,
    };
    debug_assert!(fields.iter().all(|&field| SEARCH_FIELDS[field].form == Form::Exact));
    let Some(word) = words(&request.text, Form::Exact).pop() else { return Ok(Vec::new()) };
    let mut found = expand::over_fields(snapshot, view, &fields, &word.term, request)?;
    found.sort_by(|left, right| {
        let key = |term: &ExpandedTerm| (term.distance, std::cmp::Reverse(term.documents));
        key(left).cmp(&key(right)).then_with(|| left.term.cmp(&right.term))
    });
    found.truncate(request.limit.unwrap_or(expand::MOST_NEAR as u32) as usize);
    debug_assert!(request.matching == Match::Fuzzy || found.iter().all(|term| term.distance == 0));
    Ok(found)
}
