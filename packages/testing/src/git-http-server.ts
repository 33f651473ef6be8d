import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo } from 'node:net';

/** A request that came, as far as tests ask for it. */
export interface SeenRequest {
  readonly method: string;
  readonly url: string;
  readonly authorization: string | null;
}

/**
 * A real git server over HTTP on this machine: `git http-backend` behind Node's HTTP. Its fields may be changed at any
 * time; they count for the next request.
 */
export class GitHttpServer {
  readonly origin: string;
  readonly seen: SeenRequest[] = [];
  /** The password of HTTP Basic that is asked for; null lets everybody in. */
  token: string | null = null;
  /** Answers everything with this status. */
  status: number | null = null;
  /** Cuts the connection after so many bytes of an answer to a POST. */
  cutAfter: number | null = null;
  /** Bytes of answers that are sent and then nothing more, with the connection left open. */
  stallAfter: number | null = null;
  /** Sends visitors on to the same path of this origin. */
  redirectTo: string | null = null;
  /** Runs before a POST is handed to git. */
  beforePost: (() => void | Promise<void>) | null = null;
  readonly #root: string;
  readonly #server: Server;

  constructor(root: string, server: Server, scheme: 'http' | 'https') {
    this.#root = root;
    this.#server = server;
    this.origin = `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`;
    server.on('request', (request: IncomingMessage, response: ServerResponse) => {
      this.#answer(request, response).catch(() => response.destroy());
    });
  }

  /** The address of a repository by its folder below the root. */
  url(name: string): string {
    return `${this.origin}/${encodeURIComponent(name)}`;
  }

  /** Ends it, open connections too. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = 'GET', url = '/' } = request;
    const authorization = request.headers.authorization ?? null;
    this.seen.push({ method, url, authorization });
    if (this.redirectTo !== null)
      return void response.writeHead(302, { location: this.redirectTo + url }).end();
    if (this.status !== null) return void response.writeHead(this.status).end();
    if (this.token !== null && passwordOf(authorization) !== this.token)
      return void response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
    if (method === 'POST') await this.beforePost?.();
    await this.#runGit(request, response, new URL(url, this.origin));
  }

  async #runGit(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const child = spawn('git', ['http-backend'], {
      stdio: ['pipe', 'pipe', 'ignore'],
      env: {
        PATH: process.env.PATH,
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_PROJECT_ROOT: this.#root,
        GIT_HTTP_EXPORT_ALL: '1',
        REMOTE_USER: 'ada',
        REMOTE_ADDR: '127.0.0.1',
        PATH_INFO: decodeURIComponent(url.pathname),
        QUERY_STRING: url.search.slice(1),
        REQUEST_METHOD: request.method,
        CONTENT_TYPE: request.headers['content-type'] ?? '',
        CONTENT_LENGTH: request.headers['content-length'] ?? '',
        HTTP_CONTENT_ENCODING: request.headers['content-encoding'] ?? '',
      },
    });
    const closed = once(response, 'close');
    void closed.then(() => child.kill('SIGKILL'));
    // git may stop reading before it has all.
    child.stdin.on('error', () => {});
    request.pipe(child.stdin);
    let head = Buffer.alloc(0);
    let sent = -1;
    for await (const chunk of child.stdout as AsyncIterable<Buffer>) {
      if (response.destroyed) return;
      let body = chunk;
      if (sent < 0) {
        head = Buffer.concat([head, chunk]);
        const end = head.indexOf('\r\n\r\n');
        if (end < 0) continue;
        writeHead(response, head.toString('latin1', 0, end));
        body = head.subarray(end + 4);
        sent = 0;
      }
      const limit = request.method === 'POST' ? (this.cutAfter ?? this.stallAfter) : null;
      if (limit !== null && sent + body.length > limit) {
        response.write(body.subarray(0, limit - sent));
        if (this.cutAfter !== null) setTimeout(() => response.destroy(), 50);
        else await closed;
        return;
      }
      sent += body.length;
      if (!response.write(body)) await Promise.race([once(response, 'drain'), closed]);
    }
    response.end();
  }
}

/** Serves all repositories below a folder until it is closed; over HTTPS where a key and a certificate are given. */
export async function startGitServer(
  root: string,
  tls: { readonly key: Buffer; readonly cert: Buffer } | null = null,
): Promise<GitHttpServer> {
  const server = tls === null ? createServer() : createTlsServer(tls);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return new GitHttpServer(root, server, tls === null ? 'http' : 'https');
}

function writeHead(response: ServerResponse, head: string): void {
  let status = 200;
  for (const line of head.split('\r\n')) {
    const [name = '', value = ''] = line.split(/:\s*(.*)/s);
    if (name.toLowerCase() === 'status') status = Number.parseInt(value, 10);
    else response.setHeader(name, value);
  }
  response.writeHead(status);
}

function passwordOf(authorization: string | null): string | null {
  const [, basic] = /^Basic (.+)$/.exec(authorization ?? '') ?? [];
  if (basic === undefined) return null;
  return Buffer.from(basic, 'base64').toString('utf8').split(/:(.*)/s)[1] ?? null;
}
