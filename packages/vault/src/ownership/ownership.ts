import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { errorCode, GroveError, randomId, SQLITE, sqliteCode } from '@grove/core';
import * as z from 'zod';

const OWNER = z.object({
  host: z.string(),
  pid: z.number().int(),
  socket: z.string().nullable(),
  kind: z.enum(['server', 'stdio']),
});

/** Who owns a vault, as the owner wrote it down. A hint for people and bridges: the lock alone is proof. */
export type Owner = z.infer<typeof OWNER>;

export interface OwnershipRequest {
  /** Folder of the lock: `grove/` in the git dir, else the vault's state folder. Made when it is not there. */
  readonly lockDir: string;
  readonly host: string;
  readonly pid: number;
  /** Socket on which bridges reach the owner, or null. */
  readonly socketPath: string | null;
  readonly kind: 'server' | 'stdio';
}

/** The right to be the only process that serves and writes a vault. */
export interface Ownership {
  readonly owner: Owner;
  /** Gives the vault free. Calling it again does nothing. */
  release(): Promise<void>;
}

const LOCK_FILE = 'owner.lock';
const OWNER_FILE = 'owner.json';

/**
 * Takes the vault for this process. The lock is a SQLite file held by an exclusive transaction: the kernel
 * frees it when the process ends in any way, `kill -9` included, and a second connection of the same process
 * is refused too. Throws `vault_owned` with the owner's `pid`, `host`, `socket` and `kind`.
 *
 * @example const ownership = await acquireOwnership({ lockDir, host, pid, socketPath: null, kind: 'stdio' });
 */
export async function acquireOwnership(request: OwnershipRequest): Promise<Ownership> {
  mkdirSync(request.lockDir, { recursive: true });
  const lock = new DatabaseSync(join(request.lockDir, LOCK_FILE), { timeout: 0 });
  try {
    lock.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE');
  } catch (cause) {
    lock.close();
    if (!isHeld(cause)) throw cause;
    const owner = readOwner(request.lockDir);
    throw new GroveError(
      'vault_owned',
      owner === null
        ? { pid: 'unknown', host: 'unknown', socket: null, kind: null }
        : { pid: owner.pid, host: owner.host, socket: owner.socket, kind: owner.kind },
      { cause },
    );
  }
  const owner: Owner = {
    host: request.host,
    pid: request.pid,
    socket: request.socketPath,
    kind: request.kind,
  };
  try {
    writeOwner(request.lockDir, owner);
  } catch (error) {
    lock.close();
    throw error;
  }
  return {
    owner,
    release: async () => {
      if (!lock.isOpen) return;
      // The hint goes first: after the lock is free the file may be the next owner's.
      rmSync(join(request.lockDir, OWNER_FILE), { force: true });
      lock.close();
    },
  };
}

/** Who wrote itself down as the owner last, alive or not; null when nobody did or it cannot be read. */
export function readOwner(lockDir: string): Owner | null {
  try {
    return OWNER.parse(JSON.parse(readFileSync(join(lockDir, OWNER_FILE), 'utf8')));
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || error instanceof SyntaxError || error instanceof z.ZodError)
      return null;
    throw error;
  }
}

function writeOwner(lockDir: string, owner: Owner): void {
  const fresh = join(lockDir, `.${randomId()}.tmp`);
  writeFileSync(fresh, `${JSON.stringify(owner, null, 2)}\n`, { mode: 0o600 });
  renameSync(fresh, join(lockDir, OWNER_FILE));
}

function isHeld(error: unknown): boolean {
  const code = sqliteCode(error);
  return code === SQLITE.BUSY || code === SQLITE.LOCKED;
}
