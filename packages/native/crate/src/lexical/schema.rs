//! Fields of the index.

use tantivy::Index;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, STORED, Schema, SchemaBuilder, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::TextAnalyzer;

use crate::analysis::{Form, NoteTokenizer};
use crate::failure::{Failure, Outcome};

/// Part of the tokenizers' names and so of the schema on disk: an index of another version does not open.
pub const VERSION: u32 = 1;

/// How many texts a note has whose words are counted.
pub const TEXTS: usize = 7;
pub const BODY: usize = 6;
pub const PROPERTIES: usize = 5;
pub const PATH: usize = 4;

/// A field that can be searched. `text` says which of the note's texts it indexes.
pub struct SearchField {
    pub name: &'static str,
    pub text: usize,
    pub form: Form,
}

const fn field(name: &'static str, text: usize, form: Form) -> SearchField {
    SearchField { name, text, form }
}

/// In the order in which scores are combined.
pub const SEARCH_FIELDS: [SearchField; 12] = [
    field("title", 0, Form::Stemmed),
    field("aliases", 1, Form::Stemmed),
    field("headings", 2, Form::Stemmed),
    field("tags", 3, Form::Exact),
    field("path", PATH, Form::Exact),
    field("properties", PROPERTIES, Form::Stemmed),
    field("body", BODY, Form::Stemmed),
    field("title_exact", 0, Form::Exact),
    field("aliases_exact", 1, Form::Exact),
    field("headings_exact", 2, Form::Exact),
    field("properties_exact", PROPERTIES, Form::Exact),
    field("body_exact", BODY, Form::Exact),
];

/// Index of a field in `SEARCH_FIELDS`.
pub fn field_index(name: &str) -> Outcome<usize> {
    SEARCH_FIELDS
        .iter()
        .position(|field| field.name == name)
        .ok_or_else(|| Failure::bad_argument(format!("There is no field named {name:?}.")))
}

/// The unstemmed field over the same text.
pub fn exact_twin(index: usize) -> usize {
    let text = SEARCH_FIELDS[index].text;
    SEARCH_FIELDS.iter().position(|field| field.text == text && field.form == Form::Exact).unwrap_or(index)
}

#[derive(Clone)]
pub struct Fields {
    pub id: Field,
    /// Orders equal scores; read as a column.
    pub path_key: Field,
    /// Byte offset in the stored text.
    pub body_start: Field,
    pub stored: Field,
    /// Number of words of each text.
    pub lengths: [Field; TEXTS],
    /// As in `SEARCH_FIELDS`.
    pub search: [Field; SEARCH_FIELDS.len()],
}

pub const ID: &str = "id";
pub const PATH_KEY: &str = "path_key";
pub const BODY_START: &str = "body_start";

pub fn length_name(text: usize) -> String {
    format!("length_{}", SEARCH_FIELDS[text].name)
}

fn tokenizer_name(form: Form) -> String {
    let form = match form {
        Form::Stemmed => "stemmed",
        Form::Exact => "exact",
    };
    format!("grove_{form}_{VERSION}")
}

pub fn build() -> (Schema, Fields) {
    let mut builder = SchemaBuilder::new();
    let fields = Fields {
        id: builder.add_u64_field(ID, INDEXED | FAST),
        path_key: builder.add_text_field(PATH_KEY, TextOptions::default().set_fast("raw")),
        body_start: builder.add_u64_field(BODY_START, FAST),
        stored: builder.add_text_field("text", STORED),
        lengths: std::array::from_fn(|text| builder.add_u64_field(&length_name(text), FAST)),
        search: std::array::from_fn(|at| {
            let SearchField { name, form, .. } = &SEARCH_FIELDS[at];
            let indexing = TextFieldIndexing::default()
                .set_tokenizer(&tokenizer_name(*form))
                .set_index_option(IndexRecordOption::WithFreqsAndPositions)
                .set_fieldnorms(false);
            builder.add_text_field(name, TextOptions::default().set_indexing_options(indexing))
        }),
    };
    (builder.build(), fields)
}

/// Tokenizers are not kept on disk: they are registered at every open.
pub fn register_tokenizers(index: &Index) {
    for form in [Form::Stemmed, Form::Exact] {
        let analyzer = TextAnalyzer::builder(NoteTokenizer::new(form)).build();
        index.tokenizers().register(&tokenizer_name(form), analyzer);
    }
}
