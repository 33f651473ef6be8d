//! The vector set as JavaScript sees it. Changes are queued where they are called and applied, in order,
//! by the next job that needs the table, so that no call waits for a search.

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, RwLock};

use napi::Env;
use napi::bindgen_prelude::{AsyncTask, Float32Array, Uint8Array, Uint32Array};
use napi_derive::napi;

use super::answers::{
    BestRows, NearestNotes, NoteSums, VectorMatches, to_best, to_matches, to_nearest, to_scores, to_sums,
};
use super::block::Key;
use super::integers::quantize_row;
use super::row_set::RowSet;
use super::search::{Best, Matches, Members, Nearest, best, means, nearest, search};
use super::snapshot;
use super::sums::{Sums, sums};
use super::table::{Table, check};
use crate::failure::{Failure, Outcome, guard_sync};
use crate::id_set::IdSet;
use crate::job::{Job, job};

const MOST_DIMENSIONS: u32 = 8192;
/// Rows that are compared on the JavaScript thread: a good part of a millisecond at most, and less than the way to a
/// thread that sleeps and back.
const ROWS_AT_ONCE: usize = 8192;
/// Rows that are added up there, in numbers of 64 bits.
const ROWS_SUMMED_AT_ONCE: usize = 512;

enum Change {
    Upsert { rows: Vec<u32>, notes: Vec<u32>, keys: Vec<Key>, vectors: Vec<f32> },
    Remove(Vec<u32>),
}

struct Shared {
    table: RwLock<Table>,
    queue: Mutex<Vec<Change>>,
    /// Memory of the table, so that asking waits for nobody.
    bytes: AtomicUsize,
}

fn broken<T>(_: T) -> Failure {
    Failure::new("native_panic", "An earlier call on this vector set panicked.")
}

impl Shared {
    /// Applies what is queued. The queue is emptied under the table's lock, so the order holds.
    fn settle(&self) -> Outcome<()> {
        if self.queue.lock().map_err(broken)?.is_empty() {
            return Ok(());
        }
        let mut table = self.table.write().map_err(broken)?;
        let changes = std::mem::take(&mut *self.queue.lock().map_err(broken)?);
        for change in changes {
            match change {
                Change::Remove(rows) => rows.iter().for_each(|&row| table.remove(row)),
                Change::Upsert { rows, notes, keys, vectors } => {
                    for (at, vector) in vectors.chunks_exact(table.dimensions).enumerate() {
                        let quantized = quantize_row(vector);
                        table.upsert(rows[at], notes[at], &keys[at], quantized.scale, &quantized.lanes);
                    }
                }
            }
        }
        self.bytes.store(table.bytes(), Ordering::Relaxed);
        Ok(())
    }

    /// Null where it would wait for somebody, or for changes to be applied.
    fn read_now<T>(&self, use_table: impl FnOnce(&Table) -> Option<T>) -> Option<T> {
        if !self.queue.try_lock().ok()?.is_empty() {
            return None;
        }
        use_table(&*self.table.try_read().ok()?)
    }

    fn read<T>(&self, use_table: impl FnOnce(&Table) -> Outcome<T>) -> Outcome<T> {
        self.settle()?;
        let table = self.table.read().map_err(broken)?;
        use_table(&table)
    }
}

#[napi(js_name = "VectorSet")]
pub struct VectorSet {
    shared: Arc<Shared>,
    dimensions: usize,
    /// Rows as of the last change called; only the JavaScript thread touches it, so it is never waited for.
    rows: Arc<Mutex<RowSet>>,
}

fn nothing(_: ()) {}

/// Rows that were read from a file, and where they are to be entered.
pub struct Loaded {
    present: RowSet,
    rows: Arc<Mutex<RowSet>>,
}

fn to_is_loaded(loaded: Option<Loaded>) -> bool {
    loaded.is_some_and(|Loaded { present, rows }| rows.lock().map(|mut rows| *rows = present).is_ok())
}

