import { describe, expect, it } from 'vitest';
import { readFrontmatter } from './read.ts';

const data = (yaml: string) => readFrontmatter(`---\n${yaml}\n---\nbody`).frontmatter.data;
const statusOf = (text: string) => readFrontmatter(text).frontmatter.status;

describe('fences', () => {
  it.each([
    ['none', 'text'],
    ['none', ''],
    ['none', '----\na: 1\n---\n'],
    ['none', '--- title\na: 1\n---\n'],
    ['none', ' ---\na: 1\n---\n'],
    ['none', '\n---\na: 1\n---\n'],
    ['none', 'text\n---\na: 1\n---\n'],
    ['unclosed', '---'],
    ['unclosed', '---\n'],
    ['unclosed', '---\na: 1\n ---\n'],
    ['unclosed', '---\na: 1\n---- \n'],
    ['ok', '---\na: 1\n---'],
    ['ok', '---\na: 1\n...\ntext'],
    ['ok', '---  \na: 1\n---\t\ntext'],
    ['ok', '\ufeff---\na: 1\n---\n'],
    ['ok', '---\r\na: 1\r\n---\r\ntext'],
    ['ok', '---\n---\n'],
    ['ok', '---\n# only a comment\n---\n'],
    ['broken', '---\njust text\n---\n'],
    ['broken', '---\n- a\n- b\n---\n'],
  ])('%s for %j', (status, text) => {
    expect(statusOf(text)).toBe(status);
  });

  it('covers both fences and the line break after them, byte order mark left out', () => {
    const text = '\ufeff---\r\na: 1\r\n---\r\nbody\r\n';
    const { frontmatter, bodyStart } = readFrontmatter(text);
    expect(text.slice(frontmatter.block!.start, frontmatter.block!.end)).toBe('---\r\na: 1\r\n---\r\n');
    expect(text.slice(frontmatter.yaml!.start, frontmatter.yaml!.end)).toBe('a: 1\r\n');
    expect(text.slice(bodyStart)).toBe('body\r\n');
    expect(frontmatter.data).toEqual({ a: 1 });
  });

  it('takes the whole text for body when the block is not closed', () => {
    const { frontmatter, bodyStart } = readFrontmatter('---\na: 1\n');
    expect([frontmatter.block, frontmatter.data, bodyStart]).toEqual([null, {}, 0]);
    expect(frontmatter.error?.line).toBe(1);
  });
});

describe('values', () => {
  it('reads a byte order mark, a key named content, a list as title', () => {
    const { frontmatter } = readFrontmatter('\ufeff---\ncontent: x\ntitle: [One, Two]\n---\n');
    expect(frontmatter.data).toEqual({ content: 'x', title: ['One', 'Two'] });
  });

  it('keeps dates, yes and no, and numbers that JSON cannot hold as they are written', () => {
    expect(
      data(
        'due: 2026-11-30\nat: 2026-11-30T10:00:00Z\na: yes\nb: no\nc: true\nd: 1.5\ne: 12345678901234567890\nf: .inf\ng: 0x1f\nh: ~',
      ),
    ).toEqual({
      due: '2026-11-30',
      at: '2026-11-30T10:00:00Z',
      a: 'yes',
      b: 'no',
      c: true,
      d: 1.5,
      e: '12345678901234567890',
      f: '.inf',
      g: 31,
      h: null,
    });
  });

  it('reads a link without quotes as the link, a list of lists as lists', () => {
    expect(
      data(
        'a: [[Note]]\nb: [[Note|label]]\nc: [[Smith, John]]\nd:\n  - [[One]]\n  - [[Two#H]]\ne: [[1, 2]]\nf: [ [x, y] ]\ng: [[[A]], [[B]]]',
      ),
    ).toEqual({
      a: '[[Note]]',
      b: '[[Note|label]]',
      c: '[[Smith, John]]',
      d: ['[[One]]', '[[Two#H]]'],
      e: [[1, 2]],
      f: [['x', 'y']],
      g: ['[[A]]', '[[B]]'],
    });
  });

  it('keeps keys of every kind as own properties', () => {
    const read = data('__proto__: x\nconstructor: y\n2026: z\ntrue: t\n[a, b]: c');
    expect(Object.entries(read)).toEqual(
      expect.arrayContaining([
        ['2026', 'z'],
        ['__proto__', 'x'],
        ['constructor', 'y'],
        ['true', 't'],
        ['[a, b]', 'c'],
      ]),
    );
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype);
  });

  it('resolves anchors and aliases', () => {
    expect(data('a: &x [1, {b: 2}]\nc: *x')).toEqual({ a: [1, { b: 2 }], c: [1, { b: 2 }] });
  });

  it.each([
    [
      'd: &d {private: true, type: book}\n<<: *d',
      { d: { private: true, type: 'book' }, private: true, type: 'book' },
    ],
    ['<<: {a: 1}\nb: 2', { b: 2, a: 1 }],
    ['a: own\n<<: {a: 1, b: 2}', { a: 'own', b: 2 }],
    ['<<: {a: 1, b: 2}\na: own', { a: 'own', b: 2 }],
    ['<<: [{a: 1}, {a: 2, b: 2}]', { a: 1, b: 2 }],
    ['<<: []', {}],
    ['<<: {<<: {a: 1}, b: 2}', { a: 1, b: 2 }],
    ['x: &x {a: 1}\ny: &y {<<: *x, b: 2}\n<<: [*y]', { x: { a: 1 }, y: { a: 1, b: 2 }, a: 1, b: 2 }],
    ['m:\n  <<: &z {a: &q 1}\nn: *z\no: *q', { m: { a: 1 }, n: { a: 1 }, o: 1 }],
    ['<<: {a: &q 1}\na: 2\nb: *q', { a: 2, b: 1 }],
    ['"<<": {a: 1}', { '<<': { a: 1 } }],
    ['<<: {__proto__: x}', { ['__proto__']: 'x' }],
  ])('takes in what the merge key of %j names', (yaml, expected) => {
    expect(readFrontmatter(`---\n${yaml}\n---\n`).frontmatter).toMatchObject({ status: 'ok', error: null });
    expect(data(yaml)).toEqual(expected);
  });

  it('is always plain JSON', () => {
    const read = data('a: !!binary aGk=\nb: !custom x\nc: !!set {x, y}\nd: -0\ne: {f: [g, {h: i}]}');
    expect(JSON.parse(JSON.stringify(read))).toEqual(read);
  });
});

