import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exchange, openSocket } from '../testing/raw-socket.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';
import { DEFAULT_LIMITS } from './options.ts';

const HOST = 'Host: localhost\r\n';
const CLOSE = 'Connection: close\r\n';
const JSON_TYPE = 'Content-Type: application/json\r\n';

let garden: ServedGarden;
let url: string;
let key: string;

beforeAll(async () => {
  garden = await serveGarden({}, { limits: { ...DEFAULT_LIMITS, requestTimeoutMs: 400 } });
  url = await garden.listen();
  key = `Authorization: Bearer ${garden.key()}\r\n`;
});
afterAll(() => garden.close());
afterEach(async () => {
  // Whatever came before: the next one is served.
  const response = await fetch(`${url}/healthz`);
  expect(response.status).toBe(200);
});

interface Answer {
  readonly status: number;
  readonly head: string;
  readonly problem: { readonly code: string; readonly detail: string; readonly request_id: string };
}

/** What the server says, before it ends the connection, to what it refuses: one whole answer with problem details. */
async function refusalOf(bytes: string | Buffer): Promise<Answer> {
  const text = await exchange(url, bytes);
  const [head = '', ...body] = text.split('\r\n\r\n');
  expect(head).toMatch(/^content-type: application\/problem\+json$/im);
  expect(head).toMatch(/^connection: close$/im);
  expect(text).not.toMatch(/\n\s+at |node:|\.ts:/);
  const problem = JSON.parse(body.join('\r\n\r\n'));
  expect(head).toContain(`x-request-id: ${problem.request_id}`);
  return { status: Number(head.slice(9, 12)), head, problem };
}