pub struct Retained {
    lacking: Vec<u32>,
    removed: Vec<u32>,
    rows: Arc<Mutex<RowSet>>,
}

fn to_lacking(Retained { lacking, removed, rows }: Retained) -> Uint32Array {
    if let Ok(mut rows) = rows.lock() {
        removed.iter().for_each(|&row| rows.remove(row));
    }
    lacking.into()
}

fn read_both<T>(
    left: &Shared,
    right: &Shared,
    query: &[f32],
    use_tables: impl FnOnce([&Table; 2]) -> T,
) -> Outcome<T> {
    if std::ptr::eq(left, right) {
        return Err(Failure::bad_argument("A vector set is not searched beside itself."));
    }
    left.settle()?;
    right.settle()?;
    let (left, right) = (left.table.read().map_err(broken)?, right.table.read().map_err(broken)?);
    check(query, 1, left.dimensions)?;
    check(query, 1, right.dimensions)?;
    Ok(use_tables([&left, &right]))
}

/// Whether these notes have `most` rows at most.
fn are_few(table: &Table, notes: &[u32], most: usize) -> bool {
    notes.iter().flat_map(|&note| table.places_of(note)).take(most + 1).count() <= most
}

/// A key a row; no keys are keys of zeros.
fn keys_of(bytes: Option<&[u8]>, rows: usize) -> Outcome<Vec<Key>> {
    let Some(bytes) = bytes else { return Ok(vec![Key::default(); rows]) };
    if bytes.len() != rows * size_of::<Key>() {
        return Err(Failure::bad_argument("Each row needs a key of 16 bytes."));
    }
    Ok(bytes.as_chunks().0.to_vec())
}

#[napi]
impl VectorSet {
    #[napi(constructor)]
    pub fn new(env: Env, dimensions: u32) -> napi::Result<Self> {
        guard_sync(&env, || {
            if dimensions == 0 || dimensions > MOST_DIMENSIONS {
                let message = format!("A vector has 1 to {MOST_DIMENSIONS} dimensions, not {dimensions}.");
                return Err(Failure::bad_argument(message));
            }
            let dimensions = dimensions as usize;
            let shared = Shared {
                table: RwLock::new(Table::new(dimensions)),
                queue: Mutex::default(),
                bytes: AtomicUsize::default(),
            };
            Ok(Self { shared: Arc::new(shared), dimensions, rows: Arc::default() })
        })
    }

    #[napi(getter)]
    pub fn size(&self) -> u32 {
        self.rows.lock().map_or(0, |rows| rows.len() as u32)
    }

    #[napi]
    pub fn has(&self, row: u32) -> bool {
        self.rows.lock().is_ok_and(|rows| rows.has(row))
    }

    #[napi(getter)]
    pub fn bytes(&self) -> f64 {
        self.shared.bytes.load(Ordering::Relaxed) as f64
    }

    #[napi(ts_return_type = "Promise<void>")]
    pub fn upsert(
        &self,
        env: Env,
        rows: Uint32Array,
        notes: Uint32Array,
        vectors: Float32Array,
        keys: Option<Uint8Array>,
    ) -> napi::Result<AsyncTask<Job<(), ()>>> {
        guard_sync(&env, || {
            if rows.len() != notes.len() {
                return Err(Failure::bad_argument("Each row needs its note."));
            }
            check(&vectors, rows.len(), self.dimensions)?;
            let keys = keys_of(keys.as_deref(), rows.len())?;
            let mut present = self.rows.lock().map_err(broken)?;
            rows.iter().for_each(|&row| present.insert(row));
            let (rows, notes, vectors) = (rows.to_vec(), notes.to_vec(), vectors.to_vec());
            let change = Change::Upsert { rows, notes, keys, vectors };
            self.shared.queue.lock().map_err(broken)?.push(change);
            let shared = self.shared.clone();
            Ok(job(nothing, move || shared.settle()))
        })
    }

