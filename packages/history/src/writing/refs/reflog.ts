import { rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { errorCode, type WriteFs } from '@grove/core';
import type { Signature } from '../../objects/commit.ts';
import type { GitLocation } from '../../repository/location.ts';
import { readGitFile } from '../../repository/small-file.ts';
import { inFolder } from '../locks/make-folder.ts';
import { signatureText } from '../objects/commit-text.ts';

/** One move of a ref, as its reflog tells it. */
export interface ReflogLine {
  readonly from: string | null;
  readonly to: string;
  readonly who: Signature;
  readonly message: string;
}

const NOTHING = '0'.repeat(40);

/** Where the reflog of a ref lies: that of HEAD belongs to the work tree, that of a branch to all. */
export function reflogPath(location: GitLocation, ref: string): string {
  const folder = ref === 'HEAD' ? location.gitDir : location.commonDir;
  return join(folder, 'logs', ...ref.split('/'));
}

/**
 * Adds a line to a reflog (files backend: `old new who<TAB>message`), making the file where it is missing, and
 * folders for it below `top`.
 */
export async function appendReflog(
  fs: WriteFs,
  path: string,
  top: string,
  line: ReflogLine,
  mode: ((mode: number, folder?: boolean) => number) | null,
): Promise<void> {
  const message = line.message.replaceAll(/\s+/g, ' ').trim();
  const text = `${line.from ?? NOTHING} ${line.to} ${signatureText(line.who)}\t${message}\n`;
  const handle = await inFolder(dirname(path), { fs, top }, () => opened(fs, path));
  try {
    if (mode !== null) await handle.chmod(mode(Number((await handle.stat()).mode & 0o7777n)));
    await handle.write(Buffer.from(text));
  } finally {
    await handle.close();
  }
}

/** True when a reflog tells that its ref once stood at this commit and was moved from it. */
export async function wasMovedFrom(path: string, oid: string): Promise<boolean> {
  const text = (await readGitFile(path)) ?? '';
  return text.split('\n').some((line) => line.startsWith(`${oid} `) && line.slice(41, 81) !== oid);
}

async function opened(fs: WriteFs, path: string): ReturnType<WriteFs['append']> {
  try {
    return await fs.append(path, 0o666);
  } catch (error) {
    if (errorCode(error) !== 'EISDIR') throw error;
    // Folders that a removed branch `a/b` left stand in the way of the branch `a`.
    await rmdir(path);
    return fs.append(path, 0o666);
  }
}
