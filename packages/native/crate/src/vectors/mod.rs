//! Vectors in memory, searched exactly: a scan of 8-bit integers leaves every row that could be among the
//! best, and those are scored again from their floats.

mod binding;
mod dot;
mod search;
mod table;
