//! Vectors in memory: each is kept as 8-bit integers with a scale. Every member of a View is compared with the query, of
//! many first by its code.

mod answers;
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
