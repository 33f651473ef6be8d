//! One pass over the parser's events, which come in document order.

use std::ops::Range;

use pulldown_cmark::{CodeBlockKind, CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::blocks::{is_atx, is_closed};
use super::destination;
use super::record::*;
use crate::utf16::Utf16Map;

/// Rows of `STRIDE`, runs of three (start, end, flags), and the strings that rows point to.
pub struct Outline {
    pub records: Vec<u32>,
    pub runs: Vec<u32>,
    pub strings: Vec<String>,
}

/// An element that has started and not ended.
struct Open {
    row: Option<usize>,
    /// Extent of what stands inside.
    inner: Option<Range<usize>>,
}

#[derive(Default)]
struct Collector<'a> {
    source: &'a str,
    rows: Vec<Row>,
    runs: Vec<(Range<usize>, u32)>,
    strings: Vec<String>,
    open: Vec<Open>,
    heading: Option<String>,
    links: u32,
    images: u32,
    tables: u32,
    quotes: u32,
    lists: u32,
    code_blocks: u32,
}

fn options() -> Options {
    Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS
        | Options::ENABLE_MATH
        | Options::ENABLE_WIKILINKS
}

/// Parses `text`, the body of a note without its frontmatter.
pub fn outline(text: &str) -> Outline {
    let mut collector = Collector { source: text, ..Collector::default() };
    let parser = Parser::new_ext(text, options());
    for (label, definition) in parser.reference_definitions().iter() {
        collector.definition(label, &definition.dest, definition.title.as_deref(), definition.span.clone());
    }
    for (event, range) in parser.into_offset_iter() {
        collector.event(event, range);
    }
    collector.finish()
}

impl<'a> Collector<'a> {
    fn string(&mut self, text: impl Into<String>) -> Value {
        self.strings.push(text.into());
        Value::Number(self.strings.len() as u32 - 1)
    }

    /// `end` without the line ends before it, so that a block's extent is its own lines.
    fn trimmed(&self, range: &Range<usize>) -> usize {
        let bytes = self.source.as_bytes();
        let mut end = range.end;
        while end > range.start && matches!(bytes[end - 1], b'\n' | b'\r') {
            end -= 1;
        }
        end
    }

    fn definition(&mut self, label: &str, dest: &str, title: Option<&str>, span: Range<usize>) {
        let end = self.trimmed(&span);
        let mut row =
            Row::new(DEFINITION, span.start, end).with(0, self.string(label)).with(1, self.string(dest));
        if let Some(title) = title {
            row = row.with(2, self.string(title));
        }
        if let Some(found) = destination::definition(self.source.as_bytes(), span.start, end) {
            row = row.with(3, Value::Byte(found.start)).with(4, Value::Byte(found.end));
        }
        self.rows.push(row);
    }

    fn event(&mut self, event: Event<'a>, range: Range<usize>) {
        match event {
            Event::Start(tag) => return self.start(tag, range),
            Event::End(tag) => return self.end(tag),
            Event::Text(text) => self.text(&text, &range),
            Event::Code(text) => {
                self.rows.push(Row::new(CODE_SPAN, range.start, range.end));
                self.say(&text);
            }
            Event::InlineMath(text) | Event::DisplayMath(text) => {
                let display = self.source[range.start..].starts_with("$$");
                let row = Row::new(MATH, range.start, range.end);
                self.rows.push(row.with(0, Value::Number(display.into())));
                self.say(&text);
            }
            Event::InlineHtml(_) => self.rows.push(Row::new(INLINE_HTML, range.start, range.end)),
            Event::FootnoteReference(label) => {
                let label = self.string(label.as_ref());
                self.rows.push(Row::new(FOOTNOTE_REFERENCE, range.start, range.end).with(0, label));
            }
            Event::SoftBreak | Event::HardBreak => self.say(" "),
            Event::Rule => {
                let end = self.trimmed(&range);
                self.rows.push(Row::new(THEMATIC_BREAK, range.start, end));
            }
            Event::Html(_) | Event::TaskListMarker(_) => {}
        }
        self.widen(&range);
    }

    /// Adds to the plain text of the heading that is open, if one is.
    fn say(&mut self, text: &str) {
        if let Some(heading) = &mut self.heading {
            heading.push_str(text);
        }
    }

    fn widen(&mut self, range: &Range<usize>) {
        if let Some(open) = self.open.last_mut() {
            match &mut open.inner {
                Some(inner) => {
                    inner.start = inner.start.min(range.start);
                    inner.end = inner.end.max(range.end);
                }
                None => open.inner = Some(range.clone()),
            }
        }
    }

