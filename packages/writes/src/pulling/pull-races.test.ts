import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskWriteFs, type WriteFs } from '@grove/core';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { PULL_STEPS, type Step } from '../engine/steps.ts';
import { expectSound, leftovers } from '../testing/expect-sound.ts';
import type { OpenedEngine } from '../testing/opened-engine.ts';
import {
  committed,
  type Files,
  fetched,
  filesOf,
  openedOver,
  pulled,
  twoSides,
} from '../testing/two-sides.ts';

const LINES = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';

/** Every text that is on disk, in whichever file. */
function texts(vault: OpenedEngine): string {
  return Object.values(filesOf(vault.root)).join('\n');
}

function changedOnDisk(vault: OpenedEngine): string[] {
  const status = vault.git.run('status', '--porcelain', '-z', '--untracked-files=all');
  return status.split('\0').flatMap((line) => (line === '' ? [] : [line.slice(3)]));
}

interface Save {
  readonly name: string;
  readonly save: (root: string) => void;
  /** What must be on disk whatever happens. */
  readonly kept: readonly string[];
}

const SAVES: readonly Save[] = [
  {
    name: 'other lines of a note that comes',
    save: (root) => writeFileSync(join(root, 'A.md'), LINES.replace('six', 'SIX by a person')),
    kept: ['SIX by a person'],
  },
  {
    name: 'the same lines of a note that comes',
    save: (root) => writeFileSync(join(root, 'A.md'), LINES.replace('one', 'ONE by a person')),
    kept: ['ONE by a person'],
  },
  {
    name: 'more of a note that is deleted there',
    save: (root) => appendFileSync(join(root, 'Gone.md'), 'by a person\n'),
    kept: ['by a person'],
  },
  {
    name: 'a note where a new one comes',
    save: (root) => {
      mkdirSync(join(root, 'New'), { recursive: true });
      writeFileSync(join(root, 'New/B.md'), 'by a person\n');
    },
    kept: ['by a person'],
  },
  {
    name: 'a note where a folder comes',
    save: (root) => {
      rmSync(join(root, 'New'), { recursive: true, force: true });
      writeFileSync(join(root, 'New'), 'by a person\n');
    },
    kept: ['by a person'],
  },
  {
    name: 'a picture that comes',
    save: (root) => writeFileSync(join(root, 'x.png'), '\0by a person'),
    kept: ['\0by a person'],
  },
];

describeWithPrograms('a save by somebody else during a pull', ['git'], () => {
  const places: readonly [Step, number][] = PULL_STEPS.flatMap((step): [Step, number][] =>
    step === 'pull_placed'
      ? [1, 2, 3, 4].map((times) => [step, times])
      : step === 'pull_finished'
        ? []
        : [[step, 1]],
  );
  for (const { name, save, kept } of SAVES)
    it.each(places)(
      `of ${name}, at "%s", passing %i, is not lost and takes nothing back`,
      async (place, times) => {
        const sides = twoSides({ 'A.md': LINES, 'Gone.md': 'g\n', 'Ours.md': 'o\n', 'x.png': '\0one' });
        let passed = 0;
        const vault = await openedOver(sides, {
          step: (step) => {
            if (step !== place) return;
            passed += 1;
            if (passed === times) save(sides.ours.dir);
          },
        });
        committed(sides.theirs, {
          'A.md': LINES.replace('one', 'ONE by them'),
          'Gone.md': null,
          'New/B.md': 'new by them\n',
          'x.png': '\0two',
        });
        committed(sides.ours, { 'Ours.md': 'more\n' });
        await pulled(vault, sides.theirs);
        await vault.engine.settled();
        for (const words of kept) expect(texts(vault)).toContain(words);
        const copies = Object.keys(filesOf(vault.root)).filter(
          (path) => path.endsWith('.md') && path.includes('(conflict'),
        );
        for (const copy of copies)
          expect(sides.ours.run('ls-files', '--', `:(literal)${copy}`).trim()).not.toBe('');
        // What they have is in the history, and the disk takes back no line of it unknown to the person.
        expect(sides.ours.run('show', 'HEAD:A.md')).toContain('ONE by ');
        expect(`${sides.ours.run('show', 'HEAD:A.md')}${texts(vault)}`).toContain('ONE by them');
        expectSound(sides.ours, changedOnDisk(vault));
        // The next pull and the next write go on.
        committed(sides.theirs, { 'Later.md': 'later\n' });
        expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'merged' });
        await vault.write('Written.md', 'w\n');
        await vault.engine.settled();
        for (const words of kept) expect(texts(vault)).toContain(words);
        expectSound(sides.ours, changedOnDisk(vault));
      },
    );

  it('is merged into what comes, and is then the only difference to the history', async () => {
    const sides = twoSides({ 'A.md': LINES });
    const vault = await openedOver(sides, {
      step: (step) => {
        if (step === 'pull_journaled')
          writeFileSync(join(sides.ours.dir, 'A.md'), LINES.replace('seven', 'SEVEN'));
      },
    });
    committed(sides.theirs, { 'A.md': LINES.replace('one', 'ONE') });
    await pulled(vault, sides.theirs);
    expect(vault.text('A.md')).toBe(LINES.replace('one', 'ONE').replace('seven', 'SEVEN'));
    expect(sides.ours.run('diff', '--numstat').trim()).toBe('1\t1\tA.md');
    expect(leftovers(vault.root)).toEqual([]);
  });

  it('in the branch itself makes the pull anew on that', async () => {
    const sides = twoSides({ 'A.md': LINES, 'B.md': 'b\n' });
    let moved = false;
    const vault = await openedOver(sides, {
      step: (step) => {
        if (step !== 'pull_settled' || moved) return;
        moved = true;
        const tree = sides.ours.run('rev-parse', 'HEAD^{tree}').trim();
        const commit = sides.ours.run('commit-tree', '-p', 'HEAD', '-m', 'By a push', tree).trim();
        sides.ours.run('update-ref', 'refs/heads/main', commit);
      },
    });
    committed(sides.theirs, { 'A.md': LINES.replace('one', 'ONE'), 'B.md': null });
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'merged', conflicts: [] });
    expect(sides.ours.run('log', '--first-parent', '--format=%s').trim().split('\n')).toEqual([
      'Merge the changes of origin',
      'By a push',
      'Begin',
    ]);
    expect(filesOf(vault.root)).toEqual({ 'A.md': LINES.replace('one', 'ONE') });
    expectSound(sides.ours);
  });
});

