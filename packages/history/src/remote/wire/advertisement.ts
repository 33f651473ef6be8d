import { GroveError } from '@grove/core';
import { PktReader, RemoteSays, shallowOf } from './pkt-line.ts';
import type { RemoteHttp } from './remote-http.ts';

/** What a server says of a repository before anything is asked. */
export interface Advertisement {
  /** Commits (or tags) by their full ref names, `HEAD` included. */
  readonly refs: ReadonlyMap<string, string>;
  readonly capabilities: ReadonlySet<string>;
  /** Commits whose parents the server itself lacks. */
  readonly shallow: readonly string[];
  /** The branch that HEAD names, or null where it does not say. */
  readonly headBranch: string | null;
}

const NO_REF = /^0{40}(?:0{24})?$/;

/** Reads a v0 advertisement (gitprotocol-http, "Smart Server Response"), which every server gives. */
export async function readAdvertisement(http: RemoteHttp, service: string): Promise<Advertisement> {
  try {
    return await readLists(http, service);
  } catch (error) {
    // Servers give up here for what is not there, or not for this visitor.
    if (error instanceof RemoteSays) throw new GroveError('remote_missing', { host: http.host });
    throw error;
  }
}

async function readLists(http: RemoteHttp, service: string): Promise<Advertisement> {
  const reader = new PktReader(await http.discover(service));
  const refs = new Map<string, string>();
  const shallow: string[] = [];
  let capabilities: string[] | null = null;
  for (;;) {
    const line = await reader.nextText();
    if (line === null) break;
    // The service's own section ends with the first one, the list of refs with the second.
    if (line === 'flush' || line.startsWith('# service=')) {
      if (capabilities !== null) break;
      continue;
    }
    if (line.startsWith('version ')) continue;
    const [entry = '', list] = line.split('\0');
    if (capabilities === null) {
      capabilities = (list ?? '').split(' ').filter((word) => word !== '');
      refuseFormat(http.host, capabilities, entry);
    }
    const [first = '', name = ''] = [entry.slice(0, entry.indexOf(' ')), entry.slice(entry.indexOf(' ') + 1)];
    if (first === 'shallow') shallow.push(shallowOf(entry));
    else if (/^[0-9a-f]{40}$/.test(first) && !NO_REF.test(first)) refs.set(name, first);
  }
  const words = new Set(capabilities ?? []);
  const symref = [...words].find((word) => word.startsWith('symref=HEAD:refs/heads/'));
  const headBranch = symref?.slice('symref=HEAD:refs/heads/'.length) ?? branchOfHead(refs);
  return { refs, capabilities: words, shallow, headBranch };
}

function refuseFormat(host: string, capabilities: readonly string[], entry: string): void {
  const named = capabilities.find((word) => word.startsWith('object-format='));
  const isLong = /^[0-9a-f]{64} /.test(entry);
  if (!isLong && (named === undefined || named === 'object-format=sha1')) return;
  const reason = 'its objects are named by sha256, and Grove reads those of sha1';
  throw new GroveError('remote_history_unusable', { host, reason });
}

/** Servers that do not say what HEAD names are asked for the branch at the same commit. */
function branchOfHead(refs: ReadonlyMap<string, string>): string | null {
  const head = refs.get('HEAD');
  if (head === undefined) return null;
  const names = [...refs].filter(([name, oid]) => name.startsWith('refs/heads/') && oid === head);
  const branches = names.map(([name]) => name.slice('refs/heads/'.length));
  return branches.find((branch) => branch === 'main' || branch === 'master') ?? branches[0] ?? null;
}
