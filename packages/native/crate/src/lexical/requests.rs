//! Requests and answers that travel as JSON.

use serde::{Deserialize, Serialize};

use super::query::Node;

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SearchRequest {
    pub query: Node,
    pub limit: u32,
    #[serde(default)]
    pub offset: u32,
    #[serde(default = "tie_breaker")]
    pub tie_breaker: f64,
    pub snippets: Option<SnippetOptions>,
}

fn tie_breaker() -> f64 {
    0.3
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct SnippetOptions {
    pub chars: u32,
    pub per_note: u32,
    pub terms: Option<String>,
}

#[derive(Serialize)]
pub struct SearchAnswer {
    pub total: u32,
    pub hits: Vec<SearchHit>,
}

#[derive(Serialize)]
pub struct SearchHit {
    pub id: u32,
    pub score: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub snippets: Option<Vec<Snippet>>,
}

/// Offsets in UTF-16 units.
#[derive(Serialize, Debug)]
pub struct Snippet {
    pub text: String,
    pub start: u32,
    pub end: u32,
    pub line: u32,
    pub marks: Vec<u32>,
    pub score: f64,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct ScanRequest {
    #[serde(default)]
    pub words: Vec<String>,
    pub regex: Option<String>,
    #[serde(default)]
    pub case_insensitive: bool,
    #[serde(default = "ten")]
    pub lines_per_note: u32,
    #[serde(default = "fifty")]
    pub max_notes: u32,
    pub after: Option<String>,
}

fn ten() -> u32 {
    10
}

fn fifty() -> u32 {
    50
}

#[derive(Serialize)]
pub struct ScanAnswer {
    pub total: u32,
    pub hits: Vec<ScanHit>,
    pub truncated: bool,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ScanHit {
    pub id: u32,
    pub line_count: u32,
    pub lines: Vec<ScanLine>,
}

#[derive(Serialize)]
pub struct ScanLine {
    pub line: u32,
    pub text: String,
    pub marks: Vec<u32>,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
pub enum Match {
    Prefix,
    Fuzzy,
}

#[derive(Deserialize)]
pub struct ExpandRequest {
    #[serde(rename = "match")]
    pub matching: Match,
    pub text: String,
    pub distance: Option<u8>,
    pub fields: Option<Vec<String>>,
    pub limit: Option<u32>,
}

#[derive(Serialize)]
pub struct ExpandedTerm {
    pub term: String,
    pub documents: u32,
    pub distance: u8,
}
