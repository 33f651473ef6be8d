import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { type OpenedEngine, openedEngine, wholeWrite } from '../testing/opened-engine.ts';

/** Makes the ledger refuse to enter what is done, as a full disk does; gives back what ends that. */
function refusing({ stateDir }: OpenedEngine): () => void {
  const run = (statement: string): void => {
    const database = new DatabaseSync(join(stateDir, 'ledger.db'));
    database.exec(statement);
    database.close();
  };
  run("CREATE TRIGGER full BEFORE UPDATE OF acknowledged ON journal BEGIN SELECT RAISE(FAIL, 'full'); END");
  return () => run('DROP TRIGGER full');
}

const idempotency = { key: 'k', bodyHash: 'h' };

describeWithPrograms('a ledger that refuses what is done already', ['git'], () => {
  it('lets nothing be written over it until it is entered, and takes nothing back later', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n' });
    const mend = refusing(vault);
    const write = vault.engine.apply(wholeWrite('Plan.md', 'two\n', { idempotency }));
    await expect(write).rejects.toMatchObject({ code: 'ledger_unavailable' });
    await expect(vault.write('Plan.md', 'one\n')).rejects.toMatchObject({ code: 'ledger_unavailable' });
    mend();
    const retried = await vault.engine.apply(wholeWrite('Plan.md', 'two\n', { idempotency }));
    expect(retried.replayed).toBe(true);
    await vault.write('Plan.md', 'one\n');
    await vault.again();
    expect(vault.text('Plan.md')).toBe('one\n');
    expectSound(vault.git);
    expect(vault.git.run('log', '--format=%s').trim().split('\n')).toHaveLength(3);
  });

  it('enters the commit of an outside edit too before the next write', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n' });
    const mend = refusing(vault);
    vault.git.write('Plan.md', 'by a person\n');
    const [path] = wholeWrite('Plan.md', null).paths;
    await expect(vault.engine.commitOutside([path!])).rejects.toMatchObject({ code: 'ledger_unavailable' });
    mend();
    await vault.write('Plan.md', 'one\n');
    await vault.again();
    expect(vault.text('Plan.md')).toBe('one\n');
    expectSound(vault.git);
  });
});
