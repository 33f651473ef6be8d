import { type FolderPath, foldCase, GroveError, type VaultPath } from '@grove/core';
import { type Dialect, decodeNote, type NoteText, parseNote, parseNoteAsync } from '@grove/markdown';
import type { VaultSchema, View } from '@grove/vault';
import type { WritePolicy } from '../notes/write-policy.ts';
import { type Breach, type FoundBreach, findBreaches } from './breaches.ts';

/** One note as it was and as it would be. */
export interface NoteChange {
  /** Null for a note that is new. A note that moves was elsewhere. */
  readonly before: { readonly path: VaultPath; readonly bytes: Uint8Array } | null;
  readonly after: { readonly path: VaultPath; readonly bytes: Uint8Array };
}

export interface JudgeSetting {
  readonly schema: VaultSchema;
  readonly view: View;
  readonly policy: WritePolicy;
}

/** Longer notes are parsed off the event loop, in UTF-16 units. */
const SMALL = 16 * 1024;
/** So many breaches are told in the message; all of them beside it. */
const TOLD = 6;

/**
 * Judges what a write makes of a note by the owner's rules. What the note broke before in the same way, with the same
 * value, is no reason to refuse: whoever fixes a typing error need not mend what others left. A value that is still
 * wrong, but another one, is.
 *
 * @returns what the note breaks as before, for a remark
 * @throws GroveError `schema_violation` with every new breach
 */
export async function judgeChange({ before, after }: NoteChange, setting: JudgeSetting): Promise<Breach[]> {
  const { schema, view, policy } = setting;
  if (schema.types.length === 0) return [];
  const mayName = (folder: FolderPath): boolean => mayHearOf(folder, { view, policy });
  const now = await breachesOf(after, view.dialect, schema, mayName);
  if (now.length === 0) return [];
  const old = before === null ? [] : await breachesOf(before, view.dialect, schema, mayName);
  const known = new Set(old.map(({ identity }) => identity));
  const worse = now.filter(({ identity }) => !known.has(identity));
  if (worse.length > 0) throw violation(after.path, worse, await templateFor(after, setting));
  return now.map(withoutIdentity);
}

async function breachesOf(
  { path, bytes }: { readonly path: VaultPath; readonly bytes: Uint8Array },
  dialect: Dialect,
  schema: VaultSchema,
  mayName: (folder: FolderPath) => boolean,
): Promise<FoundBreach[]> {
  return findBreaches({ path, note: await parse(bytes, dialect, path) }, schema, mayName);
}

async function parse(bytes: Uint8Array, dialect: Dialect, path: VaultPath): Promise<NoteText> {
  const { text } = decodeNote(bytes, path);
  return text.length <= SMALL
    ? parseNote(text, { dialect, path })
    : await parseNoteAsync(text, { dialect, path });
}

/**
 * Whether a caller may hear of a folder that the owner's rules name: one that it may write in. Whose View judges notes by
 * what they say hears of those alone that hold notes it sees, or that it was given to write in.
 */
export function mayHearOf(
  folder: FolderPath,
  { view, policy }: Pick<JudgeSetting, 'view' | 'policy'>,
): boolean {
  if (view.isOwner) return true;
  if (policy.refusal(`${folder}/x.md` as VaultPath) !== null) return false;
  if (policy.notes === null) return true;
  const folded = foldCase(folder);
  return [...view.folders().map(({ path }) => path as string), ...policy.writePaths].some(
    (known) => foldCase(known) === folded,
  );
}

/** The template that the note's type names, where this caller can read it. */
async function templateFor(
  { path, bytes }: NoteChange['after'],
  { schema, view }: JudgeSetting,
): Promise<string | null> {
  const { type } = await parse(bytes, view.dialect, path);
  const template = schema.types.find(({ name }) => name.toLowerCase() === type?.toLowerCase())?.template;
  if (template === undefined || template === null) return null;
  return view.get(template as VaultPath)?.path ?? null;
}

function violation(path: VaultPath, worse: readonly FoundBreach[], template: string | null): GroveError {
  const told = worse.slice(0, TOLD).map(sentence).join('; ');
  const more = worse.length > TOLD ? `; and ${worse.length - TOLD} more` : '';
  return new GroveError(
    'schema_violation',
    { path, reason: told + more, breaches: worse.map(withoutIdentity), template },
    template === null
      ? {}
      : {
          hint: `Put right what is named and send it again, in one call. A template of this type is ${JSON.stringify(template)}.`,
        },
  );
}

function sentence({ field, wanted, example }: Breach): string {
  return `${field}: ${wanted}${example === null ? '' : ` (${example})`}`;
}

function withoutIdentity({ field, wanted, example }: FoundBreach): Breach {
  return { field, wanted, example };
}

/** What a caller is told of rules that a note broke before. */
export function keptRemark(breaches: readonly Breach[]): string {
  return `The note broke rules of this vault before, and still does: ${[...new Set(breaches.map(({ field }) => field))].join(', ')}.`;
}