    #[napi]
    pub fn remove(&self, env: Env, rows: Uint32Array) -> napi::Result<()> {
        guard_sync(&env, || {
            let mut present = self.rows.lock().map_err(broken)?;
            for row in rows.iter() {
                present.remove(*row);
            }
            self.shared.queue.lock().map_err(broken)?.push(Change::Remove(rows.to_vec()));
            Ok(())
        })
    }

    #[napi(ts_return_type = "Promise<VectorMatches>")]
    pub fn search(
        &self,
        query: Float32Array,
        limit: u32,
        per_note: bool,
        view: Option<&IdSet>,
        filter: Option<&IdSet>,
    ) -> AsyncTask<Job<Matches, VectorMatches>> {
        let (shared, query) = (self.shared.clone(), query.to_vec());
        let (view, filter) = (view.map(|set| set.bits.clone()), filter.map(|set| set.bits.clone()));
        job(to_matches, move || {
            shared.read(|table| {
                check(&query, 1, table.dimensions)?;
                let members = Members { view: view.as_deref(), filter: filter.as_deref() };
                Ok(search(table, &query, limit as usize, per_note, &members))
            })
        })
    }

    #[napi(ts_return_type = "Promise<BestRows>")]
    pub fn best(&self, query: Float32Array, notes: Uint32Array) -> AsyncTask<Job<Best, BestRows>> {
        let (shared, query, notes) = (self.shared.clone(), query.to_vec(), notes.to_vec());
        job(to_best, move || {
            shared.read(|table| {
                check(&query, 1, table.dimensions)?;
                Ok(best(table, &query, &notes))
            })
        })
    }

    /// [`Self::best`] at once; null where that would hold the JavaScript thread.
    #[napi]
    pub fn best_now(&self, query: Float32Array, notes: Uint32Array) -> Option<BestRows> {
        self.shared.read_now(|table| {
            let fits = check(&query, 1, table.dimensions).is_ok() && are_few(table, &notes, ROWS_AT_ONCE);
            fits.then(|| to_best(best(table, &query, &notes)))
        })
    }

    /// [`Self::sums`] at once; null where that would hold the JavaScript thread.
    #[napi]
    pub fn sums_now(&self, notes: Uint32Array) -> Option<NoteSums> {
        self.shared.read_now(|table| {
            are_few(table, &notes, ROWS_SUMMED_AT_ONCE).then(|| to_sums(sums(table, &notes)))
        })
    }

    /// The notes that a search by notes finds in this set or in another, with [`Self::means`] of both.
    #[napi(ts_return_type = "Promise<NearestNotes>")]
    pub fn nearest(
        &self,
        other: &VectorSet,
        query: Float32Array,
        limit: u32,
        view: Option<&IdSet>,
        filter: Option<&IdSet>,
    ) -> AsyncTask<Job<Nearest, NearestNotes>> {
        let (left, right, query) = (self.shared.clone(), other.shared.clone(), query.to_vec());
        let (view, filter) = (view.map(|set| set.bits.clone()), filter.map(|set| set.bits.clone()));
        job(to_nearest, move || {
            read_both(&left, &right, &query, |tables| {
                let members = Members { view: view.as_deref(), filter: filter.as_deref() };
                nearest(tables, &query, limit as usize, &members)
            })
        })
    }

    #[napi(ts_return_type = "Promise<Float32Array>")]
    pub fn means(
        &self,
        other: &VectorSet,
        query: Float32Array,
        notes: Uint32Array,
    ) -> AsyncTask<Job<Vec<f32>, Float32Array>> {
        let (left, right) = (self.shared.clone(), other.shared.clone());
        let (query, notes) = (query.to_vec(), notes.to_vec());
        job(to_scores, move || {
            read_both(&left, &right, &query, |tables| means(tables, &query, &notes, &Default::default()))
        })
    }

