import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runDocumented } from './testing/documented-commands.ts';
import { makeScratch, type Scratch } from './testing/vault-folder.ts';

const PAGE = readFileSync(new URL('../../../docs/filters.md', import.meta.url), 'utf8');

const blocks = (kind: string): string[] =>
  [...PAGE.matchAll(new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].flatMap(([, block = '']) =>
    block.split('\n').filter((line) => line !== ''),
  );

let scratch: Scratch;
beforeAll(() => {
  scratch = makeScratch();
});
afterAll(() => scratch.remove());

describe('docs/filters.md', { timeout: 120_000 }, () => {
  it.each(blocks('sh'))('runs: %s', async (line) => {
    expect(await runDocumented(scratch, [line], {})).toContain('tasks among');
  });
});
