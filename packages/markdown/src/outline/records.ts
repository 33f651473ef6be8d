import { decodeOutline, type OutlineEvents, type OutlineRecord } from '@grove/native';
import type { OffsetMap } from './offset-map.ts';

const AFTER_INDENT: ReadonlySet<OutlineRecord['kind']> = new Set<OutlineRecord['kind']>([
  'list',
  'listItem',
  'paragraph',
  'heading',
]);

/**
 * The parser's records of a body. Where a list is indented by tabs, pulldown-cmark starts its blocks in the
 * indentation or at the line break before it; here they start at their first visible character. `offsets` leads
 * back to the body where the parser was given a changed text.
 */
export function readRecords(
  events: OutlineEvents,
  body: string,
  offsets: OffsetMap | null = null,
): OutlineRecord[] {
  return decodeOutline(events).map((parsed) => {
    const record = offsets === null ? parsed : offsets.record(parsed);
    if (!AFTER_INDENT.has(record.kind) || body.charCodeAt(record.start) > 0x20) return record;
    let start = record.start;
    while (start < record.end && body.charCodeAt(start) <= 0x20) start += 1;
    return start === record.end ? record : { ...record, start };
  });
}
