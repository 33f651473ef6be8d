import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makeFolder, writeFiles } from '@grove/testing';
import { noGitTimes, openVault, type Vault, type View } from '@grove/vault';

/** An open vault of real files, removed when the test ends. */
export interface OpenNotes extends AsyncDisposable {
  readonly vault: Vault;
  /** The owner's. */
  readonly view: View;
  /** Writes a note, or removes it with null; resolves when the vault knows. */
  change(path: string, text: string | null): Promise<void>;
}

/** Opens these files, or a copy of this folder. */
export async function openNotes(files: Readonly<Record<string, string>> | string): Promise<OpenNotes> {
  const base = makeFolder('graph');
  const root = join(base.path, 'Notes');
  await mkdir(root);
  if (typeof files === 'string') await cp(files, root, { recursive: true });
  else writeFiles(root, files);
  const vault = await openVault({
    root,
    stateDir: join(base.path, 'state'),
    slug: 'notes',
    gitDir: null,
    times: noGitTimes,
    poll: true,
    listenerGraceMs: 0,
  });
  await vault.ready;
  return {
    vault,
    view: vault.ownerView(),
    change: async (path, text) => {
      await mkdir(dirname(join(root, path)), { recursive: true });
      await (text === null ? rm(join(root, path), { force: true }) : writeFile(join(root, path), text));
      await vault.reconcile([path]);
    },
    [Symbol.asyncDispose]: async () => {
      await vault.close();
      base.remove();
    },
  };
}
