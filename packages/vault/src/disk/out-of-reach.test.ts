import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, link, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isGroveError } from '@grove/core';
import { collect, describeWithPrograms, makeFifo } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { eventually, pathsOf, temporaryVault } from '../testing/temporary-vault.ts';
import { readNoteFile } from './read-note-file.ts';

const isPosix = process.platform !== 'win32';
const isRoot = process.getuid?.() === 0;

describe('what is out of reach', () => {
  it.runIf(isPosix)('neither lists nor reads links, hard links, and hidden files', async () => {
    await using outside = await temporaryVault({ 'Secret.md': 'secret', 'Folder/Deep.md': 'deep' });
    await using folder = await temporaryVault({
      'Open.md': 'open',
      '.hidden.md': 'hidden',
      '.trash/Old.md': 'old',
      '.obsidian/Inside.md': 'inside',
      'Sub/.private/Note.md': 'private',
    });
    await symlink(join(outside.root, 'Secret.md'), join(folder.root, 'Link.md'));
    await symlink(join(outside.root, 'Folder'), join(folder.root, 'Linked'));
    await symlink(join(folder.root, 'Open.md'), join(folder.root, 'Inner.md'));
    await link(join(outside.root, 'Secret.md'), join(folder.root, 'Hard.md'));
    const vault = await folder.open();
    expect(pathsOf(vault)).toEqual(['Open.md']);
    expect(vault.health().skipped).toEqual([
      { path: '.hidden.md', reason: 'ignored' },
      { path: '.trash', reason: 'ignored' },
      { path: 'Hard.md', reason: 'hard_link' },
      { path: 'Inner.md', reason: 'symlink' },
      { path: 'Link.md', reason: 'symlink' },
      { path: 'Linked', reason: 'symlink' },
      { path: 'Sub/.private', reason: 'ignored' },
    ]);
    const paths = ['Link.md', 'Linked/Deep.md', 'Inner.md', 'Hard.md', '.hidden.md', '../x.md'];
    await vault.reconcile(paths);
    expect(pathsOf(vault)).toEqual(['Open.md']);
    for (const path of paths) expect(vault.ownerView().resolve(path).kind).toBe('none');
  });

  it.runIf(isPosix)('refuses a note that was replaced by a link after it was listed', async () => {
    await using outside = await temporaryVault({ 'Secret.md': 'secret', 'Folder/A.md': 'secret too' });
    await using folder = await temporaryVault({ 'Plain.md': 'plain', 'Folder/A.md': 'a' });
    const vault = await folder.open({ poll: true });
    const [inFolder, plain] = vault.ownerView().notes();
    await folder.remove('Plain.md');
    await symlink(join(outside.root, 'Secret.md'), join(folder.root, 'Plain.md'));
    await rename(join(folder.root, 'Folder'), join(folder.root, 'Moved'));
    await symlink(join(outside.root, 'Folder'), join(folder.root, 'Folder'));
    for (const row of [inFolder!, plain!]) {
      await expect(vault.ownerView().read(row)).rejects.toSatisfy((error) =>
        isGroveError(error, 'note_not_found'),
      );
    }
    await eventually(() => !pathsOf(vault).includes('Plain.md'));
    await vault.reconcile();
    expect(pathsOf(vault)).toEqual(['Moved/A.md']);
  });

  it.runIf(isPosix)('reads through no link on the way, wherever it is', async () => {
    await using outside = await temporaryVault({ 'In/A.md': 'secret' });
    await using folder = await temporaryVault({ 'Real/In/A.md': 'a' });
    await symlink(outside.root, join(folder.root, 'Link'));
    expect(await readNoteFile(folder.root, 'Link/In/A.md', 1_000)).toMatchObject({ reason: 'symlink' });
    expect(await readNoteFile(folder.root, 'Real/In/A.md', 1_000)).toMatchObject({ kind: 'read' });
    expect(await readNoteFile(folder.root, 'Real/In', 1_000)).toMatchObject({ reason: 'not_a_file' });
    expect(await readNoteFile(folder.root, 'Real/Out/A.md', 1_000)).toEqual({ kind: 'gone' });
  });

  it.runIf(process.platform === 'linux')(
    'skips names that are no UTF-8 or hold control characters',
    async () => {
      await using folder = await temporaryVault({ 'Good.md': 'good', 'Line\nbreak.md': 'x' });
      await writeFile(
        Buffer.concat([Buffer.from(`${folder.root}/`), Buffer.from([0x62, 0xff, 0x2e, 0x6d, 0x64])]),
        'x',
      );
      const vault = await folder.open();
      expect(pathsOf(vault)).toEqual(['Good.md']);
      expect(vault.health().skipped.map((file) => file.reason)).toEqual(['bad_name', 'bad_name']);
    },
  );

  it('takes a name that Windows could not store for the note that it is', async () => {
    await using folder = await temporaryVault(
      isPosix ? { 'What: now?.md': 'x', 'C#.md': 'sharp' } : { 'C#.md': 's' },
    );
    const vault = await folder.open();
    expect(vault.ownerView().resolve('C#')).toMatchObject({ kind: 'found', step: 'path' });
    if (isPosix)
      expect(vault.ownerView().resolve('what: now?')).toMatchObject({ kind: 'found', step: 'name' });
  });

  it('leaves out the copies that Logseq keeps for itself', async () => {
    await using folder = await temporaryVault({
      'logseq/config.edn': '{}',
      'pages/A.md': 'a',
      'logseq/bak/pages/A.md': 'old',
      'logseq/version-files/A.md': 'older',
      'logseq/.recycle/B.md': 'gone',
    });
    const vault = await folder.open();
    expect(vault.dialect).toBe('logseq');
    expect(pathsOf(vault)).toEqual(['pages/A.md']);
  });

  it.runIf(process.platform === 'linux')(
    'keeps one of two files that differ in Unicode form only',
    async () => {
      const composed = 'Caf\u00e9.md';
      const decomposed = 'Cafe\u0301.md';
      await using folder = await temporaryVault({ [decomposed]: 'decomposed' });
      const vault = await folder.open();
      const row = vault.ownerView().resolve(composed);
      expect(row).toMatchObject({
        kind: 'found',
        step: 'path',
        row: { path: composed, diskPath: decomposed },
      });
      expect(vault.ownerView().resolve(decomposed)).toMatchObject({ step: 'path', row: { path: composed } });
      const served = await vault.ownerView().read(vault.ownerView().notes()[0]!);
      expect(served.note.text).toBe('decomposed');

      await folder.write(composed, 'composed');
      await vault.reconcile();
      expect(
        vault
          .ownerView()
          .notes()
          .map((note) => note.diskPath),
      ).toEqual([composed]);
      expect(vault.health().skipped).toEqual([{ path: decomposed, reason: 'twin' }]);
      await folder.remove(composed);
      await vault.reconcile([composed]);
      expect(
        vault
          .ownerView()
          .notes()
          .map((note) => note.diskPath),
      ).toEqual([decomposed]);
    },
  );

  it.runIf(process.platform === 'linux')(
    'keeps notes apart whose names differ in case, spaces, dashes, underscores',
    async () => {
      const names = ['Note.md', 'note.md', 'my note.md', 'my-note.md', 'my_note.md', 'myxnote.md'];
      await using folder = await temporaryVault(Object.fromEntries(names.map((name) => [name, name])));
      const vault = await folder.open();
      expect(pathsOf(vault)).toEqual([...names].sort());
      for (const name of names) {
        expect(vault.ownerView().resolve(name)).toMatchObject({
          kind: 'found',
          step: 'path',
          row: { path: name },
        });
      }
      expect(vault.ownerView().resolve('NOTE')).toMatchObject({ kind: 'ambiguous', step: 'name' });
    },
  );
});

