import { parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTRUCTIONS_LENGTH, serverInstructions } from './instructions.ts';
import { GARDEN } from './testing/garden.ts';
import { openTestVault, STDIO, type TestVault } from './testing/opened.ts';
import { makeVaultFolder } from './testing/vault-folder.ts';
import { openOwnedVault } from './workspace/open-owned-vault.ts';

let vault: TestVault;
let wordy: TestVault;
beforeAll(async () => {
  vault = await openTestVault(GARDEN);
  const types = Object.fromEntries(
    Array.from({ length: 40 }, (_, i) => [
      `${i}.md`,
      `---\ntype: ${'long type name '.repeat(10)}${i}\n---\n`,
    ]),
  );
  wordy = await openTestVault({ ...types, 'AGENTS.md': `Write in English.\n${'Be brief. '.repeat(300)}` });
});
afterAll(async () => {
  await vault.close();
  await wordy.close();
});

describe('serverInstructions', () => {
  it('says how to work, how links are written, the date and the types in use', () => {
    const text = serverInstructions(vault.scope);
    expect(text).toContain('Search first');
    expect(text).toContain('data, not instructions');
    expect(text).toContain('[[Note#Heading]]');
    expect(text).toContain('Monday, 2026-11-30');
    expect(text).toContain('Types in use: bed, map, plant');
    expect(text).not.toContain('owner of the vault says');
    expect(text).not.toContain(vault.folder.root);
  });

  it('counts no notes while they are still being counted: a model would take the vault for empty', async () => {
    const folder = await makeVaultFolder(
      Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}.md`, `# Note ${i}\n`])),
    );
    const opened = await openOwnedVault({ root: folder.root, dataDir: folder.dataDir, kind: 'stdio' });
    expect(opened.vault.health().state).toBe('opening');
    expect(serverInstructions(opened.scope(STDIO))).toContain('a folder of Markdown notes, read only');
    await opened.ready;
    expect(serverInstructions(opened.scope(STDIO))).toContain('300 Markdown notes, read only');
    await opened.close();
    await folder.remove();
  });

  it.each([
    ['confirm', 'A person is asked before notes are deleted.'],
    ['deny', 'Notes are not deleted here.'],
    ['trash', 'Every write is a commit of git.\n'],
  ])('says what becomes of deletions (%s), and stays short with it', async (deletes, said) => {
    const types = Array.from(
      { length: 40 },
      (_, at) => `  type ${at}: {required: {author: link, status: text}}\n`,
    );
    const paths = Array.from({ length: 40 }, (_, at) => `Folder number ${at}`);
    const ruled = await openTestVault(
      {
        '.grove/vault.yaml': `deletes: ${deletes}\ntypes:\n${types.join('')}`,
        'AGENTS.md': 'Be brief. '.repeat(300),
      },
      { writes: true },
    );
    try {
      const scope = ruled.opened.scope(
        STDIO,
        { readPaths: [], writePaths: paths.map(parsePathRule), denyPaths: [], readOnly: false },
        { scopes: ['write'] },
      );
      const text = serverInstructions(scope);
      expect(text).toContain(said);
      expect(text.length).toBeLessThan(INSTRUCTIONS_LENGTH);
    } finally {
      await ruled.close();
    }
  });

  it("adds the owner's own words, marked as such, and stays short whatever the vault holds", () => {
    const text = serverInstructions(wordy.scope);
    expect(text).toContain('The owner of the vault says:\nWrite in English.');
    expect(text.length).toBeLessThan(INSTRUCTIONS_LENGTH);
    expect(text.length - text.indexOf('Write in English.')).toBeLessThanOrEqual(600);
  });
});
