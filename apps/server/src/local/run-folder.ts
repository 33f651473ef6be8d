import { createHash } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { errorCode } from '@grove/core';

/** `sun_path` holds 104 bytes on macOS and 108 on Linux, with the closing zero. */
const MAX_SOCKET_BYTES = 100;
const PIPES = '\\\\.\\pipe\\';

/** Where sockets may be. */
export interface RunFolderOptions {
  /** Grove's data folder, absolute. */
  readonly dataDir: string;
  /** `XDG_RUNTIME_DIR`, where the system has one. */
  readonly runtimeDir: string | null;
  readonly platform?: NodeJS.Platform;
  readonly tempDir?: string;
}

/**
 * An address for this process's socket that no other process uses: `<dataDir>/run/<vault>-<pid>.sock` when that
 * fits into a socket address, else a folder under `XDG_RUNTIME_DIR` or the temporary folder; on Windows a named
 * pipe. The folder is made with mode 0700, so that only the same user gets in.
 *
 * @param vaultRoot absolute path of the vault folder; only its hash is in the name
 * @returns the address; nothing listens on it yet
 */
export function socketAddress(vaultRoot: string, options: RunFolderOptions, pid = process.pid): string {
  const name = `${shortHash(vaultRoot)}-${pid}.sock`;
  const platform = options.platform ?? process.platform;
  if (platform === 'win32') return `${PIPES}grove-${shortHash(options.dataDir)}-${name}`;
  const folder = candidateFolders(options).find(
    (candidate) => Buffer.byteLength(join(candidate, name)) <= MAX_SOCKET_BYTES,
  );
  if (folder === undefined) throw new Error('No folder for the local socket has a path short enough');
  claimFolder(folder);
  return join(folder, name);
}

/**
 * The addresses at which owners of a vault may listen, left over ones of dead processes included. Only folders that
 * are this user's alone are looked into.
 *
 * @param vaultRoot absolute path of the vault folder
 */
export function socketsOf(vaultRoot: string, options: RunFolderOptions): readonly string[] {
  const prefix = `${shortHash(vaultRoot)}-`;
  if ((options.platform ?? process.platform) === 'win32')
    return namesIn(PIPES)
      .filter((name) => name.startsWith(`grove-${shortHash(options.dataDir)}-${prefix}`))
      .map((name) => PIPES + name);
  return candidateFolders(options)
    .filter(isPrivate)
    .flatMap((folder) =>
      namesIn(folder)
        .filter((name) => name.startsWith(prefix) && name.endsWith('.sock'))
        .map((name) => join(folder, name)),
    );
}

function isPrivate(folder: string): boolean {
  try {
    const stat = lstatSync(folder);
    const user = process.getuid?.();
    return stat.isDirectory() && (user === undefined || stat.uid === user) && (stat.mode & 0o077) === 0;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw error;
  }
}

function candidateFolders({ dataDir, runtimeDir, tempDir = tmpdir() }: RunFolderOptions): string[] {
  const user = process.getuid?.() ?? 0;
  const suffix = shortHash(dataDir);
  return [
    join(dataDir, 'run'),
    ...(runtimeDir === null ? [] : [join(runtimeDir, 'grove', suffix)]),
    join(tempDir, `grove-${user}-${suffix}`),
    join('/tmp', `grove-${user}-${suffix}`),
  ];
}

/**
 * Makes the folder for this user alone. A folder that another user owns, or a symbolic link, is refused: whoever
 * made it could listen in.
 */
function claimFolder(folder: string): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const stat = lstatSync(folder);
  const user = process.getuid?.();
  if (!stat.isDirectory() || (user !== undefined && stat.uid !== user))
    throw new Error(`The folder for the local socket belongs to another user: ${folder}`);
  if ((stat.mode & 0o077) !== 0) chmodSync(folder, 0o700);
}

/**
 * Removes sockets that earlier owners of the same vault left behind. Called by the owner only, so that no socket
 * in use is hit: whoever serves this vault is this process.
 */
export function removeStaleSockets(address: string): void {
  const cut = address.lastIndexOf('/');
  // Named pipes go with their process.
  if (cut < 0) return;
  const folder = address.slice(0, cut);
  const own = address.slice(cut + 1);
  const prefix = own.slice(0, own.indexOf('-') + 1);
  for (const name of namesIn(folder))
    if (name.startsWith(prefix) && name.endsWith('.sock') && name !== own)
      rmSync(join(folder, name), { force: true });
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}
