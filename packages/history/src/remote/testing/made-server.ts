import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { onTestFinished } from 'vitest';
import { FLUSH, pktLine } from '../wire/pkt-line.ts';

/** What a server says that is none of git's. */
export interface MadeServer {
  /** The commit of its branch `main`. */
  readonly tip: string;
  /** What it answers when it is asked for a pack. */
  readonly answer: () => Iterable<Buffer> | AsyncIterable<Buffer>;
}

/** Serves that until the test ends; gives back its address. */
export async function serveMade({ tip, answer }: MadeServer): Promise<string> {
  const server = createServer((request, response) => {
    const isList = request.method === 'GET';
    const kind = isList ? 'advertisement' : 'result';
    response.writeHead(200, { 'content-type': `application/x-git-upload-pack-${kind}` });
    request.resume();
    if (!isList)
      return void Readable.from(answer())
        .on('error', () => {})
        .pipe(response);
    const list = pktLine(`${tip} refs/heads/main\0side-band-64k ofs-delta\n`);
    response.end(Buffer.concat([pktLine('# service=git-upload-pack\n'), FLUSH, list, FLUSH]));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/notes.git`;
}
