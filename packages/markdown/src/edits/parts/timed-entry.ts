import { badInput } from '../incoming.ts';
import { isBlankLine } from '../lines/blank-lines.ts';

const TIME = /^(?:[01]\d|2[0-3]):[0-5]\d$/;
const BULLET = /^[-*+][ \t]+/;
const BLOCK = /^(?:`{3}|~{3}|[|>#<]|\$\$|\d{1,9}[.)][ \t])/;

/**
 * A content as a list item that starts with a time. Its other lines are indented to belong to the item, but
 * where it is a list itself only its first item gets the time. Throws `bad_input` for another form of time.
 *
 * @example timedEntry('09:30', 'Called Ann\nabout the plan') // '- 09:30 Called Ann\n  about the plan'
 */
export function timedEntry(time: string, content: string): string {
  if (!TIME.test(time)) throw badInput('timestamp', 'it is no time of the form HH:MM');
  const text = content.replace(/^[ \t]+/, '');
  if (BULLET.test(text)) return `- ${time} ${text.replace(BULLET, '')}`;
  const lines = text.split('\n');
  const inItem = lines.map((line) => (isBlankLine(line) ? '' : `  ${line}`)).join('\n');
  // Code, a table, a quote or a list starts on a line of its own.
  return lines.length > 1 && BLOCK.test(text) ? `- ${time}\n\n${inItem}` : `- ${time} ${inItem.slice(2)}`;
}
