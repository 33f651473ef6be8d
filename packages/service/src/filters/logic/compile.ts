import { nearest } from '@grove/core';
import { expandChoices, type NoteRow } from '@grove/vault';
import { MOST_CHOICES, pathGlob, textPattern } from '../../notes/name-pattern.ts';
import { ASKS, type Asks, type NoteFields, TextWanted } from '../fields.ts';
import { clipped, refusedWhere } from '../refused-where.ts';
import { holdsText, matchesRegex } from '../text-question.ts';
import { AskedOfText, TrueOfText } from './asked-of-text.ts';
import { Interpreter } from './interpreter.ts';
import { AskedNote, readName } from './names.ts';
import { CHARACTERS, LOGIC_OPERATORS, type NamedRead, type Pattern } from './operators.ts';
import type { PatternVerdicts } from './pattern-verdicts.ts';
import { Constant, isTrue, type Moments } from './values.ts';
import { Work } from './work.ts';

const DEEPEST = 24;
const MOST_NODES = 500;
const MOST_PATTERNS = 20;
const LONGEST_VALUE = 1_000;
const LONGEST_NAME = 200;
/** What a part of a tree may be long to be kept with its answers, in UTF-16 units. */
const LONGEST_KEY = 2_000;
/** Longer than any path. */
const LONGEST_GLOBBED = 4_096;

/** Operators whose second argument is asked of each item of the first. */
const OVER_LISTS = new Set(['map', 'filter', 'some', 'none', 'all', 'reduce']);
const COMPARING = new Set(['==', '===', '!=', '!==', '<', '<=', '>', '>=']);
/** Operators that are true or false. */
const JUDGING = new Set([...COMPARING, '!', '!!', 'in', 'glob', 'regexp', 'some', 'none', 'all']);
const LEAST_ARGUMENTS: Readonly<Record<string, number>> = {
  ...Object.fromEntries(
    [...COMPARING, ...OVER_LISTS, 'in', 'glob', 'regexp', 'missing_some', '%'].map((name) => [name, 2]),
  ),
  reduce: 3,
};

/** What other languages of filters call an operator. */
const SYNONYMS: Readonly<Record<string, string>> = {
  ...{ not: '!', eq: '==', '=': '==', neq: '!=', ne: '!=', lt: '<', lte: '<=', gt: '>', gte: '>=' },
  ...{ any: 'some', every: 'all', contains: 'in', includes: 'in', exists: '!!', match: 'regexp' },
  ...{ val: 'var', concat: 'cat', '??': 'or' },
};

/** A tree, ready to be asked of notes. */
export interface CompiledLogic {
  /** The most costly of what it asks for. */
  readonly asks: Asks;
  /** Frontmatter keys that it names, as written. */
  readonly properties: readonly string[];
  /** @throws GroveError `bad_filter` where it takes too much work */
  matches(row: NoteRow, fields: NoteFields): boolean;
}

/**
 * Checks a tree of JSONLogic and makes it ready: its names are looked up, its globs and regular expressions compiled.
 *
 * @throws GroveError `bad_filter`, `bad_regex`
 * @example await compileLogic({ in: ['garden', { var: 'tags' }] }, moments, verdicts)
 */
export async function compileLogic(
  tree: unknown,
  moments: Moments,
  verdicts: PatternVerdicts,
): Promise<CompiledLogic> {
  const { checked, asks, properties } = await checkLogic(tree, moments, verdicts);
  const work = new Work();
  const engine = new Interpreter(work, moments);
  return {
    asks,
    properties,
    matches: (row, fields) => {
      work.begin(row.path);
      try {
        return isTrue(engine.run(checked, new AskedNote(row, fields)));
      } catch (cause) {
        // It is asked again when the text is there.
        if (cause instanceof TextWanted) work.takeBack();
        throw cause;
      }
    },
  };
}

/** The tree as {@link Interpreter} takes it: values, lists, and operators with their arguments. */
export async function checkLogic(
  tree: unknown,
  moments: Moments,
  verdicts: PatternVerdicts,
): Promise<Pick<CompiledLogic, 'asks' | 'properties'> & { readonly checked: unknown }> {
  const compiler = new LogicCompiler(moments, verdicts);
  const checked = await compiler.compile(tree, 0, 0);
  return { checked, asks: compiler.asks, properties: [...compiler.properties] };
}

/** How many names were met: of the text, and of what is not fixed; and how many parts ask the text. */
interface Named {
  text: number;
  loose: number;
  asked: number;
}