describe('what is no HTTP request', () => {
  it.each<[string, string | Buffer]>([
    ['HTTP/0.9', 'GET /\r\n\r\n'],
    ['words', 'hello there\r\n\r\n'],
    ['a TLS hello', Buffer.from('16030100a5010000a10303', 'hex')],
    ['the preface of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['HTTP/3.0', `GET /healthz HTTP/3.0\r\n${HOST}\r\n`],
    ['an unknown method', `FOO /healthz HTTP/1.1\r\n${HOST}\r\n`],
    ['lines without CR', `GET /healthz HTTP/1.1\n${HOST}\n`],
    ['a NUL in a header', `GET /healthz HTTP/1.1\r\n${HOST}x: a\0b\r\n\r\n`],
    ['a space before a colon', `GET /healthz HTTP/1.1\r\n${HOST}x : a\r\n\r\n`],
    ['a folded header', `GET /healthz HTTP/1.1\r\n${HOST}x: a\r\n b\r\n\r\n`],
  ])('is refused: %s', async (_, bytes) => {
    const { status, problem } = await refusalOf(bytes);
    expect(status).toBe(400);
    expect(problem.code).toBe('bad_request');
  });

  it('is refused, or ends the connection, when it is random bytes', async () => {
    for (let size = 1; size <= 4096; size *= 4) {
      const text = await exchange(url, Buffer.concat([randomBytes(size), Buffer.from('\r\n\r\n')]));
      expect(text).toMatch(/^(?:HTTP\/1\.1 4\d\d |$)/);
    }
  });

  it('is told when it is TLS', async () => {
    const { problem } = await refusalOf(Buffer.from('16030100a5010000a10303', 'hex'));
    expect(problem.detail).toContain('plain HTTP');
  });
});

describe('a body whose length is in doubt', () => {
  const post = `POST /v1/query HTTP/1.1\r\n${HOST}`;
  it.each([
    ['chunked and with a length', 'Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n'],
    ['two lengths', 'Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello'],
    ['a negative length', 'Content-Length: -5\r\n\r\nhello'],
    ['a length that is no number', 'Content-Length: 0x5\r\n\r\nhello'],
    ['an encoding that is not chunked at last', 'Transfer-Encoding: chunked, gzip\r\n\r\n0\r\n\r\n'],
    ['an obscured encoding', 'Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n'],
    ['a chunk of no size', 'Transfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a chunk with rubbish behind it', 'Transfer-Encoding: chunked\r\n\r\n2\r\n{}rubbish\r\n0\r\n\r\n'],
  ])('is refused: %s', async (_, rest) => {
    const { status, problem } = await refusalOf(`${post}${key}${JSON_TYPE}${rest}`);
    expect(status).toBe(400);
    expect(problem.code).toBe('bad_request');
  });

  it('is refused by its announcement when it is too large', async () => {
    const { status, problem } = await refusalOf(`${post}${key}${JSON_TYPE}Content-Length: 99999999\r\n\r\n{`);
    expect(status).toBe(413);
    expect(problem.code).toBe('body_too_large');
  });

  it('is refused when it grows too large by chunks', async () => {
    const raw = await openSocket(url);
    raw.send(`${post}${key}${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n`);
    const chunk = Buffer.concat([
      Buffer.from('100000\r\n'),
      Buffer.alloc(0x100000, 0x20),
      Buffer.from('\r\n'),
    ]);
    for (let sent = 0; sent < 6; sent += 1) raw.send(chunk);
    expect(await raw.until('body_too_large')).toMatch(/^HTTP\/1\.1 413 /);
    expect(await raw.ended()).toMatch(/connection: close/i);
  });

  it('that is asked about first is asked for, and read', async () => {
    const body = '{"query":"compost"}';
    const raw = await openSocket(url);
    raw.send(
      `${post}${key}${JSON_TYPE}${CLOSE}Expect: 100-continue\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    expect(await raw.until('\r\n\r\n')).toBe('HTTP/1.1 100 Continue\r\n\r\n');
    raw.send(body);
    expect(await raw.ended()).toContain('HTTP/1.1 200 OK');
  });

  it('with another expectation is judged as any other', async () => {
    const { status } = await refusalOf(
      `${post}${JSON_TYPE}${CLOSE}Expect: tea\r\nContent-Length: 2\r\n\r\n{}`,
    );
    expect(status).toBe(401);
  });
});

describe('too much of something', () => {
  it.each([
    ['one header', `x: ${'a'.repeat(20_000)}\r\n`],
    ['headers', Array.from({ length: 2_000 }, (_, at) => `a${at}: b\r\n`).join('')],
    ['small headers', Array.from({ length: 200 }, (_, at) => `a${at}:\r\n`).join('')],
    ['a key', `Authorization: Bearer ${'a'.repeat(20_000)}\r\n`],
  ])('is refused in %s', async (_, headers) => {
    const { status, problem } = await refusalOf(`GET /healthz HTTP/1.1\r\n${HOST}${headers}${CLOSE}\r\n`);
    expect(status).toBe(431);
    expect(problem.code).toBe('headers_too_large');
  });

  it('is refused in the address', async () => {
    const { status } = await refusalOf(`GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`);
    expect(status).toBe(431);
  });

  it('is refused in a part of the address', async () => {
    const { status, problem } = await refusalOf(
      `GET /docs/${'a'.repeat(5_000)} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    );
    expect(status).toBe(414);
    expect(problem.code).toBe('url_too_long');
  });

  it('is no hundred headers', async () => {
    const headers = Array.from({ length: 100 }, (_, at) => `a${at}: b\r\n`).join('');
    expect(await exchange(url, `GET /healthz HTTP/1.1\r\n${HOST}${headers}${CLOSE}\r\n`)).toContain('200 OK');
  });
});

describe('a client that takes its time', () => {
  it.each([
    ['says nothing', ''],
    ['stops in the first line', 'GET /hea'],
    ['stops in a header', `GET /healthz HTTP/1.1\r\n${HOST}x: `],
    ['stops in the body', `POST /v1/query HTTP/1.1\r\n${HOST}KEY${JSON_TYPE}Content-Length: 20\r\n\r\n{"q`],
    ['stops in a body for MCP', `POST /mcp HTTP/1.1\r\n${HOST}KEY${JSON_TYPE}Content-Length: 20\r\n\r\n{"q`],
    [
      'stops between chunks',
      `POST /v1/query HTTP/1.1\r\n${HOST}KEY${JSON_TYPE}Transfer-Encoding: chunked\r\n\r\n1\r\n{\r\n`,
    ],
  ])('is told so and let go when it %s', async (_, bytes) => {
    const { status, problem } = await refusalOf(bytes.replace('KEY', key));
    expect(status).toBe(408);
    expect(problem.code).toBe('request_timeout');
  });

  it('is let go though it says a little now and then', async () => {
    const raw = await openSocket(url);
    raw.send(`GET /healthz HTTP/1.1\r\n${HOST}x: `);
    const dripping = setInterval(() => raw.send('a'), 20);
    try {
      expect(await raw.ended()).toMatch(/^HTTP\/1\.1 408 /);
    } finally {
      clearInterval(dripping);
    }
  });
});

describe('several requests on one connection', () => {
  it('are answered in their order', async () => {
    const first = `GET /v1/query?q=compost HTTP/1.1\r\n${HOST}${key}\r\n`;
    const text = await exchange(
      url,
      `${first}GET /v1/query?q=x HTTP/1.1\r\n${HOST}\r\nGET /healthz HTTP/1.1\r\n${HOST}${CLOSE}\r\n`,
    );
    expect([...text.matchAll(/HTTP\/1\.1 (\d\d\d)/g)].map(([, status]) => status)).toEqual([
      '200',
      '401',
      '200',
    ]);
  });

  it('leave the answer whole when what follows is rubbish', async () => {
    const text = await exchange(
      url,
      `GET /v1/query?q=compost HTTP/1.1\r\n${HOST}${key}\r\nrubbish rubbish\r\n\r\n`,
    );
    const [head = '', body = ''] = text.split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1\.1 200 OK/);
    expect(JSON.parse(body)).toMatchObject({ hits: expect.any(Array) });
  });
});

