import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { collect, temporaryFolder } from '@grove/testing';
import { CLIENTS } from './installed-clients.ts';
import { resultsIn, type ScenarioResult } from './run-suite.ts';

/** What the suite is told of the server. */
export interface AuthorizationSubject {
  /** The issuer. */
  readonly url: string;
  /** What tokens are for. */
  readonly resource: string;
  /** A client that may be sent to `http://127.0.0.1:<port>/callback`. */
  readonly clientId: string;
  readonly port: number;
  /** Does in a browser what the suite asks a person to do at an address. */
  agree(url: string): Promise<void>;
}

/** A hang limit, below that of the tests. */
const LIMIT_MS = 50_000;

/**
 * Runs the official conformance suite for authorization servers; for use within a test.
 *
 * @throws Error when the suite left no results, with what it wrote
 */
export async function runAuthorizationSuite(
  subject: AuthorizationSubject,
): Promise<readonly ScenarioResult[]> {
  const { url, resource, clientId, port } = subject;
  const folder = temporaryFolder('authorization');
  const wanted = ['--url', url, '--resource', resource, '--client-id', clientId, '--port', String(port)];
  const child = spawn(
    process.execPath,
    [CLIENTS.conformance, 'authorization', ...wanted, '--output-dir', folder],
    {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env.PATH },
      timeout: LIMIT_MS,
      killSignal: 'SIGKILL',
    },
  );
  const stderr = collect(child.stderr);
  const said: string[] = [];
  const asked: Promise<void>[] = [];
  createInterface({ input: child.stdout }).on('line', (line) => {
    said.push(line);
    if (line.startsWith(`${url}/`)) asked.push(subject.agree(line.trim()));
  });
  await once(child, 'close');
  await Promise.all(asked);
  const results = resultsIn(folder, /^(?:authorization-)?server-/, () => true);
  if (results.length === 0) throw new Error(`The suite tested nothing: ${said.join('\n')}${stderr()}`);
  return results;
}
