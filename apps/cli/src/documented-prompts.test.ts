import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gardenPrompts } from '@grove/service';
import { describe, expect, it } from 'vitest';
import { runDocumented, shellBlocks } from './testing/documented-commands.ts';
import { servedScratch } from './testing/served-scratch.ts';

const PAGE = readFileSync(new URL('../../../docs/prompts.md', import.meta.url), 'utf8');
const CHECKOUT = fileURLToPath(new URL('../../..', import.meta.url));

const served = servedScratch();

/** The lines of its blocks for a shell, block by block. */
const [asking = [], installing = []] = shellBlocks(PAGE).map((block) =>
  block.split('\n').filter((line) => line !== ''),
);

describe('docs/prompts.md', { timeout: 120_000 }, () => {
  it('names each prompt with its arguments', () => {
    const rows = [...PAGE.matchAll(/^\| `(\w+)` \| .* \| (.*) \|$/gm)].map(([, name, cell = '']) => [
      name,
      [...cell.matchAll(/`(\w+)`/g)].map(([, argument]) => argument),
    ]);
    expect(rows).toEqual(gardenPrompts.map(({ name, parameters }) => [name, Object.keys(parameters)]));
  });

  it('asks for prompts as a script may', async () => {
    expect(asking).toHaveLength(2);
    const said: string[] = [];
    for (const line of asking) {
      const here = line.replaceAll('http://127.0.0.1:8420', served.server.told.local_url);
      said.push(await runDocumented(served.scratch, [here], { env: { KEY: served.server.told.key ?? '' } }));
    }
    expect(said[0]).toContain('"name":"wander"');
    expect(said[1]).toContain('Gather what these notes hold on \\"compost\\"');
  });

  it('installs the skills', async () => {
    const listed = await runDocumented(served.scratch, installing, {
      cwd: CHECKOUT,
      env: { HOME: served.scratch.folder },
    });
    expect(listed.split('\n').filter((line) => line !== '')).toEqual(
      gardenPrompts.map(({ name }) => name).sort(),
    );
    const text = readFileSync(`${served.scratch.folder}/.claude/skills/forage/SKILL.md`, 'utf8');
    expect(text).toMatch(/^---\nname: forage\n/);
  });
});
