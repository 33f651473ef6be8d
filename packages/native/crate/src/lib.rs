//! Grove's native module: full-text index, vector scan, linear-time regular expressions and the
//! outline of Markdown. It knows nothing of vaults.

mod failure;
mod job;
mod outline;
mod utf16;
