import { readFileSync } from 'node:fs';
import { SIGN_IN_CLIENTS } from '@grove/server/clients';
import { describe, expect, it } from 'vitest';
import { runDocumented } from './testing/documented-commands.ts';
import { servedScratch } from './testing/served-scratch.ts';

const PAGE = readFileSync(new URL('../../../docs/connecting.md', import.meta.url), 'utf8');
const [, SECTION = ''] = /^## By signing in$([\s\S]*?)^## /m.exec(PAGE) ?? [];
const ADDRESS = 'https://notes.example.org/mcp';

const served = servedScratch();

function blocksOf(language: string): readonly string[] {
  return [...SECTION.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(
    ([, block = '']) => block.trim(),
  );
}

function pasteOf(id: string): string {
  return SIGN_IN_CLIENTS.find((client) => client.id === id)?.paste?.(ADDRESS, 'grove') ?? '';
}

describe('docs/connecting.md, by signing in', { timeout: 300_000 }, () => {
  it('names commands of grove that work', async () => {
    const lines = blocksOf('sh').flatMap((block) => block.split('\n'));
    const own = lines.filter((line) => line.startsWith('grove '));
    expect(own.length).toBeGreaterThan(2);
    for (const line of own) expect(await runDocumented(served.scratch, [line]), line).not.toBe('');
  });

  it('has what the page of an invite has', () => {
    expect(blocksOf('sh')[0]).toBe(pasteOf('claude-code'));
    const pasted = blocksOf('json').map((block) => JSON.parse(block));
    expect(pasted).toEqual([JSON.parse(pasteOf('cursor')), JSON.parse(pasteOf('vscode'))]);
    for (const { title } of SIGN_IN_CLIENTS) expect(SECTION).toContain(title.replace(/ \(.*/, ''));
  });
});