/** A disk on which one call fails. */
function failing(at: (name: string, path: string) => boolean, code: string): WriteFs {
  const fail = (name: string, path: string) => {
    if (at(name, path)) throw Object.assign(new Error(code), { code, syscall: name });
  };
  return {
    ...diskWriteFs,
    create: async (path, mode) => {
      fail('create', path);
      return diskWriteFs.create(path, mode);
    },
    rename: async (from, to) => {
      fail('rename', to);
      return diskWriteFs.rename(from, to);
    },
    link: async (from, to) => {
      fail('link', to);
      return diskWriteFs.link(from, to);
    },
    rmdir: async (path) => {
      fail('rmdir', path);
      return diskWriteFs.rmdir(path);
    },
  };
}

describeWithPrograms('a pull that the disk refuses in the middle', ['git'], () => {
  const BASE: Files = { 'A.md': LINES, 'B.md': 'b\n', 'Gone/C.md': 'c\n', 'D.md': 'd\n' };
  const THEIRS: Files = {
    'A.md': LINES.replace('one', 'ONE'),
    'B.md': 'B\n',
    'Gone/C.md': null,
    'New/E.md': 'e\n',
    'D.md': 'D\n',
  };

  for (const [name, code] of [
    ['create', 'ENOSPC'],
    ['rename', 'EACCES'],
    ['link', 'EIO'],
  ] as const)
    for (const after of [0, 1, 2, 3, 4])
      it(`at ${name} number ${after + 1} of files is taken back, and done when the disk is well`, async () => {
        const sides = twoSides(BASE);
        let ill = false;
        let passed = 0;
        const inWork = (path: string) => /\/(?:temp|keep)-[^/]*$/.test(path) || !path.includes('/.git/');
        const fs = failing((call, path) => {
          if (!ill || call !== name || !inWork(path)) return false;
          passed += 1;
          // A full disk stays full.
          return name === 'create' ? passed > after : passed === after + 1;
        }, code);
        const vault = await openedOver(sides, {
          fs,
          step: (step) => {
            if (step === 'pull_journaled') ill = true;
          },
        });
        committed(sides.theirs, THEIRS);
        committed(sides.ours, { 'Ours.md': 'o\n' });
        const before = filesOf(vault.root);
        const tip = fetched(sides.ours, sides.theirs);
        const outcome = await vault.engine
          .pull({ theirs: tip, remote: 'origin' })
          .catch((error: unknown) => error);
        if (passed > after) {
          expect(outcome).toMatchObject({ code: code === 'ENOSPC' ? 'disk_full' : 'disk_unwritable' });
          expect(filesOf(vault.root)).toEqual(before);
          expectSound(sides.ours);
        }
        await vault.again({});
        await vault.engine.pull({ theirs: tip, remote: 'origin' });
        await vault.write('Later.md', 'later\n');
        await vault.engine.settled();
        expect(filesOf(vault.root)).toEqual({
          'A.md': LINES.replace('one', 'ONE'),
          'B.md': 'B\n',
          'D.md': 'D\n',
          'Later.md': 'later\n',
          'New/E.md': 'e\n',
          'Ours.md': 'o\n',
        });
        expectSound(sides.ours);
      });

  it('leaves an emptied folder that the system does not let go', async () => {
    const sides = twoSides(BASE);
    const vault = await openedOver(sides, { fs: failing((name) => name === 'rmdir', 'EACCES') });
    committed(sides.theirs, THEIRS);
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward' });
    expectSound(sides.ours);
  });

  it('goes on with writes after it', async () => {
    const sides = twoSides(BASE);
    let ill = true;
    const fs = failing((name, path) => ill && name === 'link' && path.endsWith('New/E.md'), 'EACCES');
    const vault = await openedOver(sides, { fs });
    committed(sides.theirs, THEIRS);
    await expect(pulled(vault, sides.theirs)).rejects.toMatchObject({ code: 'disk_unwritable' });
    await vault.write('Ours.md', 'written all the same\n');
    ill = false;
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'merged', conflicts: [] });
    await vault.engine.settled();
    expectSound(sides.ours);
  });
});

