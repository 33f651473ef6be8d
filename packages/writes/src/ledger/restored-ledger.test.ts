import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describeWithPrograms } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { memoryFolder } from '../testing/memory-folder.ts';
import { engineOver, KEY, type OpenedEngine, openedEngine, wholeWrite } from '../testing/opened-engine.ts';
import { openLedger } from './open-ledger.ts';
import { checkLedgerFile, hasUnfinished, retireLedger } from './restored-ledger.ts';

function copyOf(stateDir: string, copy: string): void {
  const database = new DatabaseSync(join(stateDir, 'ledger.db'), { readOnly: true });
  database.prepare('VACUUM INTO ?').run(copy);
  database.close();
}

/** Opens the vault with another ledger in the place of its own, as a restore leaves it. */
async function withLedger(vault: OpenedEngine, ledger: string): Promise<OpenedEngine> {
  await vault.engine.close();
  for (const suffix of ['', '-wal', '-shm'])
    rmSync(join(vault.stateDir, `ledger.db${suffix}`), { force: true });
  copyFileSync(ledger, join(vault.stateDir, 'ledger.db'));
  return await engineOver(vault.git, {}, vault.stateDir);
}

describeWithPrograms('a ledger of a backup', ['git'], () => {
  it.each([true, false])(
    'does no write of then again over what a person took back since (retired: %s)',
    async (isRetired) => {
      const copy = join(memoryFolder('copy'), 'ledger.db');
      const vault = await openedEngine({ 'Plan.md': 'one\n' });
      // Acknowledged, and not yet synced: as a crash at this moment would leave it.
      await vault.write('Plan.md', 'two\n');
      copyOf(vault.stateDir, copy);
      expect(hasUnfinished(copy)).toBe(true);
      await vault.engine.settled();
      vault.git.run('reset', '--hard', '--quiet', 'HEAD~1');
      vault.git.run('reflog', 'expire', '--expire=now', '--all');
      expect(vault.text('Plan.md')).toBe('one\n');
      if (isRetired) {
        expect(retireLedger(copy)).toEqual([
          { path: 'Plan.md', bytes: new Uint8Array(Buffer.from('two\n')) },
        ]);
        expect(hasUnfinished(copy)).toBe(false);
      }
      const restored = await withLedger(vault, copy);
      // What is not retired shows that there is something to be done again.
      expect(restored.text('Plan.md')).toBe(isRetired ? 'one\n' : 'two\n');
      await restored.write('Plan.md', 'three\n');
      expect(restored.text('Plan.md')).toBe('three\n');
    },
  );

  it('gives no answer of then for a write that the vault lacks', async () => {
    const copy = join(memoryFolder('copy'), 'ledger.db');
    const vault = await openedEngine({ 'Plan.md': 'one\n' });
    const request = wholeWrite('Plan.md', 'two\n', { idempotency: { key: 'k', bodyHash: 'b' }, author: KEY });
    await vault.engine.apply(request);
    copyOf(vault.stateDir, copy);
    await vault.engine.settled();
    vault.git.run('reset', '--hard', '--quiet', 'HEAD~1');
    retireLedger(copy);
    const restored = await withLedger(vault, copy);
    expect((await restored.engine.apply(request)).replayed).toBe(false);
    expect(restored.text('Plan.md')).toBe('two\n');
  });

  it('keeps what it knows of notes, for those that are still what it knew', async () => {
    const copy = join(memoryFolder('copy'), 'ledger.db');
    const vault = await openedEngine({ 'Plan.md': 'one\n', 'Other.md': 'x\n' });
    const { files } = await vault.write('Plan.md', 'two\n');
    await vault.write('Other.md', 'y\n');
    copyOf(vault.stateDir, copy);
    await vault.engine.settled();
    writeFileSync(join(vault.root, 'Other.md'), 'a person wrote\n');
    retireLedger(copy);
    const { ledger } = openLedger(join(copy, '..'), 0);
    expect(ledger.note(files[0]!.path)?.sourceHash).toBe(files[0]!.sourceHash);
    ledger.close();
    const restored = await withLedger(vault, copy);
    await restored.write('Other.md', 'z\n');
    // A person's words got a commit of their own first.
    expect(restored.git.run('show', 'HEAD~1:Other.md')).toBe('a person wrote\n');
  });
});

describe('retireLedger', () => {
  it('forgets a pull that was on its way, and what was left to do after writes; also in a ledger of an earlier Grove', () => {
    const stateDir = memoryFolder('state');
    openLedger(stateDir, 0).ledger.close();
    const path = join(stateDir, 'ledger.db');
    const database = new DatabaseSync(path);
    database.exec(`INSERT INTO pulls VALUES (1, 'placing', '{}'); INSERT INTO pull_files VALUES (1, 0, '{}');
      INSERT INTO follow_ups VALUES (1, '{}')`);
    expect(hasUnfinished(path)).toBe(true);
    expect(retireLedger(path)).toEqual([]);
    expect(hasUnfinished(path)).toBe(false);
    expect(database.prepare('SELECT 1 FROM pull_files UNION ALL SELECT 1 FROM follow_ups').all()).toEqual([]);
    database.exec('DROP TABLE pull_files; DROP TABLE pulls; DROP TABLE follow_ups; PRAGMA user_version = 1');
    database.close();
    expect(retireLedger(path)).toEqual([]);
    expect(hasUnfinished(path)).toBe(false);
  });
});

describe('checkLedgerFile', () => {
  it('refuses a ledger of a newer Grove and the file of another program, and changes neither', () => {
    const stateDir = memoryFolder('state');
    openLedger(stateDir, 0).ledger.close();
    const path = join(stateDir, 'ledger.db');
    expect(() => checkLedgerFile(path)).not.toThrow();
    const set = (pragma: string) => {
      const database = new DatabaseSync(path);
      database.exec(`PRAGMA ${pragma}`);
      database.close();
    };
    set('user_version = 99');
    expect(() => checkLedgerFile(path)).toThrow(expect.objectContaining({ code: 'ledger_unavailable' }));
    set('application_id = 1');
    expect(() => checkLedgerFile(path)).toThrow(expect.objectContaining({ code: 'ledger_unavailable' }));
  });
});
