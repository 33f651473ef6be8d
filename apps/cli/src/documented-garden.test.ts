import { readFileSync } from 'node:fs';
import { PLAIN_GARDEN, readVaultFile } from '@grove/vault';
import { describe, expect, it } from 'vitest';
import { runDocumented, shellBlocks } from './testing/documented-commands.ts';
import { servedScratch } from './testing/served-scratch.ts';

const PAGE = readFileSync(new URL('../../../docs/garden.md', import.meta.url), 'utf8');

const served = servedScratch();

const COMMANDS = shellBlocks(PAGE).flatMap((block) => block.split('\n').filter((line) => line !== ''));
const SAID: readonly string[] = [
  'Most connected:',
  'links to Garden/Compost.md',
  'apart (→ links to',
  'What needs attention today:',
  '"mode":"digest"',
  'findings in 6 notes',
  'notes of Garden',
  'Mentioned without a link:',
  'seed: 6',
  'tasks among 6 notes',
  'Garden/Tomatoes.md',
  'Start here.md: links to Garden/Tomatoes.md',
  'watered the tomatoes',
  'Orphans: 3',
  'Would be added: 2 links in 2 notes.',
];

describe('docs/garden.md', { timeout: 120_000 }, () => {
  it.each(COMMANDS.map((line, at) => [line, SAID[at]] as const))('runs: %s', async (line, said) => {
    const env = { GROVE: served.server.told.local_url, KEY: served.server.told.key ?? '' };
    expect(await runDocumented(served.scratch, [line], { env })).toContain(said);
  });

  it('names the thresholds that hold where the owner names none', () => {
    const example = /```yaml\n([\s\S]*?)```/.exec(PAGE)?.[1] ?? '';
    const { file, remarks } = readVaultFile(example);
    expect(remarks).toEqual([]);
    const { leave_out, ...stages } = file?.garden ?? {};
    expect(stages).toEqual(PLAIN_GARDEN.stages);
    expect(leave_out).toEqual(['Templates', 'Daily']);
  });
});
