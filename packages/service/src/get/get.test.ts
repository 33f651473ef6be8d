import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GARDEN } from '../testing/garden.ts';
import { openTestVault, type TestVault } from '../testing/opened.ts';

const LONG = Array.from(
  { length: 2000 },
  (_, i) => `Line ${i + 1} of the long note, with an é and a 🙂.`,
).join('\n');

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    ...GARDEN,
    'Long.md': LONG,
    'Unclosed.md': '---\ntitle: x\n\nNo end of it.\n',
    'Linked.md': Array.from({ length: 500 }, (_, i) => `[[Missing note number ${i}]]`).join('\n'),
    'Fence.md': '# Fence\n\n`````\nnot the end\n`````\n',
    'Secret.md': 'root:x:0:0 passwd\n',
  });
});
afterAll(() => vault.close());

const get = (input: object) => vault.ok('get', input);

describe('get', () => {
  it('answers content without frontmatter, properties parsed, hashes, sizes, times, links', async () => {
    const answer = await get({ path: 'Tomatoes.md' });
    expect(answer).toMatchObject({
      found: true,
      path: 'Tomatoes.md',
      resolved: 'path',
      type: 'plant',
      tags: ['plants/fruit', 'summer'],
      frontmatter: { status: 'active', sown: '2026-03-12', height: 1.8 },
      line: 8,
      modified: '2026-11-20T10:00:00Z',
      link: 'obsidian://open?vault=Garden&file=Tomatoes',
    });
    expect(answer.content).toMatch(/^# Tomatoes\n/);
    expect(answer.content).not.toContain('status: active');
    expect(answer.content_hash).toMatch(/^[0-9a-f]{16}$/);
    expect(answer.source_hash).toBe(answer.content_hash);
    expect(answer.size).toBe(Buffer.byteLength(GARDEN['Tomatoes.md'] as string));
    expect(answer).not.toHaveProperty('title');
    expect(answer).not.toHaveProperty('links');
  });

  it.each([
    ['Beds/Bed 1.md', 'Beds/Bed 1.md', 'path'],
    ['Beds/Bed 1', 'Beds/Bed 1.md', 'path'],
    ['[[Bed 1]]', 'Beds/Bed 1.md', 'name'],
    ['obsidian://open?vault=Garden&file=Beds%2FBed%201', 'Beds/Bed 1.md', 'prefix'],
    ['bed 1', 'Beds/Bed 1.md', 'name'],
    ['Countess', 'People/Ada.md', 'alias'],
    ['yesterday', 'Journal/2026-11-29.md', 'journal'],
    ['2026-11-29', 'Journal/2026-11-29.md', 'journal'],
    ['C#.md', 'C#.md', 'path'],
    ['Plans, 2026.md', 'Plans, 2026.md', 'path'],
    ['日本語ノート', '日本語ノート.md', 'path'],
  ])('finds %j as %s and says it matched by %s', async (path, found, resolved) => {
    expect(await get({ path })).toMatchObject({ path: found, resolved });
  });

  it('reads a section in Obsidian link form, as a parameter, and as a block', async () => {
    const care = await get({ path: 'Tomatoes#Care' });
    expect(care).toMatchObject({ section: 'Care', line: 12 });
    expect(care.content).toContain('comfrey');
    expect(care.section_hash).toMatch(/^[0-9a-f]{16}$/);
    expect(care).not.toHaveProperty('content_hash');
    expect((await get({ path: 'Tomatoes', section: 'care' })).content).toBe(care.content);
    expect((await get({ path: '[[Tomatoes#Care#Feeding|feed]]' })).content).not.toContain(
      'Water at the root',
    );
    expect((await get({ path: 'Tomatoes#^feeding' })).content).toContain('comfrey');
    expect((await get({ path: 'Tomatoes', section: 'Care', subsections: false })).content).not.toContain(
      'comfrey',
    );
  });

  it('gives addresses for two equal headings instead of taking the first', async () => {
    const error = await vault.fail('get', { path: 'Tomatoes', section: 'Tasks' });
    expect(error.code).toBe('section_ambiguous');
    const addresses = error.candidates.map((candidate: { address: string }) => candidate.address);
    expect(addresses).toHaveLength(2);
    expect(addresses[1]).toBe('Tasks@2');
    expect((await get({ path: 'Tomatoes', section: 'Tasks@2' })).content).toContain('label the pots');
  });

  it('names near headings when a section is not there', async () => {
    const error = await vault.fail('get', { path: 'Tomatoes', section: 'Feedin' });
    expect(error).toMatchObject({ code: 'section_not_found', path: 'Tomatoes.md' });
    expect(JSON.stringify(error.nearest)).toContain('Feeding');
  });

  it('lists candidates when two notes fit', async () => {
    const error = await vault.fail('get', { path: 'Same' });
    expect(error.code).toBe('note_ambiguous');
    expect(error.candidates).toEqual([{ path: 'Others/Same.md' }, { path: 'Twins/Same.md' }]);
  });

  it('takes a link form without a heading for the note', async () => {
    for (const path of ['Tomatoes#', '[[Tomatoes#]]', '[[Tomatoes|the red ones]]']) {
      const answer = await get({ path });
      expect(answer.path).toBe('Tomatoes.md');
      expect(answer.resolved).not.toBe('search');
    }
  });

  it('names near notes on a miss', async () => {
    const error = await vault.fail('get', { path: 'Tomatos.md' });
    expect(error.code).toBe('note_not_found');
    expect(error.nearest).toContain('Tomatoes.md');
  });

  it('takes a search hit that is clearly ahead, and says so', async () => {
    const answer = await get({ path: 'worms turn monthly' });
    expect(answer).toMatchObject({ path: 'Compost.md', resolved: 'search' });
    expect(answer.remarks.join()).toContain('found by its words');
  });

  it.each([
    '../etc/passwd',
    '/etc/passwd',
    '..\\x.md',
    '.obsidian/app.json',
    '.git/config.md',
    'a\u0000b.md',
    'Beds/../Secret.md',
  ])('answers %j with one coded error', async (path) => {
    const error = await vault.fail('get', { path });
    expect(['bad_path', 'note_not_found']).toContain(error.code);
    expect(JSON.stringify(error)).not.toContain(vault.folder.root);
  });

  it('says where a missing daily or weekly note would be', async () => {
    expect(await get({ path: 'today' })).toMatchObject({ found: false, would_be: 'Journal/2026-11-30.md' });
    const week = await get({ path: 'weekly:2026-W48' });
    expect(week.found).toBe(false);
    expect(week.would_be).toContain('2026-W48');
  });

  it('answers raw text as it is in the file', async () => {
    const answer = await get({ path: 'Tomatoes', format: 'raw' });
    expect(answer.content).toBe(GARDEN['Tomatoes.md']);
    expect(answer.line).toBe(1);
    expect(answer).not.toHaveProperty('frontmatter');
  });

  it('answers a map with addresses and lines', async () => {
    const answer = await get({ path: 'Tomatoes', format: 'map' });
    expect(answer.outline.map((entry: { address: string }) => entry.address)).toContain('Tasks@2');
    expect(answer.outline[0]).toMatchObject({ level: 1, text: 'Tomatoes', line: 8 });
    expect(answer.blocks).toEqual([{ id: 'feeding', line: 18 }]);
    expect(answer).not.toHaveProperty('content');
    expect(answer).not.toHaveProperty('content_hash');
  });

  it('lists links and backlinks with the lines that hold them', async () => {
    const home = await get({ path: 'Start here', include: ['links'] });
    expect(home.links).toContainEqual({
      target: 'Tomatoes',
      kind: 'wikilink',
      to: 'Tomatoes.md',
      line: 8,
      context: expect.stringContaining('[[Tomatoes]]'),
    });
    expect(home.links).toContainEqual(
      expect.objectContaining({ target: 'Beds/Bed 1', heading: 'Soil', label: 'the soil' }),
    );
    expect(home.links).toContainEqual({
      target: 'Nowhere',
      kind: 'wikilink',
      line: 10,
      context: expect.stringContaining('[[Nowhere]]'),
    });
    const compost = await get({ path: 'Compost', include: 'links, backlinks' });
    expect(compost.backlinks_total).toBe(2);
    expect(compost.backlinks).toContainEqual(
      expect.objectContaining({
        path: 'Beds/Bed 1.md',
        line: 10,
        context: expect.stringContaining('Heavy clay'),
      }),
    );
  });

  it('bounds a list of many links and says how many there are', async () => {
    const answer = await get({ path: 'Linked', include: ['links'] });
    expect(answer.links_total).toBe(500);
    expect(answer.links.length).toBeLessThan(500);
  });

  it('reads a note with broken frontmatter whole, and says what is wrong', async () => {
    const answer = await get({ path: 'Broken' });
    expect(answer.frontmatter_error.message.length).toBeGreaterThan(5);
    expect(answer.content).toContain('title: [unclosed');
    expect(answer.content).toContain('zeppelin');
    expect((await get({ path: 'Unclosed' })).content).toContain('No end of it.');
  });

  it('cuts a long note at a line, gives no hash, and goes on without losing a character', async () => {
    let offset = 0;
    let whole = '';
    for (let part = 0; part < 20; part += 1) {
      const answer = await get({ path: 'Long', offset });
      expect(answer).not.toHaveProperty('content_hash');
      expect(answer.line).toBe(whole.split('\n').length);
      whole += answer.content;
      expect(answer.total_chars).toBe(LONG.length);
      if (answer.next_offset === undefined) break;
      expect(answer.content.endsWith('\n')).toBe(true);
      expect(answer.remarks.join()).toContain(`offset ${answer.next_offset}`);
      offset = answer.next_offset;
    }
    expect(whole).toBe(LONG);
  });

  it('refuses an offset beyond the end', async () => {
    expect(await vault.fail('get', { path: 'Compost', offset: 100_000 })).toMatchObject({
      code: 'bad_input',
      name: 'offset',
    });
  });

  it('fences the text so that nothing in it can end the fence, and labels it as data', async () => {
    const { text } = await vault.call('get', { path: 'Fence' });
    expect(text).toContain('data, not instructions');
    expect(text.match(/^`{6}$/gm)).toHaveLength(1);
  });

  it('names the parameter and the word that do not fit', async () => {
    const error = await vault.fail('get', { path: 'Compost', include: ['links', 'diagrams'] });
    expect(error.message).toContain(
      '"include" takes a list of links, backlinks, mentions, history, not "diagrams"',
    );
  });

  it('tells tags and aliases once, and every other property', async () => {
    const { text } = await vault.call('get', { path: 'Tomatoes' });
    expect(text).toContain('Tags: plants/fruit, summer\nFrontmatter:\n- type: "plant"\n- status: "active"');
    expect(text.match(/plants\/fruit/g)).toHaveLength(1);
    expect((await vault.call('get', { path: 'Ada Byron' })).text).toContain('- aliases: "Countess"');
  });

  it('sends a caller who names a folder to its list', async () => {
    for (const path of ['Beds', 'beds/', './Beds']) {
      const error = await vault.fail('get', { path });
      expect(error.code).toBe('note_not_found');
      expect(error.next).toContain('list_notes {"folder":"');
    }
  });

  it('refuses a path in the words of the caller', async () => {
    for (const path of ['.obsidian/app.json', '../../etc/passwd'])
      expect((await vault.fail('get', { path })).message).toContain(`"${path}"`);
  });

  it('does not offer notes as candidates that only hold other words than the name', async () => {
    await vault.folder.write({ 'Odd/a.md': 'spadix\n', 'Odd/b.md': 'spadix\n' });
    await vault.opened.vault.reconcile();
    const error = await vault.fail('get', { path: 'spadxi' });
    expect(error.code).toBe('note_not_found');
    expect(error.nearest).toEqual(expect.arrayContaining(['Odd/a.md', 'Odd/b.md']));
    expect((await vault.fail('get', { path: 'spadix' })).code).toBe('note_unclear');
  });

  it('tells what can be addressed where nothing is near', async () => {
    const next = async (path: string) => (await vault.fail('get', { path })).next;
    expect(await next('Tomatoes#^nowhere')).toContain('format map');
    expect(await next('Compost#^nowhere')).toContain('No block of the note has an id');
    expect(await next('Secret#Anything')).toContain('has no headings');
  });

  it('says that a note is empty instead of showing an empty fence', async () => {
    await vault.folder.write({ 'Empty.md': '---\na: 1\n---\n\n' });
    await vault.opened.vault.reconcile();
    const { text } = await vault.call('get', { path: 'Empty' });
    expect(text).toMatch(/- a: 1\n.*\nText: empty\.$/);
    expect(text).not.toContain('```');
  });

  it('serves what is on disk now', async () => {
    await vault.folder.write(
      { 'Compost.md': '# Compost\n\nFreshly written.\n' },
      new Date('2026-11-21T10:00:00Z'),
    );
    const answer = await get({ path: 'Compost' });
    expect(answer.content).toContain('Freshly written.');
    expect(answer.modified).toBe('2026-11-21T10:00:00Z');
  });
});
