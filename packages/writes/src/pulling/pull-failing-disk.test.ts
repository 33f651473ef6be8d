import { isGroveError } from '@grove/core';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { lookingFs } from '../testing/looking-fs.ts';
import {
  change,
  committed,
  type Files,
  fetched,
  filesOf,
  openedOver,
  twoSides,
} from '../testing/two-sides.ts';

const LINES = 'one\ntwo\nthree\nfour\n';
const BASE: Files = {
  'A.md': LINES,
  'Gone/B.md': 'b\n',
  Kind: 'a file\n',
  'Both.md': 'x\n',
  'Outside.md': LINES,
};
const THEIRS: Files = {
  'A.md': LINES.replace('one', 'ONE'),
  'Gone/B.md': null,
  Kind: null,
  'Kind/y.md': 'y\n',
  'New/Folder/C.md': 'c\n',
  'Both.md': 'theirs\n',
  'Outside.md': LINES.replace('four', 'FOUR'),
};
const AFTER: Readonly<Record<string, string>> = {
  'A.md': LINES.replace('one', 'ONE'),
  'Both (copy).md': 'theirs\n',
  'Both.md': 'ours\n',
  'Kind/y.md': 'y\n',
  'New/Folder/C.md': 'c\n',
  'Outside.md': 'ONE\ntwo\nthree\nFOUR\n',
};
/** A pull of these files changes the disk some two hundred times. */
const MOST_CHANGES = 260;

function namedAlike(files: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(files);
  return Object.fromEntries(
    entries.map(([path, text]) => [path.replace(/\(conflict [^)]*\)/, '(copy)'), text]),
  );
}

describeWithPrograms('a disk that fails in the middle of a pull', ['git'], () => {
  it.each([
    ['ENOSPC', 'once', 0],
    ['ENOSPC', 'for good', 1],
    ['EIO', 'once', 2],
    ['EACCES', 'for good', 3],
  ])('leaves it undone or done, never half: %s %s', { timeout: 300_000 }, async (code, how, turn) => {
    let finished = 0;
    for (let at = 1 + turn; at <= MOST_CHANGES; at += 9) {
      const sides = twoSides(BASE);
      committed(sides.theirs, THEIRS);
      committed(sides.ours, { 'Both.md': 'ours\n' });
      change(sides.ours.dir, { 'Outside.md': LINES.replace('one', 'ONE') });
      const before = filesOf(sides.ours.dir);
      const theirs = fetched(sides.ours, sides.theirs);
      let changes = 0;
      let isIll = false;
      const fs = lookingFs((_count, name) => {
        if (!isIll) return;
        changes += 1;
        if (how === 'once' ? changes === at : changes >= at && name !== 'unlink' && name !== 'rmdir')
          throw Object.assign(new Error(code), { code, syscall: name });
      });
      const vault = await openedOver(sides, { fs });
      isIll = true;
      const outcome = await vault.engine.pull({ theirs, remote: 'origin' }).catch((error: unknown) => error);
      if (outcome instanceof Error) {
        expect(isGroveError(outcome), String(outcome)).toBe(true);
        expect(JSON.stringify(outcome)).not.toContain(vault.root);
      }
      const wasLate = changes < at;
      isIll = false;
      const where = `change ${at}: ${String(outcome)}`;
      // A process that ends, and the next one; what is open is ended by it.
      await vault.again({});
      const now = namedAlike(filesOf(vault.root));
      const isAfter = sides.ours.run('log', '-1', '--format=%s').startsWith('Merge');
      expect(now, where).toEqual(isAfter ? AFTER : before);
      if (!(outcome instanceof Error)) expect(isAfter, where).toBe(true);
      expectSound(sides.ours, isAfter ? [] : ['Outside.md'], where);
      await vault.engine.pull({ theirs, remote: 'origin' });
      expect(namedAlike(filesOf(vault.root)), where).toEqual(AFTER);
      await vault.engine.close();
      if (isAfter) finished += 1;
      if (wasLate) break;
    }
    expect(finished).toBeGreaterThan(0);
  });
});
