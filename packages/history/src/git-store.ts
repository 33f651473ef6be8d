import { join } from 'node:path';
import { type Commit, parseCommit } from './objects/commit.ts';
import type { GitObject, ObjectType } from './objects/git-object.ts';
import { ObjectDatabase, type ObjectLimits } from './objects/object-database.ts';
import { isFolder, isRegularFile, parseTree, type TreeEntry } from './objects/tree.ts';
import { readFormat } from './repository/format.ts';
import type { GitLocation } from './repository/location.ts';
import { type Head, RefReader } from './repository/refs.ts';
import { readGitFile } from './repository/small-file.ts';
import { unreadable } from './repository/unreadable.ts';

export interface GitStoreOptions {
  /** Milliseconds without a read after which caches go and packs are closed. */
  readonly idleMs?: number;
  readonly limits?: Partial<ObjectLimits>;
  /** Another folder of objects than the repository's own. */
  readonly objects?: string;
}

const MB = 1024 * 1024;
const LIMITS: ObjectLimits = { object: 64 * MB, pages: 4 * MB, objects: 16 * MB };
const OID = /^[0-9a-f]{40}$/;

/**
 * Opens a repository for reading. Throws `repository_unreadable` for a format that cannot be read soundly
 * (SHA-256, reftable, unknown extensions).
 *
 * @example
 * await using store = await openGitStore(location);
 * const { oid } = await store.resolveHead();
 */
export async function openGitStore(location: GitLocation, options: GitStoreOptions = {}): Promise<GitStore> {
  const format = await readFormat(location);
  return new GitStore(location, format.partialClone, options);
}

/**
 * Objects and refs of one repository, read-only, in bounded memory. Every method throws
 * `repository_unreadable` for what is missing or damaged.
 */
export class GitStore implements AsyncDisposable {
  readonly location: GitLocation;
  readonly #refs: RefReader;
  readonly #objects: ObjectDatabase;
  readonly #partial: boolean;
  readonly #idleMs: number;
  #active = 0;
  #idle: NodeJS.Timeout | null = null;

  constructor(location: GitLocation, partial: boolean, options: GitStoreOptions) {
    this.location = location;
    this.#refs = new RefReader(location);
    const objects = options.objects ?? join(location.commonDir, 'objects');
    this.#objects = new ObjectDatabase(objects, { ...LIMITS, ...options.limits });
    this.#partial = partial;
    this.#idleMs = options.idleMs ?? 30_000;
  }

  /** Objects read so far. */
  get reads(): number {
    return this.#objects.reads;
  }

  /** The branch and commit that HEAD names: `oid` null before the first commit, `ref` null when detached. */
  resolveHead(): Promise<Head> {
    return this.#refs.head();
  }

  /** The commit that a full ref name such as `refs/heads/main` names, or null. */
  resolveRef(name: string): Promise<string | null> {
    return this.#refs.resolve(name);
  }

  /** Commits whose parents a shallow clone leaves out (gitrepository-layout, "shallow"). */
  async shallowCommits(): Promise<ReadonlySet<string>> {
    const text = (await readGitFile(join(this.location.commonDir, 'shallow'))) ?? '';
    return new Set(text.split('\n').filter((line) => OID.test(line)));
  }

