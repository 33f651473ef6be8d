import type { DateTime } from 'luxon';

/** Whose letters a date pattern is written in: moment.js (Obsidian) or Java (Logseq). */
export type PatternStyle = 'moment' | 'java';

/** A part of a pattern: text that stays, or a token with what it writes. */
export type PatternPart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'token'; readonly token: string; readonly field: Field };

/** How one token writes a date, and how its text is found in a name. */
interface Field {
  write(date: DateTime): string;
  /** Source of a regular expression for the text. */
  readonly pattern: string;
  /** What the text says about the date, for {@link readPeriodic}; null when it adds nothing. */
  readonly reads: 'year' | 'month' | 'monthName' | 'day' | 'week' | 'weekYear' | 'quarter' | 'ordinal' | null;
}

// https://momentjs.com/docs/#/displaying/format/ : longest tokens first, `[literal]` kept.
const MOMENT =
  /\[([^\]]*)\]|(YYYY|YY|gggg|gg|GGGG|GG|Qo|Q|MMMM|MMM|MM|Mo|M|DDDD|DDDo|DDD|DD|Do|D|dddd|ddd|dd|do|d|E|e|ww|wo|w|WW|Wo|W|HH|H|hh|h|mm|m|ss|s|A|a|X|x)/g;
// https://docs.oracle.com/javase/8/docs/api/java/text/SimpleDateFormat.html; `do` is Logseq's ordinal day.
const JAVA = /'((?:[^']|'')*)'|(yyyy|yy|MMMM|MMM|MM|M|dd|do|d|EEEE|EEE|EE|E|ww|w|DDD|D|HH|H|mm|m|ss|s|a)/g;

const MONTHS =
  'January|February|March|April|May|June|July|August|September|October|November|December|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Oct|Nov|Dec';

/** Cuts a pattern into its parts. A token that Grove does not know is text. */
export function parsePattern(pattern: string, style: PatternStyle): PatternPart[] {
  const parts: PatternPart[] = [];
  const text = (value: string) => {
    if (value !== '') parts.push({ kind: 'text', text: value });
  };
  let at = 0;
  for (const match of pattern.matchAll(style === 'moment' ? MOMENT : JAVA)) {
    text(pattern.slice(at, match.index));
    at = match.index + match[0].length;
    const token = match[2];
    if (token === undefined) text(literal(match[1] ?? '', style));
    else parts.push({ kind: 'token', token, field: (style === 'moment' ? momentField : javaField)(token) });
  }
  text(pattern.slice(at));
  return parts;
}

function literal(inside: string, style: PatternStyle): string {
  if (style === 'moment') return inside;
  return inside === '' ? "'" : inside.replaceAll("''", "'");
}

const english = { locale: 'en' };

function number(
  width: number,
  reads: Field['reads'],
  value: (date: DateTime) => number,
  longest = Math.max(width, 2),
): Field {
  return {
    write: (date) => String(value(date)).padStart(width, '0'),
    pattern: width > 1 ? `\\d{${width}}` : `\\d{1,${longest}}`,
    reads,
  };
}

function word(format: string, pattern: string, reads: Field['reads']): Field {
  return { write: (date) => date.toFormat(format, english), pattern, reads };
}

function ordinal(reads: Field['reads'], value: (date: DateTime) => number): Field {
  return { write: (date) => withSuffix(value(date)), pattern: '\\d{1,3}(?:st|nd|rd|th)', reads };
}

function withSuffix(value: number): string {
  const teen = value % 100 >= 11 && value % 100 <= 13;
  return `${value}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][value % 10] ?? 'th')}`;
}

