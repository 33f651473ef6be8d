//! Promises that threads of our own settle.

use napi::Env;
use napi::JsDeferred;
use napi::bindgen_prelude::{Object, ToNapiValue};

use crate::failure::Outcome;

type Resolver<J> = Box<dyn FnOnce(Env) -> napi::Result<J>>;

/// The side of a promise that answers it, from any thread.
pub struct Answer<J: ToNapiValue + 'static> {
    deferred: JsDeferred<J, Resolver<J>>,
}

/// A promise and the side that answers it.
pub fn promise<J: ToNapiValue + 'static>(env: &Env) -> napi::Result<(Answer<J>, Object<'_>)> {
    let (deferred, promise) = env.create_deferred()?;
    Ok((Answer { deferred }, promise))
}

impl<J: ToNapiValue + 'static> Answer<J> {
    /// Resolves with `convert` of the outcome, run on the JavaScript thread, or rejects.
    pub fn settle<O: Send + 'static>(self, outcome: Outcome<O>, convert: fn(O) -> J) {
        self.deferred.resolve(Box::new(move |env| match outcome {
            Ok(output) => Ok(convert(output)),
            Err(failure) => Err(failure.into_error(&env)),
        }));
    }
}
