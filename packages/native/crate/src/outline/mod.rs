//! The outline of a Markdown text: where its headings, links, code and plain text stand.

mod blocks;
mod collect;
mod destination;
mod record;

use napi::Env;
use napi::bindgen_prelude::{AsyncTask, Uint32Array};
use napi_derive::napi;

use crate::failure::{Outcome, guard_sync};
use crate::job::{Job, job};
use collect::Outline;

/// Flat arrays; `records.ts` says what each number means.
#[napi(object)]
pub struct OutlineArrays {
    pub records: Uint32Array,
    pub runs: Uint32Array,
    pub strings: Vec<String>,
}

fn arrays(outline: Outline) -> OutlineArrays {
    OutlineArrays { records: outline.records.into(), runs: outline.runs.into(), strings: outline.strings }
}

fn all_arrays(outlines: Vec<Outline>) -> Vec<OutlineArrays> {
    outlines.into_iter().map(arrays).collect()
}

#[napi]
pub fn outline(env: Env, text: String) -> napi::Result<OutlineArrays> {
    guard_sync(&env, || Ok(arrays(collect::outline(&text))))
}

#[napi(ts_return_type = "Promise<OutlineArrays[]>")]
pub fn outline_many(texts: Vec<String>) -> AsyncTask<Job<Vec<Outline>, Vec<OutlineArrays>>> {
    job(all_arrays, move || -> Outcome<Vec<Outline>> {
        Ok(texts.iter().map(|text| collect::outline(text)).collect())
    })
}
