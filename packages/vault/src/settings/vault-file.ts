import { isMap, isScalar, isSeq, LineCounter, type Pair, type ParsedNode, parseDocument } from 'yaml';
import * as z from 'zod';
import { GARDEN, STAGE_KEYS } from './garden.ts';
import { FIELD_KEYS, TYPE_KEYS, TYPES } from './note-types.ts';

/** Where an owner describes the vault. */
export const VAULT_FILE = '.grove/vault.yaml';

const JOURNAL = z.object({
  folder: z.string().optional(),
  format: z.string().min(1).optional(),
  template: z.string().min(1).optional(),
});
const FILE = z.object({
  dialect: z.enum(['obsidian', 'logseq', 'foam', 'plain']).optional(),
  zone: z.string().refine(isZone, 'is no time zone of the IANA database, such as Europe/Berlin').optional(),
  instructions: z.string().optional(),
  journal: JOURNAL.optional(),
  types: TYPES.nullish(),
  tags_include_type: z.boolean().optional(),
  deletes: z.enum(['trash', 'confirm', 'deny']).optional(),
  autocommit: z.boolean().optional(),
  maintenance: z.boolean().optional(),
  discovery: z.enum(['off', 'suggest', 'wire']).optional(),
  garden: GARDEN.nullish(),
});

/** What `.grove/vault.yaml` holds. */
export type VaultFile = z.infer<typeof FILE>;

export interface VaultFileReading {
  /** Null when the file is not valid. */
  readonly file: VaultFile | null;
  /** Sentences that name key and line. */
  readonly remarks: readonly string[];
}

/** Reads the text of `.grove/vault.yaml`. Unknown keys are told and left alone. */
export function readVaultFile(text: string): VaultFileReading {
  const lines = new LineCounter();
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
  const broken = document.errors[0];
  if (broken !== undefined) {
    return invalid(`line ${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
  }
  const value: unknown = toPlain(document);
  if (value === null) return { file: {}, remarks: [] };
  const parsed = FILE.safeParse(value);
  if (!parsed.success) {
    return invalid(parsed.error.issues.map((issue) => `${where(issue.path)}: ${issue.message}`).join('; '));
  }
  const remarks = unknownKeys(value as object).map(
    (path) => `${VAULT_FILE}: ${where(path)} is not known and does nothing.`,
  );
  return { file: parsed.data, remarks };

  function where(path: readonly PropertyKey[]): string {
    const start = startOf(document, path);
    const line = start === undefined ? '' : `line ${lines.linePos(start).line}, `;
    return `${line}key "${path.map(String).join('.')}"`;
  }
}

/** Where a key, or what is nearest above it, begins. */
function startOf(
  document: ReturnType<typeof parseDocument>,
  path: readonly PropertyKey[],
): number | undefined {
  let node: unknown = document.contents;
  let start = document.contents?.range?.[0];
  for (const step of path) {
    if (isMap(node)) {
      // YAML may have read a key as a number, which a path has as text.
      const pair: Pair | undefined = node.items.find(
        ({ key }) => isScalar(key) && String(key.value) === String(step),
      );
      start = (pair?.key as ParsedNode | undefined)?.range?.[0] ?? start;
      node = pair?.value;
    } else if (isSeq(node)) {
      node = node.items[Number(step)];
      start = (node as ParsedNode | undefined)?.range?.[0] ?? start;
    } else break;
  }
  return start;
}

function toPlain(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 20 }) ?? null;
  } catch (error) {
    // yaml throws a ReferenceError when aliases grow beyond the limit: such a file is no mapping of ours.
    if (error instanceof ReferenceError) return [];
    throw error;
  }
}

function invalid(reason: string): VaultFileReading {
  return {
    file: null,
    remarks: [`${VAULT_FILE} is not valid (${reason}); what was read before stays in force.`],
  };
}

/** What a file comes to that is there and cannot be taken: a link, something too large, one without the right to it. */
export function unreadableVaultFile(reason: string): VaultFileReading {
  return {
    file: null,
    remarks: [`${VAULT_FILE} cannot be read (${reason}); what was read before stays in force.`],
  };
}

/** Paths of keys that do nothing: most of them are slips. */
function unknownKeys(value: object): string[][] {
  const { journal, types, garden } = value as { journal?: unknown; types?: unknown; garden?: unknown };
  return [
    ...unknownIn(value, Object.keys(FILE.shape), []),
    ...unknownIn(journal, Object.keys(JOURNAL.shape), ['journal']),
    ...unknownIn(garden, Object.keys(GARDEN.shape), ['garden']),
    ...Object.entries(STAGE_KEYS).flatMap(([stage, known]) =>
      unknownIn((garden as Record<string, unknown> | undefined)?.[stage], known, ['garden', stage]),
    ),
    ...entriesOf(types).flatMap(([name, type]) => [
      ...unknownIn(type, TYPE_KEYS, ['types', name]),
      ...['required', 'optional'].flatMap((list) =>
        entriesOf((type as Record<string, unknown> | null)?.[list]).flatMap(([field, spelt]) =>
          unknownIn(spelt, FIELD_KEYS, ['types', name, list, field]),
        ),
      ),
    ]),
  ];
}

function unknownIn(value: unknown, known: readonly string[], above: readonly string[]): string[][] {
  return entriesOf(value)
    .filter(([key]) => !known.includes(key))
    .map(([key]) => [...above, key]);
}

function entriesOf(value: unknown): [string, unknown][] {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
