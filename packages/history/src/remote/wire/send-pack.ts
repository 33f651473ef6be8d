import { FLUSH, PktReader, pktLine, sideBand } from './pkt-line.ts';
import type { RemoteHttp, Upload } from './remote-http.ts';

/** One branch to move on the server. */
export interface PushRequest {
  readonly ref: string;
  /** Where it stands there; null: it is not there. */
  readonly from: string | null;
  readonly to: string;
  readonly capabilities: ReadonlySet<string>;
  readonly shallow: readonly string[];
  readonly pack: NonNullable<Upload['file']>;
  readonly onSent: (bytes: number) => void;
}

/** Null: the branch was moved. Else why not: the server's own word for it, and what it said to people. */
export type PushAnswer = { readonly reason: string; readonly said: string } | null;

const MAX_SAID = 8 * 1024;

/** Sends a pack and asks for a branch to be moved (gitprotocol-pack, "Pushing Data To a Server"). */
export async function sendPack(http: RemoteHttp, request: PushRequest): Promise<PushAnswer> {
  const { ref, to, capabilities } = request;
  const banded = capabilities.has('side-band-64k');
  const words = ['report-status', ...(banded ? ['side-band-64k'] : []), 'agent=git/grove'];
  const head = Buffer.concat([
    ...request.shallow.map((oid) => pktLine(`shallow ${oid}\n`)),
    pktLine(`${request.from ?? '0'.repeat(40)} ${to} ${ref}\0 ${words.join(' ')}`),
    FLUSH,
  ]);
  const { pack, onSent } = request;
  const outer = new PktReader(await http.call('git-receive-pack', { head, file: pack, onSent }));
  let said = '';
  const inner = banded
    ? new PktReader(sideBand(outer, (text) => (said = (said + text).slice(0, MAX_SAID))))
    : outer;
  const reason = await readReport(inner, ref);
  return reason === null ? null : { reason, said };
}

async function readReport(reader: PktReader, ref: string): Promise<string | null> {
  let unpacked = 'the server did not say what became of it';
  let result: string | null = unpacked;
  for (;;) {
    const line = await reader.nextText();
    if (line === null || line === 'flush') break;
    if (line.startsWith('unpack ')) unpacked = line.slice('unpack '.length);
    else if (line === `ok ${ref}`) result = null;
    else if (line.startsWith(`ng ${ref} `)) result = line.slice(`ng ${ref} `.length);
  }
  return unpacked === 'ok' ? result : unpacked;
}
