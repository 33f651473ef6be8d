//! Vectors in memory, searched exactly: each is kept as 8-bit integers with a scale, and every member of a View is
//! compared with the query.

mod binding;
mod block;
mod coarse;
mod integers;
mod leaders;
mod row_set;
mod search;
mod snapshot;
mod sums;
mod table;
