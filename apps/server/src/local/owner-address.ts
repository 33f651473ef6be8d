import { lstatSync, type Stats } from 'node:fs';
import { dirname, isAbsolute } from 'node:path';
import { errorCode, GroveError } from '@grove/core';

const PIPE = /^\\\\\.\\pipe\\grove-/;

/**
 * Checks the address that an owner wrote down before anything is said there. Whoever may write the git dir of a
 * shared repository can write an address too, and would hear what a client asks and answer in the owner's place: the
 * socket and its folder must be of this user, and the folder open to nobody else.
 *
 * @param address what the owner file says
 * @throws `vault_owned` when it is no local socket of this user; a socket that is not there yet passes
 */
export function checkOwnerAddress(
  address: string,
  owner: { readonly pid: unknown; readonly host: unknown },
  platform: NodeJS.Platform = process.platform,
): void {
  // A number would be a port to connect to.
  const isLocal = platform === 'win32' ? PIPE.test(address) : isAbsolute(address) && !address.includes('\0');
  if (isLocal && (platform === 'win32' || isOurs(address))) return;
  throw new GroveError(
    'vault_owned',
    { pid: owner.pid, host: owner.host },
    { hint: 'It runs as another user: stop it, or run Grove as that user.' },
  );
}

function isOurs(address: string): boolean {
  const user = process.getuid?.();
  const folder = look(dirname(address));
  if (folder === 'hidden') return false;
  if (folder === null) return true;
  if (!folder.isDirectory() || folder.uid !== user || (folder.mode & 0o077) !== 0) return false;
  const socket = look(address);
  return socket === null || (socket !== 'hidden' && socket.isSocket() && socket.uid === user);
}

/** Null when nothing is there, `hidden` when this user may not look. */
function look(path: string): Stats | 'hidden' | null {
  try {
    return lstatSync(path);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT') return null;
    if (code === undefined) throw error;
    return 'hidden';
  }
}
