import { parsePathRule } from '@grove/vault';
import { expect, it } from 'vitest';
import { answerCall } from '../operation/answer.ts';
import { makeVaultFolder } from '../testing/vault-folder.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';
import { get } from './operation.ts';

const principal = { kind: 'stdio', id: 'stdio', name: 'stdio' } as const;
const hidden = { readPaths: [], writePaths: [], denyPaths: [parsePathRule('Templates')], readOnly: false };

it.each([
  [
    'Obsidian’s setting',
    { '.obsidian/daily-notes.json': '{"template": "Templates/Day"}' },
    'Templates/Day.md',
  ],
  [
    'the vault’s own file',
    { '.grove/vault.yaml': 'journal:\n  template: Templates/Day.md\n' },
    'Templates/Day.md',
  ],
  ['the place where templates are looked for else', {}, 'templates/daily.md'],
  ['a setting that names no note', { '.obsidian/daily-notes.json': '{"template": "Gone"}' }, null],
])('a missing daily note tells its template: %s', async (_, files, template) => {
  const notes = { 'Templates/Day.md': '# {{date}}\n', 'templates/daily.md': '# {{date}}\n' };
  const folder = await makeVaultFolder({ ...notes, ...files });
  const opened = await openOwnedVault({ root: folder.root, dataDir: folder.dataDir, kind: 'stdio' });
  try {
    await opened.ready;
    const { structured, text } = await answerCall(get, opened.scope(principal), { path: 'today' });
    expect(structured.template ?? null).toBe(template);
    if (template !== null) expect(text).toContain(`made from the template ${template}`);
    // A template that the caller may not see is none. Rules ignore case, so both are hidden.
    const narrow = await answerCall(get, opened.scope(principal, hidden), { path: 'today' });
    expect(JSON.stringify(narrow.structured)).not.toMatch(/templates/i);
  } finally {
    await opened.close();
    await folder.remove();
  }
});
