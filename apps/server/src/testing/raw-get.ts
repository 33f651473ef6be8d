import { request } from 'node:http';
import { text } from 'node:stream/consumers';

/** An answer over a socket. */
export interface RawAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Asks over a socket for a path as it stands: `inject` and `fetch` resolve `..` before they send.
 *
 * @param origin such as `http://127.0.0.1:8420`
 */
export async function rawGet(origin: string, path: string, token: string): Promise<RawAnswer> {
  const { hostname, port } = new URL(origin);
  return await new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, path, headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        const { statusCode = 0, headers } = answer;
        text(answer).then(
          (body) => resolve({ status: statusCode, type: headers['content-type'] ?? '', body }),
          reject,
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });
}
