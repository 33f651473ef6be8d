import { expect, it } from 'vitest';
import { answerCall } from '../operation/answer.ts';
import { query } from '../query/operation.ts';
import { makeVaultFolder } from '../testing/vault-folder.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';

it('an answer says that notes may be missing until the first index stands, and not afterwards', async () => {
  const many = Object.fromEntries(Array.from({ length: 200 }, (_, at) => [`${at}.md`, `heron ${at}`]));
  const folder = await makeVaultFolder(many);
  const opened = await openOwnedVault({ root: folder.root, dataDir: folder.dataDir, kind: 'stdio' });
  try {
    const scope = opened.scope({ kind: 'stdio', id: 'stdio', name: 'stdio' });
    const ask = async () => (await answerCall(query, scope, { query: 'heron' })).text;
    expect(await ask()).toContain('The index is still being built: notes may be missing');
    await opened.ready;
    const complete = await ask();
    expect(complete).toContain('200 notes');
    expect(complete).not.toContain('may be missing');
  } finally {
    await opened.close();
    await folder.remove();
  }
});
