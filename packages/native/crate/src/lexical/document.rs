//! A note as it goes into the index and as its text comes out.

use std::fmt::Debug;

use napi_derive::napi;
use tantivy::schema::Field;
use tantivy::schema::document::{
    DeserializeError, Document, DocumentDeserialize, DocumentDeserializer, ReferenceValue,
    ReferenceValueLeaf, Value, ValueDeserialize, ValueDeserializer,
};

use super::backlog::Ticket;
use super::schema::{Fields, SEARCH_FIELDS, TEXTS};
use crate::analysis::count_terms;
use crate::utf16::byte_of_utf16;

#[napi(object)]
pub struct NoteDocument {
    pub id: u32,
    pub path: String,
    pub title: String,
    pub aliases: Vec<String>,
    pub headings: Vec<String>,
    pub tags: Vec<String>,
    pub properties: String,
    pub text: String,
    pub body_start: u32,
}

/// A note in the form that Tantivy reads; its texts are lent, not copied, to the fields that index them.
pub struct IndexedNote {
    note: NoteDocument,
    body_start: usize,
    lengths: [u32; TEXTS],
    fields: Fields,
    _ticket: Ticket,
}

impl IndexedNote {
    pub fn new(note: NoteDocument, fields: Fields, ticket: Ticket) -> Self {
        let body_start = byte_of_utf16(&note.text, note.body_start);
        let lengths =
            texts(&note, body_start).map(|values| values.iter().map(|value| count_terms(value)).sum());
        Self { note, body_start, lengths, fields, _ticket: ticket }
    }
}

/// The texts of a note, in the order of `SearchField::text`.
fn texts(note: &NoteDocument, body_start: usize) -> [Vec<&str>; TEXTS] {
    [
        vec![&note.title],
        note.aliases.iter().map(String::as_str).collect(),
        note.headings.iter().map(String::as_str).collect(),
        note.tags.iter().map(String::as_str).collect(),
        vec![&note.path],
        vec![&note.properties],
        vec![&note.text[body_start..]],
    ]
}

#[derive(Clone, Debug)]
pub enum NoteValue<'a> {
    Text(&'a str),
    Number(u64),
}

impl<'a> Value<'a> for NoteValue<'a> {
    type ArrayIter = std::iter::Empty<Self>;
    type ObjectIter = std::iter::Empty<(&'a str, Self)>;

    fn as_value(&self) -> ReferenceValue<'a, Self> {
        ReferenceValue::Leaf(match *self {
            NoteValue::Text(text) => ReferenceValueLeaf::Str(text),
            NoteValue::Number(number) => ReferenceValueLeaf::U64(number),
        })
    }
}

impl Document for IndexedNote {
    type Value<'a> = NoteValue<'a>;
    type FieldsValuesIter<'a> = std::vec::IntoIter<(Field, NoteValue<'a>)>;

    fn iter_fields_and_values(&self) -> Self::FieldsValuesIter<'_> {
        let Fields { id, path_key, body_start, stored, lengths, search } = &self.fields;
        let mut values = vec![
            (*id, NoteValue::Number(self.note.id.into())),
            (*path_key, NoteValue::Text(&self.note.path)),
            (*body_start, NoteValue::Number(self.body_start as u64)),
            (*stored, NoteValue::Text(&self.note.text)),
        ];
        for (field, length) in lengths.iter().zip(self.lengths) {
            values.push((*field, NoteValue::Number(length.into())));
        }
        let texts = texts(&self.note, self.body_start);
        for (field, info) in search.iter().zip(&SEARCH_FIELDS) {
            values.extend(texts[info.text].iter().map(|text| (*field, NoteValue::Text(text))));
        }
        values.into_iter()
    }
}

/// The stored text of a note; it is the only stored field.
pub struct StoredText(pub String);

struct TextValue(String);

impl ValueDeserialize for TextValue {
    fn deserialize<'de, D: ValueDeserializer<'de>>(value: D) -> Result<Self, DeserializeError> {
        value.deserialize_string().map(TextValue)
    }
}

impl DocumentDeserialize for StoredText {
    fn deserialize<'de, D: DocumentDeserializer<'de>>(mut document: D) -> Result<Self, DeserializeError> {
        let text = document.next_field::<TextValue>()?.map(|(_, value)| value.0);
        Ok(StoredText(text.unwrap_or_default()))
    }
}
