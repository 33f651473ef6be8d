import { defaultMethods, LogicEngine } from 'json-logic-engine';
import type { TextQuestion } from '../fields.ts';
import { AskedOfText, TrueOfText } from './asked-of-text.ts';
import { AskedNote } from './names.ts';
import { operatorsOf } from './operators.ts';
import { Constant, isTrue, type Moments } from './values.ts';
import { Work } from './work.ts';

type Arguments = readonly unknown[];
type Method = (args: Arguments, context: unknown, above: unknown, engine: Interpreter) => unknown;

const LIBRARY: Readonly<Record<string, unknown>> = defaultMethods;
const CONTROL = ['if', '?:', 'and', 'or', '!', '!!'] as const;

/**
 * json-logic-engine's interpreter over trees that were checked, with each node counted. What looks into the values of a
 * note is ours ({@link operatorsOf}), and so is going through lists: the library's own goes over whatever has a length.
 */
export class Interpreter extends LogicEngine {
  readonly #work: Work;
  readonly #moments: Moments;

  constructor(work: Work, moments: Moments) {
    super(methodsOf(work, moments), { disableInline: true, disableInterpretedOptimization: true });
    this.#work = work;
    this.#moments = moments;
  }

  override run(logic: unknown, context?: unknown, options?: { above?: unknown }): unknown {
    // Whoever goes through a list counts its items.
    if (logic instanceof Constant) return logic.value;
    if (logic instanceof AskedOfText) return this.askedOfText(logic, context as AskedNote);
    if (logic instanceof TrueOfText) return this.trueOfText(logic, context as AskedNote);
    this.#work.spend(1);
    return super.run(logic, context, options);
  }

  override truthy(value: unknown): boolean {
    return isTrue(value);
  }

  /** What a part says of the note's text, which may be known. */
  protected askedOfText(asked: AskedOfText, note: AskedNote): boolean {
    this.#work.spend(asked.stepsFor(note));
    return note.fields.says(note.row, asked.question).isYes;
  }

  /** Counts what it took when it was found, by a count of its own, also where the answer was known. */
  protected trueOfText({ key, written }: TrueOfText, note: AskedNote): boolean {
    const ask: TextQuestion['ask'] = (_, row, fields) => {
      const own = new Work();
      own.begin(row.path);
      const answer = new Interpreter(own, this.#moments).run(written, new AskedNote(row, fields));
      return { isYes: isTrue(answer), steps: own.spent };
    };
    const { isYes, steps } = note.fields.says(note.row, { key, needs: null, ask });
    this.#work.spend(steps);
    return isYes;
  }
}

function methodsOf(work: Work, moments: Moments): Record<string, unknown> {
  const control = Object.fromEntries(CONTROL.map((name) => [name, LIBRARY[name]]));
  return { ...operatorsOf(work, moments), ...control, ...lists(work) };
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
  };
}
