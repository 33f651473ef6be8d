import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, chownSync, lstatSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWithPrograms, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { begun, engineOver } from '../testing/opened-engine.ts';

const ANN = 54_321;
const FRIENDS = 54_322;
const isRoot = process.geteuid?.() === 0;
const script = fileURLToPath(new URL('../testing/write-and-measure.ts', import.meta.url));

/** Owner and group of everything below a folder, each once. */
function ownersIn(folder: string): string[] {
  const found = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => {
    const { uid, gid } = lstatSync(join(folder, name));
    return `${uid}:${gid}`;
  });
  return [...new Set(found)];
}

describeWithPrograms('a vault of another user', ['git', 'setpriv'], () => {
  it.runIf(isRoot)('that root writes into stays that user’s, the git dir too', async () => {
    const git = begun({ 'A.md': 'a\n', 'Folder/B.md': 'b\n' });
    execFileSync('chown', ['-R', `${ANN}:${FRIENDS}`, git.dir]);
    git.run('config', '--file', join(git.dir, '.gitconfig'), 'safe.directory', '*');
    chownSync(join(git.dir, '.gitconfig'), ANN, FRIENDS);
    const vault = await engineOver(git);
    await vault.write('A.md', 'changed\n');
    await vault.write('Folder/New/Deep/C.md', 'c\n');
    await vault.engine.close();
    expect(ownersIn(git.dir)).toEqual([`${ANN}:${FRIENDS}`]);
    // Its owner's own git goes on from there.
    const commit = spawnSync(
      'git',
      ['-c', 'user.name=A', '-c', 'user.email=a@b', 'commit', '-q', '--allow-empty', '-m', 'Mine'],
      {
        cwd: git.dir,
        uid: ANN,
        gid: FRIENDS,
        env: { PATH: process.env.PATH, HOME: git.dir },
        encoding: 'utf8',
      },
    );
    expect([commit.status, commit.stderr]).toEqual([0, '']);
  });

  it.runIf(isRoot)('gets notes of the group of the old one from a writer of that group', () => {
    const git = begun({ 'A.md': 'a\n' });
    execFileSync('chown', ['-R', `${ANN}:${ANN}`, git.dir]);
    chownSync(join(git.dir, 'A.md'), ANN, FRIENDS);
    const stateDir = join(temporaryFolder('state'), 'vault');
    mkdirSync(stateDir);
    for (const folder of [stateDir, join(stateDir, '..')]) chownSync(folder, ANN, ANN);
    for (const folder of [git.dir, stateDir]) chmodSync(folder, 0o755);
    // The groups of a process are not Node's to set for a child: setpriv or a login does it.
    const child = spawnSync(
      'setpriv',
      [
        `--reuid=${ANN}`,
        `--regid=${ANN}`,
        `--groups=${ANN},${FRIENDS}`,
        process.execPath,
        script,
        git.dir,
        stateDir,
        'A.md',
      ],
      { encoding: 'utf8', env: { PATH: process.env.PATH } },
    );
    expect([child.status, child.stderr]).toEqual([0, '']);
    const { uid, gid } = statSync(join(git.dir, 'A.md'));
    expect([uid, gid]).toEqual([ANN, FRIENDS]);
  });
});

describeWithPrograms('a checkout of another kind', ['git'], () => {
  it('shows clean after a write: CRLF, a note that may be run, a link', async () => {
    const git = begun({ '.gitattributes': '*.md text=auto\n', 'Lines.md': 'one\ntwo\n', 'Run.md': 'run\n' });
    git.run('config', 'core.autocrlf', 'true');
    chmodSync(join(git.dir, 'Run.md'), 0o755);
    symlinkSync('Run.md', join(git.dir, 'Link'));
    git.commit('A mode and a link');
    git.write('Lines.md', 'one\r\ntwo\r\n');
    git.run('add', '--renormalize', '.');
    const vault = await engineOver(git);
    expect(git.run('status', '--porcelain')).toBe('');
    await vault.write('Lines.md', 'one\r\ntwo\r\nthree\r\n');
    await vault.write('Run.md', 'run again\n');
    await vault.engine.settled();
    expect(git.run('show', 'HEAD:Lines.md')).toBe('one\ntwo\nthree\n');
    expect(git.run('ls-files', '--stage', 'Run.md', 'Link')).toMatch(/^120000 .*\n100755 /);
    expectSound(git);
  });
});
