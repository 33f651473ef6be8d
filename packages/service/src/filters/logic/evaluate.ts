import type { TextQuestion } from '../fields.ts';
import { AskedOfText, TrueOfText } from './asked-of-text.ts';
import { AskedNote } from './names.ts';
import { COMPARISONS, type Operator, operatorsOf, type ReadName } from './operators.ts';
import { Constant, compare, isTrue, type Moments } from './values.ts';
import { Work } from './work.ts';

/** What a part of a tree comes to, asked of a note, or of an item of a list with what is around it. */
export type Evaluate = (context: unknown, above: unknown) => unknown;

/** How an operator asks for its arguments itself: those that decide nothing are not asked. */
type Lazy = (args: readonly Evaluate[], work: Work) => Evaluate;

/** Operators that are written out for as many arguments as they mostly have. */
type Short = (args: readonly Evaluate[]) => Evaluate | null;

/**
 * Turns trees that were checked into functions, one for each part, so that nothing is looked up while notes are judged.
 * They mean what json-logic-engine's interpreter makes of the same tree, and count the same steps.
 */
export class Evaluator {
  readonly #work: Work;
  readonly #moments: Moments;
  readonly #operators: Readonly<Record<string, Operator>>;
  readonly #short: Readonly<Record<string, Short>>;

  constructor(work: Work, moments: Moments) {
    this.#work = work;
    this.#moments = moments;
    this.#operators = operatorsOf(work, moments);
    this.#short = shortForms(work, moments);
  }

  of(node: unknown): Evaluate {
    if (node instanceof Constant) {
      const { value } = node;
      return () => value;
    }
    if (node instanceof AskedOfText) return this.#ofText(node);
    if (node instanceof TrueOfText) return this.#trueOfText(node);
    if (Array.isArray(node)) return this.#list(node);
    const [[name, nodes] = ['', []]] = Object.entries(node as Readonly<Record<string, readonly unknown[]>>);
    if (name === 'var' && nodes.length === 1) return this.#variable(nodes[0]);
    const args = nodes.map((argument) => this.of(argument));
    return LAZY[name]?.(args, this.#work) ?? this.#short[name]?.(args) ?? this.#eager(name, args);
  }

  #list(nodes: readonly unknown[]): Evaluate {
    const work = this.#work;
    const items = nodes.map((item) => this.of(item));
    return (context, above) => {
      work.spend(1);
      return items.map((item) => item(context, above));
    };
  }

  #ofText(asked: AskedOfText): Evaluate {
    const work = this.#work;
    return (context) => {
      const note = context as AskedNote;
      work.spend(asked.stepsFor(note));
      return note.fields.says(note.row, asked.question).isYes;
    };
  }

  /** Counts what it took when it was found, by a count of its own, also where the answer was known. */
  #trueOfText({ key, written }: TrueOfText): Evaluate {
    const work = this.#work;
    const own = new Work();
    const evaluate = new Evaluator(own, this.#moments).of(written);
    const ask: TextQuestion['ask'] = (_, row, fields) => {
      own.begin(row.path);
      const before = own.spent;
      const isYes = isTrue(evaluate(new AskedNote(row, fields), []));
      return { isYes, steps: own.spent - before };
    };
    const question: TextQuestion = { key, needs: null, ask };
    return (context) => {
      const { row, fields } = context as AskedNote;
      const { isYes, steps } = fields.says(row, question);
      work.spend(steps);
      return isYes;
    };
  }

  #variable(name: unknown): Evaluate {
    const work = this.#work;
    const read = (name as Constant).value as ReadName;
    return (context, above) => {
      work.spend(2);
      return read(context, above) ?? null;
    };
  }

  #eager(name: string, args: readonly Evaluate[]): Evaluate {
    const work = this.#work;
    const operator = this.#operators[name]!;
    return (context, above) => {
      // One for the operator, one for the list of its arguments.
      work.spend(2);
      const values = args.map((argument) => argument(context, above));
      return operator(values, context, above);
    };
  }
}

function shortForms(work: Work, moments: Moments): Record<string, Short> {
  const forms: Record<string, Short> = {
    '!': unary(work, (value) => !isTrue(value)),
    '!!': unary(work, isTrue),
    '!=': binary(work, (left, right) => !(compare(left, right, COMPARISONS['==']!, moments) ?? false)),
    '!==': binary(work, (left, right) => !(compare(left, right, COMPARISONS['===']!, moments) ?? false)),
  };
  for (const [name, judge] of Object.entries(COMPARISONS))
    forms[name] = binary(work, (left, right) => compare(left, right, judge, moments) ?? false);
  return forms;
}

function unary(work: Work, judge: (value: unknown) => unknown): Short {
  return (args) => {
    const [only] = args;
    if (only === undefined || args.length > 1) return null;
    return (context, above) => {
      work.spend(2);
      return judge(only(context, above));
    };
  };
}

function binary(work: Work, judge: (left: unknown, right: unknown) => unknown): Short {
  return (args) => {
    const [left, right] = args;
    if (left === undefined || right === undefined || args.length > 2) return null;
    return (context, above) => {
      work.spend(2);
      const a = left(context, above);
      return judge(a, right(context, above));
    };
  };
}

const choose: Lazy = (args, work) => {
  const otherwise = args.length % 2 === 1 ? args.at(-1) : undefined;
  return (context, above) => {
    work.spend(1);
    for (let at = 0; at + 1 < args.length; at += 2)
      if (isTrue(args[at]!(context, above))) return args[at + 1]!(context, above);
    return otherwise === undefined ? null : otherwise(context, above);
  };
};

/** Every argument in turn, until one is `ending`. */
const until =
  (ending: boolean): Lazy =>
  (args, work) =>
  (context, above) => {
    work.spend(1);
    let value: unknown = null;
    for (const argument of args) {
      value = argument(context, above);
      if (isTrue(value) === ending) return value;
    }
    return value;
  };

/** Goes through a list; what is no list has no items. */
const over =
  (
    walk: (items: readonly unknown[], run: (item: unknown) => unknown, start: () => unknown) => unknown,
  ): Lazy =>
  ([list, each, first], work) =>
  (context, above) => {
    work.spend(1);
    const found = list!(context, above);
    const items: readonly unknown[] = Array.isArray(found) ? found : [];
    work.spend(items.length);
    const around = [items, context, above];
    return walk(
      items,
      (item) => each!(item, around),
      () => (first === undefined ? null : first(context, above)),
    );
  };

const LAZY: Readonly<Record<string, Lazy>> = {
  if: choose,
  '?:': choose,
  and: until(false),
  or: until(true),
  map: over((items, run) => items.map(run)),
  filter: over((items, run) => items.filter((item) => isTrue(run(item)))),
  some: over((items, run) => items.some((item) => isTrue(run(item)))),
  none: over((items, run) => !items.some((item) => isTrue(run(item)))),
  all: over((items, run) => items.length > 0 && items.every((item) => isTrue(run(item)))),
  reduce: over((items, run, start) =>
    items.reduce((accumulator: unknown, current) => run({ accumulator, current }), start()),
  ),
};
