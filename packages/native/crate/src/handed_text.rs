//! Long texts that cross to and from JavaScript in parts: converting one whole would hold the event loop.

use std::sync::{Mutex, PoisonError};

use napi::Env;
use napi_derive::napi;

use crate::failure::guard_sync;

/// Bytes of a part that is handed out.
const PART: usize = 128 * 1024;

#[napi]
pub struct HandedText {
    text: Mutex<String>,
}

impl From<String> for HandedText {
    fn from(text: String) -> Self {
        Self { text: Mutex::new(text) }
    }
}

impl HandedText {
    /// The text, which is gone from here then.
    pub fn take(&self) -> String {
        std::mem::take(&mut self.text.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

#[napi]
impl HandedText {
    #[napi(constructor)]
    #[allow(clippy::new_without_default)]
    pub fn new() -> Self {
        String::new().into()
    }

    #[napi]
    pub fn push(&self, env: Env, part: String) -> napi::Result<()> {
        guard_sync(&env, || {
            self.text.lock().unwrap_or_else(PoisonError::into_inner).push_str(&part);
            Ok(())
        })
    }

    /// Part `index` of the text, or null behind the last one.
    #[napi]
    pub fn part(&self, env: Env, index: u32) -> napi::Result<Option<String>> {
        guard_sync(&env, || {
            let text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
            let start = boundary(&text, index as usize * PART);
            let end = boundary(&text, (index as usize + 1) * PART);
            Ok((start < end).then(|| text[start..end].to_string()))
        })
    }
}

/// The first start of a character at or after byte `at`, else the end.
fn boundary(text: &str, at: usize) -> usize {
    (at..text.len()).find(|&place| text.is_char_boundary(place)).unwrap_or(text.len())
}
