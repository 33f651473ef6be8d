import { type GivenTrailRules, NO_TRAIL_RULES, parseTrailRules, type TrailRules } from '@grove/trails';
import { parsePathRule, type ViewRules } from '@grove/vault';
import fc from 'fast-check';
import type { Files } from './vault-folder.ts';

const FOLDERS = ['', 'Open/', 'Open/Sub/', 'Private/', 'Private/Sub/', 'Mixed/', 'Écrits/'];
const NAMES = ['Ash', 'ash', 'Birch', 'Oak tree', 'Heron', '日記', 'C#', 'AGENTS', '2026-11-30'];
const WORDS = ['fox', 'badger', 'heron', 'lynx', 'ash', 'running', '日本語', 'C#'];
const RULES = [
  'Open',
  'Private',
  'Mixed',
  'Open/Sub',
  'écrits',
  '**/A*.md',
  'Private/**',
  'Mixed/*',
  '*.md',
  '**/Birch.md',
];

const line = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 8 })
      .map((words) => words.join(' ')),
  },
  { weight: 2, arbitrary: fc.constantFrom(...NAMES).map((name) => `See [[${name}]] and fox.`) },
  {
    weight: 1,
    arbitrary: fc
      .constantFrom(...FOLDERS, '../')
      .map((folder) => `[there](${encodeURI(folder)}Ash.md) ![[Birch]]`),
  },
  {
    weight: 1,
    arbitrary: fc.constantFrom('#a', '#a/b', '#C', '#hidden/deep').map((tag) => `Tagged ${tag} here.`),
  },
  { weight: 1, arbitrary: fc.constantFrom(...WORDS).map((word) => `\n## ${word}\n`) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(...WORDS).map((word) => `\n- [ ] ${word} 📅 2026-12-01\n- [x] ${word}\n`),
  },
);

const frontmatter = fc.oneof(
  fc.constant(''),
  fc.constant('---\nbroken: [\n---\n'),
  fc.constant('---\ntags: [a]\ntype: bird\n'),
  fc
    .constantFrom('private: true', 'Private: ""', 'private: no', 'private: false', 'private:')
    .map((line) => `---\ntags: [a, b/c]\ntype: bird\n${line}\n---\n`),
  fc
    .record({
      type: fc.constantFrom('bird', 'tree', 'Tree'),
      status: fc.constantFrom('open', 'done', '7'),
      aliases: fc.subarray(['Wolf', 'Ash', 'The Heron']),
      tags: fc.subarray(['a', 'b/c', 'only']),
    })
    .map(
      ({ type, status, aliases, tags }) =>
        `---\ntype: ${type}\nstatus: ${status}\naliases: ${JSON.stringify(aliases)}\ntags: ${JSON.stringify(tags)}\n---\n`,
    ),
);

const note = fc
  .tuple(frontmatter, fc.array(line, { minLength: 1, maxLength: 6 }))
  .map(([front, lines]) => `${front}${lines.join('\n')}\n`);

const path = fc
  .tuple(fc.constantFrom(...FOLDERS), fc.constantFrom(...NAMES))
  .map(([folder, name]) => `${folder}${name}.md`);

/** Vaults in which names, words, tags and links meet across folders. */
export const anyVault: fc.Arbitrary<Files> = fc
  .uniqueArray(fc.tuple(path, note), { minLength: 4, maxLength: 24, selector: ([name]) => name })
  .map((entries) => ({ '.obsidian/app.json': '{}', ...Object.fromEntries(entries) }));

/** Path policies over those folders. */
export const anyRules: fc.Arbitrary<ViewRules> = fc
  .record({ read: fc.subarray(RULES), deny: fc.subarray(RULES, { maxLength: 3 }), open: fc.boolean() })
  .map(({ read, deny, open }) => ({
    readPaths: open ? [] : read.map(parsePathRule),
    writePaths: [],
    // A rule that fits nothing keeps it from being the owner's View.
    denyPaths: [...deny, 'no such folder'].map(parsePathRule),
    readOnly: false,
  }));

const tagRules = fc.subarray(['a', '#b', 'B/C', 'only', 'hidden'], { maxLength: 2 });
const typeRules = fc.subarray(['Bird', 'tree'], { maxLength: 1 });
const pathRules = fc.subarray(RULES, { maxLength: 3 });

/** Rules of trails over those tags, types and folders; at least one of them says something. */
export const anyTrail: fc.Arbitrary<TrailRules> = fc
  .record({
    allowTags: tagRules,
    denyTags: tagRules,
    allowTypes: typeRules,
    denyTypes: typeRules,
    allowPaths: fc.oneof(fc.constant(['**']), pathRules),
    denyPaths: fc.subarray(RULES, { maxLength: 2 }),
    writeFolders: fc.subarray(['Open', 'Mixed'], { maxLength: 1 }),
  })
  .map((given) => parseTrailRules(isSilent(given) ? { ...given, allowPaths: ['**'] } : given));

function isSilent({ writeFolders: _, ...lists }: GivenTrailRules): boolean {
  return Object.values(lists).every((list) => list?.length === 0);
}

