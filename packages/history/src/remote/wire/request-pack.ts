import { BrokenLine, FLUSH, PktReader, pktLine, shallowOf, sideBand } from './pkt-line.ts';
import type { RemoteHttp } from './remote-http.ts';

/** What is asked of a server. */
export interface PackRequest {
  readonly want: string;
  readonly capabilities: ReadonlySet<string>;
  /** Commits that are here, the newest first; read as far as is needed. */
  readonly haves: AsyncIterator<string>;
  /** Commits here whose parents are left out. */
  readonly shallow: readonly string[];
  readonly depth: number | null;
  /** Hears of what the server says to people. */
  readonly onText: (text: string) => void;
}

/** What comes of it. */
export interface PackAnswer {
  /** Commits whose parents are not sent, as a depth was asked for. */
  readonly shallow: readonly string[];
  readonly bytes: AsyncIterable<Buffer>;
}

const SERVICE = 'git-upload-pack';
const WANTED = ['multi_ack_detailed', 'side-band-64k', 'thin-pack', 'ofs-delta'];
const FIRST_BATCH = 32;
const LARGEST_BATCH = 1024;
/** git gives up so far from the last commit that both have. */
const IN_VAIN = 256;

/**
 * Asks for what leads to a commit, less what is here (gitprotocol-pack, "Packfile Negotiation"). Over HTTP no side
 * remembers the other: each request says all that was found so far.
 */
export async function requestPack(http: RemoteHttp, request: PackRequest): Promise<PackAnswer> {
  const begin = opening(request);
  const common = request.capabilities.has('multi_ack_detailed')
    ? await commonCommits(http, request, begin)
    : [];
  const head = Buffer.concat([begin, ...common.map(have), pktLine('done\n')]);
  const reader = new PktReader(await http.call(SERVICE, { head }));
  const shallow = request.depth === null ? [] : await readShallow(reader);
  for (;;) {
    const line = await reader.nextText();
    if (line === null || line === 'flush') throw new BrokenLine('the answer ends before the pack');
    if (line === 'NAK' || /^ACK [0-9a-f]{40}$/.test(line)) break;
  }
  const banded = request.capabilities.has('side-band-64k');
  return { shallow, bytes: banded ? sideBand(reader, request.onText) : reader.rest() };
}

function opening({ want, capabilities, shallow, depth }: PackRequest): Buffer {
  const words = [...WANTED.filter((word) => capabilities.has(word)), 'agent=git/grove'];
  const lines = [pktLine(`want ${want} ${words.join(' ')}\n`)];
  for (const oid of shallow) lines.push(pktLine(`shallow ${oid}\n`));
  if (depth !== null) lines.push(pktLine(`deepen ${depth}\n`));
  return Buffer.concat([...lines, FLUSH]);
}

async function commonCommits(http: RemoteHttp, request: PackRequest, begin: Buffer): Promise<string[]> {
  const common = new Set<string>();
  let inVain = 0;
  for (let size = FIRST_BATCH; ; size = Math.min(size * 2, LARGEST_BATCH)) {
    const batch = await take(request.haves, size);
    if (batch.length === 0) return [...common];
    const known = common.size;
    const head = Buffer.concat([begin, ...[...common, ...batch].map(have), FLUSH]);
    const reader = new PktReader(await http.call(SERVICE, { head }));
    if (request.depth !== null) await readShallow(reader);
    let isReady = false;
    for (;;) {
      const line = await reader.nextText();
      if (line === null || line === 'flush' || line === 'NAK') break;
      const [, oid, state] = /^ACK ([0-9a-f]{40})(?: (\w+))?$/.exec(line) ?? [];
      if (oid === undefined) throw new BrokenLine('an acknowledgement does not parse');
      common.add(oid);
      isReady ||= state === 'ready';
    }
    inVain = common.size > known ? 0 : inVain + batch.length;
    if (isReady || (inVain >= IN_VAIN && common.size > 0)) return [...common];
  }
}

async function readShallow(reader: PktReader): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const line = await reader.nextText();
    if (line === 'flush') return found;
    if (line === null) throw new BrokenLine('the answer ends in the middle');
    if (line.startsWith('shallow ')) found.push(shallowOf(line));
  }
}

function have(oid: string): Buffer {
  return pktLine(`have ${oid}\n`);
}

async function take(source: AsyncIterator<string>, count: number): Promise<string[]> {
  const taken: string[] = [];
  while (taken.length < count) {
    const { value, done } = await source.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}
