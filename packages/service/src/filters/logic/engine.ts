import { defaultMethods, LogicEngine } from 'json-logic-engine';
import { Constant, compare, isTrue, type Moments, plain, textOf } from './values.ts';
import type { Work } from './work.ts';

/** Longest text that a tree may put together, in UTF-16 units. */
const LONGEST_TEXT = 1 << 20;

/** Characters that count as one step. */
const CHARACTERS = 64;

const COMPARISONS: Readonly<Record<string, (a: never, b: never) => boolean>> = {
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

type Arguments = readonly unknown[];
type Method = (args: Arguments, context: unknown, above: unknown, engine: Interpreter) => unknown;

/**
 * json-logic-engine's interpreter, never its compiler, over trees that were checked: each node is counted, and what
 * reaches into values (names, comparisons, texts, lists) is replaced, since the library's own reads inherited
 * properties, throws where two values do not compare, and goes through any object that has a `length`.
 */
export class Interpreter extends LogicEngine {
  readonly #work: Work;

  constructor(work: Work, moments: Moments) {
    super(methodsOf(work, moments), { disableInline: true, disableInterpretedOptimization: true });
    this.#work = work;
  }

  override run(logic: unknown, context?: unknown, options?: { above?: unknown }): unknown {
    // Whoever goes through a list counts its items.
    if (logic instanceof Constant) return logic.value;
    this.#work.spend(1);
    return super.run(logic, context, options);
  }

  override truthy(value: unknown): boolean {
    return isTrue(value);
  }
}

function methodsOf(work: Work, moments: Moments): Record<string, unknown> {
  const methods: Record<string, unknown> = {};
  for (const name of CONTROL) methods[name] = LIBRARY[name];
  for (const name of ARITHMETIC) methods[name] = arithmetic(LIBRARY[name] as Method);
  for (const [name, judge] of Object.entries(COMPARISONS)) methods[name] = comparison(judge, moments);
  methods['!='] = inequality('==', moments);
  methods['!=='] = inequality('===', moments);
  return { ...methods, ...names(), ...texts(work, moments), ...lists(work) };
}

/** What does not add up is no number, and so neither true nor equal to anything. */
function arithmetic(method: Method): Method {
  return (args, ...rest) => {
    try {
      return method(args.map(plain), ...rest);
    } catch (cause) {
      // The library throws NaN or `{type}` for values that are no numbers.
      if (cause instanceof Error) throw cause;
      return Number.NaN;
    }
  };
}

function comparison(judge: (a: never, b: never) => boolean, moments: Moments): Method {
  return (args) =>
    args.slice(1).every((right, index) => compare(args[index], right, judge, moments) ?? false);
}

function inequality(name: string, moments: Moments): Method {
  const equal = COMPARISONS[name]!;
  return ([left, right]) => !(compare(left, right, equal, moments) ?? false);
}

function names(): Record<string, Method> {
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

function texts(work: Work, moments: Moments): Record<string, Method> {
  /** A value as text, and what that costs. */
  const read = (value: unknown): string => {
    if (Array.isArray(value)) work.spend(value.length);
    const text = typeof value === 'string' ? value : textOf(value, moments);
    work.spend(Math.ceil(text.length / CHARACTERS));
    return text;
  };
  const fits: Method = ([pattern, value]) => {
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
    substr: ([value, from, length], ...rest) =>
      (LIBRARY.substr as Method)(
        [read(value), numberOf(from), length === undefined ? length : numberOf(length)],
        ...rest,
      ),
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

function lists(work: Work): Record<string, unknown> {
  /** Goes through a list; what is no list has no items. */
  const over = (
    [list, each, ...others]: Arguments,
    context: unknown,
    above: unknown,
    engine: Interpreter,
  ) => {
    const found = engine.run(list, context, { above });
    const items: readonly unknown[] = Array.isArray(found) ? found : [];
    work.spend(items.length);
    const run = (item: unknown): unknown => engine.run(each, item, { above: [items, context, above] });
    return { items, run, others };
  };
  const lazy = (make: (walk: ReturnType<typeof over>) => unknown): { lazy: true; method: Method } => ({
    lazy: true,
    method: (...call) => make(over(...call)),
  });
  return {
    map: lazy(({ items, run }) => items.map(run)),
    filter: lazy(({ items, run }) => items.filter((item) => isTrue(run(item)))),
    some: lazy(({ items, run }) => items.some((item) => isTrue(run(item)))),
    none: lazy(({ items, run }) => !items.some((item) => isTrue(run(item)))),
    all: lazy(({ items, run }) => items.length > 0 && items.every((item) => isTrue(run(item)))),
    reduce: {
      lazy: true,
      method: ((args, context, above, engine) => {
        const { items, run, others } = over(args, context, above, engine);
        const start = others.length === 0 ? null : engine.run(others[0], context, { above });
        return items.reduce((accumulator, current) => run({ accumulator, current }), start);
      }) satisfies Method,
    },
    merge: ((args, ...rest) => {
      work.spend(args.reduce((sum: number, part) => sum + (Array.isArray(part) ? part.length : 1), 0));
      return (LIBRARY.merge as Method)(args, ...rest);
    }) satisfies Method,
  };
}
