import { isDeepStrictEqual } from 'node:util';
import { Document, isMap, isScalar, isSeq, Scalar, visit } from 'yaml';
import { readYaml } from '../../frontmatter/yaml.ts';
import { badInput } from '../incoming.ts';

/** How the value that a new one takes the place of was written. */
export interface YamlStyle {
  /** Type of the scalar: its quotes, or a block style. */
  readonly scalar?: Scalar.Type | undefined;
  /** True for `[a, b]` and `{a: b}`, at every depth. */
  readonly flow?: boolean;
  /** False for the entries of a list that stand below the key's first letter. */
  readonly indentSeq?: boolean;
  /** True where the value must stand on one line. */
  readonly oneLine?: boolean;
}

// YAML 1.1, which other programs read notes by, takes these for booleans, numbers and merge keys (https://yaml.org/type/).
const OTHERS_VALUE =
  /^(?:yes|no|on|off|<<|[-+]?[0-9][0-9_]*(?:\.[0-9_]*)?(?:[eE][-+]?[0-9]+)?|[-+]?0[xob][0-9a-fA-F_]+|[-+]?[0-9]+(?::[0-5]?[0-9])+(?:\.[0-9_]*)?)$/i;
// Not plain everywhere: control characters and what other programs take for line breaks.
const UNUSUAL = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u2028\u2029\ufeff]/;

const KEY_STYLES: readonly (Scalar.Type | undefined)[] = [undefined, Scalar.QUOTE_DOUBLE];

/**
 * A JSON value as YAML, as it stands behind a key and its colon: ` text`, or a line break and lines that are
 * indented below the key. Lines end in `\n`, the last one in nothing. Throws `bad_input` for a value that
 * would not read back equal; `name` names it.
 *
 * @example yamlValue('tags', ['a', 'b']) // '\n  - a\n  - b'
 */
export function yamlValue(name: string, value: unknown, style: YamlStyle = {}): string {
  if (value === null && style.flow !== true && style.oneLine !== true) return '';
  const tries: YamlStyle[] = [
    style,
    { ...style, scalar: Scalar.QUOTE_DOUBLE },
    { ...style, scalar: Scalar.QUOTE_DOUBLE, flow: true },
  ];
  for (const attempt of tries) {
    const text = written(value, attempt);
    if (style.oneLine === true && text.includes('\n')) continue;
    const line = style.flow === true ? `{k:${text}}` : `k:${text}\n`;
    const { data, error } = readYaml(line);
    if (error === null && isDeepStrictEqual(data.k, value)) return text;
  }
  throw badInput(name, 'YAML has no form of this value that reads back equal');
}

/**
 * A key as YAML, quoted where it must be. Throws `bad_input` for one that fits no line.
 *
 * @example yamlKey('a: b') // '"a: b"'
 */
export function yamlKey(key: string): string {
  if (key === '') throw badInput('set', 'the name of a property is empty');
  for (const scalar of KEY_STYLES) {
    const document = new Document(key, { version: '1.2', schema: 'core' });
    if (isScalar(document.contents) && scalar !== undefined) document.contents.type = scalar;
    const text = document.toString({ lineWidth: 0 }).slice(0, -1);
    if (text.includes('\n') || text.length > 1000) continue;
    const { data, error } = readYaml(`${text}: 1\n`);
    if (error === null && isDeepStrictEqual(Object.keys(data), [key])) return text;
  }
  throw badInput('set', `no property can be called ${JSON.stringify(key.slice(0, 100))}`);
}

function written(
  value: unknown,
  { scalar, flow = false, indentSeq = true, oneLine = false }: YamlStyle,
): string {
  const document = new Document({ k: value }, { version: '1.2', schema: 'core' });
  const top = isMap(document.contents) ? document.contents.items[0]?.value : null;
  visit(document, {
    Scalar: (key, node) => {
      if (key === 'key' && node.value === 'k') return;
      style(node, node === top ? scalar : undefined);
      if ((flow || oneLine) && typeof node.value === 'string' && node.value.includes('\n'))
        node.type = Scalar.QUOTE_DOUBLE;
    },
  });
  if ((flow || oneLine) && (isMap(top) || isSeq(top))) top.flow = true;
  if (flow && isMap(document.contents)) document.contents.flow = true;
  const options = { lineWidth: 0, indentSeq, flowCollectionPadding: false };
  const text = document.toString(options);
  // `{k: value}` in a flow mapping, else `k: value`.
  return flow ? text.trimEnd().slice(3, -1) : text.slice(2).replace(/\n$/, '');
}

function style(node: Scalar, wanted: Scalar.Type | undefined): void {
  if (typeof node.value !== 'string') return;
  if (wanted !== undefined) node.type = wanted;
  const plain = node.type === undefined || node.type === Scalar.PLAIN;
  if (UNUSUAL.test(node.value) || (plain && OTHERS_VALUE.test(node.value))) node.type = Scalar.QUOTE_DOUBLE;
}
