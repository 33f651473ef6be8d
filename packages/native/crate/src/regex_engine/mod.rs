//! Linear-time regular expressions for JavaScript: offsets in UTF-16, replacements by JavaScript's rules.

mod binding;
mod build;
mod offsets;
mod replacement;

pub use build::{Flags, SIZE_LIMIT, build};
