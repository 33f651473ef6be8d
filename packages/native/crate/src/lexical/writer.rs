//! The thread that changes an index. Changes run in the order they were sent.

use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};

use tantivy::Term;

use super::backlog::Backlog;
use super::core::{Core, NoteWriter, closed};
use super::document::{IndexedNote, NoteDocument};
use crate::failure::{Failure, Outcome, guard};
use crate::promise::Answer;

pub enum Change {
    Add(Vec<NoteDocument>),
    Remove(Vec<u32>),
    Commit(Option<String>),
    Close,
}

struct Order {
    change: Change,
    answer: Answer<()>,
}

/// The sending side; the thread ends when it is dropped.
pub struct WriterThread {
    orders: Sender<Order>,
}

fn nothing(_: ()) {}

impl WriterThread {
    pub fn start(core: Arc<Core>, writer: NoteWriter) -> Outcome<Self> {
        let (orders, received) = channel();
        std::thread::Builder::new()
            .name("grove-index".into())
            .spawn(move || run(&core, writer, received))
            .map_err(|error| Failure::new("index_failed", format!("No thread for the index: {error}")))?;
        Ok(Self { orders })
    }

    pub fn send(&self, change: Change, answer: Answer<()>) {
        if let Err(unsent) = self.orders.send(Order { change, answer }) {
            unsent.0.answer.settle(Err(closed()), nothing);
        }
    }
}

fn run(core: &Core, writer: NoteWriter, orders: Receiver<Order>) {
    let mut writer = Some(writer);
    let backlog = Backlog::default();
    for Order { change, answer } in orders {
        let outcome = guard(|| apply(core, &mut writer, &backlog, change));
        answer.settle(outcome, nothing);
    }
}

fn apply(core: &Core, slot: &mut Option<NoteWriter>, backlog: &Backlog, change: Change) -> Outcome<()> {
    if matches!(change, Change::Close) {
        core.close();
        if let Some(writer) = slot.take() {
            // What went wrong before was told where it did; the threads have ended and the lock is free.
            let _ = writer.wait_merging_threads();
        }
        return Ok(());
    }
    let writer = slot.as_mut().ok_or_else(closed)?;
    match change {
        Change::Add(documents) => {
            for document in documents {
                writer.delete_term(Term::from_field_u64(core.fields.id, document.id.into()));
                let ticket = backlog.enter(document.text.len());
                writer.add_document(IndexedNote::new(document, core.fields.clone(), ticket))?;
            }
        }
        Change::Remove(ids) => {
            for id in ids {
                writer.delete_term(Term::from_field_u64(core.fields.id, id.into()));
            }
        }
        Change::Commit(payload) => commit(core, writer, payload)?,
        Change::Close => {}
    }
    Ok(())
}

fn commit(core: &Core, writer: &mut NoteWriter, payload: Option<String>) -> Outcome<()> {
    let payload = payload.or_else(|| core.current().and_then(|snapshot| snapshot.payload.clone()));
    let mut prepared = writer.prepare_commit()?;
    if let Some(payload) = &payload {
        prepared.set_payload(payload);
    }
    prepared.commit()?;
    core.refresh()
}
