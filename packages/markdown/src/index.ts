// One note's text: what it holds, where, and how its parts are addressed.

// Bytes to text.
export { type DecodedNote, decodeNote } from './decode.ts';
export { lineAt, lineContentEnd, lineEnd } from './lines.ts';
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
} from './model.ts';
export { type ParseItem, type ParseOptions, parseNote, parseNoteAsync, parseNotes } from './parse.ts';
