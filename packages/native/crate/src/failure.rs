//! The one error of this crate: a stable code for programs, a sentence for people.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use napi::bindgen_prelude::{JsObjectValue, JsValue};
use napi::{Env, Error, Status};

/// A failed call. `code` becomes the `code` property of the JavaScript error.
#[derive(Debug, Clone)]
pub struct Failure {
    pub code: &'static str,
    pub message: String,
    /// UTF-16 offset into the offending input, where there is one.
    pub position: Option<u32>,
}

pub type Outcome<T> = Result<T, Failure>;

impl Failure {
    pub fn new(code: &'static str, message: impl Into<String>) -> Self {
        Self { code, message: message.into(), position: None }
    }

    pub fn bad_argument(message: impl Into<String>) -> Self {
        Self::new("bad_argument", message)
    }

    /// Builds the JavaScript error; only on the thread of `env`.
    pub fn into_error(self, env: &Env) -> Error {
        let plain = Error::new(Status::GenericFailure, self.message.clone());
        let Ok(mut object) = env.create_error(plain) else {
            return Error::new(Status::GenericFailure, self.message);
        };
        let _ = object.set_named_property("code", self.code);
        if let Some(position) = self.position {
            let _ = object.set_named_property("position", position);
        }
        Error::from(object.to_unknown())
    }

    fn from_panic(payload: Box<dyn Any + Send>) -> Self {
        let what = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("unknown cause");
        Self::new("native_panic", format!("The native module panicked: {what}"))
    }
}

/// Runs `work`; a panic comes back as a failure with code `native_panic`.
pub fn guard<T>(work: impl FnOnce() -> Outcome<T>) -> Outcome<T> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| Err(Failure::from_panic(payload)))
}

/// `guard` for functions that JavaScript calls directly.
pub fn guard_sync<T>(env: &Env, work: impl FnOnce() -> Outcome<T>) -> napi::Result<T> {
    guard(work).map_err(|failure| failure.into_error(env))
}

impl From<tantivy::TantivyError> for Failure {
    fn from(error: tantivy::TantivyError) -> Self {
        use tantivy::TantivyError as E;
        use tantivy::directory::error::{LockError, OpenReadError};
        let code = match &error {
            E::LockFailure(LockError::LockBusy, _) => "index_locked",
            E::SchemaError(_)
            | E::IncompatibleIndex(_)
            | E::OpenReadError(OpenReadError::IncompatibleIndex(_)) => "index_schema",
            E::DataCorruption(_)
            | E::DeserializeError(_)
            | E::OpenReadError(OpenReadError::FileDoesNotExist(_)) => "index_corrupt",
            E::IoError(io) => io_code(io),
            E::OpenReadError(OpenReadError::IoError { io_error, .. }) => io_code(io_error),
            _ => "index_failed",
        };
        let message = match code {
            "index_locked" => "The index is open elsewhere, in this process or another.".to_string(),
            "index_schema" => format!("The index was written by another version: {error}"),
            "index_corrupt" => format!("The index is damaged: {error}"),
            _ => format!("The index failed: {error}"),
        };
        Failure::new(code, message)
    }
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        Failure::new(io_code(&error), format!("The index failed: {error}"))
    }
}

/// Bytes that make no sense, or are missing, mean a damaged index; all else is the disk's refusal.
fn io_code(error: &std::io::Error) -> &'static str {
    use std::io::ErrorKind::{InvalidData, NotFound, Other, UnexpectedEof};
    match error.kind() {
        InvalidData | UnexpectedEof | NotFound | Other => "index_corrupt",
        _ => "index_failed",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_is_a_failure() {
        let failure = guard::<()>(|| panic!("number {}", 7)).unwrap_err();
        assert_eq!(failure.code, "native_panic");
        assert!(failure.message.ends_with("number 7"));
    }
}
