import type { DefinitionRecord, LinkRecord } from '@grove/native';
import { lineAt } from '../lines.ts';
import type { Dialect, Link, LinkKind } from '../model.ts';
import { parseDestination } from './destination.ts';
import { plainText } from './plain-text.ts';
import { parsePageLink, parseWikilink, type splitTarget } from './wikilink.ts';

/** What the links of one body are read from. */
export interface LinkContext {
  readonly text: string;
  readonly dialect: Dialect;
  /** Where the body starts: what the records' offsets are counted from. */
  readonly bodyStart: number;
  readonly lineStarts: readonly number[];
}

// `[label]([[Page]])` and `[label](((uuid)))`, which only Logseq writes.
const LOGSEQ_PAGE = /^\[\[(.+)\]\]$/;
const LOGSEQ_BLOCK = /^\(\((.+)\)\)$/;

/** The link that a parsed link is in the vault, or null when it leads out of it. */
export function readLink(record: LinkRecord, context: LinkContext): Link | null {
  if (record.type === 'autolink' || record.type === 'email') return null;
  if (record.type === 'wikilink') return readWikilink(record, context);
  if (context.dialect === 'logseq') {
    const label = sourceLabel(record, context);
    const page = LOGSEQ_PAGE.exec(record.destination);
    if (page !== null) return place(record, context, 'markdown', { ...parsePageLink(page[1]!), label });
    const block = LOGSEQ_BLOCK.exec(record.destination);
    if (block !== null)
      return place(record, context, 'block-ref', { target: '', heading: null, block: block[1]!, label });
  }
  const target = parseDestination(record.destination);
  if (target === null) return null;
  const label = sourceLabel(record, context);
  return place(record, context, record.embed ? 'image' : 'markdown', { ...target, label });
}

/** A link reference definition that points into the vault, else null. */
export function readDefinition(record: DefinitionRecord, context: LinkContext): Link | null {
  const target = parseDestination(record.destination);
  if (target === null) return null;
  return place(record, context, 'definition', { ...target, label: record.label });
}

function readWikilink(record: LinkRecord, context: LinkContext): Link | null {
  const { text, bodyStart, dialect } = context;
  const open = bodyStart + record.start + (record.embed ? 3 : 2);
  const inside = text.slice(open, bodyStart + record.end - 2);
  // A link of Obsidian or Logseq stands on one line; brackets across lines are a query or code.
  if (inside.includes('\n')) return null;
  const parts = dialect === 'logseq' ? parsePageLink(inside) : parseWikilink(inside);
  if (parts.target === '' && parts.heading === null && parts.block === null) return null;
  return place(record, context, record.embed ? 'embed' : 'wikilink', parts);
}

function sourceLabel(record: LinkRecord, { text, bodyStart }: LinkContext): string | null {
  const label = plainText(text.slice(bodyStart + record.textStart, bodyStart + record.textEnd)).trim();
  return label === '' ? null : label;
}

function place(
  record: { readonly start: number; readonly end: number },
  { bodyStart, lineStarts }: LinkContext,
  kind: LinkKind,
  parts: ReturnType<typeof splitTarget> & { readonly label: string | null },
): Link {
  const start = bodyStart + record.start;
  return {
    kind,
    target: parts.target,
    heading: parts.heading,
    block: parts.block,
    label: parts.label,
    property: null,
    start,
    end: bodyStart + record.end,
    line: lineAt(lineStarts, start),
  };
}