function momentField(token: string): Field {
  switch (token) {
    case 'YYYY':
      return number(4, 'year', (date) => date.year);
    case 'YY':
      return number(2, null, (date) => date.year % 100);
    case 'GGGG':
      return number(4, 'weekYear', (date) => date.weekYear);
    case 'GG':
      return number(2, null, (date) => date.weekYear % 100);
    case 'gggg':
      return number(4, 'weekYear', (date) => sundayWeek(date).year);
    case 'gg':
      return number(2, null, (date) => sundayWeek(date).year % 100);
    case 'Q':
      return number(1, 'quarter', (date) => date.quarter, 1);
    case 'Qo':
      return ordinal(null, (date) => date.quarter);
    case 'MMMM':
      return word('MMMM', MONTHS, 'monthName');
    case 'MMM':
      return word('MMM', MONTHS, 'monthName');
    case 'MM':
      return number(2, 'month', (date) => date.month);
    case 'M':
      return number(1, 'month', (date) => date.month);
    case 'Mo':
      return ordinal(null, (date) => date.month);
    case 'DDDD':
      return number(3, null, (date) => date.ordinal);
    case 'DDD':
      return number(1, null, (date) => date.ordinal, 3);
    case 'DDDo':
      return ordinal(null, (date) => date.ordinal);
    case 'DD':
      return number(2, 'day', (date) => date.day);
    case 'D':
      return number(1, 'day', (date) => date.day);
    case 'Do':
      return ordinal('ordinal', (date) => date.day);
    case 'dddd':
      return word('EEEE', '[A-Za-z]+', null);
    case 'ddd':
      return word('EEE', '[A-Za-z]+', null);
    case 'dd':
      return {
        write: (date) => date.toFormat('EEE', english).slice(0, 2),
        pattern: '[A-Za-z]+',
        reads: null,
      };
    case 'do':
      return ordinal(null, (date) => date.weekday % 7);
    case 'd':
    case 'e':
      return number(1, null, (date) => date.weekday % 7, 1);
    case 'E':
      return number(1, null, (date) => date.weekday, 1);
    case 'WW':
      return number(2, 'week', (date) => date.weekNumber);
    case 'W':
      return number(1, 'week', (date) => date.weekNumber);
    case 'Wo':
      return ordinal(null, (date) => date.weekNumber);
    case 'ww':
      return number(2, 'week', (date) => sundayWeek(date).week);
    case 'w':
      return number(1, 'week', (date) => sundayWeek(date).week);
    case 'wo':
      return ordinal(null, (date) => sundayWeek(date).week);
    default:
      return clock(token);
  }
}

function javaField(token: string): Field {
  switch (token) {
    case 'yyyy':
      return number(4, 'year', (date) => date.year);
    case 'yy':
      return number(2, null, (date) => date.year % 100);
    case 'dd':
      return number(2, 'day', (date) => date.day);
    case 'd':
      return number(1, 'day', (date) => date.day);
    case 'do':
      return ordinal('ordinal', (date) => date.day);
    case 'EEEE':
      return word('EEEE', '[A-Za-z]+', null);
    case 'EEE':
    case 'EE':
    case 'E':
      return word('EEE', '[A-Za-z]+', null);
    case 'ww':
      return number(2, 'week', (date) => date.weekNumber);
    case 'w':
      return number(1, 'week', (date) => date.weekNumber);
    case 'DDD':
      return number(3, null, (date) => date.ordinal);
    case 'D':
      return number(1, null, (date) => date.ordinal, 3);
    default:
      return token.startsWith('M') ? momentField(token) : clock(token);
  }
}

/** Tokens of the time of day: a date is its midnight. */
function clock(token: string): Field {
  const texts: Readonly<Record<string, string>> = {
    H: '0',
    h: '12',
    hh: '12',
    m: '0',
    s: '0',
    A: 'AM',
    a: 'am',
  };
  if (token === 'X' || token === 'x')
    return {
      write: (date) => String(token === 'X' ? date.toUnixInteger() : date.toMillis()),
      pattern: '\\d+',
      reads: null,
    };
  return { write: () => texts[token] ?? '00', pattern: '\\d{1,2}|[AaPp][Mm]', reads: null };
}

/** Week of moment's English locale: it starts on Sunday, and the first week holds January 1. */
function sundayWeek(date: DateTime): { year: number; week: number } {
  const saturday = date.plus({ days: 6 - (date.weekday % 7) });
  return { year: saturday.year, week: Math.ceil(saturday.ordinal / 7) };
}
