import { GroveError, nearest } from '@grove/core';
import type { InputOf, ParameterTable } from './parameter.ts';

/**
 * Reads an operation's input. Accepts wide, refuses what it does not know: null and `''` are absent, unknown names
 * are an error with a suggestion, and a value that does not fit is told what fits.
 *
 * @throws GroveError `bad_input`, `unknown_parameter`
 */
export function parseInput<Table extends ParameterTable>(table: Table, raw: unknown): InputOf<Table> {
  const given = readObject(raw);
  for (const name of Object.keys(given)) if (!Object.hasOwn(table, name)) throw unknownParameter(name, table);
  const input: Record<string, unknown> = {};
  for (const [name, parameter] of Object.entries(table)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    input[name] = isAbsent(value, parameter) ? absent(name, parameter) : judge(name, parameter, value);
  }
  return input as InputOf<Table>;
}

function readObject(raw: unknown): Readonly<Record<string, unknown>> {
  const value = typeof raw === 'string' ? parseText(raw) : (raw ?? {});
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new GroveError('bad_input', { reason: 'the arguments are not an object' });
  return value as Record<string, unknown>;
}

function parseText(raw: string): unknown {
  if (raw.trim() === '') return {};
  try {
    return JSON.parse(raw);
  } catch (cause) {
    throw new GroveError('bad_input', { reason: 'the arguments are neither an object nor JSON' }, { cause });
  }
}

type AnyParameter = ParameterTable[string];

function isAbsent(value: unknown, { keepsEmpty }: AnyParameter): boolean {
  return value === undefined || value === null || (value === '' && !keepsEmpty);
}

function absent(name: string, parameter: AnyParameter): unknown {
  if (parameter.required) throw new GroveError('bad_input', { name, reason: `"${name}" is missing` });
  return parameter.absent;
}

function judge(name: string, parameter: AnyParameter, value: unknown): unknown {
  const widened = parameter.widen(value);
  const parsed = parameter.strict.safeParse(widened);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = [name, ...(issue?.path ?? [])].map(String).join('.').slice(0, 100);
  const extra = issue?.code === 'unrecognized_keys' ? issue.keys[0] : undefined;
  if (extra !== undefined) throw unknownKey(`${where}.${extra.slice(0, 100)}`, parameter);
  const fits = `"${name}" takes ${parameter.expects}`;
  const wrong = where === name ? value : wrongItem(widened, issue?.path);
  const reason = wrong === undefined ? `"${where}" does not fit: ${fits}` : `${fits}, not ${describe(wrong)}`;
  throw new GroveError('bad_input', { name: where, reason });
}

/** An item of a list that is itself what does not fit; a part of an item is told of by its place. */
function wrongItem(list: unknown, path: readonly PropertyKey[] | undefined): unknown {
  const [index, ...deeper] = path ?? [];
  if (!Array.isArray(list) || typeof index !== 'number' || deeper.length > 0) return undefined;
  return list[index] as unknown;
}

/** What was sent, short: never a whole value, which may be anything. */
function describe(value: unknown): string {
  if (typeof value === 'string')
    return `"${value.length > 40 ? `${value.slice(0, 40)}…` : value}"`.toWellFormed();
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  if (Array.isArray(value)) return value.length === 1 ? 'this list of one' : `this list of ${value.length}`;
  return typeof value === 'object' ? 'this object' : `this ${typeof value}`;
}

function unknownParameter(name: string, table: ParameterTable): GroveError {
  const shown = name.slice(0, 100).toWellFormed();
  const allowed = Object.keys(table);
  const guess = allowed.find((key) => table[key]?.guesses.includes(name.toLowerCase()));
  const meant = guess ?? nearest(shown, allowed, 1)[0];
  const suggestion = meant === undefined ? '' : ` Did you mean "${meant}"?`;
  return new GroveError('unknown_parameter', { name: shown, suggestion, allowed: allowed.join(', ') });
}

function unknownKey(name: string, parameter: AnyParameter): GroveError {
  return new GroveError('unknown_parameter', {
    name: name.toWellFormed(),
    suggestion: '',
    allowed: parameter.expects,
  });
}