    /// [`Self::means`] at once; null where that would hold the JavaScript thread.
    #[napi]
    pub fn means_now(
        &self,
        other: &VectorSet,
        query: Float32Array,
        notes: Uint32Array,
    ) -> Option<Float32Array> {
        if Arc::ptr_eq(&self.shared, &other.shared) {
            return None;
        }
        self.shared.read_now(|left| {
            other.shared.read_now(|right| {
                let fits = [left, right].iter().all(|table| {
                    check(&query, 1, table.dimensions).is_ok() && are_few(table, &notes, ROWS_AT_ONCE)
                });
                fits.then(|| to_scores(means([left, right], &query, &notes, &Default::default())))
            })
        })
    }

    #[napi(ts_return_type = "Promise<NoteSums>")]
    pub fn sums(&self, notes: Uint32Array) -> AsyncTask<Job<Sums, NoteSums>> {
        let (shared, notes) = (self.shared.clone(), notes.to_vec());
        job(to_sums, move || shared.read(|table| Ok(sums(table, &notes))))
    }

    #[napi(ts_return_type = "Promise<void>")]
    pub fn save(&self, path: String, label: String) -> AsyncTask<Job<(), ()>> {
        let shared = self.shared.clone();
        job(nothing, move || {
            shared.settle()?;
            snapshot::save(&shared.table, &PathBuf::from(path), &label)
        })
    }

    #[napi(ts_return_type = "Promise<boolean>")]
    pub fn load(&self, path: String, label: String) -> AsyncTask<Job<Option<Loaded>, bool>> {
        let (shared, rows, dimensions) = (self.shared.clone(), self.rows.clone(), self.dimensions);
        job(to_is_loaded, move || {
            let Some(loaded) = snapshot::load(&PathBuf::from(path), &label, dimensions) else {
                return Ok(None);
            };
            shared.settle()?;
            let mut table = shared.table.write().map_err(broken)?;
            if table.len() > 0 {
                return Err(Failure::bad_argument("Rows are read from a file into an empty set alone."));
            }
            let mut present = RowSet::default();
            loaded.blocks.iter().flat_map(|block| &block.slots).for_each(|slot| present.insert(slot.row));
            *table = loaded;
            shared.bytes.store(table.bytes(), Ordering::Relaxed);
            Ok(Some(Loaded { present, rows }))
        })
    }

    #[napi(ts_return_type = "Promise<Uint32Array>")]
    pub fn retain(
        &self,
        env: Env,
        rows: Uint32Array,
        notes: Uint32Array,
        keys: Uint8Array,
    ) -> napi::Result<AsyncTask<Job<Retained, Uint32Array>>> {
        guard_sync(&env, || {
            if rows.len() != notes.len() {
                return Err(Failure::bad_argument("Each row needs its note."));
            }
            let keys = keys_of(Some(&keys), rows.len())?;
            let (asked, notes) = (rows.to_vec(), notes.to_vec());
            let (shared, rows) = (self.shared.clone(), self.rows.clone());
            Ok(job(to_lacking, move || {
                shared.settle()?;
                let mut table = shared.table.write().map_err(broken)?;
                let (mut lacking, mut kept) = (Vec::new(), RowSet::default());
                for (at, &row) in asked.iter().enumerate() {
                    if table.holds(row, notes[at], &keys[at]) {
                        kept.insert(row);
                    } else {
                        lacking.push(at as u32);
                    }
                }
                let all = table.blocks.iter().flat_map(|block| &block.slots).map(|slot| slot.row);
                let removed: Vec<u32> = all.filter(|&row| !kept.has(row)).collect();
                removed.iter().for_each(|&row| table.remove(row));
                shared.bytes.store(table.bytes(), Ordering::Relaxed);
                Ok(Retained { lacking, removed, rows })
            }))
        })
    }
}
