import { readdirSync, readFileSync } from 'node:fs';
import { CLIENTS, SIGN_IN_CLIENTS } from '@grove/server/clients';
import { describe, expect, it } from 'vitest';
import { runDocumented, shellBlocks } from './testing/documented-commands.ts';
import { servedScratch } from './testing/served-scratch.ts';

const FOLDER = new URL('../../../docs/clients/', import.meta.url);
const PAGES = readdirSync(FOLDER).map(
  (name) => [name.replace('.md', ''), readFileSync(new URL(name, FOLDER), 'utf8')] as const,
);
const CONNECTING = readFileSync(new URL('../../../docs/connecting.md', import.meta.url), 'utf8');
const DOCUMENTED = 'http://127.0.0.1:8420';
const KEY = /Bearer (?:YOUR_KEY|\$\{[\w:-]+\})/g;

const served = servedScratch();

function linesOf(page: string): string[] {
  return shellBlocks(page).flatMap((block) => block.trim().split('\n'));
}

function pageOf(name: string): string {
  return PAGES.find(([one]) => one === name)?.[1] ?? '';
}

function jsonIn(text: string): unknown {
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}\n') + 1).replaceAll(KEY, 'Bearer KEY'));
}

// Each command is a process of its own, of which a busy machine runs one in many seconds.
describe('docs/clients', { timeout: 300_000 }, () => {
  it.each(PAGES)(
    '%s: names commands of grove that work, and tells all there is to tell',
    async (name, page) => {
      const lines = linesOf(page);
      const own = lines.filter((line) => line.startsWith('grove '));
      expect(own.length).toBeGreaterThan(1);
      for (const line of own) expect(await runDocumented(served.scratch, [line]), line).not.toBe('');
      const pasted = SIGN_IN_CLIENTS.map(({ paste }) => paste?.(`${DOCUMENTED}/mcp`, 'grove'));
      for (const line of lines) if (!own.includes(line)) expect(pasted).toContain(line);
      for (const heading of ['Set it up', 'What to expect', 'Limits', 'Does it work?', 'When it does not'])
        expect(page).toContain(`\n## ${heading}\n`);
      expect(CONNECTING).toContain(`(clients/${name}.md)`);
    },
  );

  it.each(['cursor', 'vscode'])(
    '%s: shows the entry of grove connect with the key elsewhere',
    async (name) => {
      const [, block = ''] = /^```json\n([\s\S]*?)^```$/m.exec(pageOf(name)) ?? [];
      const shown = jsonIn(block.replaceAll(DOCUMENTED, served.server.told.local_url));
      const printed = await runDocumented(served.scratch, [`grove connect ${name}`]);
      expect(shown).toMatchObject(jsonIn(`${printed.split('\n\nOr open')[0]}\n`) as object);
    },
  );

  it('claude-desktop: hands on what is to stay hidden', async () => {
    expect(pageOf('claude-desktop')).toContain('`GROVE_DENY_PATHS=Private grove connect claude-desktop`');
    const env = { GROVE_DENY_PATHS: 'Private' };
    const printed = await runDocumented(served.scratch, ['grove connect claude-desktop'], { env });
    expect(JSON.stringify(jsonIn(printed))).toContain('"GROVE_DENY_PATHS":"Private"');
  });

  it('has a page for the clients that most use', () => {
    const ids = CLIENTS.map(({ id }) => id);
    for (const [name] of PAGES) expect(ids).toContain(name === 'claude' ? 'claude-ai' : name);
    expect(PAGES.map(([name]) => name).sort()).toEqual(
      ['chatgpt', 'claude', 'claude-code', 'claude-desktop', 'cursor', 'gemini-cli', 'vscode'].sort(),
    );
  });
});
