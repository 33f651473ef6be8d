//! A panic on demand, so that a test can see that one is an error and not the end of the process.

use napi::Env;
use napi::bindgen_prelude::AsyncTask;
use napi_derive::napi;

use crate::failure::guard_sync;
use crate::job::{Job, job};

fn nothing(_: ()) {}

#[napi]
pub fn provoke_panic(env: Env) -> napi::Result<()> {
    guard_sync(&env, || panic!("provoked"))
}

#[napi(ts_return_type = "Promise<void>")]
pub fn provoke_panic_async() -> AsyncTask<Job<(), ()>> {
    job(nothing, || panic!("provoked"))
}
