//! What the threads of one open index share.

use std::path::Path;
use std::sync::{Arc, Mutex};

use tantivy::indexer::IndexWriterOptions;
use tantivy::{Index, IndexReader, IndexWriter, ReloadPolicy};

use super::directory::IndexDirectory;
use super::document::IndexedNote;
use super::schema::{self, Fields};
use super::snapshot::Snapshot;
use super::{merging, schema::register_tokenizers};
use crate::failure::{Failure, Outcome};

/// What the indexing thread gathers in memory before it writes a segment.
const WRITER_BYTES: usize = 25_000_000;

/// Blocks of stored texts (16 KB) that each segment keeps decompressed.
const STORE_BLOCKS: usize = 16;

pub type NoteWriter = IndexWriter<IndexedNote>;

pub struct Core {
    pub index: Index,
    pub fields: Fields,
    reader: IndexReader,
    /// None once closed.
    snapshot: Mutex<Option<Arc<Snapshot>>>,
}

impl Core {
    /// Opens or makes the index, takes the writer's lock and reads the first snapshot.
    pub fn open(dir: &Path, create: bool, fsync: bool) -> Outcome<(Arc<Self>, NoteWriter)> {
        if create {
            std::fs::create_dir_all(dir).map_err(|error| cannot_open(dir, &error))?;
        } else if !dir.join("meta.json").exists() {
            return Err(Failure::new("index_missing", format!("There is no index in {}.", dir.display())));
        }
        let directory = IndexDirectory::open(dir, fsync).map_err(tantivy::TantivyError::from)?;
        let (schema, fields) = schema::build();
        let index = Index::open_or_create(directory, schema)?;
        register_tokenizers(&index);
        let options = IndexWriterOptions::builder()
            .memory_budget_per_thread(WRITER_BYTES)
            .num_worker_threads(1)
            .num_merge_threads(1)
            .build();
        let writer: NoteWriter = index.writer_with_options(options)?;
        writer.set_merge_policy(Box::new(merging::policy()));
        let reader = index
            .reader_builder()
            .reload_policy(ReloadPolicy::Manual)
            .doc_store_cache_num_blocks(STORE_BLOCKS)
            .try_into()?;
        let core = Core { index, fields, reader, snapshot: Mutex::default() };
        core.refresh()?;
        Ok((Arc::new(core), writer))
    }

    /// Reads what was committed last and makes it the current snapshot.
    pub fn refresh(&self) -> Outcome<()> {
        self.reader.reload()?;
        let meta = self.index.load_metas()?;
        let before = self.current();
        let snapshot = Snapshot::new(
            self.reader.searcher(),
            self.fields.clone(),
            meta.opstamp,
            meta.payload,
            before.as_deref(),
        )?;
        self.replace(Some(Arc::new(snapshot)));
        Ok(())
    }

    pub fn current(&self) -> Option<Arc<Snapshot>> {
        self.snapshot.lock().ok().and_then(|current| current.clone())
    }

    pub fn snapshot(&self) -> Outcome<Arc<Snapshot>> {
        self.current().ok_or_else(closed)
    }

    pub fn close(&self) {
        self.replace(None);
    }

    fn replace(&self, snapshot: Option<Arc<Snapshot>>) {
        if let Ok(mut current) = self.snapshot.lock() {
            *current = snapshot;
        }
    }
}

pub fn closed() -> Failure {
    Failure::new("index_closed", "The index is closed.")
}

fn cannot_open(dir: &Path, error: &std::io::Error) -> Failure {
    Failure::new("index_failed", format!("The folder {} cannot be made: {error}", dir.display()))
}
