import { lstat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, diskWriteFs, errorCode, Slices, type WriteFs } from '@grove/core';
import { readLooseObject } from '../objects/loose-object.ts';
import type { Pack } from '../objects/pack.ts';
import { isTrue } from '../repository/config-file.ts';
import { readFormat } from '../repository/format.ts';
import type { GitLocation } from '../repository/location.ts';
import { withFolderOwner } from '../writing/locks/folder-owner.ts';
import { makeFolder } from '../writing/locks/make-folder.ts';
import { sharedPermissions, sharing } from '../writing/locks/shared-permissions.ts';
import { OnePass } from '../writing/one-pass.ts';
import { GitSettings, type SettingValues } from '../writing/rules/git-settings.ts';
import { type UserSettings, userSettings } from '../writing/rules/user-settings.ts';
import { writing } from '../writing/write-failure.ts';
import { CollectLock } from './collect-lock.ts';
import { isUnchanged, type LooseFile, listLoose, namesIn, removeLeftovers } from './loose-files.ts';
import { isUnfinishedPack, PackBuilder, unfinishedName } from './pack-builder.ts';
import { OBJECT_LIMIT, type OwnPack, openOwnPacks, openPack } from './packs.ts';
import { readWhole, type Source, survey } from './survey.ts';

export interface PackingOptions {
  readonly clock: Clock;
  /** The disk, unless a test puts in another. */
  readonly fs?: WriteFs;
  /** Where git's settings of the machine and the user lie; see {@link userSettings}. */
  readonly user?: UserSettings;
  /** Calls it off: what was begun is removed, what is done stays. */
  readonly signal?: AbortSignal;
  /** Steps done of those that are known so far. */
  readonly onProgress?: (done: number, total: number) => void;
  /** Nobody asked for it: declined where git is told not to pack by itself either (`gc.auto = 0`). */
  readonly isAutomatic?: boolean;
  /** Packs smaller than 10,000 objects are joined from so many on. */
  readonly joinFrom?: number;
}

/** What a packing did. */
export interface PackingOutcome {
  /** Loose objects that lie in a pack now, their files removed. */
  readonly packed: number;
  /** Small packs that were joined into the new one. */
  readonly joined: number;
  /** Why nothing was done, as a sentence; else null. */
  readonly declined: string | null;
}

/** As many as `git maintenance` takes at once. */
const AT_ONCE = 50_000;
/** Below git's own limit of packs (gc.autoPackLimit, 50). */
const JOIN_FROM = 16;
const REMOVED_TOGETHER = 64;

/**
 * Puts loose objects into packs, reachable or not, and joins small packs; nothing is pruned. At each step every object
 * is whole on disk: a file goes only when its object was read back from a pack that is synced, and only while nobody
 * has touched the file. Safe beside writes and beside other gits, which `gc.pid` keeps from collecting meanwhile.
 *
 * @throws GroveError `repository_unreadable`, `repository_full`, `repository_unwritable`; the signal's reason
 * @example (await packObjects(location, { clock: systemClock })).packed // 2315
 */
export async function packObjects(location: GitLocation, options: PackingOptions): Promise<PackingOutcome> {
  const { clock, user = userSettings() } = options;
  const fs = withFolderOwner(options.fs ?? diskWriteFs);
  return writing(async () => {
    const settings = new GitSettings(location, user, clock, new OnePass()).read();
    const reason = await refusal(location, settings, options.isAutomatic ?? false);
    if (reason !== null) return declined(reason);
    const folder = join(location.commonDir, 'objects', 'pack');
    const mode = sharedPermissions(settings.get('core.sharedrepository'));
    await makeFolder(folder, { fs, top: dirname(folder), made: sharing(fs, mode) });
    const lock = await CollectLock.take(fs, location.commonDir, clock.now());
    if (lock === null) return declined('Another program packs or collects in this repository.');
    try {
      return await new Packing(location, options, fs, settings).run();
    } finally {
      await lock.release();
    }
  });
}

/** An object went elsewhere while it was packed: "gc.pid" does not stop a repack by hand. */
class Moved extends Error {}

async function refusal(
  location: GitLocation,
  settings: SettingValues,
  isAutomatic: boolean,
): Promise<string | null> {
  if ((await readFormat(location)).partialClone)
    return 'The repository is a partial clone; its packs are left to git.';
  if (isTrue(settings.get('extensions.preciousobjects')))
    return 'The repository says that its objects are precious; they are left as they are.';
  if (isAutomatic && settings.get('gc.auto') === '0')
    return 'git is told not to pack here by itself (gc.auto = 0); "grove maintain" does it by hand.';
  return null;
}