describe('other protocols and methods', () => {
  it.each(['h2c', 'websocket'])('stays with HTTP/1.1 when asked for %s', async (protocol) => {
    const raw = await openSocket(url);
    raw.send(`GET /healthz HTTP/1.1\r\n${HOST}Connection: Upgrade\r\nUpgrade: ${protocol}\r\n\r\n`);
    expect(await raw.until('{"status":"ok"}')).toMatch(/^HTTP\/1\.1 200 OK/);
  });

  it('opens no tunnel', async () => {
    const { status, problem } = await refusalOf(
      'CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example\r\n\r\n',
    );
    expect(status).toBe(405);
    expect(problem.code).toBe('method_refused');
  });

  it('echoes nothing to TRACE, and says what it takes', async () => {
    const { status, head } = await refusalOf(
      `TRACE /healthz HTTP/1.1\r\n${HOST}X-Secret: s3cret\r\n${CLOSE}\r\n`,
    );
    expect(status).toBe(405);
    expect(head).toMatch(/^allow: GET, HEAD$/im);
    expect(head).not.toContain('s3cret');
  });

  it('takes OPTIONS of the whole server for one of its root', async () => {
    const { status, problem } = await refusalOf(`OPTIONS * HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
    expect(status).toBe(405);
    expect(problem.code).toBe('method_refused');
  });

  it.each(['OPTIONS /nothing', 'PROPFIND /nothing', 'GET //evil.example/healthz', 'GET /nothing'])(
    'finds nothing at %s',
    async (line) => {
      const { status, problem } = await refusalOf(`${line} HTTP/1.1\r\n${HOST}${CLOSE}\r\n`);
      expect(status).toBe(404);
      expect(problem.code).toBe('route_unknown');
    },
  );

  it.each(['/%', '/%zz', '/v1/notes/%ff', '/v1/notes/%e0%a4%a'])(
    'says that it cannot read the address %s',
    async (path) => {
      const { status, problem } = await refusalOf(`GET ${path} HTTP/1.1\r\n${HOST}${key}${CLOSE}\r\n`);
      expect(status).toBe(400);
      expect(problem.code).toBe('bad_url');
    },
  );
});

describe('a good request with a few bytes of it changed', () => {
  it('is answered or refused, and never fails inside', async () => {
    const request = Buffer.from(
      `POST /v1/query HTTP/1.1\r\n${HOST}${key}${JSON_TYPE}Content-Length: 19\r\n\r\n{"query":"compost"}`,
    );
    const change = fc.record({ at: fc.nat(request.length - 1), byte: fc.nat(255) });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 4 }), async (changes) => {
        const bytes = Buffer.from(request);
        for (const { at, byte } of changes) bytes[at] = byte;
        const raw = await openSocket(url);
        raw.socket.end(bytes);
        expect(await raw.ended()).toMatch(/^(?:HTTP\/1\.1 [24]\d\d [\s\S]*)?$/);
      }),
      { numRuns: 200 },
    );
  });

  it('is let go when its client vanishes at any point', async () => {
    const request = `GET /v1/query?q=compost HTTP/1.1\r\n${HOST}${key}\r\n`;
    for (let length = 0; length <= request.length; length += 7) {
      const raw = await openSocket(url);
      raw.send(request.slice(0, length));
      raw.socket.resetAndDestroy();
      await raw.ended();
    }
  });
});
