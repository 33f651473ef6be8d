import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { GroveError, writeDurably } from '@grove/core';
import { configEntries, parseGitConfig } from '../repository/config-file.ts';
import type { GitLocation } from '../repository/location.ts';
import { readGitFile } from '../repository/small-file.ts';
import { writing } from '../writing/write-failure.ts';
import { parseRemoteAddress } from './remote-address.ts';

/**
 * The address that the repository's configuration gives a remote, or null when it has no such remote. It is given as it
 * stands there: {@link parseRemoteAddress} judges it.
 */
export async function remoteUrl(location: GitLocation, name: string): Promise<string | null> {
  const config = (await readGitFile(join(location.commonDir, 'config'))) ?? '';
  return parseGitConfig(config).get(`remote.${name}.url`) ?? null;
}

/**
 * Where git pushes to when it fetches elsewhere: `pushurl`, as it stands in the configuration. Of several the first one
 * that is not the address itself; null when there is none.
 */
export async function remotePushUrl(location: GitLocation, name: string): Promise<string | null> {
  const entries = configEntries((await readGitFile(join(location.commonDir, 'config'))) ?? '');
  const url = entries.findLast(([key]) => key === `remote.${name}.url`)?.[1];
  const pushed = entries.filter(([key]) => key === `remote.${name}.pushurl`).map(([, value]) => value);
  return pushed.find((value) => value !== url) ?? pushed[0] ?? null;
}

/**
 * Gives a remote its address, and its refspec where it has none; every other byte of the configuration stays.
 *
 * @throws `remote_address_refused`
 * @example await setRemote(location, 'origin', 'https://github.com/ada/notes.git');
 */
export async function setRemote(location: GitLocation, name: string, url: string): Promise<void> {
  if (!/^[\w.-]+$/.test(name)) throw new GroveError('bad_input', { reason: `"${name}" names no remote` });
  parseRemoteAddress(url);
  const path = join(location.commonDir, 'config');
  const before = (await readGitFile(path)) ?? '';
  const after = withRemote(before, name, url);
  if (after === before) return;
  await writing(async () => writeDurably(path, after, (await lstat(path)).mode & 0o777 || 0o644));
}

/** The configuration with that remote: its last address is replaced where it stands, or a section is added. */
function withRemote(config: string, name: string, url: string): string {
  const entries = configEntries(config);
  const urls = entries.filter(([key]) => key === `remote.${name}.url`);
  if (urls.at(-1)?.[1] === url) return config;
  if (urls.length > 0) return replaceUrl(config, name, url);
  const fetch = entries.some(([key]) => key === `remote.${name}.fetch`)
    ? ''
    : `\tfetch = +refs/heads/*:refs/remotes/${name}/*\n`;
  return `${config.replace(/(?<=[^\n])$/, '\n')}[remote "${name}"]\n\turl = ${quoted(url)}\n${fetch}`;
}

/** Replaces the lines `url = …` below the remote's header. */
function replaceUrl(config: string, name: string, url: string): string {
  let isInside = false;
  const lines = config.split(/(?<=\n)/).map((line) => {
    const header = /^\s*\[/.test(line);
    if (header) isInside = parseGitConfig(`${line.trimEnd()}\n\tx`).has(`remote.${name}.x`);
    const match = isInside ? /^(\s*(?:\[.*\]\s*)?url\s*=\s*)[^\r\n]*/i.exec(line) : null;
    return match === null ? line : match[1]! + quoted(url) + line.slice(match[0].length);
  });
  return lines.join('');
}

function quoted(url: string): string {
  return /[;"\\\s]/.test(url) ? `"${url.replaceAll(/["\\]/g, '\\$&')}"` : url;
}