function declined(reason: string): PackingOutcome {
  return { packed: 0, joined: 0, declined: reason };
}

class Packing {
  readonly #objects: string;
  readonly #folder: string;
  readonly #options: PackingOptions;
  readonly #fs: WriteFs;
  readonly #settings: SettingValues;
  readonly #slices: Slices;
  #done = 0;
  #total = 0;

  constructor(location: GitLocation, options: PackingOptions, fs: WriteFs, settings: SettingValues) {
    this.#objects = join(location.commonDir, 'objects');
    this.#folder = join(this.#objects, 'pack');
    this.#options = options;
    this.#fs = fs;
    this.#settings = settings;
    this.#slices = new Slices(options.signal);
  }

  async run(): Promise<PackingOutcome> {
    await this.#clear();
    let packed = 0;
    let joined = 0;
    for (;;) {
      const loose = await listLoose(this.#objects, AT_ONCE);
      const round = await this.#round(loose);
      if (round === null) continue;
      packed += round.packed;
      joined += round.joined;
      if (round.packed === 0 || loose.length < AT_ONCE) return { packed, joined, declined: null };
    }
  }

  /** Null when another git repacked meanwhile, which takes another look. */
  async #round(loose: readonly LooseFile[]): Promise<{ packed: number; joined: number } | null> {
    const packs = await openOwnPacks(this.#objects);
    let made: Pack | null = null;
    try {
      const small = packs.filter(({ isSmall }) => isSmall);
      const joining = small.length >= (this.#options.joinFrom ?? JOIN_FROM) ? small : [];
      const staying = packs.filter((pack) => !joining.includes(pack)).map(({ pack }) => pack);
      const sources = await this.#sources(loose, staying, joining);
      this.#total += sources.length * 2 + loose.length;
      made = await this.#pack(sources);
      const holders = made === null ? staying : [made, ...staying];
      const packed = await this.#removeLoose(loose, holders);
      let joined = 0;
      for (const { pack } of joining) if (made !== null && (await this.#removePack(pack, made))) joined += 1;
      return { packed, joined };
    } catch (error) {
      if (error instanceof Moved) return null;
      throw error;
    } finally {
      for (const pack of [...packs.map((own) => own.pack), ...(made === null ? [] : [made])])
        await pack.close();
    }
  }

  /** Loose objects that are in no pack that stays, and all objects of the packs that are joined. */
  async #sources(
    loose: readonly LooseFile[],
    staying: readonly Pack[],
    joining: readonly OwnPack[],
  ): Promise<Source[]> {
    const sources = new Map<string, Source>();
    const isNeeded = (oid: string) => !sources.has(oid) && holderOf(oid, staying) === null;
    for (const { oid, path, size, mtimeNs } of loose) {
      if (size > BigInt(OBJECT_LIMIT) || !isNeeded(oid)) continue;
      const read = () => readLooseObject(path, oid, OBJECT_LIMIT);
      sources.set(oid, { oid, time: Number(mtimeNs / 1_000_000n), read });
    }
    for (const { pack } of joining) {
      const time = (await lstat(pack.path)).mtimeMs;
      for (const [at, { oid, offset }] of byOffset(pack.index.oids(), pack).entries()) {
        if (!isNeeded(oid)) continue;
        sources.set(oid, { oid, time: time - at / pack.index.count, read: () => pack.read(offset) });
      }
    }
    return [...sources.values()];
  }

  async #pack(sources: readonly Source[]): Promise<Pack | null> {
    const surveyed = await survey(sources, this.#slices, () => this.#step());
    // What was damaged, too large or gone is not packed.
    this.#total -= sources.length - surveyed.length;
    if (surveyed.length === 0) return null;
    const builder = await PackBuilder.create(this.#fs, this.#folder, surveyed.length, this.#level());
    try {
      for (const { source, key } of surveyed) {
        const object = await source.read();
        if (object === null) throw new Moved();
        await builder.add(source.oid, object, key);
        this.#step();
        if (this.#slices.spent) await this.#slices.rest();
      }
      const mode = sharedPermissions(this.#settings.get('core.sharedrepository'));
      return await openPack(await builder.finish(mode));
    } catch (error) {
      await builder.abandon();
      throw error;
    }
  }

  /** Removes the files of loose objects that are whole in a pack; how many. */
  async #removeLoose(loose: readonly LooseFile[], holders: readonly Pack[]): Promise<number> {
    const files = new Map<Pack, Map<string, LooseFile>>();
    for (const file of loose) {
      const pack = holderOf(file.oid, holders);
      if (pack === null) continue;
      const held = files.get(pack) ?? new Map<string, LooseFile>();
      files.set(pack, held.set(file.oid, file));
    }
    let removed = 0;
    for (const [pack, held] of files) {
      // Whoever just wrote one of these objects counts on its being new.
      if (!(await this.#freshen(pack))) continue;
      const whole: LooseFile[] = [];
      for await (const oid of this.#wholeIn(pack, held.keys())) whole.push(held.get(oid)!);
      for (let at = 0; at < whole.length; at += REMOVED_TOGETHER) {
        if (!(await isThere(pack))) break;
        for (const file of whole.slice(at, at + REMOVED_TOGETHER)) if (await this.#remove(file)) removed += 1;
        if (this.#slices.spent) await this.#slices.rest();
      }
    }
    return removed;
  }

  async #remove(file: LooseFile): Promise<boolean> {
    return (await isUnchanged(file)) && (await this.#unlink(file.path));
  }

  /** False when somebody else has removed it. */
  async #unlink(path: string): Promise<boolean> {
    try {
      await this.#fs.unlink(path);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }

  /** Removes a pack all of whose objects are in another. */
  async #removePack(pack: Pack, other: Pack): Promise<boolean> {
    if (pack.path === other.path || !(await isThere(other))) return false;
    for (const oid of pack.index.oids()) if (holderOf(oid, [other]) === null) return false;
    let whole = 0;
    for await (const _ of this.#wholeIn(other, pack.index.oids())) whole += 1;
    if (whole !== pack.index.count) return false;
    const stem = pack.path.slice(0, -'.pack'.length);
    await pack.close();
    // The pack first, under a name that is cleared away: an index alone is passed over and can be told for a leftover.
    const gone = join(this.#folder, unfinishedName());
    await this.#fs.rename(pack.path, gone);
    for (const path of [`${stem}.idx`, `${stem}.rev`, gone]) await this.#unlink(path);
    return true;
  }

  /** Those of these objects that can be read from the pack and are what their id says. */
  async *#wholeIn(pack: Pack, oids: Iterable<string>): AsyncGenerator<string> {
    for (const { oid, offset } of byOffset(oids, pack)) {
      if ((await readWhole({ oid, read: () => pack.read(offset) })) !== null) yield oid;
      this.#step();
      if (this.#slices.spent) await this.#slices.rest();
    }
  }

  async #freshen({ path }: Pack): Promise<boolean> {
    const now = this.#options.clock.now();
    try {
      await this.#fs.utimes(path, now, now);
      return true;
    } catch (error) {
      if (['ENOENT', 'EPERM', 'EACCES'].includes(errorCode(error) ?? '')) return false;
      throw error;
    }
  }

  /** What a run left that did not come to its end. */
  async #clear(): Promise<void> {
    const names = await namesIn(this.#folder);
    // Whoever makes a pack gives it its name before its index: an index without one has lost it.
    const isOrphan = (name: string) =>
      /^pack-[0-9a-f]{40}\.(?:idx|rev)$/.test(name) && !names.includes(name.replace(/\.\w+$/, '.pack'));
    for (const name of names) {
      if (isUnfinishedPack(name) || isOrphan(name)) await this.#unlink(join(this.#folder, name));
    }
    await removeLeftovers(this.#fs, this.#objects, this.#options.clock.now());
  }

  #step(): void {
    this.#done += 1;
    this.#options.onProgress?.(this.#done, this.#total);
  }

  /** git-config, pack.compression and core.compression. */
  #level(): number {
    const level = Number(
      this.#settings.get('pack.compression') ?? this.#settings.get('core.compression') ?? '-1',
    );
    return Number.isInteger(level) && level >= -1 && level <= 9 ? level : -1;
  }
}

function holderOf(oid: string, packs: readonly Pack[]): Pack | null {
  const name = Buffer.from(oid, 'hex');
  return packs.find((pack) => pack.index.offsetOf(name) !== null) ?? null;
}

/** Objects of a pack in the order in which they lie in it: neighbours share what is read. */
function byOffset(oids: Iterable<string>, pack: Pack): { readonly oid: string; readonly offset: number }[] {
  const found = [];
  for (const oid of oids) {
    const offset = pack.index.offsetOf(Buffer.from(oid, 'hex'));
    if (offset !== null) found.push({ oid, offset });
  }
  return found.sort((left, right) => left.offset - right.offset);
}

async function isThere({ path }: Pack): Promise<boolean> {
  try {
    await lstat(path);
    await lstat(`${path.slice(0, -'.pack'.length)}.idx`);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}