    fn text(&mut self, text: &str, range: &Range<usize>) {
        self.say(text);
        if self.code_blocks > 0 || range.is_empty() {
            return;
        }
        let mut flags = 0;
        if self.links > 0 {
            flags |= IN_LINK;
        }
        if self.heading.is_some() {
            flags |= IN_HEADING;
        }
        if self.images > 0 {
            flags |= IN_IMAGE;
        }
        if self.tables > 0 {
            flags |= IN_TABLE;
        }
        let bytes = self.source.as_bytes();
        if let Some((run, run_flags)) = self.runs.last_mut()
            && run.end == range.start
            && *run_flags & !ESCAPED == flags
        {
            run.end = range.end;
            return;
        }
        if range.start > 0 && bytes[range.start - 1] == b'\\' {
            flags |= ESCAPED;
        }
        self.runs.push((range.clone(), flags));
    }

    fn start(&mut self, tag: Tag<'a>, range: Range<usize>) {
        self.widen(&range);
        let end = self.trimmed(&range);
        let block = |kind| Row::new(kind, range.start, end);
        let row = match tag {
            Tag::Paragraph => Some(block(PARAGRAPH)),
            Tag::Heading { level, .. } => {
                self.heading = Some(String::new());
                let setext = !is_atx(&self.source.as_bytes()[range.start..end]);
                Some(
                    block(HEADING).with(0, Value::Number(level as u32)).with(4, Value::Number(setext.into())),
                )
            }
            Tag::BlockQuote(_) => {
                self.quotes += 1;
                Some(block(BLOCK_QUOTE).with(0, Value::Number(self.quotes)))
            }
            Tag::CodeBlock(kind) => {
                self.code_blocks += 1;
                Some(self.code_block(kind, range.start, end))
            }
            Tag::HtmlBlock => Some(block(HTML_BLOCK)),
            Tag::List(number) => {
                self.lists += 1;
                let ordered = Value::Number(number.is_some().into());
                Some(block(LIST).with(0, Value::Number(self.lists)).with(1, ordered))
            }
            Tag::Item => Some(self.item(range.start, end)),
            Tag::FootnoteDefinition(label) => {
                let label = self.string(label.as_ref());
                Some(block(FOOTNOTE_DEFINITION).with(0, label))
            }
            Tag::Table(_) => {
                self.tables += 1;
                Some(block(TABLE))
            }
            Tag::Link { link_type, dest_url, title, id } => {
                self.links += 1;
                Some(self.link(link_type, false, &dest_url, &title, &id, &range))
            }
            Tag::Image { link_type, dest_url, title, id } => {
                self.images += 1;
                Some(self.link(link_type, true, &dest_url, &title, &id, &range))
            }
            _ => None,
        };
        let row = row.map(|row| {
            self.rows.push(row);
            self.rows.len() - 1
        });
        self.open.push(Open { row, inner: None });
    }

    fn code_block(&mut self, kind: CodeBlockKind<'a>, start: usize, end: usize) -> Row {
        let row = Row::new(CODE_BLOCK, start, end);
        let CodeBlockKind::Fenced(info) = kind else {
            return row.with(0, Value::Number(0)).with(2, Value::Number(1));
        };
        let closed = is_closed(&self.source.as_bytes()[start..end]);
        let row = row.with(0, Value::Number(1)).with(2, Value::Number(closed.into()));
        if info.is_empty() { row } else { row.with(1, self.string(info.as_ref())) }
    }

    fn item(&self, start: usize, end: usize) -> Row {
        let bytes = &self.source.as_bytes()[start..end];
        let digits = bytes.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let number = std::str::from_utf8(&bytes[..digits]).ok().and_then(|text| text.parse().ok());
        Row::new(LIST_ITEM, start, end)
            .with(0, Value::Number(self.lists))
            .with(1, Value::Number((digits > 0).into()))
            .with(5, number.map_or(Value::Absent, Value::Number))
    }

    fn link(
        &mut self,
        kind: LinkType,
        embed: bool,
        dest: &CowStr<'a>,
        title: &str,
        id: &str,
        range: &Range<usize>,
    ) -> Row {
        let (number, pothole) = match kind {
            LinkType::Inline => (0, false),
            LinkType::Reference | LinkType::ReferenceUnknown => (1, false),
            LinkType::Collapsed | LinkType::CollapsedUnknown => (2, false),
            LinkType::Shortcut | LinkType::ShortcutUnknown => (3, false),
            LinkType::Autolink => (4, false),
            LinkType::Email => (5, false),
            LinkType::WikiLink { has_pothole } => (6, has_pothole),
        };
        let mut dest = dest.as_ref();
        if pothole {
            dest = dest.strip_suffix('\\').unwrap_or(dest);
        }
        let flags = u32::from(embed) | u32::from(pothole) << 1;
        let row = Row::new(LINK, range.start, range.end)
            .with(0, Value::Number(number))
            .with(1, Value::Number(flags))
            .with(4, self.string(dest));
        let row = if title.is_empty() { row } else { row.with(5, self.string(title)) };
        if id.is_empty() { row } else { row.with(8, self.string(id)) }
    }

