import { formatPeriodic, type NoteText } from '@grove/markdown';
import { DateTime } from 'luxon';

/** What a template is filled from. */
export interface TemplateFacts {
  /** The note's file name without `.md`. */
  readonly title: string;
  /** Day of the note, `YYYY-MM-DD`: of a daily note its own, not that of the writing. */
  readonly date: string;
  /** Milliseconds since the epoch: for the time of day. */
  readonly now: number;
  /** IANA zone. */
  readonly zone: string;
}

const PLACE = /\{\{\s*(date|time|title)\s*(?::([^{}]*))?\}\}/gi;
const CLOCK = /\[[^\]]*\]|HH|H|hh|h|mm|m|ss|s|A|a/g;

/**
 * A template with its places filled as Obsidian fills them: `{{title}}`, `{{date}}`, `{{time}}`, the latter two also
 * with a format of moment.js (`{{date:dddd, MMMM Do}}`). Everything else stays as it is.
 *
 * https://help.obsidian.md/plugins/templates
 *
 * @example fillTemplate('# {{title}}', { title: '2026-11-30', … }) // '# 2026-11-30'
 */
export function fillTemplate(template: NoteText['text'], facts: TemplateFacts): string {
  return template.replaceAll(PLACE, (_, name: string, format: string | undefined) => {
    switch (name.toLowerCase()) {
      case 'title':
        return facts.title;
      case 'time':
        return formatMoment(format?.trim() || 'HH:mm', facts);
      default:
        return formatMoment(format?.trim() || 'YYYY-MM-DD', facts);
    }
  });
}

/**
 * The time of day in a zone.
 *
 * @example clockTime(Date.parse('2026-11-30T12:00:00Z'), 'Europe/Berlin') // '13:00'
 */
export function clockTime(now: number, zone: string): string {
  return DateTime.fromMillis(now, { zone }).toFormat('HH:mm');
}

/**
 * The day in a zone.
 *
 * @example dayOf(Date.parse('2026-11-30T23:30:00Z'), 'Europe/Berlin') // '2026-12-01'
 */
export function dayOf(now: number, zone: string): string {
  return DateTime.fromMillis(now, { zone }).toFormat('yyyy-MM-dd');
}

/** Tokens of the clock are written out first: the rest of a pattern is about the day. */
function formatMoment(pattern: string, { date, now, zone }: TemplateFacts): string {
  const time = DateTime.fromMillis(now, { zone });
  const withTime = pattern.replaceAll(CLOCK, (token) =>
    token.startsWith('[') ? token : `[${clockToken(token, time)}]`,
  );
  return formatPeriodic(date, withTime, 'moment');
}

function clockToken(token: string, time: DateTime): string {
  if (token === 'A' || token === 'a') {
    const half = time.hour < 12 ? 'AM' : 'PM';
    return token === 'A' ? half : half.toLowerCase();
  }
  // Luxon writes these tokens as moment does.
  return time.toFormat(token);
}
