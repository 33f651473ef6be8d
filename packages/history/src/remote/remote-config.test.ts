import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { locateGitDir } from '../repository/locate.ts';
import { remotePushUrl, remoteUrl, setRemote } from './remote-config.ts';

const URL = 'https://git.example.org/ada/notes.git';

describeWithPrograms('the address in the configuration', ['git'], () => {
  const repository = async () => {
    const git = SystemGit.init();
    const location = (await locateGitDir(git.dir))!;
    const path = join(git.dir, '.git', 'config');
    return { git, location, path };
  };

  it('is added as git would, and every other byte stays', async () => {
    const { git, location, path } = await repository();
    const odd = '# mine\r\n[core]\r\n\tbare = false ; no\r\n[alias]\n\tl = log';
    writeFileSync(path, odd);
    expect(await remoteUrl(location, 'origin')).toBeNull();
    await setRemote(location, 'origin', URL);
    expect(readFileSync(path, 'utf8').startsWith(`${odd}\n`)).toBe(true);
    expect(await remoteUrl(location, 'origin')).toBe(URL);
    expect(git.run('remote', '-v')).toBe(`origin\t${URL} (fetch)\norigin\t${URL} (push)\n`);
    expect(git.run('config', 'remote.origin.fetch').trim()).toBe('+refs/heads/*:refs/remotes/origin/*');
  });

  it('is replaced where it stands', async () => {
    const { git, location, path } = await repository();
    const text = (url: string) =>
      `[remote "other"]\n\turl = a\n[remote "origin"] ; x\n\tfetch = +a:b\n\tURL = ${url}\n[branch "url"]\n\tremote = origin\n`;
    writeFileSync(path, text('"https://old.example.org/a b" # old'));
    await setRemote(location, 'origin', URL);
    expect(readFileSync(path, 'utf8')).toBe(text(URL));
    expect(git.run('config', 'remote.origin.url').trim()).toBe(URL);
    const before = readFileSync(path);
    await setRemote(location, 'origin', URL);
    expect(readFileSync(path)).toEqual(before);
  });

  it('may be another one for pushes', async () => {
    const { git, location } = await repository();
    git.run('remote', 'add', 'origin', URL);
    expect(await remotePushUrl(location, 'origin')).toBeNull();
    git.run('remote', 'set-url', '--push', 'origin', URL);
    expect(await remotePushUrl(location, 'origin')).toBe(URL);
    git.run('remote', 'set-url', '--push', '--add', 'origin', 'https://mirror.example.org/notes.git');
    expect(await remotePushUrl(location, 'origin')).toBe('https://mirror.example.org/notes.git');
  });

  it('never holds a secret', async () => {
    const { location, path } = await repository();
    const before = readFileSync(path);
    const secret = setRemote(location, 'origin', 'https://ada:secret@example.org/notes.git');
    await expect(secret).rejects.toMatchObject({ code: 'remote_address_refused' });
    await expect(setRemote(location, 'a"]\n[core', URL)).rejects.toMatchObject({ code: 'bad_input' });
    expect(readFileSync(path)).toEqual(before);
  });
});
