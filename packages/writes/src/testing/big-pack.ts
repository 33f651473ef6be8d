import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';

const BLOB_BYTES = 12 * 1024 * 1024;
const PER_FOLDER = 1_000;

/** Path of the note with that number. */
export function noteOf(at: number): string {
  return `Area ${Math.floor(at / PER_FOLDER)}/Note ${at}.md`;
}

/**
 * Fills a repository with one commit in one pack: so many notes, and attachments that cannot be compressed, of at
 * least so many bytes. The index names all of them; in the work tree lie only the notes that are asked for.
 *
 * @returns the bytes of the pack
 */
export async function fillWithBigPack(
  git: { readonly dir: string; run(...args: string[]): string },
  notes: number,
  bytes: number,
  checkedOut: readonly string[],
): Promise<number> {
  const args = ['-c', 'fastimport.unpackLimit=1', '-c', 'pack.compression=0', 'fast-import', '--quiet'];
  const child = spawn('git', args, { cwd: git.dir, stdio: ['pipe', 'inherit', 'inherit'] });
  const write = async (part: string | Uint8Array) => {
    if (!child.stdin.write(part)) await once(child.stdin, 'drain');
  };
  await write('commit refs/heads/main\ncommitter Ada <ada@example.org> 1700000000 +0000\ndata 5\nBegin\n');
  for (let at = 0; at < notes; at++) {
    const text = `# Note ${at}\n\nWhat is in note ${at}.\n`;
    await write(`M 100644 inline ${JSON.stringify(noteOf(at))}\ndata ${text.length}\n${text}\n`);
  }
  for (let at = 0; at * BLOB_BYTES < bytes; at++) {
    await write(`M 100644 inline "Films/${at}.bin"\ndata ${BLOB_BYTES}\n`);
    await write(randomBytes(BLOB_BYTES));
    await write('\n');
  }
  child.stdin.end();
  await once(child, 'close');
  git.run('read-tree', 'HEAD');
  git.run('checkout-index', '-q', '--', ...checkedOut);
  const folder = join(git.dir, '.git', 'objects', 'pack');
  return readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0);
}
