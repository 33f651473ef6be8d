import { type FolderPath, foldCase, Slices } from '@grove/core';
import { isReadable } from '@grove/graph';
import { parseNote } from '@grove/markdown';
import type { NoteRow, VaultSchema } from '@grove/vault';
import { type FoundBreach, findBreaches, mayHearOf, type RuledNote } from '@grove/writes';
import { clip, noteFacts } from '../../answers/note-facts.ts';
import type { Scope } from '../../contract.ts';
import { diagnosis, pathOf } from './diagnosis.ts';
import { callFor, type MendingOperation } from './mending-call.ts';

type RuledText = RuledNote['note'];

/** A value may ask for a type, which asks for properties of its own. */
const ROUNDS = 3;

/** Notes that break the owner's rules, by the check that writes are judged by. */
export const brokenRuleDiagnosis = diagnosis('broken_rules', {
  find: breaking,
  paths: pathOf,
  tell: (scope, row) => {
    const note = ruledText(scope, row);
    const breaches = breachesOf(scope, row, note);
    const told = breaches.map(
      ({ field, wanted, example }) => `${field} ${wanted}${example === null ? '' : ` (${example})`}`,
    );
    return {
      ...noteFacts(scope, row),
      why: clip(`breaks rules of the vault: ${told.join('; ')}`, 600),
      ...callFor(scope, mending(scope, row, note, breaches)),
    };
  },
});

/** What was judged of rows, which never change, by the rules that it was judged by. */
const judged = new WeakMap<VaultSchema, WeakMap<NoteRow, boolean>>();

async function breaking(scope: Scope): Promise<readonly NoteRow[]> {
  const { schema } = scope.vault;
  if (schema.types.length === 0) return [];
  const known = judged.get(schema) ?? new WeakMap<NoteRow, boolean>();
  judged.set(schema, known);
  const slices = new Slices();
  const found: NoteRow[] = [];
  for (const row of scope.view.notes()) {
    if (slices.spent) await slices.rest();
    const breaks = known.get(row) ?? doesBreak(scope, row);
    known.set(row, breaks);
    if (breaks) found.push(row);
  }
  return found;
}

/** Whether a note keeps the rules is the same for every caller; how it is told is not. */
function doesBreak(scope: Scope, row: NoteRow): boolean {
  if (!isReadable(row) || scope.view.get(row.path) === null) return false;
  return (
    findBreaches({ path: row.path, note: ruledText(scope, row) }, scope.vault.schema, () => true).length > 0
  );
}

/** Properties are fetched only where a rule is about them. */
function ruledText(scope: Scope, row: NoteRow): RuledText {
  const { type, tags } = row;
  const rule = scope.vault.schema.types.find(({ name }) => foldCase(name) === foldCase(type ?? ''));
  return {
    type,
    dialect: scope.view.dialect,
    tags: tags.map((name) => ({ name })),
    frontmatter: {
      data: rule === undefined || rule.fields.length === 0 ? {} : scope.view.properties(row),
    },
  };
}

function breachesOf(scope: Scope, { path }: Pick<NoteRow, 'path'>, note: RuledText): FoundBreach[] {
  const { view, writable: policy, vault } = scope;
  const mayName = (folder: FolderPath): boolean => mayHearOf(folder, { view, policy });
  return findBreaches({ path, note }, vault.schema, mayName);
}

/** Examples for all that is missing: they keep the rules, and true values are for the caller to know. */
function mending(
  scope: Scope,
  row: NoteRow,
  note: RuledText,
  breaches: readonly FoundBreach[],
): readonly MendingOperation[] {
  const { path } = row;
  const place = breaches.find(({ field }) => field === 'path');
  if (place !== undefined)
    return place.example === null
      ? []
      : [{ action: 'move', path, to: place.example, if_hash: scope.sourceHash(row) }];
  const set = new Map<string, unknown>();
  const add = new Set<string>();
  const examples = { set, add, properties: scope.view.properties(row) };
  let now = note;
  let left = breaches;
  for (let round = 0; round < ROUNDS && left.length > 0; round += 1) {
    for (const breach of left) takeExample(breach, note.dialect, examples);
    now = withExamples(now, examples);
    left = breachesOf(scope, row, now);
  }
  const properties =
    set.size === 0 ? [] : [{ action: 'frontmatter' as const, path, set: Object.fromEntries(set) }];
  const tags = add.size === 0 ? [] : [{ action: 'tags' as const, path, add: [...add] }];
  return [...properties, ...tags];
}

interface Examples {
  /** Those that the note has. */
  readonly properties: Readonly<Record<string, unknown>>;
  readonly set: Map<string, unknown>;
  readonly add: Set<string>;
}

function takeExample(
  { field, example }: FoundBreach,
  dialect: RuledText['dialect'],
  { set, add, properties }: Examples,
): void {
  if (example === null) return;
  const text = dialect === 'logseq' ? `${example}\n` : `---\n${example}\n---\n`;
  const note = parseNote(text, { dialect, path: 'example.md' });
  if (field === 'tags') for (const { name } of note.tags) add.add(name);
  // Names that differ in case are one property, of which the first counts.
  else
    for (const [name, value] of Object.entries(note.frontmatter.data))
      set.set(spelt(name, properties), value);
}

/** The name as the note writes it, where it has the property. */
function spelt(name: string, properties: Readonly<Record<string, unknown>>): string {
  return Object.keys(properties).find((known) => foldCase(known) === foldCase(name)) ?? name;
}

function withExamples(note: RuledText, { set, add, properties }: Examples): RuledText {
  const type = set.get(spelt('type', properties));
  return {
    ...note,
    type: typeof type === 'string' ? type : note.type,
    tags: [...note.tags, ...[...add].map((name) => ({ name }))],
    frontmatter: { data: { ...properties, ...Object.fromEntries(set) } },
  };
}
