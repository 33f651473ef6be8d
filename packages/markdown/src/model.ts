/** How a folder of notes writes links, tags, properties and appends. */
export type Dialect = 'obsidian' | 'logseq' | 'foam' | 'plain';

/** A half-open range of UTF-16 offsets into the note's whole text, BOM included. */
export interface Range {
  readonly start: number;
  readonly end: number;
}

/** A range with the 1-based line of the file on which it starts. */
export interface Span extends Range {
  readonly line: number;
}

/**
 * The note's properties. `status` says whether they could be read: `none` (no block), `ok`, `broken` (YAML
 * does not parse, or is no mapping), `unclosed` (a first `---` without its second).
 */
export interface Frontmatter {
  readonly status: 'none' | 'ok' | 'broken' | 'unclosed';
  /** The block with both fences and the line break after it; null when there is none. */
  readonly block: Range | null;
  /** The YAML between the fences; null when there is none. */
  readonly yaml: Range | null;
  /** Parsed properties, plain JSON values (dates stay the text that was written). Logseq page properties too. */
  readonly data: Readonly<Record<string, unknown>>;
  /** Why it is broken, with the file's line. */
  readonly error: { readonly message: string; readonly line: number } | null;
}

export interface Heading extends Span {
  readonly level: 1 | 2 | 3 | 4 | 5 | 6;
  /** Plain text: markup dropped, inline code and link text kept. */
  readonly text: string;
  /** Texts of the headings above it and its own, outermost first. */
  readonly path: readonly string[];
  /** End of the section it opens: start of the next heading of the same or a higher level, or end of text. */
  readonly sectionEnd: number;
  /** The address to send back: `Tasks`, or among headings of equal text (ignoring case) `Tasks@1`, `Tasks@2`. */
  readonly address: string;
}

/** An Obsidian block id (`^id` at the end of a block) or a Logseq `id::` property. */
export interface BlockId extends Span {
  readonly id: string;
  /** The block that it names. */
  readonly block: Range;
}

export type LinkKind =
  | 'wikilink'
  | 'embed'
  | 'markdown'
  | 'image'
  | 'frontmatter'
  | 'definition'
  | 'block-ref';

/** One link as it is written; what it points to is resolved per View. */
export interface Link extends Span {
  readonly kind: LinkKind;
  /** The target without heading, block and label, percent-decoded for Markdown links; `''` = this note. */
  readonly target: string;
  /** `#Heading#Sub` without the first `#`, or null. */
  readonly heading: string | null;
  /** The id after `#^`, or null. */
  readonly block: string | null;
  /** What a reader sees, or null when it is the target itself. */
  readonly label: string | null;
  /** The frontmatter key that holds it, for kind `frontmatter`. */
  readonly property: string | null;
}

/** One use of a tag, without its `#`, as written (case kept). */
export interface Tag extends Span {
  readonly name: string;
  readonly source: 'inline' | 'frontmatter';
}

/** How far a task is, whatever mark a person or a program uses for it. */
export type TaskState = 'open' | 'in_progress' | 'done' | 'cancelled';

export interface Task extends Span {
  /** The text after the mark, as it is written. */
  readonly text: string;
  /** The character between the brackets (`' '`, `x`, `/` ...) or the Logseq keyword (`TODO`). */
  readonly mark: string;
  readonly state: TaskState;
  /** Days as `2026-12-01`, where they are written. */
  readonly due: string | null;
  readonly scheduled: string | null;
}

/** A list item, with its depth from 0: the bullets that a Logseq section is made of. */
export interface ListItem extends Span {
  readonly depth: number;
  /** End of the item with all that is nested in it. */
  readonly treeEnd: number;
}

/** What a note's text holds: read once, used by reading, searching and writing alike. */
export interface NoteText {
  readonly text: string;
  readonly dialect: Dialect;
  readonly frontmatter: Frontmatter;
  /** Where the body starts, after BOM and frontmatter. */
  readonly bodyStart: number;
  /** `title` property, else the first level-1 heading that opens the body, else null (the file name then). */
  readonly title: string | null;
  readonly aliases: readonly string[];
  /** `type` property (or a list's first entry), else null. */
  readonly type: string | null;
  readonly headings: readonly Heading[];
  readonly blocks: readonly BlockId[];
  readonly links: readonly Link[];
  /** Every tag of every form, in the order of the text; frontmatter first. */
  readonly tags: readonly Tag[];
  readonly tasks: readonly Task[];
  readonly listItems: readonly ListItem[];
  /** Where nothing of Obsidian's own is recognised: code, math, comments, raw HTML. */
  readonly literals: readonly Range[];
  /** Offsets at which lines start: `lineStarts[0]` is 0. */
  readonly lineStarts: readonly number[];
  readonly words: number;
}

/** A part of a note for passages and embedding: by heading, about 200 tokens. */
export interface Chunk extends Span {
  /** Headings above the text, outermost first. */
  readonly headingPath: readonly string[];
}