  async readCommit(oid: string): Promise<Commit> {
    return parseCommit(oid, await this.#read(oid, 'commit'));
  }

  async readTree(oid: string): Promise<TreeEntry[]> {
    return parseTree(await this.treeBytes(oid));
  }

  /** A tree's content as it is stored, for {@link TreeCursor}. Shared: never write to it. */
  treeBytes(oid: string): Promise<Buffer> {
    return this.#read(oid, 'tree');
  }

  /** Any object, of whatever kind. Shared: never write to its bytes. */
  async objectOf(oid: string): Promise<GitObject> {
    const object = await this.#using(() => this.#objects.read(oid));
    if (object === null) throw unreadable(`the object ${oid} is missing`);
    return object;
  }

  /** A blob's bytes. Shared: never write to them. */
  readBlob(oid: string): Promise<Buffer> {
    return this.#read(oid, 'blob');
  }

  /** Size of an object in bytes; of any size, since it is not read for that. */
  async sizeOf(oid: string): Promise<number> {
    const size = await this.#using(() => this.#objects.sizeOf(oid));
    if (size === null) throw unreadable(`the object ${oid} is missing`);
    return size;
  }

  /** True when the object lies on disk, whatever is remembered of it. */
  has(oid: string): Promise<boolean> {
    return this.#using(() => this.#objects.exists(oid));
  }

  /** Paths of the packs that hold an object; one may be gone meanwhile. */
  packsHolding(oid: string): Promise<string[]> {
    return this.#using(() => this.#objects.packsHolding(oid));
  }

  /** Keeps an object that was just made in the cache, whether it is on disk yet or not. */
  remember(oid: string, object: GitObject): void {
    this.#objects.remember(oid, object);
    this.#used();
  }

  /** Id of the tree that the vault's folder is in this commit, or null when the commit has no such folder. */
  async treeAt(commit: string): Promise<string | null> {
    return this.folderTree((await this.readCommit(commit)).tree);
  }

  /** The vault's folder in a commit's tree, or null. */
  async folderTree(tree: string): Promise<string | null> {
    const { prefix } = this.location;
    return prefix === '' ? tree : this.#descend(tree, prefix.split('/'));
  }

  /**
   * The file at this vault-relative path in a commit, or null when there is none. Either Unicode form of the
   * path finds it; links and submodules are no files.
   */
  async blobAt(
    commit: string,
    path: string,
  ): Promise<{ readonly oid: string; readonly bytes: Buffer } | null> {
    const names = path.split('/');
    const name = names.pop()!;
    const top = await this.treeAt(commit);
    const folder = top === null ? null : await this.#descend(top, names);
    const entry = folder === null ? null : named(await this.readTree(folder), name);
    if (entry === null || !isRegularFile(entry.mode)) return null;
    return { oid: entry.oid, bytes: await this.readBlob(entry.oid) };
  }

  /** Drops caches and closes packs. The store stays usable; the next read opens them again. */
  async close(): Promise<void> {
    if (this.#idle !== null) clearTimeout(this.#idle);
    this.#idle = null;
    if (this.#active === 0) await this.#objects.release();
    else this.#restartIdle(0);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }

  async #descend(tree: string, names: readonly string[]): Promise<string | null> {
    let oid: string = tree;
    for (const name of names) {
      const entry = named(await this.readTree(oid), name);
      if (entry === null || !isFolder(entry.mode)) return null;
      oid = entry.oid;
    }
    return oid;
  }

  async #read(oid: string, type: ObjectType): Promise<Buffer> {
    if (!OID.test(oid)) throw unreadable('an object id does not have 40 hex digits');
    const object = await this.#using(() => this.#objects.read(oid));
    if (object === null) {
      throw unreadable(
        this.#partial
          ? `it is a partial clone and the ${type} ${oid} was never fetched`
          : `the ${type} ${oid} is missing`,
      );
    }
    if (object.type !== type) throw unreadable(`the object ${oid} is a ${object.type}, not a ${type}`);
    return object.data;
  }

  async #using<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#active++;
    try {
      return await work();
    } finally {
      this.#active--;
      this.#used();
    }
  }

  #used(): void {
    this.#idle?.refresh();
    if (this.#idle === null) this.#restartIdle(this.#idleMs);
  }

  #restartIdle(ms: number): void {
    this.#idle = setTimeout(() => {
      this.#idle = null;
      // A pack must not be closed under a read.
      if (this.#active > 0) this.#restartIdle(this.#idleMs);
      // Nothing is lost when closing what was only read fails.
      else this.#objects.release().catch(() => {});
    }, ms);
    this.#idle.unref();
  }
}

function named(entries: readonly TreeEntry[], name: string): TreeEntry | null {
  const exact = entries.find((entry) => entry.name === name);
  if (exact !== undefined) return exact;
  const normal = name.normalize('NFC');
  return entries.find((entry) => entry.name.normalize('NFC') === normal) ?? null;
}
