//! Sets of note ids, by which a View reaches the index and the vectors.

use std::sync::{Arc, Mutex, Weak};

use napi::Env;
use napi::bindgen_prelude::Uint32Array;
use napi_derive::napi;

use crate::failure::{Failure, guard_sync};
use crate::lexical::{Snapshot, ViewStatistics};

/// Sets hold one bit for each id up to their largest: this one takes 16 MB.
const LARGEST: u32 = (1 << 27) - 1;

/// One bit an id.
pub struct IdBits {
    words: Vec<u64>,
    size: u32,
    /// What was counted over this set, by the snapshot it was counted on.
    statistics: Mutex<Vec<(Weak<Snapshot>, Arc<ViewStatistics>)>>,
}

impl IdBits {
    fn new(ids: &[u32]) -> Self {
        let largest = ids.iter().max().copied();
        let mut words = vec![0u64; largest.map_or(0, |id| id as usize / 64 + 1)];
        for &id in ids {
            words[id as usize / 64] |= 1 << (id % 64);
        }
        let size = words.iter().map(|word| word.count_ones()).sum();
        Self { words, size, statistics: Mutex::default() }
    }

    #[inline]
    pub fn has(&self, id: u32) -> bool {
        self.words.get(id as usize / 64).is_some_and(|word| word >> (id % 64) & 1 == 1)
    }

    /// Statistics of the View that holds exactly these notes; those of snapshots that are gone are dropped.
    pub fn statistics(&self, snapshot: &Arc<Snapshot>) -> Arc<ViewStatistics> {
        let find = |known: &mut Vec<(Weak<Snapshot>, Arc<ViewStatistics>)>| {
            known.retain(|(of, _)| of.strong_count() > 0);
            let wanted = Arc::as_ptr(snapshot);
            known.iter().find(|(of, _)| of.as_ptr() == wanted).map(|(_, statistics)| statistics.clone())
        };
        if let Ok(mut known) = self.statistics.lock()
            && let Some(found) = find(&mut known)
        {
            return found;
        }
        let counted = Arc::new(ViewStatistics::count(&snapshot.segments, snapshot.slots, Some(self)));
        if let Ok(mut known) = self.statistics.lock() {
            if let Some(found) = find(&mut known) {
                return found;
            }
            known.push((Arc::downgrade(snapshot), counted.clone()));
        }
        counted
    }
}

#[napi(js_name = "IdSet")]
pub struct IdSet {
    pub(crate) bits: Arc<IdBits>,
}

#[napi]
impl IdSet {
    #[napi(factory)]
    pub fn of(env: Env, ids: Uint32Array) -> napi::Result<IdSet> {
        guard_sync(&env, || {
            if let Some(id) = ids.iter().find(|&&id| id > LARGEST) {
                return Err(Failure::bad_argument(format!("The id {id} is larger than {LARGEST}.")));
            }
            Ok(IdSet { bits: Arc::new(IdBits::new(&ids)) })
        })
    }

    #[napi(getter)]
    pub fn size(&self) -> u32 {
        self.bits.size
    }

    #[napi]
    pub fn has(&self, id: u32) -> bool {
        self.bits.has(id)
    }

    #[napi]
    pub fn to_array(&self) -> Uint32Array {
        let mut ids = Vec::with_capacity(self.bits.size as usize);
        for (at, &word) in self.bits.words.iter().enumerate() {
            let mut left = word;
            while left != 0 {
                ids.push(at as u32 * 64 + left.trailing_zeros());
                left &= left - 1;
            }
        }
        ids.into()
    }
}
