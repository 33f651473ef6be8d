import { statfs } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { errorCode } from '@grove/core';
import type { AsyncSubscription } from '@parcel/watcher';

/** A running watch on a folder. */
export interface FileEvents {
  stop(): Promise<void>;
}

export interface FileEventsOptions {
  readonly root: string;
  /** Vault-relative paths that something happened to. */
  readonly onPaths: (paths: readonly string[]) => void;
  /** Events were lost: everything is to be looked at. */
  readonly onLost: (reason: string) => void;
}

// statfs(2), f_type: file systems that change on another machine without an event here.
const REMOTE: Readonly<Record<number, string>> = {
  26985: 'NFS',
  20859: 'SMB',
  4283649346: 'SMB',
  4266872130: 'SMB',
  16914839: '9P',
  1702057286: 'FUSE',
  1785031267: 'virtiofs',
  2020557398: 'a VirtualBox shared folder',
  12805120: 'Ceph',
};

/** Why this folder's events cannot be trusted, as a sentence, or null. */
export async function eventlessMount(root: string): Promise<string | null> {
  if (process.platform !== 'linux') return null;
  const name = REMOTE[(await statfs(root)).type];
  return name === undefined
    ? null
    : `The folder lies on ${name}, which sends no events for changes made elsewhere.`;
}

/**
 * Watches a folder and all below it, hidden names left out. Rejects where the system cannot (too many
 * watches, no such backend). The watcher is loaded here and not before.
 */
export async function watchFileEvents(options: FileEventsOptions): Promise<FileEvents> {
  const { root, onPaths, onLost } = options;
  const { default: watcher } = await import('@parcel/watcher');
  const subscription: AsyncSubscription = await watcher.subscribe(
    root,
    (error, events) => {
      if (error !== null) {
        onLost(error.message);
        return;
      }
      onPaths(events.map((event) => relative(root, event.path).split(sep).join('/')));
    },
    { ignore: ['**/.*', '**/.*/**'] },
  );
  return {
    stop: async () => {
      try {
        await subscription.unsubscribe();
      } catch (error) {
        // The system drops a watch with its folder; taking it off once more then fails.
        if (!(error instanceof Error) && errorCode(error) === undefined) throw error;
      }
    },
  };
}
