//! The full-text index of notes, on Tantivy's segments, dictionaries, postings and store. Scores are our
//! own (`score`), so that they do not depend on how documents fell into segments.

mod backlog;
mod core;
mod directory;
mod document;
mod evaluate;
mod expand;
mod field_scores;
mod files;
mod hits;
mod index;
mod merging;
mod phrase;
mod postings;
mod query;
mod rank;
mod requests;
mod scan;
mod schema;
mod score;
mod snapshot;
mod snippet;
mod view;
mod writer;

pub use schema::VERSION;
pub use snapshot::Snapshot;
pub use view::ViewStatistics;
