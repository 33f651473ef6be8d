//! The layout that `records.ts` decodes: rows of `STRIDE` numbers. Change both together.

/// Numbers in a row: kind, start, end, then nine that depend on the kind.
pub const STRIDE: usize = 12;
/// A number or string that is not there.
pub const NONE: u32 = u32::MAX;

pub const HEADING: u32 = 1;
pub const CODE_BLOCK: u32 = 2;
pub const CODE_SPAN: u32 = 3;
pub const HTML_BLOCK: u32 = 4;
pub const INLINE_HTML: u32 = 5;
pub const MATH: u32 = 6;
pub const FOOTNOTE_DEFINITION: u32 = 7;
pub const FOOTNOTE_REFERENCE: u32 = 8;
pub const TABLE: u32 = 9;
pub const BLOCK_QUOTE: u32 = 10;
pub const LIST: u32 = 11;
pub const LIST_ITEM: u32 = 12;
pub const THEMATIC_BREAK: u32 = 13;
pub const PARAGRAPH: u32 = 14;
pub const LINK: u32 = 15;
pub const DEFINITION: u32 = 16;

/// Flags of a text run.
pub const IN_LINK: u32 = 1;
pub const IN_HEADING: u32 = 2;
pub const IN_IMAGE: u32 = 4;
pub const ESCAPED: u32 = 8;
pub const IN_TABLE: u32 = 16;

/// A value of a row before offsets are converted: bytes still.
#[derive(Clone, Copy)]
pub enum Value {
    Number(u32),
    Byte(usize),
    Absent,
}

pub struct Row {
    pub kind: u32,
    pub start: usize,
    pub end: usize,
    pub values: [Value; STRIDE - 3],
}

impl Row {
    pub fn new(kind: u32, start: usize, end: usize) -> Self {
        Self { kind, start, end, values: [Value::Absent; STRIDE - 3] }
    }

    pub fn with(mut self, at: usize, value: Value) -> Self {
        self.values[at] = value;
        self
    }
}
