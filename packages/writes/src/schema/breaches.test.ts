import { type FolderPath, parseVaultPath } from '@grove/core';
import { type Dialect, parseNote } from '@grove/markdown';
import { type FieldRule, NO_RULES, type NoteTypeRule, type VaultSchema } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findBreaches } from './breaches.ts';
import { exampleLine, exampleValue } from './wording.ts';

const rule = (name: string, more: Partial<NoteTypeRule> = {}): NoteTypeRule => ({
  name,
  folders: [],
  folderOnly: true,
  template: null,
  tagged: false,
  fields: [],
  ...more,
});
const folders = (...paths: string[]) => paths as unknown as FolderPath[];
const field = (name: string, kind: FieldRule['kind'], more: Partial<FieldRule> = {}): FieldRule => ({
  name,
  kind,
  required: true,
  values: [],
  example: null,
  ...more,
});
const schemaOf = (...types: NoteTypeRule[]): VaultSchema => ({ ...NO_RULES, types });

function breaches(
  schema: VaultSchema,
  path: string,
  text: string,
  { dialect = 'obsidian', mayName = () => true }: { dialect?: Dialect; mayName?: () => boolean } = {},
) {
  const at = parseVaultPath(path);
  return findBreaches({ path: at, note: parseNote(text, { dialect, path: at }) }, schema, mayName);
}
const fieldsOf = (...of: Parameters<typeof breaches>) => breaches(...of).map(({ field: name }) => name);
const ofType = (type: string, more = '') => `---\ntype: ${type}\n${more}---\n`;

describe('folders', () => {
  const schema = schemaOf(
    rule('project', { folders: folders('Work') }),
    rule('person', { folders: folders('Work/People', 'Friends') }),
    rule('guest', { folders: folders('Friends'), folderOnly: false }),
  );

  it.each([
    ['Work/Plan.md', 'project', []],
    ['work/sub/Plan.md', 'PROJECT', []],
    ['Works/Plan.md', 'project', ['path']],
    ['Plan.md', 'project', ['path']],
    ['Work/Plan.md', 'other', ['type']],
    ['Work/People/Ada.md', 'person', []],
    // The innermost folder counts.
    ['Work/People/Plan.md', 'project', ['type']],
    ['Work/People/x/Stray.md', 'other', ['type']],
    ['Friends/Ada.md', 'person', []],
    // One of its types leaves the folder open.
    ['Friends/Stray.md', 'other', []],
    ['Anywhere.md', 'other', []],
  ])('%s of type %s breaks %j', (path, type, broken) => {
    expect(fieldsOf(schema, path, ofType(type))).toEqual(broken);
  });

  it('are not named to who must not hear of them', () => {
    const found = breaches(schema, 'Open/Plan.md', ofType('project'), { mayName: () => false });
    expect(JSON.stringify(found.map(({ wanted, example }) => [wanted, example]))).not.toContain('Work');
  });

  it('want nothing of templates', () => {
    const templates = { ...schema, templates: new Set(['work/form.md']), templateFolder: 'work/forms' };
    expect(fieldsOf(templates, 'Work/Form.md', 'x')).toEqual([]);
    expect(fieldsOf(templates, 'Work/Forms/a/b.md', 'x')).toEqual([]);
    expect(fieldsOf(templates, 'Work/Formsy.md', 'x')).toEqual(['type']);
  });
});

describe('tags', () => {
  const schema = schemaOf(rule('Field note', { tagged: true }));

  it.each([
    ['tags: [field-note]\n', '', []],
    ['tags: [Field-Note/spring]\n', '', []],
    ['', 'Seen. #field-note', []],
    ['tags: [field]\n', '', ['tags']],
    ['', '`#field-note`', ['tags']],
  ])('%j with the text %j breaks %j', (more, body, broken) => {
    expect(fieldsOf(schema, 'A.md', `${ofType('field note', more)}${body}`)).toEqual(broken);
  });
});

describe('fields', () => {
  it('are found in either case, and blank ones are missing', () => {
    const schema = schemaOf(
      rule('a', { fields: [field('Due', 'date'), field('who', 'link', { required: false })] }),
    );
    expect(fieldsOf(schema, 'A.md', ofType('a', 'due: 2026-01-01\n'))).toEqual([]);
    expect(fieldsOf(schema, 'A.md', ofType('a', 'due:\nwho: ""\n'))).toEqual(['Due']);
    expect(fieldsOf(schema, 'A.md', ofType('a', 'due: soon\nwho: Ada\n'))).toEqual(['Due', 'who']);
  });

  it('of objects that every object has are not there', () => {
    const schema = schemaOf(
      rule('a', { fields: [field('constructor', 'text'), field('__proto__', 'text')] }),
    );
    expect(fieldsOf(schema, 'A.md', ofType('a'))).toEqual(['constructor', '__proto__']);
  });
});

describe('examples', () => {
  const kinds = ['text', 'number', 'boolean', 'date', 'datetime', 'list', 'link', 'tags'] as const;

  it.each(['obsidian', 'logseq'] as const)('keep the rule that they are an example of, in %s', (dialect) => {
    const name = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9 _-]{0,15}[a-z]$/);
    const word = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9 :#'"\-[\]{}]{0,20}[a-z0-9]$/);
    const some = fc.oneof(
      fc.constantFrom(...kinds).map((kind) => ({ kind, values: [] as string[] })),
      fc.array(word, { minLength: 1, maxLength: 4 }).map((values) => ({ kind: 'enum' as const, values })),
    );
    fc.assert(
      fc.property(name, some, (label, { kind, values }) => {
        fc.pre(!/^(?:type|tags?|alias(?:es)?|title)$/i.test(label));
        // A Logseq property has no blanks in its name, and its value is text.
        fc.pre(dialect !== 'logseq' || (!/\s/.test(label) && kind !== 'enum'));
        const wanted = field(label, kind, { values });
        const schema = schemaOf(rule('a', { fields: [wanted] }));
        const line = exampleLine(label, exampleValue(wanted), dialect);
        const text = dialect === 'logseq' ? `type:: a\n${line}\n\n- x\n` : ofType('a', `${line}\n`);
        expect(breaches(schema, 'A.md', text, { dialect }), line).toEqual([]);
      }),
    );
  });
});

it('any note is judged without a fault', () => {
  const schema = schemaOf(
    rule('a', { folders: folders('A'), tagged: true, fields: kindsOf() }),
    rule('b', { folders: folders('A/B'), folderOnly: false }),
  );
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), fc.boolean(), (text, typed) => {
      const whole = typed ? `---\ntype: a\nf0: ${JSON.stringify(text)}\n---\n${text}` : text;
      for (const found of breaches(schema, 'A/x.md', whole)) expect(found.wanted).not.toBe('');
    }),
  );
});

function kindsOf(): FieldRule[] {
  return (['text', 'number', 'boolean', 'date', 'datetime', 'list', 'link', 'tags'] as const).map(
    (kind, at) => field(`f${at}`, kind),
  );
}
