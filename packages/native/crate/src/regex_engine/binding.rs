//! One compiled pattern as JavaScript sees it.

use std::time::{Duration, Instant};

use napi::Env;
use napi::bindgen_prelude::{AsyncTask, Int32Array, Uint32Array};
use napi_derive::napi;
use regex::Regex;

use super::build::{Flags, SIZE_LIMIT, SMALL_SIZE_LIMIT, build};
use super::offsets::Ascending;
use super::replacement::Replacement;
use crate::failure::{Failure, Outcome, guard_sync};
use crate::job::{Job, job};
use crate::utf16::{byte_of_utf16, utf16_len};

/// One match takes time linear in the text; a pattern that looks far ahead at each of many matches does not.
const PATIENCE: Duration = Duration::from_secs(2);

struct Deadline(Instant);

impl Deadline {
    fn new() -> Self {
        Self(Instant::now() + PATIENCE)
    }

    fn check(&self) -> Outcome<()> {
        if Instant::now() < self.0 {
            return Ok(());
        }
        Err(Failure::new("regex_timeout", "The regular expression took too long on this text."))
    }
}

#[napi(js_name = "LinearRegex")]
pub struct LinearRegex {
    regex: Regex,
}

fn same<T>(value: T) -> T {
    value
}

#[napi]
impl LinearRegex {
    #[napi(constructor)]
    pub fn new(
        env: Env,
        pattern: String,
        case_insensitive: bool,
        multi_line: bool,
        dot_all: bool,
    ) -> napi::Result<Self> {
        guard_sync(&env, || {
            let flags = Flags { case_insensitive, multi_line, dot_all };
            Ok(Self { regex: build(&pattern, flags, SMALL_SIZE_LIMIT)? })
        })
    }

    #[napi]
    pub fn test(&self, env: Env, text: String) -> napi::Result<bool> {
        guard_sync(&env, || Ok(self.regex.is_match(&text)))
    }

    #[napi]
    pub fn matches(&self, env: Env, text: String, limit: u32) -> napi::Result<Uint32Array> {
        guard_sync(&env, || Ok(matches(&self.regex, &text, limit)?.into()))
    }

    #[napi(ts_return_type = "Promise<Uint32Array>")]
    pub fn matches_async(&self, text: String, limit: u32) -> AsyncTask<Job<Vec<u32>, Uint32Array>> {
        let regex = self.regex.clone();
        job(Uint32Array::from, move || matches(&regex, &text, limit))
    }

    /// Pairs for the match and each group, -1 for a group that took no part.
    #[napi]
    pub fn captures(&self, env: Env, text: String, from: u32) -> napi::Result<Option<Int32Array>> {
        guard_sync(&env, || {
            let Some(found) = self.regex.captures_at(&text, byte_of_utf16(&text, from)) else {
                return Ok(None);
            };
            let unit = |byte: usize| utf16_len(&text[..byte]) as i32;
            let pairs = found.iter().flat_map(|group| match group {
                Some(group) => [unit(group.start()), unit(group.end())],
                None => [-1, -1],
            });
            Ok(Some(pairs.collect::<Vec<i32>>().into()))
        })
    }

    /// The name of each group, the whole match first.
    #[napi]
    pub fn group_names(&self) -> Vec<Option<String>> {
        self.regex.capture_names().map(|name| name.map(str::to_string)).collect()
    }

    #[napi]
    pub fn replace_all(&self, env: Env, text: String, replacement: String) -> napi::Result<String> {
        guard_sync(&env, || replace_all(&self.regex, &text, &replacement))
    }

    #[napi(ts_return_type = "Promise<string>")]
    pub fn replace_all_async(&self, text: String, replacement: String) -> AsyncTask<Job<String, String>> {
        let regex = self.regex.clone();
        job(same, move || replace_all(&regex, &text, &replacement))
    }
}

/// Compiles off the calling thread: a large pattern takes tens of milliseconds.
#[napi(ts_return_type = "Promise<LinearRegex>")]
pub fn compile_regex(
    pattern: String,
    case_insensitive: bool,
    multi_line: bool,
    dot_all: bool,
) -> AsyncTask<Job<Regex, LinearRegex>> {
    let flags = Flags { case_insensitive, multi_line, dot_all };
    job(|regex| LinearRegex { regex }, move || build(&pattern, flags, SIZE_LIMIT))
}

fn matches(regex: &Regex, text: &str, limit: u32) -> Outcome<Vec<u32>> {
    let deadline = Deadline::new();
    let mut offsets = Ascending::new(text);
    let mut pairs = Vec::new();
    for found in regex.find_iter(text).take(limit as usize) {
        pairs.extend([offsets.unit(found.start()), offsets.unit(found.end())]);
        deadline.check()?;
    }
    Ok(pairs)
}

fn replace_all(regex: &Regex, text: &str, replacement: &str) -> Outcome<String> {
    let deadline = Deadline::new();
    let replacement = Replacement::parse(replacement, regex);
    let mut out = String::with_capacity(text.len());
    let mut copied = 0;
    for captures in regex.captures_iter(text) {
        let Some(whole) = captures.get(0) else { continue };
        out.push_str(&text[copied..whole.start()]);
        replacement.write(&captures, &mut out);
        copied = whole.end();
        deadline.check()?;
    }
    out.push_str(&text[copied..]);
    Ok(out)
}
