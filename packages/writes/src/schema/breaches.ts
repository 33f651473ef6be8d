import { type FolderPath, foldCase, isWithin, type VaultPath } from '@grove/core';
import type { NoteText } from '@grove/markdown';
import { type FieldRule, fitsKind, isEmptyValue, type NoteTypeRule, type VaultSchema } from '@grove/vault';
import { exampleLine, exampleValue, wantedOf } from './wording.ts';

/** One rule that a note does not keep. JSON. */
export interface Breach {
  /** The property that is wrong; `path` for where the note lies. */
  readonly field: string;
  /** What is wanted, as the end of a sentence that begins with the field. */
  readonly wanted: string;
  /** A line that would keep the rule, or a path; null where only the caller can know. */
  readonly example: string | null;
}

/** A breach with what tells it from others: the rule, and the value that broke it. */
export interface FoundBreach extends Breach {
  readonly identity: string;
}

/** What of a note the rules are about. */
export interface RuledText extends Pick<NoteText, 'type' | 'dialect'> {
  readonly tags: readonly Pick<NoteText['tags'][number], 'name'>[];
  readonly frontmatter: Pick<NoteText['frontmatter'], 'data'>;
}

export interface RuledNote {
  readonly path: VaultPath;
  readonly note: RuledText;
}

/**
 * The rules of its type and its folder that a note does not keep, in the order of the file. A note without a type that
 * the owner described has to keep only those of its folder; a template has to keep none.
 *
 * @param mayName false for folders that the caller must not hear of
 */
export function findBreaches(
  { path, note }: RuledNote,
  schema: VaultSchema,
  mayName: (folder: FolderPath) => boolean,
): FoundBreach[] {
  const folded = foldCase(path);
  const { templateFolder } = schema;
  if (schema.templates.has(folded)) return [];
  if (templateFolder !== null && folded.startsWith(`${templateFolder}/`)) return [];
  const type = schema.types.find(({ name }) => foldCase(name) === foldCase(note.type ?? ''));
  const place = type === undefined ? null : placeBreach(type, path, mayName);
  // Whoever is in the wrong folder would be told of the type that the folder wants, and then of the folder.
  const own = place === null ? folderBreach(note, path, schema, mayName) : place;
  return [
    ...(own === null ? [] : [own]),
    ...(type === undefined ? [] : [...fieldBreaches(type, note), ...tagBreaches(type, note)]),
  ];
}

function placeBreach(
  { name, folders }: NoteTypeRule,
  path: VaultPath,
  mayName: (folder: FolderPath) => boolean,
): FoundBreach | null {
  if (folders.length === 0 || folders.some((folder) => holds(folder, path))) return null;
  const named = folders.filter(mayName);
  const [first] = named;
  return {
    field: 'path',
    wanted:
      first === undefined
        ? `notes of type "${name}" lie in another folder`
        : `notes of type "${name}" lie in ${listed(named)}`,
    example: first === undefined ? null : `${first}/${path.slice(path.lastIndexOf('/') + 1)}`,
    identity: `place ${path}`,
  };
}

/** The rule of the innermost folder that a type has for itself. */
function folderBreach(
  { type, dialect }: RuledText,
  path: VaultPath,
  { types }: VaultSchema,
  mayName: (folder: FolderPath) => boolean,
): FoundBreach | null {
  const owners = typesAt(path, types);
  const [first] = owners;
  if (first === undefined || owners.some(({ rule }) => !rule.folderOnly || isOfType(rule, type))) return null;
  const names = owners.map(({ rule }) => `"${rule.name}"`).join(' or ');
  const where = mayName(first.folder) ? `${first.folder}/` : 'this folder';
  return {
    field: 'type',
    wanted: `notes in ${where} have the type ${names}`,
    example: exampleLine('type', first.rule.name, dialect),
    identity: `folder ${foldCase(path)} ${type ?? ''}`,
  };
}

/** The types whose folder is the innermost around a note, with that folder. */
export function typesAt(
  path: VaultPath,
  types: readonly NoteTypeRule[],
): { readonly rule: NoteTypeRule; readonly folder: FolderPath }[] {
  const claims = types.flatMap((rule) =>
    rule.folders.filter((folder) => holds(folder, path)).map((folder) => ({ rule, folder })),
  );
  const innermost = Math.max(...claims.map(({ folder }) => folder.length));
  return claims.filter(({ folder }) => folder.length === innermost);
}

function isOfType({ name }: NoteTypeRule, type: string | null): boolean {
  return type !== null && foldCase(name) === foldCase(type);
}

function fieldBreaches({ name: type, fields }: NoteTypeRule, note: RuledText): FoundBreach[] {
  const properties = new Map<string, unknown>();
  for (const [name, value] of Object.entries(note.frontmatter.data)) {
    const folded = foldCase(name);
    // Obsidian takes names that differ in case for one property; the first is what it shows.
    if (!properties.has(folded)) properties.set(folded, value);
  }
  return fields.flatMap((field) => {
    const value = properties.get(foldCase(field.name));
    const isMissing = isEmptyValue(value);
    if (isMissing ? !field.required : fitsKind(value, field.kind, field.values, note.dialect)) return [];
    return [fieldBreach(type, field, note, isMissing ? undefined : value)];
  });
}

function fieldBreach(type: string, field: FieldRule, { dialect }: RuledText, value: unknown): FoundBreach {
  const { name } = field;
  return {
    field: name,
    wanted:
      value === undefined
        ? `is missing, and type "${type}" wants ${wantedOf(field)}`
        : `has another value than type "${type}" wants: ${wantedOf(field)}`,
    example: exampleLine(name, exampleValue(field), dialect),
    identity: `field ${foldCase(name)} ${JSON.stringify(value) ?? ''}`,
  };
}

function tagBreaches({ name, tagged }: NoteTypeRule, { tags, dialect }: RuledText): FoundBreach[] {
  if (!tagged) return [];
  const wanted = tagOfType(name);
  const fits = (tag: string): boolean => {
    const folded = foldCase(tag);
    return folded === foldCase(wanted) || folded.startsWith(`${foldCase(wanted)}/`);
  };
  if (tags.some((tag) => fits(tag.name))) return [];
  return [
    {
      field: 'tags',
      wanted: `include the type, as "${wanted}"`,
      example: exampleLine('tags', [wanted], dialect),
      identity: `tag ${foldCase(wanted)}`,
    },
  ];
}

/** A type as a tag: tags hold no blanks. */
export function tagOfType(type: string): string {
  return type.trim().replaceAll(/[\s#,]+/g, '-');
}

function holds(folder: FolderPath, path: VaultPath): boolean {
  return isWithin(foldCase(path), foldCase(folder) as FolderPath);
}

function listed(folders: readonly FolderPath[]): string {
  return folders.map((folder) => `${folder}/`).join(' or ');
}