    fn end(&mut self, tag: TagEnd) {
        let Some(Open { row, inner }) = self.open.pop() else { return };
        match tag {
            TagEnd::BlockQuote(_) => self.quotes -= 1,
            TagEnd::CodeBlock => self.code_blocks -= 1,
            TagEnd::List(_) => self.lists -= 1,
            TagEnd::Table => self.tables -= 1,
            TagEnd::Link => self.links -= 1,
            TagEnd::Image => self.images -= 1,
            _ => {}
        }
        let Some(at) = row else { return };
        match self.rows[at].kind {
            HEADING => self.end_heading(at, inner),
            CODE_BLOCK => {
                if let Some(inner) = inner {
                    self.rows[at].values[3] = Value::Byte(inner.start);
                    self.rows[at].values[4] = Value::Byte(inner.end);
                }
            }
            LIST_ITEM => self.end_item(at, inner),
            LINK => self.end_link(at, inner),
            _ => {}
        }
    }

    fn end_heading(&mut self, at: usize, inner: Option<Range<usize>>) {
        let text = self.heading.take().unwrap_or_default();
        let text = self.string(text.trim());
        let row = &mut self.rows[at];
        let empty =
            row.start + self.source[row.start..row.end].bytes().take_while(|&byte| byte == b'#').count();
        let inner = inner.unwrap_or(empty..empty);
        row.values[1] = Value::Byte(inner.start);
        row.values[2] = Value::Byte(inner.end);
        row.values[3] = text;
    }

    /// Any `[c] ` at the start of an item is a task, as in Obsidian; Markdown itself knows space and x.
    fn end_item(&mut self, at: usize, inner: Option<Range<usize>>) {
        let Some(inner) = inner else { return };
        let row = &mut self.rows[at];
        row.values[4] = Value::Byte(inner.start);
        let mut characters = self.source[inner.start..row.end.max(inner.start)].chars();
        let (open, state, close) = (characters.next(), characters.next(), characters.next());
        if let (Some('['), Some(state), Some(']')) = (open, state, close) {
            let after = characters.next();
            let spaced = after.is_none_or(|next| next.is_whitespace());
            if spaced && state != '\n' && state != '\r' {
                row.values[2] = Value::Number(state as u32);
                row.values[3] = Value::Byte(inner.start + 1);
            }
        }
    }

    fn end_link(&mut self, at: usize, inner: Option<Range<usize>>) {
        let row = &mut self.rows[at];
        let Value::Number(kind) = row.values[0] else { return };
        let embed = matches!(row.values[1], Value::Number(flags) if flags & 1 == 1);
        let open = row.start + usize::from(embed) + 1;
        let inner = inner.unwrap_or(open..open);
        let dest = match kind {
            0 => destination::inline(self.source.as_bytes(), inner.end, row.end),
            4 | 5 => Some(row.start + 1..row.end - 1),
            6 => Some(destination::wikilink(self.source.as_bytes(), open + 1, row.end - 2)),
            _ => None,
        };
        row.values[2] = Value::Byte(inner.start);
        row.values[3] = Value::Byte(inner.end);
        if let Some(dest) = dest {
            row.values[6] = Value::Byte(dest.start);
            row.values[7] = Value::Byte(dest.end);
        }
    }

    fn finish(mut self) -> Outline {
        // Definitions were pushed first; a stable sort keeps a parent before a child at one start.
        self.rows.sort_by_key(|row| row.start);
        let map = Utf16Map::new(self.source);
        let mut records = Vec::with_capacity(self.rows.len() * STRIDE);
        for row in &self.rows {
            records.extend([row.kind, map.get(row.start), map.get(row.end)]);
            records.extend(row.values.iter().map(|value| match *value {
                Value::Number(number) => number,
                Value::Byte(at) => map.get(at),
                Value::Absent => NONE,
            }));
        }
        let mut runs = Vec::with_capacity(self.runs.len() * 3);
        for (range, flags) in &self.runs {
            runs.extend([map.get(range.start), map.get(range.end), *flags]);
        }
        Outline { records, runs, strings: self.strings }
    }
}