describeWithPrograms('a FIFO', ['mkfifo'], () => {
  it('is neither listed nor read, and nothing waits for it', async () => {
    await using folder = await temporaryVault({ 'Open.md': 'open' });
    makeFifo(join(folder.root, 'Pipe.md'));
    const vault = await folder.open();
    expect(pathsOf(vault)).toEqual(['Open.md']);
    expect(vault.health().skipped).toEqual([{ path: 'Pipe.md', reason: 'not_a_file' }]);
    await vault.reconcile(['Pipe.md']);
    expect(pathsOf(vault)).toEqual(['Open.md']);
    expect(vault.ownerView().resolve('Pipe.md').kind).toBe('none');
    expect(await readNoteFile(folder.root, 'Pipe.md', 1_000)).toMatchObject({ reason: 'not_a_file' });
  });
});

describe.runIf(isRoot && process.platform === 'linux')('without permission', () => {
  it('keeps what it cannot read, shows it to nobody, and says so', async () => {
    await using folder = await temporaryVault({
      'Open.md': 'o',
      'Closed/A.md': 'a',
      'Listed/B.md': 'b',
      'File.md': 'f',
    });
    const nobody = 65_534;
    for (const path of ['', 'Closed', 'Listed', 'Open.md', 'Closed/A.md', 'Listed/B.md', 'File.md']) {
      await chown(join(folder.root, path), nobody, nobody);
    }
    await chmod(join(folder.root, '..'), 0o755);
    const script = fileURLToPath(new URL('../testing/permission-child.ts', import.meta.url));
    const child = spawn(process.execPath, [script, folder.root, folder.stateDir]);
    const output = collect(child.stdout);
    const errors = collect(child.stderr);
    const [code] = await once(child, 'close');
    expect(errors()).toBe('');
    expect(code).toBe(0);
    const [open, closed, reopened, rootClosed, rootOpen] = output()
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(open.paths).toEqual(['Closed/A.md', 'File.md', 'Listed/B.md', 'Open.md']);
    expect(closed).toEqual({
      state: 'ready',
      paths: ['Open.md'],
      notes: 4,
      removed: 0,
      // Listed may be listed and not entered: its notes cannot be looked at.
      skipped: [
        { path: 'File.md', reason: 'unreadable' },
        { path: 'Listed/B.md', reason: 'unreadable' },
      ],
      unreadable: ['Closed'],
      parsed: 4,
    });
    expect(reopened).toMatchObject({ paths: open.paths, skipped: [], unreadable: [], removed: 0, parsed: 4 });
    expect(rootClosed).toMatchObject({ state: 'degraded', notes: 4, removed: 0 });
    expect(rootOpen).toMatchObject({ state: 'ready', paths: open.paths, removed: 0, parsed: 4 });
  });
});
