//! Work on libuv's thread pool, answered by a promise.

use napi::bindgen_prelude::{AsyncTask, ToNapiValue, TypeName};
use napi::{Env, Error, Status, Task};

use crate::failure::{Failure, Outcome, guard};

/// One closure to run off the event loop. What it returns is converted on the JavaScript thread
/// by `convert`, so heavy results can travel as plain Rust data.
pub struct Job<O, J> {
    work: Option<Box<dyn FnOnce() -> Outcome<O> + Send>>,
    convert: fn(O) -> J,
    failure: Option<Failure>,
}

impl<O, J> Task for Job<O, J>
where
    O: Send + 'static,
    J: ToNapiValue + TypeName + 'static,
{
    type Output = O;
    type JsValue = J;

    fn compute(&mut self) -> napi::Result<O> {
        let Some(work) = self.work.take() else {
            return Err(Error::new(Status::GenericFailure, "the job has already run"));
        };
        guard(work).map_err(|failure| {
            let error = Error::new(Status::GenericFailure, failure.message.clone());
            self.failure = Some(failure);
            error
        })
    }

    fn resolve(&mut self, _: Env, output: O) -> napi::Result<J> {
        Ok((self.convert)(output))
    }

    fn reject(&mut self, env: Env, error: Error) -> napi::Result<J> {
        match self.failure.take() {
            Some(failure) => Err(failure.into_error(&env)),
            None => Err(error),
        }
    }
}

/// A promise for `convert(work())`.
pub fn job<O, J>(
    convert: fn(O) -> J,
    work: impl FnOnce() -> Outcome<O> + Send + 'static,
) -> AsyncTask<Job<O, J>>
where
    O: Send + 'static,
    J: ToNapiValue + TypeName + 'static,
{
    AsyncTask::new(Job { work: Some(Box::new(work)), convert, failure: None })
}
