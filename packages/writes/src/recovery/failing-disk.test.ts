import { isGroveError } from '@grove/core';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { lookingFs } from '../testing/looking-fs.ts';
import { openedEngine, wholeWrite } from '../testing/opened-engine.ts';

/** A disk that fails at one call, or from one call on, until it is mended. */
function failingDisk() {
  const state = { at: 0, lasting: false, code: 'ENOSPC', count: 0, failed: false };
  const fs = lookingFs((_, name) => {
    if (state.at === 0) return;
    state.count += 1;
    const fails = state.lasting ? state.count >= state.at && ROOM.has(name) : state.count === state.at;
    if (!fails) return;
    state.failed = true;
    throw Object.assign(new Error(`${state.code}: ${name}`), { code: state.code, syscall: name });
  });
  return { fs, state };
}

/** What needs room: on a full disk everything else goes on. */
const ROOM = new Set(['create', 'write', 'append', 'mkdir', 'link']);

const REQUEST = { paths: ['Plan.md', 'New/Other.md', 'Gone.md'] as const };

function requestOf(count: number) {
  const key = { key: `${count}`, bodyHash: `${count}` };
  const [plan, other, gone] = REQUEST.paths.map((path) => wholeWrite(path, null).paths[0]!);
  return wholeWrite('Plan.md', null, {
    paths: [plan!, other!, gone!],
    idempotency: key,
    plan: (files) => ({
      changes: [
        { path: plan!, after: Buffer.from(`${Buffer.from(files.get(plan!)!.bytes)}line\n`) },
        { path: other!, after: Buffer.from('other\n') },
        { path: gone!, after: null },
      ],
      subject: 'Three',
      trailers: {},
      mechanical: false,
      answer: null,
    }),
  });
}

describeWithPrograms('a disk that fails in the middle of a write', ['git'], () => {
  // Calls at which it fails: each one would take long, and every one is met by one of the cases.
  const cases = [
    ['ENOSPC once', 1],
    ['ENOSPC for good', 2],
    ['EIO once', 2],
    ['EACCES once', 3],
  ] as const;
  it.each(cases)('leaves the write undone or done, never half: %s', async (name, first) => {
    const [code = '', how] = name.split(' ');
    let at: number = first;
    for (; ; at += 3) {
      const { fs, state } = failingDisk();
      const vault = await openedEngine({ 'Plan.md': 'one\n', 'Gone.md': 'gone\n' }, { fs });
      vault.git.write('Plan.md', 'one\nby a person\n');
      Object.assign(state, { at, code, lasting: how === 'for' });
      let failure: unknown = null;
      try {
        await vault.engine.apply(requestOf(at));
      } catch (error) {
        failure = error;
      }
      const reached = state.failed;
      state.at = 0;
      if (failure !== null) {
        expect(isGroveError(failure), `call ${at}: ${failure}`).toBe(true);
        expect(JSON.stringify(failure)).not.toContain(vault.root);
      }
      const written = [vault.text('Plan.md'), vault.text('New/Other.md'), vault.text('Gone.md')];
      const undone = ['one\nby a person\n', null, 'gone\n'];
      const done = ['one\nby a person\nline\n', 'other\n', null];
      // A disk that fails for good cannot always be taken back to before; then the next write does it.
      if (how !== 'for') expect([undone, done], `call ${at}`).toContainEqual(written);
      await vault.engine.apply(requestOf(at));
      // A scratch file that could not be removed goes at the next start.
      await vault.again({});
      expect([vault.text('Plan.md'), vault.text('New/Other.md'), vault.text('Gone.md')]).toEqual(done);
      expectSound(vault.git);
      expect(
        vault.git
          .run('log', '--format=%s')
          .split('\n')
          .filter((subject) => subject === 'Three').length,
      ).toBe(1);
      await vault.engine.close();
      if (!reached) break;
    }
    expect(at).toBeGreaterThan(30);
  });
});