class LogicCompiler {
  readonly #moments: Moments;
  readonly #verdicts: PatternVerdicts;
  #nodes = 0;
  #patterns = 0;
  readonly #named: Named = { text: 0, loose: 0, asked: 0 };
  asks: Asks = 'row';
  readonly properties = new Set<string>();

  constructor(moments: Moments, verdicts: PatternVerdicts) {
    this.#moments = moments;
    this.#verdicts = verdicts;
  }

  /** `depth` counts the levels of the tree, `lists` those of lists that are gone through. */
  async compile(node: unknown, depth: number, lists: number): Promise<unknown> {
    this.#count(depth);
    if (typeof node === 'string' && node.length > LONGEST_VALUE)
      throw refusedWhere(`it holds a text of more than ${LONGEST_VALUE} characters`);
    if (Array.isArray(node)) return this.#list(node, depth, lists);
    if (typeof node !== 'object' || node === null) return new Constant(node);
    const entries = Object.entries(node);
    const [entry, another] = entries;
    if (entry === undefined) return new Constant({});
    if (another !== undefined)
      throw refusedWhere(
        `one operator stands in each object, not both "${clipped(entry[0])}" and "${clipped(another[0])}"`,
      );
    const [operator, value] = entry;
    if (!LOGIC_OPERATORS.includes(operator)) throw refusedWhere(unknownOperator(operator));
    const args: readonly unknown[] = Array.isArray(value) ? value : [value];
    const least = LEAST_ARGUMENTS[operator] ?? 0;
    if (args.length < least) throw refusedWhere(`"${operator}" takes a list of ${least} or more`);
    const before = { ...this.#named };
    const written = { [operator]: await this.#arguments(operator, args, depth + 1, lists) };
    return lists > 0 ? written : this.#askedOfText(operator, args, written, before);
  }

  /** The part as what is asked of the note's text, where it is that and no part of it is already. */
  #askedOfText(
    operator: string,
    args: readonly unknown[],
    written: Readonly<Record<string, readonly unknown[]>>,
    before: Named,
  ): unknown {
    const { text, loose, asked } = this.#named;
    if (text === before.text || loose > before.loose || asked > before.asked) return written;
    const question = askedOfText(operator, args, written) ?? trueOfText(operator, args, written);
    if (question !== null) this.#named.asked += 1;
    return question ?? written;
  }

  #count(depth: number): void {
    this.#nodes += 1;
    if (this.#nodes > MOST_NODES) throw refusedWhere(`it has more than ${MOST_NODES} parts`);
    if (depth > DEEPEST) throw refusedWhere(`it is nested more than ${DEEPEST} levels deep`);
  }

  async #list(items: readonly unknown[], depth: number, lists: number): Promise<unknown> {
    const compiled = await this.#each(items, depth + 1, lists);
    const isConstant = compiled.every((item) => item instanceof Constant);
    return isConstant ? new Constant(compiled.map((item) => (item as Constant).value)) : compiled;
  }

