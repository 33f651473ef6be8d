import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { INSTRUCTIONS_LENGTH, serverInstructions } from './instructions.ts';
import { GARDEN } from './testing/garden.ts';
import { openTestVault, type TestVault } from './testing/opened.ts';

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

  it("adds the owner's own words, marked as such, and stays short whatever the vault holds", () => {
    const text = serverInstructions(wordy.scope);
    expect(text).toContain('The owner of the vault says:\nWrite in English.');
    expect(text.length).toBeLessThan(INSTRUCTIONS_LENGTH);
    expect(text.length - text.indexOf('Write in English.')).toBeLessThanOrEqual(600);
  });
});
