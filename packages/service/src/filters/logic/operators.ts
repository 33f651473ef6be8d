import { defaultMethods } from 'json-logic-engine';
import { compare, type Moments, plain, textOf } from './values.ts';
import type { Work } from './work.ts';

/** Longest text that a tree may put together, in UTF-16 units. */
const LONGEST_TEXT = 1 << 20;

/** Characters that count as one step. */
export const CHARACTERS = 64;

export const COMPARISONS: Readonly<Record<string, (a: never, b: never) => boolean>> = {
  // biome-ignore lint/suspicious/noDoubleEquals: JSONLogic's own equality, between plain values.
  '==': (a, b) => a == b,
  '===': (a, b) => a === b,
  '<': (a, b) => a < b,
  '<=': (a, b) => a <= b,
  '>': (a, b) => a > b,
  '>=': (a, b) => a >= b,
};

const ARITHMETIC = ['+', '-', '*', '/', '%', 'min', 'max'] as const;
const CONTROL = ['if', '?:', 'and', 'or', '!', '!!'] as const;

const LIBRARY: Readonly<Record<string, unknown>> = defaultMethods;

/** Every operator of a filter. */
export const LOGIC_OPERATORS: readonly string[] = [
  ...['var', 'missing', 'missing_some', ...CONTROL, ...Object.keys(COMPARISONS), '!=', '!==', ...ARITHMETIC],
  ...['in', 'cat', 'substr', 'merge', 'map', 'filter', 'reduce', 'all', 'some', 'none', 'glob', 'regexp'],
];

/** What a name stands for, where it is asked: the note, or an item of a list with what is around it. */
export type ReadName = (context: unknown, above: unknown) => unknown;

/** A name and how to read it, as `missing` takes them. */
export interface NamedRead {
  readonly name: string;
  readonly read: ReadName;
}

/** A glob or regular expression of a tree. */
export interface Pattern {
  readonly matches: (text: string) => boolean;
  /** Texts that are longer do not fit. */
  readonly longest: number;
  /** Steps for each {@link CHARACTERS} of a text. */
  readonly weight: number;
}

/** Takes what its arguments came to, and what they were asked of. */
export type Operator = (args: readonly unknown[], context: unknown, above: unknown) => unknown;

/** json-logic-engine's own, whose arguments have their values and which need nothing else. */
type LibraryMethod = (args: readonly unknown[]) => unknown;

/**
 * The operators all of whose arguments are asked first. Arithmetic is json-logic-engine's; what reaches into values
 * (names, comparisons, texts, lists) is not, since the library's own reads inherited properties and throws where two
 * values do not compare.
 */
export function operatorsOf(work: Work, moments: Moments): Readonly<Record<string, Operator>> {
  const operators: Record<string, Operator> = {};
  for (const name of ARITHMETIC) operators[name] = arithmetic(LIBRARY[name] as LibraryMethod);
  for (const [name, judge] of Object.entries(COMPARISONS)) operators[name] = comparison(judge, moments);
  return {
    ...operators,
    ...names(),
    ...texts(work, moments),
    '!=': inequality('==', moments),
    '!==': inequality('===', moments),
    merge: (args) => {
      work.spend(args.reduce((sum: number, part) => sum + (Array.isArray(part) ? part.length : 1), 0));
      return (LIBRARY.merge as LibraryMethod)(args);
    },
  };
}

/** What does not add up is no number, and so neither true nor equal to anything. */
function arithmetic(method: LibraryMethod): Operator {
  return (args) => {
    try {
      return method(args.map(plain));
    } catch (cause) {
      // The library throws NaN or `{type}` for values that are no numbers.
      if (cause instanceof Error) throw cause;
      return Number.NaN;
    }
  };
}

function comparison(judge: (a: never, b: never) => boolean, moments: Moments): Operator {
  return (args) =>
    args.slice(1).every((right, index) => compare(args[index], right, judge, moments) ?? false);
}

function inequality(name: string, moments: Moments): Operator {
  const equal = COMPARISONS[name]!;
  return ([left, right]) => !(compare(left, right, equal, moments) ?? false);
}

function names(): Record<string, Operator> {
  const missing = (wanted: readonly NamedRead[], context: unknown, above: unknown): string[] =>
    wanted
      .filter(({ read }) => {
        const value = read(context, above);
        return value === undefined || value === null || value === '';
      })
      .map(({ name }) => name);
  return {
    var: ([read, otherwise], context, above) =>
      (read as ReadName)(context, above) ?? (otherwise === undefined ? null : otherwise),
    missing: ([wanted], context, above) => missing(wanted as readonly NamedRead[], context, above),
    missing_some: ([least, wanted], context, above) => {
      const all = wanted as readonly NamedRead[];
      const lacking = missing(all, context, above);
      return all.length - lacking.length >= Number(least) ? [] : lacking;
    },
  };
}

function texts(work: Work, moments: Moments): Record<string, Operator> {
  /** A value as text, and what that costs. */
  const read = (value: unknown): string => {
    if (Array.isArray(value)) work.spend(value.length);
    const text = typeof value === 'string' ? value : textOf(value, moments);
    work.spend(Math.ceil(text.length / CHARACTERS));
    return text;
  };
  const fits: Operator = ([pattern, value]) => {
    const { matches, longest, weight } = pattern as Pattern;
    return (Array.isArray(value) ? value : [value]).some((item) => {
      if (item === null || (typeof item === 'object' && !(item instanceof Date))) return false;
      const text = read(item);
      if (text.length > longest) return false;
      work.spend(weight * Math.ceil(text.length / CHARACTERS));
      return matches(text);
    });
  };
  return {
    cat: (args) => {
      let text = '';
      for (const part of args) {
        text += read(part);
        if (text.length > LONGEST_TEXT) return text.slice(0, LONGEST_TEXT);
      }
      return text;
    },
    substr: ([value, from, length]) =>
      (LIBRARY.substr as LibraryMethod)([
        read(value),
        numberOf(from),
        length === undefined ? length : numberOf(length),
      ]),
    in: ([item, where]) => {
      if (typeof where === 'string') return item !== null && read(where).includes(read(item));
      if (!Array.isArray(where)) return false;
      work.spend(Math.ceil(where.length / 8));
      return where.includes(item);
    },
    glob: fits,
    regexp: fits,
  };
}

/** A value as a number, without asking an object what it would be. */
function numberOf(value: unknown): number {
  return typeof value === 'object' ? Number.NaN : Number(value);
}