  async #each(items: readonly unknown[], depth: number, lists: number): Promise<unknown[]> {
    const compiled: unknown[] = [];
    for (const item of items) compiled.push(await this.compile(item, depth, lists));
    return compiled;
  }

  async #arguments(
    operator: string,
    args: readonly unknown[],
    depth: number,
    lists: number,
  ): Promise<unknown[]> {
    if (operator === 'var') return this.#variable(args, depth, lists);
    if (operator === 'missing') return [this.#names(args, depth, lists)];
    if (operator === 'missing_some') {
      const [least, names] = args;
      if (typeof least !== 'number') throw refusedWhere('"missing_some" takes a number and a list of names');
      return [new Constant(least), this.#names([names], depth, lists)];
    }
    if (operator === 'glob' || operator === 'regexp') {
      const [pattern, ...values] = args;
      return [await this.#pattern(operator, pattern), ...(await this.#each(values, depth, lists))];
    }
    if (COMPARING.has(operator)) this.#checkDates(args, lists);
    if (!OVER_LISTS.has(operator)) return this.#each(args, depth, lists);
    const [list, each, ...others] = args;
    return [
      await this.compile(list, depth, lists),
      await this.compile(each, depth, lists + 1),
      ...(await this.#each(others, depth, lists)),
    ];
  }

  async #variable(
    [name, ...otherwise]: readonly unknown[],
    depth: number,
    lists: number,
  ): Promise<unknown[]> {
    return [new Constant(this.#name(name, lists).read), ...(await this.#each(otherwise, depth, lists))];
  }

  #name(given: unknown, lists: number): NamedRead {
    if ((typeof given !== 'string' && typeof given !== 'number') || String(given).length > LONGEST_NAME)
      throw refusedWhere('"var" and "missing" take names written out, such as "frontmatter.due"');
    const name = String(given);
    const found = readName(name, lists);
    if (found === null) throw refusedWhere(`"${clipped(name)}" names nothing of a note here`);
    if (found.asks === 'text') this.#named.text += 1;
    else if (!found.isFixed) this.#named.loose += 1;
    if (ASKS.indexOf(found.asks) > ASKS.indexOf(this.asks)) this.asks = found.asks;
    if (found.field?.isProperty === true) this.properties.add(name);
    return { name, read: found.read };
  }

  #names(args: readonly unknown[], depth: number, lists: number): Constant {
    const [first] = args;
    const names: readonly unknown[] = Array.isArray(first) ? first : args;
    return new Constant(
      names.map((name) => {
        this.#count(depth);
        return this.#name(name, lists);
      }),
    );
  }

  async #pattern(operator: 'glob' | 'regexp', pattern: unknown): Promise<Constant> {
    this.#patterns += 1;
    if (this.#patterns > MOST_PATTERNS)
      throw refusedWhere(`it has more than ${MOST_PATTERNS} globs and regular expressions`);
    if (typeof pattern !== 'string')
      throw refusedWhere(
        `"${operator}" takes its pattern first, written out: {"${operator}": ["…", {"var": "path"}]}`,
      );
    const make = operator === 'glob' ? globPattern : regexPattern;
    return new Constant(await make(pattern, this.#verdicts));
  }

  /** A text that a time is compared with must name a moment. */
  #checkDates(args: readonly unknown[], lists: number): void {
    if (!args.some((node) => isTime(node, lists))) return;
    const wrong = args.find((value) => typeof value === 'string' && this.#moments.read(value) === null);
    if (wrong !== undefined) throw refusedWhere(`"${clipped(String(wrong))}" is no date`);
  }
}

/** A part that looks for something in the text, which the index may know. */
function askedOfText(
  operator: string,
  [asked, content, ...others]: readonly unknown[],
  written: Readonly<Record<string, readonly unknown[]>>,
): AskedOfText | null {
  if (others.length > 0 || !isContent(content)) return null;
  if (operator === 'in' && (typeof asked === 'string' || typeof asked === 'number')) {
    const wanted = String(asked);
    return new AskedOfText(holdsText(wanted), written, 4 + Math.ceil(wanted.length / CHARACTERS), 1);
  }
  if (operator !== 'regexp') return null;
  const { matches } = (written.regexp![0] as Constant).value as Pattern;
  return new AskedOfText(matchesRegex(String(asked), matches), written, 4, 2);
}

function trueOfText(operator: string, args: readonly unknown[], written: unknown): TrueOfText | null {
  if (!JUDGING.has(operator)) return null;
  const key = JSON.stringify({ [operator]: args });
  return key.length > LONGEST_KEY ? null : new TrueOfText(key, written);
}

function isContent(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const { var: name, ...others } = node as { readonly var?: unknown };
  const plain = Array.isArray(name) && name.length === 1 ? name[0] : name;
  return plain === 'content' && Object.keys(others).length === 0;
}

/** The globs of `glob` and of multi_get. */
function globPattern(glob: string, verdicts: PatternVerdicts): Pattern {
  const units = (expandChoices(glob, MOST_CHOICES) ?? []).join('').length;
  return {
    matches: verdicts.keeping(`glob ${glob}`, pathGlob(glob)),
    longest: LONGEST_GLOBBED,
    // A glob may look at each character of a text for each of its own.
    weight: Math.ceil(units / 8),
  };
}

async function regexPattern(regex: string, verdicts: PatternVerdicts): Promise<Pattern> {
  const matches = verdicts.keeping(`regexp ${regex}`, await textPattern(regex));
  return { matches, longest: Number.POSITIVE_INFINITY, weight: 1 };
}

function isTime(node: unknown, lists: number): boolean {
  if (typeof node !== 'object' || node === null) return false;
  const name: unknown = (node as { readonly var?: unknown }).var;
  const [plain] = Array.isArray(name) ? name : [name];
  return typeof plain === 'string' && readName(plain, lists)?.field?.kind === 'time';
}

/** Says which operator was meant, and which there are. */
export function unknownOperator(operator: string): string {
  const word = operator.toLowerCase();
  const near = Object.hasOwn(SYNONYMS, word) ? SYNONYMS[word] : nearest(word, LOGIC_OPERATORS, 1)[0];
  const meant = near === undefined ? '' : `, did you mean "${near}"`;
  return `"${clipped(operator)}" is no operator${meant}; the operators are ${LOGIC_OPERATORS.join(' ')}`;
}
