import { LineCounter, type ParsedNode, parseDocument } from 'yaml';
import * as z from 'zod';

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
  return { file: parsed.data, remarks: unknownKeys(value as object) };

  function where(path: readonly PropertyKey[]): string {
    const node = path.length === 0 ? document.contents : document.getIn(path, true);
    const start = (node as ParsedNode | undefined)?.range?.[0];
    const line = start === undefined ? '' : `line ${lines.linePos(start).line}, `;
    return `${line}key "${path.map(String).join('.')}"`;
  }
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

function unknownKeys(value: object): string[] {
  return Object.keys(value)
    .filter((key) => !(key in FILE.shape))
    .map((key) => `${VAULT_FILE}: the key "${key}" is not known and does nothing.`);
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
