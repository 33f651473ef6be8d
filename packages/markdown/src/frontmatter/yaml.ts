import {
  type Alias,
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type Node,
  parseDocument,
  Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml';
import { asUnquotedLink } from './unquoted-link.ts';
import type { PropertyValue, YamlReading } from './values.ts';

// Work per note stays bounded: some malformed YAML costs the parser time that grows faster than its size.
const MAX_LENGTH = 64 * 1024;
const MAX_DEPTH = 60;
// Aliases may repeat nodes exponentially ("billion laughs"), so what they expand to is counted.
const MAX_EXPANDED_NODES = 10_000;

/**
 * Reads the YAML of a frontmatter block by the core schema of YAML 1.2: dates, `yes` and `no` stay text.
 * It must be a mapping without repeated keys; empty YAML is an empty mapping. Numbers that JSON cannot
 * hold exactly stay the text that was written. `[[Note]]` without quotes, which YAML takes for a list in
 * a list, is read as the link that it is in Obsidian. The merge key `<<` of YAML 1.1 brings in the keys of the
 * mappings that it names, as other readers of notes have it: one that hides a note must not be missed. Never throws.
 *
 * @example readYaml('due: 2026-11-30').data // { due: '2026-11-30' }
 */
export function readYaml(yaml: string): YamlReading {
  if (yaml.length > MAX_LENGTH) return failed(`it is longer than ${MAX_LENGTH} characters`, 0);
  let document: ReturnType<typeof parseDocument>;
  try {
    document = parseDocument(yaml, {
      schema: 'core',
      version: '1.2',
      // Checked below in linear time: the library compares each pair of keys.
      uniqueKeys: false,
      prettyErrors: false,
      logLevel: 'silent',
    });
  } catch (cause) {
    // The parser recurses: nesting thousands deep overflows its stack.
    return failed(cause instanceof RangeError ? 'it is nested too deeply' : describe(cause), 0);
  }
  const problem = document.errors[0];
  if (problem !== undefined) return failed(problem.message.split('\n', 1)[0]!, problem.pos[0]);
  const root = document.contents;
  if (root === null || (isScalar(root) && root.value === null)) return { data: {}, values: [], error: null };
  if (!isMap(root)) return failed('it is not a mapping of keys to values', root.range?.[0] ?? 0);
  try {
    const values: PropertyValue[] = [];
    const data = new Conversion(yaml, values).mapping(root, '', 0);
    return { data, values, error: null };
  } catch (cause) {
    if (cause instanceof Refusal) return failed(cause.message, cause.offset);
    throw cause;
  }
}

/** A key with its value, and what scalars stand in that. */
interface Field {
  readonly key: string;
  readonly value: unknown;
  readonly values: readonly PropertyValue[];
}

class Refusal extends Error {
  readonly offset: number;
  constructor(message: string, offset: number) {
    super(message);
    this.offset = offset;
  }
}

class Conversion {
  readonly #yaml: string;
  readonly #values: PropertyValue[];
  readonly #anchors = new Map<string, Node>();
  readonly #open = new Set<Node>();
  #expanded = 0;
  #inAlias = 0;
  #merging = 0;

  constructor(yaml: string, values: PropertyValue[]) {
    this.#yaml = yaml;
    this.#values = values;
  }

  mapping(node: Node, property: string, depth: number): Record<string, unknown> {
    const data: Record<string, unknown> = {};
    for (const { key, value, values } of this.#fields(node, property, depth)) {
      if (Object.hasOwn(data, key)) continue;
      this.#values.push(...values);
      // A plain assignment to `__proto__` would change the object's prototype.
      Object.defineProperty(data, key, { value, enumerable: true, writable: true, configurable: true });
    }
    return data;
  }

  /** The keys of a mapping, then those that it merges; of equal ones the first counts. */
  #fields(node: Node, property: string, depth: number): Field[] {
    const own: Field[] = [];
    const merged: Field[] = [];
    const seen = new Set<string>();
    for (const { key: name, value } of (node as YAMLMap<Node, Node | null>).items) {
      const key = this.#keyText(name);
      if (seen.has(key)) throw new Refusal(`the key "${key.slice(0, 80)}" is there twice`, offsetOf(name));
      seen.add(key);
      if (isMergeKey(name)) merged.push(...this.#merged(value, offsetOf(name), property, depth));
      else own.push(this.#field(key, value, depth === 0 ? key : property, depth));
    }
    return [...own, ...merged];
  }

  #field(key: string, node: Node | null, property: string, depth: number): Field {
    const from = this.#values.length;
    const value = this.#convert(node, property, depth, false);
    return { key, value, values: this.#values.splice(from) };
  }

  /** What a merge key brings: a mapping, or several in a list (https://yaml.org/type/merge.html). */
  #merged(node: Node | null, offset: number, property: string, depth: number, inList = false): Field[] {
    if (this.#merging >= MAX_DEPTH) throw new Refusal('it is nested too deeply', offset);
    this.#merging += 1;
    const fields = this.#mergedFrom(node, offset, property, depth, inList);
    this.#merging -= 1;
    return fields;
  }

  #mergedFrom(node: Node | null, offset: number, property: string, depth: number, inList: boolean): Field[] {
    this.#count(offset);
    if (isAlias(node))
      return this.#repeat(node, (target) => this.#merged(target, offset, property, depth, inList));
    const isList = isSeq(node) && !inList;
    if (!isMap(node) && !isList) throw new Refusal('"<<" takes a mapping, or a list of them', offset);
    this.#remember(node);
    this.#open.add(node);
    const fields = isList
      ? (node as YAMLSeq<Node | null>).items.flatMap((item) =>
          this.#merged(item, offset, property, depth, true),
        )
      : this.#fields(node, property, depth);
    this.#open.delete(node);
    return fields;
  }

  #convert(node: Node | null, property: string, depth: number, inList: boolean): unknown {
    if (node === null || node === undefined) return null;
    if (depth > MAX_DEPTH) throw new Refusal('it is nested too deeply', offsetOf(node));
    this.#count(offsetOf(node));
    if (isAlias(node)) return this.#repeat(node, (target) => this.#convert(target, property, depth, inList));
    this.#remember(node);
    if (isScalar(node)) return this.#scalar(node, property, depth, inList);
    this.#open.add(node);
    const value = isSeq(node)
      ? this.#sequence(node as YAMLSeq<Node | null>, property, depth, inList)
      : isMap(node)
        ? this.mapping(node, property, depth + 1)
        : null;
    this.#open.delete(node);
    return value;
  }

  #sequence(node: YAMLSeq<Node | null>, property: string, depth: number, inList: boolean): unknown {
    const link = asUnquotedLink(node, this.#yaml);
    if (link === null) return node.items.map((item) => this.#convert(item, property, depth + 1, depth === 0));
    this.#note(property, link, depth, inList, offsetOf(node), node.range?.[1] ?? 0);
    return link;
  }

  /** What `read` makes of the node that an alias stands for. */
  #repeat<Result>(node: Alias, read: (target: Node) => Result): Result {
    const target = this.#anchors.get(node.source);
    if (target === undefined) throw new Refusal(`the alias "*${node.source}" has no anchor`, offsetOf(node));
    if (this.#open.has(target))
      throw new Refusal(`the alias "*${node.source}" stands inside its own anchor`, offsetOf(node));
    this.#inAlias += 1;
    const result = read(target);
    this.#inAlias -= 1;
    return result;
  }

  #remember(node: Node): void {
    const { anchor } = node as { anchor?: string };
    if (anchor !== undefined) this.#anchors.set(anchor, node);
  }

  #count(offset: number): void {
    if (this.#inAlias > 0) this.#expanded += 1;
    if (this.#expanded > MAX_EXPANDED_NODES) throw new Refusal('its aliases repeat too much', offset);
  }

  #scalar(node: Scalar, property: string, depth: number, inList: boolean): unknown {
    const value = jsonValue(node);
    const text = typeof value === 'string' ? value : (node.source ?? String(value));
    const [start, end] = node.range ?? [0, 0];
    if (value === null) return null;
    this.#note(property, text, depth, inList, start, end);
    return value;
  }

  #note(property: string, text: string, depth: number, inList: boolean, start: number, end: number): void {
    const role = depth === 0 ? 'own' : inList && depth === 1 ? 'entry' : 'nested';
    this.#values.push({ property, text, role, start, end });
  }

  #keyText(key: Node | null): string {
    if (key === null) return '';
    if (isScalar(key)) return typeof key.value === 'string' ? key.value : (key.source ?? String(key.value));
    const [start, end] = key.range ?? [0, 0];
    return this.#yaml.slice(start, end);
  }
}

/** `<<` without quotes; quoted it is a key like any other. */
function isMergeKey(key: Node | null): boolean {
  return isScalar(key) && key.value === '<<' && (key.type ?? Scalar.PLAIN) === Scalar.PLAIN;
}

function jsonValue(node: Scalar): unknown {
  const { value } = node;
  if (typeof value === 'number') {
    const exact = Number.isInteger(value) ? Number.isSafeInteger(value) : Number.isFinite(value);
    // JSON has no negative zero.
    return exact ? value + 0 : (node.source ?? String(value));
  }
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  return node.source ?? String(value);
}

function offsetOf(node: Node | null): number {
  return node?.range?.[0] ?? 0;
}

function describe(cause: unknown): string {
  return cause instanceof Error ? cause.message.split('\n', 1)[0]! : 'it cannot be read';
}

function failed(message: string, offset: number): YamlReading {
  return { data: {}, values: [], error: { message, offset } };
}
