import { lstatSync, readlinkSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import type { GitLocation } from './location.ts';
import { readGitFile } from './small-file.ts';
import { unreadable } from './unreadable.ts';

/** What HEAD says. `ref` is null when it is detached, `oid` is null before the first commit of a branch. */
export interface Head {
  readonly ref: string | null;
  readonly oid: string | null;
}

const OID = /^[0-9a-f]{40}$/;
const MAX_DEPTH = 5;

/** HEAD and refs of one work tree, loose or packed. Holds the last parsed `packed-refs`, by its stat. */
export class RefReader {
  readonly #location: GitLocation;
  #packed: { readonly key: string; readonly refs: Map<string, string> } | null = null;

  constructor(location: GitLocation) {
    this.#location = location;
  }

  /** Reads HEAD of this work tree. Throws `repository_unreadable` when there is none or it does not parse. */
  async head(): Promise<Head> {
    const path = join(this.#location.gitDir, 'HEAD');
    // Very old repositories have HEAD as a symbolic link to the branch.
    const link = linkTarget(path);
    if (link?.startsWith('refs/')) return { ref: link, oid: await this.resolve(link) };
    const text = await readGitFile(path);
    if (text === null) throw unreadable('HEAD is missing');
    const value = text.trim();
    if (OID.test(value)) return { ref: null, oid: value };
    const ref = symbolic(value);
    if (ref === null) throw unreadable('HEAD holds neither a branch nor a commit');
    return { ref, oid: await this.resolve(ref) };
  }

  /** The ref that a symbolic ref leads to in the end; any other ref's own name. */
  async target(name: string, depth = 0): Promise<string> {
    if (depth >= MAX_DEPTH) throw unreadable(`the symbolic ref ${name} leads nowhere`);
    const target = symbolic(await this.#loose(name));
    return target === null ? name : this.target(target, depth + 1);
  }

  /** The commit (or tag object) that a full ref name such as `refs/heads/main` names, or null. */
  async resolve(name: string, depth = 0): Promise<string | null> {
    if (depth >= MAX_DEPTH) throw unreadable(`the symbolic ref ${name} leads nowhere`);
    const value = await this.#loose(name);
    if (OID.test(value)) return value;
    const target = symbolic(value);
    if (target !== null) return this.resolve(target, depth + 1);
    if (value !== '') throw unreadable(`the ref ${name} does not hold a commit`);
    // Only now: git writes packed-refs before it removes the loose file.
    return (await this.#packedRefs()).get(name) ?? null;
  }

  /** What the ref's own file holds, or `''`. */
  async #loose(name: string): Promise<string> {
    checkName(name);
    // gitrepository-layout: everything below refs/ is shared but these.
    const own = /^refs\/(?:worktree|bisect|rewritten)\//.test(name);
    const { gitDir, commonDir } = this.#location;
    return (await readGitFile(join(own ? gitDir : commonDir, ...name.split('/'))))?.trim() ?? '';
  }

  async #packedRefs(): Promise<Map<string, string>> {
    const path = join(this.#location.commonDir, 'packed-refs');
    const key = statKey(path);
    if (this.#packed?.key === key) return this.#packed.refs;
    const refs = new Map<string, string>();
    for (const line of ((await readGitFile(path)) ?? '').split('\n')) {
      const match = /^([0-9a-f]{40}) (\S.*)$/.exec(line);
      if (match) refs.set(match[2]!.trimEnd(), match[1]!);
    }
    this.#packed = { key, refs };
    return refs;
  }
}

function symbolic(value: string): string | null {
  return /^ref:\s*(refs\/.+)$/.exec(value)?.[1] ?? null;
}

function checkName(name: string): void {
  if (!isRefName(name)) throw unreadable('a ref has a name that git does not allow');
}

/** True for a full ref name that git allows (git-check-ref-format), as far as that keeps it inside refs/. */
export function isRefName(name: string): boolean {
  const bad = name
    .split('/')
    .some((part) => part === '' || part.startsWith('.') || part.endsWith('.lock') || part.includes('..'));
  return !bad && name.startsWith('refs/') && !/[\u0000-\u0020\u007f~^:?*[\\]/.test(name);
}

function linkTarget(path: string): string | null {
  try {
    return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : null;
  } catch (error) {
    if (errorCode(error) === 'ENOENT' || errorCode(error) === 'ENOTDIR') return null;
    throw unreadable('HEAD cannot be opened', error);
  }
}

function statKey(path: string): string {
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? 'none' : `${stat.ino}.${stat.size}.${stat.mtimeNs}`;
  } catch (error) {
    throw unreadable('packed-refs cannot be opened', error);
  }
}
