//! Keeps the texts that wait for the indexing thread within bounds.

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Bytes of text that may wait.
const MOST_WAITING: usize = 8 << 20;

#[derive(Default)]
struct State {
    waiting: Mutex<usize>,
    less: Condvar,
}

impl State {
    fn lock(&self) -> MutexGuard<'_, usize> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[derive(Default, Clone)]
pub struct Backlog {
    state: Arc<State>,
}

/// A text's place in the backlog; dropped with the note once that is indexed or given up.
pub struct Ticket {
    bytes: usize,
    state: Arc<State>,
}

impl Backlog {
    /// Waits until there is room. A text larger than all the room waits until it is alone.
    pub fn enter(&self, bytes: usize) -> Ticket {
        let mut waiting = self.state.lock();
        while *waiting > 0 && *waiting + bytes > MOST_WAITING {
            waiting = self.state.less.wait(waiting).unwrap_or_else(PoisonError::into_inner);
        }
        *waiting += bytes;
        Ticket { bytes, state: self.state.clone() }
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        *self.state.lock() -= self.bytes;
        self.state.less.notify_one();
    }
}
