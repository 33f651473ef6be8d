import { createReadStream } from 'node:fs';
import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { mayRedirect, parseRemoteAddress, signIn } from '../remote-address.ts';
import { answerUnusable, failureOfStatus, saidByRemote, unreachable, withRemote } from './remote-failure.ts';

/** A remote as it is talked to. */
export interface RemoteAccess {
  readonly url: string;
  readonly token: string | null;
  readonly idleLimitMs: number;
}

/** What is sent: bytes, then a file. */
export interface Upload {
  readonly head: Buffer;
  readonly file?: { readonly path: string; readonly size: number };
  readonly onSent?: (bytes: number) => void;
}

const MAX_REDIRECTS = 5;
/** So many times the limit of silence a server may be at work, and say so, before a part of a pack goes on. */
const TALK_LIMITS = 10;

/** git's smart HTTP (gitprotocol-http) with one repository. The token is sent to the host of its address alone. */
export class RemoteHttp {
  readonly host: string;
  readonly #access: RemoteAccess;
  readonly #origin: string;
  #base: string;
  #progressed = 0;

  constructor(access: RemoteAccess) {
    const url = parseRemoteAddress(access.url);
    this.host = url.host;
    this.#access = { ...access, token: access.token || null };
    this.#origin = url.origin;
    this.#base = url.href.replace(/\/+$/, '');
  }

  /** To be called for each part of a pack that came or went: talk alone does not keep a conversation going. */
  progressed(): void {
    this.#progressed = performance.now();
  }

  /** Asks what refs there are. A redirect is followed, and the rest of the conversation goes where it led. */
  async discover(service: string): Promise<IncomingMessage> {
    const tail = `/info/refs?service=${service}`;
    let url = new URL(this.#base + tail);
    for (let hops = 0; ; hops++) {
      const answer = await this.#send(url, 'GET', {});
      const { statusCode = 0, headers } = answer;
      if (statusCode < 300 || statusCode >= 400 || headers.location === undefined) {
        if (url.href.endsWith(tail)) this.#base = url.href.slice(0, -tail.length);
        return this.#expect(answer, `application/x-${service}-advertisement`);
      }
      answer.resume();
      const next = URL.canParse(headers.location, url.href) ? new URL(headers.location, url) : null;
      if (hops === MAX_REDIRECTS || next === null || !mayRedirect(url, next) || !next.href.endsWith(tail))
        throw answerUnusable(this.host, 'it sends its visitors on to another place');
      url = next;
    }
  }

  /** Calls a service. The answer is read by the caller, with its failures inside {@link withRemote}. */
  async call(service: string, upload: Upload): Promise<IncomingMessage> {
    const headers = {
      'content-type': `application/x-${service}-request`,
      accept: `application/x-${service}-result`,
      'content-length': String(upload.head.length + (upload.file?.size ?? 0)),
    };
    const answer = await this.#send(new URL(`${this.#base}/${service}`), 'POST', headers, upload);
    return this.#expect(answer, `application/x-${service}-result`);
  }

  #expect(answer: IncomingMessage, type: string): IncomingMessage {
    const { token } = this.#access;
    const failure = failureOfStatus(this.host, answer.statusCode ?? 0, token !== null);
    const found = answer.headers['content-type']?.split(';')[0]?.trim();
    if (failure === null && found === type) return answer;
    answer.destroy();
    throw failure ?? answerUnusable(this.host, `its answer is of the type "${saidByRemote(found ?? '')}"`);
  }

  #send(
    url: URL,
    method: string,
    headers: Record<string, string>,
    upload: Upload | null = null,
  ): Promise<IncomingMessage> {
    const { token, idleLimitMs } = this.#access;
    const signed = token !== null && url.origin === this.#origin;
    return withRemote(this.host, async () => {
      const request = (url.protocol === 'http:' ? requestHttp : requestHttps)(url, {
        method,
        headers: {
          // Between two requests packs are made, and servers hang up on who is silent.
          connection: 'close',
          // Some servers answer only what calls itself git.
          'user-agent': 'git/2 (grove)',
          'accept-encoding': 'identity',
          ...headers,
          ...(signed ? { authorization: signIn(url.hostname, token) } : {}),
        },
      });
      let answer: IncomingMessage | null = null;
      const giveUp = (what: string, ms: number) =>
        (answer ?? request).destroy(
          unreachable(this.host, `${what} came from it for ${Math.ceil(ms / 1000)} s`),
        );
      request.setTimeout(idleLimitMs, () => giveUp('nothing', idleLimitMs));
      this.progressed();
      const watch = setInterval(() => {
        const limit = TALK_LIMITS * idleLimitMs;
        if (performance.now() - this.#progressed > limit) giveUp('nothing but talk', limit);
      }, idleLimitMs);
      request.once('close', () => clearInterval(watch));
      const answered = new Promise<IncomingMessage>((resolve, reject) => {
        request.on('response', (response) => {
          answer = response;
          resolve(response);
        });
        request.on('error', reject);
      });
      // A server may answer and hang up before it has read everything.
      if (upload === null) request.end();
      else pipeline(Readable.from(parts(upload, () => this.progressed())), request).catch(() => {});
      return answered;
    });
  }
}

async function* parts({ head, file, onSent }: Upload, progressed: () => void): AsyncGenerator<Buffer> {
  yield head;
  if (file === undefined) return;
  let sent = 0;
  for await (const chunk of createReadStream(file.path, { highWaterMark: 256 * 1024 })) {
    yield chunk as Buffer;
    sent += (chunk as Buffer).length;
    progressed();
    onSent?.(sent);
  }
}
