/** How moments are read and written in the vault's zone. */
export interface Moments {
  /** Milliseconds since the epoch, or null where the text names no moment. */
  read(text: string): number | null;
  write(millis: number): string;
}

/** A node of a tree that is no operation: its value, whatever that is. */
export class Constant {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }
}

/** As JSONLogic has it: false, null, 0, an empty text or list, and what is no number, are not true. */
export function isTrue(value: unknown): boolean {
  return Array.isArray(value) ? value.length > 0 : Boolean(value);
}

/**
 * What lies under some keys of a value. Own properties alone: nothing of a note or of a filter leads to what every
 * object or list has.
 */
export function readPath(value: unknown, keys: readonly string[]): unknown {
  let found = value;
  for (const key of keys) {
    const isText = typeof found === 'string';
    if (!isText && (typeof found !== 'object' || found === null || found instanceof Date)) return undefined;
    if (!Object.hasOwn(Object(found), key)) return undefined;
    found = (found as Readonly<Record<string, unknown>>)[key];
  }
  return found;
}

/** A value as text: times as ISO 8601, lists by their items, objects as nothing. */
export function textOf(value: unknown, moments: Moments): string {
  if (value === null || value === undefined) return '';
  if (value instanceof Date) return moments.write(value.getTime());
  if (Array.isArray(value))
    return value.map((item) => (Array.isArray(item) ? '' : textOf(item, moments))).join(',');
  return typeof value === 'object' ? '' : String(value);
}

/** A time as milliseconds, everything else as it is. */
export function plain(value: unknown): unknown {
  return value instanceof Date ? value.getTime() : value;
}

/**
 * Two values as JavaScript compares them (`null` is 0 before numbers, `"7"` is 7); a time is compared with a text as
 * the moment that this names. Lists and objects equal nothing and have no order.
 */
export function compare(
  left: unknown,
  right: unknown,
  judge: (a: never, b: never) => boolean,
  moments: Moments,
): boolean | null {
  const isTime = left instanceof Date || right instanceof Date;
  const [a, b] = isTime ? [momentOf(left, moments), momentOf(right, moments)] : [left ?? null, right ?? null];
  if (typeof a === 'object' && a !== null) return null;
  if (typeof b === 'object' && b !== null) return null;
  return judge(a as never, b as never);
}

function momentOf(value: unknown, moments: Moments): unknown {
  if (value instanceof Date) return value.getTime();
  if (typeof value === 'number') return value;
  return typeof value === 'string' ? (moments.read(value) ?? Number.NaN) : Number.NaN;
}
