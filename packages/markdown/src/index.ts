// One note's text: what it holds, where, and how its parts are addressed.

// Chunks for passages and embedding.
export { chunkNote } from './chunking/chunk.ts';
// Bytes to text.
export { type DecodedNote, decodeNote } from './decode.ts';
// Logseq: names of pages and files.
export { type LogseqNameFormat, logseqFileName, logseqPageName } from './dialects/logseq-names.ts';
// Changes of one note's text, byte for byte.
export { addedRanges } from './edits/compare/added-ranges.ts';
export { type MergedText, mergeKeepingOurs, mergeTexts } from './edits/compare/merge-texts.ts';
export { shortDiff } from './edits/compare/short-diff.ts';
export { editText, type TextChange } from './edits/matching/edit-text.ts';
export { Patience } from './edits/matching/patience.ts';
export type { TextEdit } from './edits/matching/text-edit.ts';
export { type NewNote, newNoteText } from './edits/new-note.ts';
export { type Insertion, insertText } from './edits/parts/insert-text.ts';
export { addDefinitions, type DefinedTarget, keepDefinitions } from './edits/parts/keep-definitions.ts';
export { type Replacement, replaceSection } from './edits/parts/replace-section.ts';
export { editFrontmatter, type FrontmatterEdit } from './edits/properties/edit-frontmatter.ts';
export type { EditResult } from './edits/result.ts';
export {
  editTags,
  type SkippedTag,
  type TagChange,
  type TagOutcome,
  type TagResult,
} from './edits/tags/edit-tags.ts';
export { type WholeWrite, writeWhole } from './edits/write-whole.ts';
// Where the frontmatter ends, without reading it.
export { findFences } from './frontmatter/fences.ts';
// The page that a property names by a link.
export { withoutLink } from './frontmatter/properties.ts';
// Percent escapes as links write them.
export { decodePercent } from './inline/destination.ts';
// Lines by offset.
export { lineAt, lineEnd } from './lines.ts';
// What a note holds.
export type {
  BlockId,
  Chunk,
  Dialect,
  Frontmatter,
  Heading,
  Link,
  LinkKind,
  ListItem,
  NoteText,
  Range,
  Span,
  Tag,
  Task,
  TaskState,
} from './model.ts';
// What the marks of tasks mean.
export { taskState } from './outline/tasks.ts';
// Reading it: one note at once, of any size, or many.
export { type ParseItem, type ParseOptions, parseNote, parseNoteAsync, parseNotes } from './parse.ts';
// Periodic notes: their names and dates.
export { formatPeriodic, readPeriodic } from './periodic/format.ts';
export { type Granularity, type Period, parsePeriodic } from './periodic/parse.ts';
export type { PatternStyle } from './periodic/tokens.ts';
// HTML for people.
export { renderHtml } from './render.ts';
// Parts of a note and their addresses: one resolver for reads and writes.
export {
  findSection,
  type Section,
  type SectionCandidate,
  type SectionOptions,
  sectionHash,
} from './sections/find.ts';
export { type NoteMap, noteMap } from './sections/map.ts';
export { type NoteReference, parseNoteReference } from './sections/reference.ts';
