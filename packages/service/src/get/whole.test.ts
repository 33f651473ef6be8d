import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import { get, getWhole } from './operation.ts';

const LONG = `---\r\nabout: "${'words '.repeat(3000)}"\r\ntags: [${Array.from({ length: 80 }, (_, i) => `t${i}`).join(', ')}]\r\n---\r\n${Array.from(
  { length: 4000 },
  (_, i) => `# Heading ${i}\r\n[[Target]] é 🙂`,
).join('\r\n')}`;

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    'Target.md': 'Here.\n',
    'Long.md': LONG,
    'Mark.md': '\ufeff# With a byte order mark\n',
    ...Object.fromEntries(
      Array.from({ length: 60 }, (_, i) => [`From ${i}.md`, 'See [[Target]].\n'.repeat(8)]),
    ),
  });
});
afterAll(() => vault.close());

const whole = (input: object) => getWhole(vault.scope, get.parse(input));

describe('a note asked for whole', () => {
  it('is not cut where an answer to a model is, and has its hashes', async () => {
    const [short, long] = [await vault.ok('get', { path: 'Long' }), await whole({ path: 'Long' })];
    expect(short).toHaveProperty('next_offset');
    expect(short).not.toHaveProperty('source_hash');
    expect(long.content).toBe(LONG.slice(LONG.indexOf('# Heading 0')));
    expect(long).not.toHaveProperty('next_offset');
    expect(long.source_hash).toMatch(/^[0-9a-f]{16}$/);
    expect(long.frontmatter?.about).toHaveLength(18_000);
    expect(long.tags).toHaveLength(80);
    expect(long.remarks).toEqual([]);
  });

  it('comes raw as the bytes of its file', async () => {
    expect((await whole({ path: 'Long', format: 'raw' })).content).toBe(LONG);
    expect((await whole({ path: 'Mark', format: 'raw' })).content).toBe('\ufeff# With a byte order mark\n');
  });

  it('has all its links, backlinks and headings', async () => {
    expect((await whole({ path: 'Long', include: ['links'] })).links).toHaveLength(4000);
    expect((await whole({ path: 'Long', format: 'map' })).outline).toHaveLength(4000);
    const { backlinks, backlinks_total } = await whole({ path: 'Target', include: ['backlinks'] });
    expect(backlinks).toHaveLength(4480);
    expect(backlinks_total).toBe(4480);
  });

  it('goes on from an offset to its end, then without a hash', async () => {
    const part = await whole({ path: 'Long', format: 'raw', offset: 100 });
    expect(part.content).toBe(LONG.slice(100));
    expect(part).not.toHaveProperty('source_hash');
  });
});
