import { type FolderPath, foldCase, isGroveError, parseFolderPath, parseVaultPath } from '@grove/core';
import * as z from 'zod';
import { FIELD_KINDS, type FieldKind } from './field-kinds.ts';

/** One property that notes of a type have. */
export interface FieldRule {
  readonly name: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  /** For `enum`: what it may be, as text. */
  readonly values: readonly string[];
  /** The owner's own example of a value, or null. */
  readonly example: string | number | boolean | null;
}

/** What the owner wants of the notes of one type. */
export interface NoteTypeRule {
  readonly name: string;
  /** Where notes of the type lie, below any of them; none when anywhere. */
  readonly folders: readonly FolderPath[];
  /** True when what lies in those folders must be of this type. */
  readonly folderOnly: boolean;
  /** Vault-relative path of the note that new ones are modelled on, ending in `.md`; null when none is named. */
  readonly template: string | null;
  /** True when the tags of a note must include its type. */
  readonly tagged: boolean;
  readonly fields: readonly FieldRule[];
}

/** The owner's rules for notes; without types nothing but structure is checked. */
export interface VaultSchema {
  readonly types: readonly NoteTypeRule[];
  /** Notes that others are made from, in folded case: their places are not filled in yet, and no rule holds for them. */
  readonly templates: ReadonlySet<string>;
  /** The folder of templates, in folded case; null when there is none. */
  readonly templateFolder: string | null;
}

/** What a vault without types wants of its notes. */
export const NO_RULES: VaultSchema = { types: [], templates: new Set(), templateFolder: null };

const MOST_TYPES = 100;
/** Of one type, required and optional: all that a note breaks must fit one answer. */
const MOST_FIELDS = 45;
const MOST_VALUES = 200;

const LONGEST_NAME = 60;
const LONGEST_VALUE = 100;

const VALUE = z.union([z.string().min(1).max(LONGEST_VALUE), z.number(), z.boolean()]);
const VALUES = z.array(VALUE).min(1).max(MOST_VALUES);
const KIND = z.preprocess(
  (kind) => (kind === 'tag list' ? 'tags' : kind),
  z.enum(FIELD_KINDS, {
    error: `is no kind of field; kinds are ${FIELD_KINDS.join(', ')}, or a list of what it may be`,
  }),
);
const SPELT_OUT = z
  .object({ kind: KIND.optional(), values: VALUES.optional(), example: VALUE.optional() })
  .refine(({ kind, values }) => kind !== undefined || values !== undefined, '"kind" is missing')
  .refine(
    ({ kind, values }) => (values === undefined ? kind !== 'enum' : kind === undefined || kind === 'enum'),
    'an enum has "values", and only an enum has them',
  );

/** `author: link`, `status: [open, done]`, or `born: {kind: date, example: 1815-12-10}`. */
const FIELD = z.unknown().transform((value, context) => {
  const read = Array.isArray(value)
    ? VALUES.safeParse(value).data && { values: VALUES.parse(value) }
    : undefined;
  const parsed = SPELT_OUT.safeParse(read ?? (typeof value === 'string' ? { kind: value } : value));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  context.addIssue(issue?.message ?? 'is no field');
  return z.NEVER;
});

const FIELDS = z
  .record(z.string().min(1).max(LONGEST_NAME, `a field has more than ${LONGEST_NAME} characters`), FIELD)
  .nullish();

const FOLDER = z.string().transform((folder, context) => {
  const parsed = pathOr(context, () => parseFolderPath(folder.replace(/^\/+/, '')));
  if (parsed === '') context.addIssue('is the whole vault; leave it out for notes that lie anywhere');
  return parsed;
});

/** What is wrong with a value that may be a text or a list of them. */
function listedOrText({ input, errors }: { input?: unknown; errors?: unknown }): string {
  const branches = Array.isArray(errors) ? (errors as { message: string }[][]) : [];
  const branch = Array.isArray(input) ? branches[1] : typeof input === 'string' ? branches[0] : undefined;
  return branch?.[0]?.message ?? 'is no folder, and no list of folders';
}

