//! Grove's native module: full-text index, vector scan, linear-time regular expressions and the
//! outline of Markdown. It knows nothing of vaults.

mod analysis;
mod failure;
mod handed_text;
mod id_set;
mod job;
mod lexical;
mod outline;
mod promise;
mod provoke;
mod regex_engine;
mod utf16;
mod vectors;

use napi_derive::napi;

#[napi(object)]
pub struct Versions {
    pub crate_version: String,
    pub tantivy: String,
    pub schema: u32,
}

#[napi]
pub fn version() -> Versions {
    Versions {
        crate_version: env!("CARGO_PKG_VERSION").into(),
        tantivy: tantivy::version_string().into(),
        schema: lexical::VERSION,
    }
}
