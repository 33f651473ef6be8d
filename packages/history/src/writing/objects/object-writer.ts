import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { deflate, deflateSync } from 'node:zlib';
import { type Clock, errorCode, randomId, type WriteFs } from '@grove/core';
import type { GitStore } from '../../git-store.ts';
import type { GitObject } from '../../objects/git-object.ts';
import { inflateUpTo } from '../../objects/inflate.ts';
import { leadsSomewhere } from '../../repository/is-there.ts';
import { readGitBytes } from '../../repository/small-file.ts';
import { inFolder } from '../locks/make-folder.ts';
import { sharedPermissions, sharing } from '../locks/shared-permissions.ts';
import type { SettingValues } from '../rules/git-settings.ts';
import { forEachSettled } from '../settled.ts';
import { unwritable } from '../write-failure.ts';
import { objectHeader, objectId } from './object-id.ts';

const deflateAside = promisify(deflate);
// Below this a thread's round trip costs more than the work.
const SMALL = 16 * 1024;

/** Writes loose objects into the repository's own object folder. */
export class ObjectWriter {
  readonly #folder: string;
  readonly #store: GitStore;
  readonly #fs: WriteFs;
  readonly #clock: Clock;

  constructor(store: GitStore, fs: WriteFs, clock: Clock) {
    this.#folder = join(store.location.commonDir, 'objects');
    this.#store = store;
    this.#fs = fs;
    this.#clock = clock;
  }

  /**
   * Sees to it that an object is there and counts as new for `git gc`: one that is there has its time set
   * anew, one that is only in a cruft pack (where gc collects what it will remove) is written loose. With
   * `repair` a loose object that is damaged is written again. Nothing is synced.
   */
  async write(oid: string, object: GitObject, settings: SettingValues, repair: boolean): Promise<void> {
    await this.#write(oid, object, settings, { repair, synced: false });
  }

  /**
   * As {@link write} with `repair`; the content is synced before it takes its name, so that no power loss leaves an
   * empty object that nothing would write again. The name is not: see {@link syncStored}.
   */
  async writeWhole(oid: string, object: GitObject, settings: SettingValues): Promise<void> {
    await this.#write(oid, object, settings, { repair: true, synced: true });
  }

  async #write(
    oid: string,
    object: GitObject,
    settings: SettingValues,
    { repair, synced }: { readonly repair: boolean; readonly synced: boolean },
  ): Promise<void> {
    const path = this.#path(oid);
    if (repair ? await this.#isWhole(path, oid) : true) {
      if (await this.#freshen(path)) return;
      for (const pack of await this.#store.packsHolding(oid)) {
        if (!leadsSomewhere(`${pack.slice(0, -'.pack'.length)}.mtimes`) && (await this.#freshen(pack)))
          return;
      }
    }
    await this.#create(path, object, settings, synced);
  }

  /** Makes objects durable that {@link write} has written; one that is gone again is written first. */
  async sync(objects: ReadonlyMap<string, GitObject>, settings: SettingValues): Promise<void> {
    const folders = new Set([this.#folder]);
    await forEachSettled(objects, async ([oid, object]) => {
      const path = this.#path(oid);
      if (!(await this.#synced(path))) {
        await this.write(oid, object, settings, false);
        // Else it is in a pack now, which git has synced.
        if (!(await this.#synced(path))) return;
      }
      folders.add(dirname(path));
    });
    await forEachSettled(folders, async (folder) => {
      // Gone: what was in it has been packed, and git has synced the pack.
      await this.#synced(folder);
    });
  }

  /** Makes objects durable that {@link write} has written, by their ids alone. Throws for one that is gone again. */
  async syncStored(oids: Iterable<string>): Promise<void> {
    const folders = new Set([this.#folder]);
    await forEachSettled(oids, async (oid) => {
      const path = this.#path(oid);
      if (await this.#synced(path)) folders.add(dirname(path));
      // Else it is in a pack, which was synced by who made it.
      else if (!(await this.#store.has(oid))) throw unwritable(`the object ${oid} was taken away`);
    });
    await forEachSettled(folders, async (folder) => {
      await this.#synced(folder);
    });
  }

  #path(oid: string): string {
    return join(this.#folder, oid.slice(0, 2), oid.slice(2));
  }

  async #create(path: string, object: GitObject, settings: SettingValues, synced: boolean): Promise<void> {
    const content = Buffer.concat([objectHeader(object), object.data]);
    const options = { level: compressionLevel(settings) };
    const bytes =
      content.length <= SMALL ? deflateSync(content, options) : await deflateAside(content, options);
    const mode = sharedPermissions(settings.get('core.sharedrepository'));
    // "git gc" removes files of this name that a crash left.
    const fresh = join(dirname(path), `tmp_obj_${randomId()}`);
    const making = { fs: this.#fs, top: this.#folder, made: sharing(this.#fs, mode) };
    const handle = await inFolder(dirname(path), making, () => this.#fs.create(fresh, 0o444));
    try {
      try {
        await handle.write(bytes);
        if (mode !== null) await handle.chmod(mode(0o444));
        if (synced) await handle.sync();
      } finally {
        await handle.close();
      }
      await this.#fs.rename(fresh, path);
    } catch (error) {
      await this.#fs.unlink(fresh);
      throw error;
    }
  }

  /** True when the file is there and its time could be set: otherwise gc might remove it under us. */
  async #freshen(path: string): Promise<boolean> {
    if (!leadsSomewhere(path)) return false;
    const now = this.#clock.now();
    try {
      await this.#fs.utimes(path, now, now);
      return true;
    } catch (error) {
      const code = errorCode(error);
      if (code === 'ENOENT' || code === 'EPERM' || code === 'EACCES' || code === 'EROFS') return false;
      throw error;
    }
  }

  async #isWhole(path: string, oid: string): Promise<boolean> {
    const bytes = await readGitBytes(path);
    // Not loose: a pack that holds it is checked when it is read.
    if (bytes === null) return true;
    try {
      const whole = await inflateUpTo(bytes, 64 * 1024 * 1024);
      const end = whole.indexOf(0);
      const type = /^(commit|tree|blob|tag) \d+$/.exec(whole.toString('latin1', 0, Math.max(0, end)))?.[1];
      return (
        type !== undefined &&
        objectId({ type: type as GitObject['type'], data: whole.subarray(end + 1) }) === oid
      );
    } catch (error) {
      if (errorCode(error) === 'repository_unreadable') return false;
      throw error;
    }
  }

  async #synced(path: string): Promise<boolean> {
    try {
      await this.#fs.sync(path);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }
}

/** git-config, core.looseCompression: 1 unless set, -1 for zlib's own default. */
function compressionLevel(settings: SettingValues): number {
  const text = settings.get('core.loosecompression') ?? settings.get('core.compression') ?? '1';
  const level = Number(text);
  return Number.isInteger(level) && level >= -1 && level <= 9 ? level : 1;
}