describe('broken YAML', () => {
  it.each([
    ['a key that is there twice', 'a: 1\nb: 2\na: 3', 4],
    ['a nested key that is there twice', 'a:\n  b: 1\n  b: 2', 4],
    ['an open quote', 'a: 1\nb: "x', 3],
    ['an open list', 'a: [1, 2', 2],
    ['a second colon', 'a: b: c', 2],
    ['a tab for indentation', 'a:\n\tb: 1', 3],
    ['an alias without anchor', 'a: 1\nb: *nothing', 3],
    ['an alias inside its anchor', 'a: &x [1, *x]', 2],
    ['text after a link', 'a: [[Note]] and more', 2],
    ['a merge of text', 'a: 1\n<<: text', 3],
    ['a merge of a list in a list', 'a: 1\n<<: [[{b: 2}]]', 3],
    ['a merge of nothing', 'a: 1\n<<:', 3],
    ['a merge of what is not there', 'a: 1\n<<: *nothing', 3],
    ['a merge of itself', 'a: &x {<<: *x}', 2],
  ])('says where for %s', (_, yaml, line) => {
    const { frontmatter } = readFrontmatter(`---\n${yaml}\n---\nbody`);
    expect(frontmatter.status).toBe('broken');
    expect(frontmatter.data).toEqual({});
    expect(frontmatter.error!.message).not.toBe('');
    // An open quote or list is noticed where it should have ended.
    expect(frontmatter.error!.line).toBeGreaterThanOrEqual(line);
    expect(frontmatter.error!.line).toBeLessThanOrEqual(line + 1);
  });

  it('stops at aliases that repeat exponentially', () => {
    const levels = Array.from({ length: 9 }, (_, at) =>
      at === 0
        ? 'l0: &l0 [1,1,1,1,1,1,1,1]'
        : `l${at}: &l${at} [${Array(8)
            .fill(`*l${at - 1}`)
            .join(',')}]`,
    );
    const { frontmatter } = readFrontmatter(`---\n${levels.join('\n')}\n---\n`);
    expect(frontmatter.status).toBe('broken');
    expect(frontmatter.error!.message).toContain('repeat too much');
  });

  it('stops at merges that repeat exponentially, or go too deep', () => {
    const refused = (yaml: string) => readFrontmatter(`---\n${yaml}\n---\n`).frontmatter.error?.message;
    const wide = Array.from(
      { length: 9 },
      (_, at) =>
        `l${at}: &l${at} {<<: [${Array(at === 0 ? 0 : 8)
          .fill(`*l${at - 1}`)
          .join(', ')}]}`,
    );
    expect(refused(wide.join('\n'))).toContain('repeat too much');
    const deep = Array.from(
      { length: 2_000 },
      (_, at) => `l${at}: &l${at} {<<: ${at === 0 ? '{}' : `*l${at - 1}`}}`,
    );
    expect(refused(deep.join('\n'))).toContain('nested too deeply');
    expect(refused(`${'<<: {'.repeat(200)}${'}'.repeat(200)}`)).toContain('nested too deeply');
  });

  it.each([
    ['flow lists', `a: ${'['.repeat(20_000)}${']'.repeat(20_000)}`],
    ['mappings', `${'? '.repeat(20_000)}a`],
    ['block lists', `a:\n${'- '.repeat(20_000)}b`],
    ['a hundred levels', `a: ${'['.repeat(100)}${']'.repeat(100)}`],
  ])('stops at %s nested too deeply', (_, yaml) => {
    expect(statusOf(`---\n${yaml}\n---\n`)).toBe('broken');
  });

  it('does not read a block longer than 64 KB', () => {
    const { frontmatter } = readFrontmatter(`---\na: ${'x'.repeat(70_000)}\n---\n`);
    expect(frontmatter.status).toBe('broken');
    expect(frontmatter.error!.message).toContain('65536');
  });
});