/** Shares all that says neither `private` nor anything that cannot be read. */
export const SHARE_ALL: TrailRules = { ...NO_TRAIL_RULES, allowPaths: ['**'] };

const everyName = [...NAMES, 'Wolf', 'The Heron', 'Nobody', 'Hero', 'today', 'fox', 'C'];

/** What an argument of a prompt could name: notes, folders, tags and types, shown or not. */
export const probedNames: readonly string[] = [
  ...everyName,
  ...FOLDERS.slice(1),
  'Private',
  'a',
  'hidden',
  'bird',
];

/** Calls that could tell a hidden note from an absent one. */
export const probingCalls: readonly (readonly [string, object])[] = [
  ...WORDS.map((query): [string, object] => ['query', { query, explain: true, limit: 3 }]),
  ['query', { query: '-fox', explain: true, limit: 50 }],
  ['query', { query: '"ash fox"', explain: true }],
  ['query', { query: 'ba*', explain: true }],
  ['query', { query: 'badgre', explain: true }],
  ['query', { query: 'zzzz heronn' }],
  ['query', { query: 'tag:a title:ash', explain: true }],
  ['query', { query: 'fox badger', searches: [{ type: 'vec', query: 'lynx' }], explain: true }],
  ['query', { searches: [{ type: 'text', query: 'FOX' }], explain: true }],
  ['query', { searches: [{ type: 'regex', query: 'f.x' }], explain: true }],
  ['query', { searches: [{ type: 'like', query: 'Ash' }], explain: true }],
  ['query', { query: 'fox', return: 'passages', limit: 4 }],
  ['query', { query: 'fox', tags: ['hidden'], folders: ['Privat'], types: ['bir'] }],
  ['query', { query: 'fox', where: { status: 'open' }, folders: ['Private', 'Open'] }],
  ['query', { query: 'heron', why: 'Birch' }],
  ['query', { query: 'heron', why: 'Private/Ash.md' }],
  ...everyName.map((name): [string, object] => [
    'get',
    { path: name, include: ['links', 'backlinks', 'mentions'] },
  ]),
  ...FOLDERS.map((folder): [string, object] => ['get', { path: `${folder}Ash.md`, format: 'map' }]),
  ['get', { path: 'heron badger lynx' }],
  ['get', { path: 'Ash#fox' }],
  ['multi_get', { paths: '**/*.md' }],
  ['multi_get', { paths: [...everyName, 'Private/Birch.md'], format: 'summary' }],
  ['list_notes', { limit: 4 }],
  ['list_notes', { sort: 'path', fields: ['status', 'created', 'aliases'], limit: 200 }],
  ['list_notes', { of: 'folders' }],
  ['list_notes', { of: 'tags' }],
  ['list_notes', { of: 'types' }],
  ['list_notes', { folder: 'Private' }],
  ['list_notes', { glob: 'Birch*' }],
  ['list_notes', { of: 'tasks', states: 'all', limit: 3 }],
  ['list_notes', { of: 'tasks', sort: 'path', match: 'heron', where: { backlinks: { exists: true } } }],
  ['vault_status', {}],
  ['vault_status', { mode: 'history' }],
  ['vault_status', { mode: 'graph', limit: 100 }],
  ['vault_status', { mode: 'digest', limit: 100 }],
  ['vault_status', { mode: 'diagnostics', limit: 100 }],
  ...['Ash', 'Private', 'Open', 'Nobody'].map((path): [string, object] => [
    'vault_status',
    { mode: 'diagnostics', path },
  ]),
  ...['Ash', 'Birch', 'Nobody'].flatMap((path): [string, object][] => [
    ['vault_status', { mode: 'graph', path, depth: 2 }],
    ['vault_status', { mode: 'graph', path, to: 'Heron' }],
  ]),
  ['get', { path: 'Ash', include: ['history'] }],
  ['get', { path: 'Ash', revision: 'previous' }],
  ['multi_get', { paths: ['Wolf', 'Private/Ash.md', 'Nobody', 'today'], format: 'map' }],
  ['list_notes', { tags: ['hidden'] }],
  ['list_notes', { types: ['tree'], where: { private: true }, fields: ['private', 'tags'] }],
  ['list_notes', { match: 'A', of: 'types' }],
  ...[
    { backlinks: { exists: true } },
    { in: ['Private/Ash.md', { var: 'links' }] },
    { some: [{ var: 'backlinks' }, { glob: ['Private/**', { var: '' }] }] },
    { or: [{ in: ['Ash', { var: 'unresolved' }] }, { '==': [{ var: 'stage' }, 'sprout'] }] },
    { '>': [{ var: 'unresolved.length' }, { var: 'links.length' }] },
    { regexp: ['(?i)lynx|badger', { var: 'content' }] },
    { '!!': [{ var: 'frontmatter.status' }] },
  ].map((where): [string, object] => [
    'list_notes',
    { where, sort: 'path', fields: ['links', 'backlinks', 'stage'] },
  ]),
  ['query', { query: 'fox', where: { in: ['Birch', { var: 'unresolved' }] }, why: 'Ash' }],
  ...['Private/Ash.md', 'Ash', 'Nobody.md', 'AGENTS.md'].map((name): [string, object] => [
    'vault_status',
    { path: name },
  ]),
];