const TYPE = z
  .object({
    folder: z.union([FOLDER, z.array(FOLDER)], { error: listedOrText }).optional(),
    folder_only: z.boolean().optional(),
    template: z
      .string()
      .transform((path, context) => pathOr(context, () => parseVaultPath(withEnding(path))))
      .optional(),
    tags_include_type: z.boolean().optional(),
    required: FIELDS,
    optional: FIELDS,
  })
  .refine(({ required, optional }) => repeated(required, optional) === undefined, {
    error: 'a field is both required and optional',
  })
  .refine(
    ({ required, optional }) =>
      Object.keys(required ?? {}).length + Object.keys(optional ?? {}).length <= MOST_FIELDS,
    `has more than ${MOST_FIELDS} fields`,
  );

/** The part of `.grove/vault.yaml` that holds types. */
export const TYPES = z
  .record(
    z
      .string()
      .max(LONGEST_NAME, `a type has more than ${LONGEST_NAME} characters`)
      .refine((name) => name.trim() !== '', 'a type needs a name'),
    TYPE.nullable(),
  )
  .refine((types) => Object.keys(types).length <= MOST_TYPES, `has more than ${MOST_TYPES} types`)
  .refine((types) => !hasTwins(Object.keys(types)), 'two types differ in case only');

/** Keys that a type may have, to tell slips from what is meant. */
export const TYPE_KEYS: readonly string[] = Object.keys(TYPE.shape);
/** Keys that a field may have when it is spelt out. */
export const FIELD_KEYS: readonly string[] = ['kind', 'values', 'example'];

/** Rules as they are checked, from what the file says; `templates` and `templateFolder` come from other settings. */
export function compileSchema(
  types: z.infer<typeof TYPES>,
  tagsIncludeType: boolean,
  templates: readonly (string | null)[],
  templateFolder: string | null,
): VaultSchema {
  const rules = Object.entries(types).map(([name, type]) => compileType(name.trim(), type, tagsIncludeType));
  const models = [...templates, ...rules.map(({ template }) => template)].filter((path) => path !== null);
  return {
    types: rules,
    templates: new Set(models.map((path) => foldCase(withEnding(path)))),
    templateFolder: templateFolder === null || templateFolder === '' ? null : foldCase(templateFolder),
  };
}

function compileType(
  name: string,
  type: z.infer<typeof TYPE> | null,
  tagsIncludeType: boolean,
): NoteTypeRule {
  const { folder = [], folder_only, template, tags_include_type, required, optional } = type ?? {};
  return {
    name,
    folders: Array.isArray(folder) ? folder : [folder],
    folderOnly: folder_only ?? true,
    template: template ?? null,
    tagged: tags_include_type ?? tagsIncludeType,
    fields: [...compileFields(required, true), ...compileFields(optional, false)],
  };
}

function compileFields(fields: z.infer<typeof FIELDS>, required: boolean): FieldRule[] {
  return Object.entries(fields ?? {}).map(([name, { kind, values, example }]) => ({
    name,
    kind: kind ?? 'enum',
    required,
    values: values?.map(String) ?? [],
    example: example ?? null,
  }));
}

function pathOr<T extends string>(context: z.RefinementCtx, parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    if (!isGroveError(error, 'bad_path')) throw error;
    context.addIssue(`is no path of the vault: ${String(error.data.reason)}`);
    return z.NEVER;
  }
}

function withEnding(path: string): string {
  const relative = path.replace(/^\/+/, '').normalize('NFC');
  return /\.md$/i.test(relative) ? relative : `${relative}.md`;
}

function repeated(required: z.infer<typeof FIELDS>, optional: z.infer<typeof FIELDS>): string | undefined {
  const names = new Set(Object.keys(required ?? {}).map(foldCase));
  return Object.keys(optional ?? {}).find((name) => names.has(foldCase(name)));
}

function hasTwins(names: readonly string[]): boolean {
  return new Set(names.map((name) => foldCase(name.trim()))).size < names.length;
}
