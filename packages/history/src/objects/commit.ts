import { unreadable } from '../repository/unreadable.ts';

/** Who and when, of one commit's `author` or `committer` line. */
export interface Signature {
  readonly name: string;
  readonly email: string;
  /** Milliseconds since the epoch (git keeps whole seconds). */
  readonly time: number;
  /** Minutes east of UTC. */
  readonly offset: number;
}

export interface Commit {
  readonly oid: string;
  readonly tree: string;
  readonly parents: readonly string[];
  readonly author: Signature;
  readonly committer: Signature;
  readonly message: string;
}

const OID = /^[0-9a-f]{40}$/;

/** Parses a commit's content (git-commit-tree, gitformat-signature). Throws `repository_unreadable`. */
export function parseCommit(oid: string, data: Buffer): Commit {
  const end = data.indexOf('\n\n');
  const header = data.subarray(0, end < 0 ? data.length : end);
  // Only ASCII decides here; names and message follow the commit's own encoding.
  const encoding = /\nencoding ([^\n]+)/.exec(header.toString('latin1'))?.[1];
  const decode = decoder(encoding);
  let tree = '';
  const parents: string[] = [];
  let author: Signature | null = null;
  let committer: Signature | null = null;
  for (const line of decode(header).split('\n')) {
    const space = line.indexOf(' ');
    const value = line.slice(space + 1);
    const key = line.slice(0, space);
    if (key === 'tree' && tree === '') tree = value;
    else if (key === 'parent') parents.push(value);
    else if (key === 'author') author ??= parseSignature(value);
    else if (key === 'committer') committer ??= parseSignature(value);
  }
  if (!OID.test(tree) || !parents.every((parent) => OID.test(parent))) {
    throw unreadable(`the commit ${oid} does not parse`);
  }
  const nobody: Signature = { name: '', email: '', time: 0, offset: 0 };
  const message = end < 0 ? '' : decode(data.subarray(end + 2));
  return {
    oid,
    tree,
    parents,
    author: author ?? committer ?? nobody,
    committer: committer ?? author ?? nobody,
    message,
  };
}

/**
 * Trailers of a message: the `Token: value` lines of its last paragraph (git-interpret-trailers), tokens in
 * lower case, the last value of each. The subject is never one.
 *
 * @example trailers('Edit\n\nGrove-Mechanical: discovery').get('grove-mechanical') // 'discovery'
 */
export function trailers(message: string): ReadonlyMap<string, string> {
  return new Map(trailerLines(message));
}

/** As {@link trailers}, every line in its order: a token may come again. */
export function trailerLines(message: string): [token: string, value: string][] {
  const found: [string, string][] = [];
  const paragraphs = message.trimEnd().split(/\r?\n(?:[ \t]*\r?\n)+/);
  if (paragraphs.length < 2) return found;
  for (const line of paragraphs.at(-1)!.split(/\r?\n/)) {
    const match = /^([A-Za-z0-9-]+)[ \t]*:[ \t]*(.*)$/.exec(line);
    if (match) found.push([match[1]!.toLowerCase(), match[2]!.trimEnd()]);
  }
  return found;
}

function parseSignature(line: string): Signature | null {
  const match = /^(.*?) ?<([^>]*)>[^\d-]*(-?\d{1,15})(?: ([+-])(\d{2})(\d{2}))?/.exec(line);
  if (!match) return null;
  const minutes = Number(match[5] ?? 0) * 60 + Number(match[6] ?? 0);
  // Beyond what a Date can hold, a time says nothing.
  const time = Number(match[3]) * 1000;
  return {
    name: match[1]!,
    email: match[2]!,
    time: Math.abs(time) <= 8.64e15 ? time : 0,
    offset: minutes === 0 ? 0 : match[4] === '-' ? -minutes : minutes,
  };
}

function decoder(encoding: string | undefined): (bytes: Buffer) => string {
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) {
    try {
      const known = new TextDecoder(encoding);
      return (bytes) => known.decode(bytes);
    } catch (error) {
      // A name that no decoder knows: read as UTF-8, as git does without iconv.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return (bytes) => bytes.toString('utf8');
}
