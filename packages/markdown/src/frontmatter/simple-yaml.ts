import type { PropertyValue, YamlReading } from './values.ts';

// Key, then a value or nothing. Keys that YAML could take for something else are left to its parser.
const ENTRY = /^([A-Za-z_][\w.-]{0,100}):(?: +(.*))?$/;
const ITEM = /^( *)- +(.*)$/;
// YAML's own characters of control, line breaks among them, and tabs, whose meaning depends on the place.
const UNUSUAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;
// A plain scalar that starts with a letter or digit and holds neither `: ` nor ` #` is text, but for words
// and numbers of the core schema (YAML 1.2.2, section 10.3.2).
const PLAIN = /^[A-Za-z0-9](?!.*(?:: | #|:$))/;
const OTHER = /^(?:null|true|false|0x[\da-f]+|0o[0-7]+|\d+(?:\.\d*)?(?:e[-+]?\d+)?)$/i;
const INTEGER = /^(?:0|[1-9]\d{0,14})$/;
const QUOTED = /^(?:"([^"\\]*)"|'([^']*)')$/;

/**
 * Reads the YAML that most notes have: keys with one plain or quoted value or a list of such. Null for
 * everything else, which then goes to the YAML parser at twenty times the cost. What is read here is what
 * the parser reads; a test compares the two.
 */
export function readSimpleYaml(yaml: string): YamlReading | null {
  const source = yaml.includes('\r') ? yaml.replaceAll('\r\n', ' \n') : yaml;
  if (UNUSUAL.test(source)) return null;
  const data: Record<string, unknown> = {};
  const values: PropertyValue[] = [];
  let key = '';
  let list: unknown[] | null = null;
  let indent = -1;
  for (let start = 0; start < source.length; ) {
    const newline = source.indexOf('\n', start);
    const end = newline < 0 ? source.length : newline;
    const line = source.slice(start, withoutSpaces(source, start, end));
    const item = ITEM.exec(line);
    const entry = item === null ? ENTRY.exec(line) : null;
    const text = (item ?? entry)?.[2] ?? '';
    const at = start + line.length - text.length;
    if (item !== null) {
      if (key === '' || (list === null && data[key] !== null)) return null;
      if (list !== null && item[1]!.length !== indent) return null;
      indent = item[1]!.length;
      if (list === null) {
        list = [];
        data[key] = list;
      }
      const value = readScalar(text);
      if (value === undefined) return null;
      list.push(value);
      values.push(placed(key, value, text, 'entry', at));
    } else if (entry !== null) {
      key = entry[1]!;
      if (Object.hasOwn(data, key) || key === '__proto__') return null;
      list = null;
      if (text === '[]') data[key] = [];
      else {
        const value = entry[2] === undefined || text === '' ? null : readScalar(text);
        if (value === undefined) return null;
        data[key] = value;
        if (value !== null) values.push(placed(key, value, text, 'own', at));
      }
    } else if (line !== '') return null;
    start = end + 1;
  }
  return { data, values, error: null };
}

/** The end of a line without the spaces before it; a regular expression would take their number squared. */
function withoutSpaces(source: string, start: number, end: number): number {
  let at = end;
  while (at > start && source.charCodeAt(at - 1) === 0x20) at -= 1;
  return at;
}

/** The value of a scalar, or undefined when only the parser can tell. */
function readScalar(text: string): string | number | undefined {
  if (INTEGER.test(text)) return Number(text);
  if (PLAIN.test(text)) return OTHER.test(text) ? undefined : text;
  const quoted = QUOTED.exec(text);
  return quoted === null ? undefined : (quoted[1] ?? quoted[2]);
}

function placed(
  property: string,
  value: string | number,
  source: string,
  role: PropertyValue['role'],
  start: number,
): PropertyValue {
  return {
    property,
    text: typeof value === 'string' ? value : source,
    role,
    start,
    end: start + source.length,
  };
}
