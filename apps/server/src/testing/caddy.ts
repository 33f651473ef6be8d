import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { collect, end, makeFolder } from '@grove/testing';

const CADDYFILE = readFileSync(new URL('../../../../deploy/Caddyfile', import.meta.url), 'utf8');
const UPSTREAM = 'grove:8420';

/** Caddy as deploy/Caddyfile has it, for `localhost`, with certificates of an authority of its own. */
export interface Caddy {
  readonly url: string;
  /** The certificate of its authority. */
  readonly authority: string;
  close(): Promise<void>;
}

/**
 * Starts the system's Caddy and waits until it answers.
 *
 * @param port where it answers by https
 * @param upstream host and port that stand for `grove:8420`
 */
export async function startCaddy(port: number, upstream: string): Promise<Caddy> {
  const folder = makeFolder('caddy');
  const own = [
    'admin off',
    'local_certs',
    'skip_install_trust',
    'default_bind 127.0.0.1',
    `http_port ${await freePort()}`,
    `https_port ${port}`,
    `storage file_system "${folder.path}"`,
  ];
  if (!CADDYFILE.includes(UPSTREAM)) throw new Error(`deploy/Caddyfile does not name ${UPSTREAM}`);
  const file = join(folder.path, 'Caddyfile');
  writeFileSync(file, `{\n\t${own.join('\n\t')}\n}\n${CADDYFILE.replace(UPSTREAM, upstream)}`);
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    env: { PATH: process.env.PATH, HOME: folder.path, DOMAIN: 'localhost' },
  });
  const said = collect(child.stderr);
  await answers(child, port, said);
  return {
    url: `https://localhost:${port}`,
    authority: readFileSync(join(folder.path, 'pki/authorities/local/root.crt'), 'utf8'),
    close: async () => {
      await end(child);
      folder.remove();
    },
  };
}

/** A port of this machine that nothing has. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no port');
  return address.port;
}

/** It makes its certificates first, and listens then. */
async function answers(child: ChildProcess, port: number, said: () => string): Promise<void> {
  while (!/certificate obtained successfully/.test(said())) {
    if (child.exitCode !== null) throw new Error(`Caddy does not start on ${port}: ${said()}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