describeWithPrograms('a pull that is refused', ['git'], () => {
  async function refused(sides: ReturnType<typeof twoSides>, vault: OpenedEngine): Promise<unknown> {
    const before = filesOf(vault.root);
    const head = sides.ours.run('rev-parse', 'HEAD');
    const tip = fetched(sides.ours, sides.theirs);
    const error = await vault.engine.pull({ theirs: tip, remote: 'origin' }).catch((cause: unknown) => cause);
    expect(filesOf(vault.root)).toEqual(before);
    expect(sides.ours.run('rev-parse', 'HEAD')).toBe(head);
    expect(leftovers(vault.root)).toEqual([]);
    return error;
  }

  /** Commits a tree of one entry that git itself would not make. */
  function commitEntry(sides: ReturnType<typeof twoSides>, name: string, mode = '100644'): void {
    const git = sides.theirs;
    const oid =
      mode === '40000'
        ? git.feed('', 'mktree').trim()
        : git.feed('evil\n', 'hash-object', '-w', '--stdin').trim();
    const bytes = Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(oid, 'hex')]);
    const tree = git.feed(bytes, 'hash-object', '-w', '--literally', '-t', 'tree', '--stdin').trim();
    const commit = git.run('commit-tree', '-p', 'HEAD', '-m', 'Evil', tree).trim();
    git.run('update-ref', 'refs/heads/main', commit);
  }

  it.each([
    '..',
    '.git',
    '.GIT',
    '.git ',
    'git~1',
    '.g\u200cit',
    '../evil.md',
    '/etc/evil.md',
    'a/b.md',
    '.',
  ])('for a path named %j', async (name) => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    commitEntry(sides, name);
    expect(await refused(sides, vault)).toMatchObject({ code: 'sync_unsupported' });
  });

  it('for a name that is not UTF-8, and for one in the folder of files under way', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    const tip = sides.theirs.run('rev-parse', 'HEAD').trim();
    writeFileSync(
      Buffer.concat([Buffer.from(`${sides.theirs.dir}/`), Buffer.from([0xff, 0x2e, 0x6d, 0x64])]),
      'x',
    );
    sides.theirs.commit();
    expect(await refused(sides, vault)).toMatchObject({ code: 'sync_unsupported' });
    sides.theirs.run('reset', '-q', '--hard', tip);
    committed(sides.theirs, { '.grove/tmp/temp-x': 'x\n' });
    expect(await refused(sides, vault)).toMatchObject({ code: 'sync_unsupported' });
  });

  it('for a history that has nothing in common', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    sides.theirs.run('checkout', '-q', '--orphan', 'other');
    sides.theirs.commit('Another beginning');
    sides.theirs.run('branch', '-M', 'main');
    const error = await refused(sides, vault);
    expect(error).toMatchObject({ code: 'sync_unsupported' });
    expect(String(error)).toContain('shares no commit');
  });

  it('in the middle of a merge, on a detached HEAD, and beside another git', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    committed(sides.theirs, { 'A.md': 'theirs\n' });
    writeFileSync(join(vault.root, '.git/MERGE_HEAD'), `${'1'.repeat(40)}\n`);
    expect(await refused(sides, vault)).toMatchObject({ code: 'git_in_operation' });
    rmSync(join(vault.root, '.git/MERGE_HEAD'));
    sides.ours.run('checkout', '-q', '--detach');
    expect(await refused(sides, vault)).toMatchObject({ code: 'git_in_operation' });
    sides.ours.run('checkout', '-q', 'main');
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward' });
  });

  it('of a sparse checkout, where a file that is not there was not removed', async () => {
    const sides = twoSides({ 'A.md': 'a\n', 'Far/B.md': 'b\n' });
    sides.ours.run('sparse-checkout', 'set', '--no-cone', '/A.md');
    sides.ours.run('config', 'index.sparse', 'false');
    const vault = await openedOver(sides);
    committed(sides.theirs, { 'Far/B.md': 'more\n' });
    expect(await refused(sides, vault)).toMatchObject({ code: 'sync_unsupported' });
  });

  it('of a file that has a second name', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    committed(sides.theirs, { 'A.md': 'theirs\n' });
    await diskWriteFs.link(join(vault.root, 'A.md'), join(vault.root, '.git', 'second'));
    expect(await refused(sides, vault)).toMatchObject({ code: 'path_refused' });
  });
});
