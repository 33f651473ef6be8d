//! A note as it goes into the index and as its text comes out.

use napi_derive::napi;
use tantivy::TantivyDocument;
use tantivy::schema::document::{
    DeserializeError, DocumentDeserialize, DocumentDeserializer, ValueDeserialize, ValueDeserializer,
};

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

impl NoteDocument {
    /// The texts of the note, in the order of `SearchField::text`.
    fn texts(&self, body_start: usize) -> [Vec<&str>; TEXTS] {
        [
            vec![&self.title],
            self.aliases.iter().map(String::as_str).collect(),
            self.headings.iter().map(String::as_str).collect(),
            self.tags.iter().map(String::as_str).collect(),
            vec![&self.path],
            vec![&self.properties],
            vec![&self.text[body_start..]],
        ]
    }

    pub fn into_tantivy(self, fields: &Fields) -> TantivyDocument {
        let body_start = byte_of_utf16(&self.text, self.body_start);
        let mut document = TantivyDocument::default();
        document.add_u64(fields.id, self.id.into());
        document.add_text(fields.path_key, &self.path);
        document.add_u64(fields.body_start, body_start as u64);
        let texts = self.texts(body_start);
        for (text, values) in texts.iter().enumerate() {
            let length: u32 = values.iter().map(|value| count_terms(value)).sum();
            document.add_u64(fields.lengths[text], length.into());
        }
        for (field, info) in fields.search.iter().zip(&SEARCH_FIELDS) {
            for value in &texts[info.text] {
                document.add_text(*field, value);
            }
        }
        document.add_text(fields.stored, &self.text);
        document
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
