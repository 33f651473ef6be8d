//! The outline of a Markdown text: where its headings, links, code and plain text stand.

mod blocks;
mod collect;
mod destination;
mod record;

use napi::Env;
use napi::bindgen_prelude::{AsyncTask, Uint32Array};
use napi_derive::napi;

use crate::failure::{Outcome, guard_sync};
use crate::handed_text::HandedText;
use crate::job::{Job, job};
use crate::utf16::utf16_len;
use collect::Outline;

/// Flat arrays; `records.ts` says what each number means.
#[napi(object)]
pub struct OutlineArrays {
    pub records: Uint32Array,
    pub runs: Uint32Array,
    pub strings: String,
    pub string_ends: Uint32Array,
}

/// The same of a long text, whose strings are long together.
#[napi(object, object_from_js = false)]
pub struct LongOutlineArrays {
    pub records: Uint32Array,
    pub runs: Uint32Array,
    pub strings: HandedText,
    pub string_ends: Uint32Array,
}

/// An outline whose strings are one text with the UTF-16 offset at which each ends: making many strings for
/// JavaScript costs more than parsing.
pub struct Packed {
    outline: Outline,
    strings: String,
    ends: Vec<u32>,
}

fn pack(text: &str) -> Packed {
    let mut outline = collect::outline(text);
    let mut end = 0;
    let mut ends = Vec::with_capacity(outline.strings.len());
    for string in &outline.strings {
        end += utf16_len(string);
        ends.push(end);
    }
    let strings = std::mem::take(&mut outline.strings).concat();
    Packed { outline, strings, ends }
}

fn arrays(Packed { outline, strings, ends }: Packed) -> OutlineArrays {
    OutlineArrays {
        records: outline.records.into(),
        runs: outline.runs.into(),
        strings,
        string_ends: ends.into(),
    }
}

fn long_arrays(Packed { outline, strings, ends }: Packed) -> LongOutlineArrays {
    LongOutlineArrays {
        records: outline.records.into(),
        runs: outline.runs.into(),
        strings: strings.into(),
        string_ends: ends.into(),
    }
}

fn all_arrays(outlines: Vec<Packed>) -> Vec<OutlineArrays> {
    outlines.into_iter().map(arrays).collect()
}

#[napi]
pub fn outline(env: Env, text: String) -> napi::Result<OutlineArrays> {
    guard_sync(&env, || Ok(arrays(pack(&text))))
}

#[napi(ts_return_type = "Promise<OutlineArrays[]>")]
pub fn outline_many(texts: Vec<String>) -> AsyncTask<Job<Vec<Packed>, Vec<OutlineArrays>>> {
    job(all_arrays, move || -> Outcome<Vec<Packed>> { Ok(texts.iter().map(|text| pack(text)).collect()) })
}

/// The outline of a text that was handed over in parts.
#[napi(ts_return_type = "Promise<LongOutlineArrays>")]
pub fn outline_handed(text: &HandedText) -> AsyncTask<Job<Packed, LongOutlineArrays>> {
    let text = text.take();
    job(long_arrays, move || Ok(pack(&text)))
}
