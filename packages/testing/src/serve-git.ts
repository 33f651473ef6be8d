import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { writeFiles } from './folders.ts';
import { type GitHttpServer, startGitServer } from './git-http-server.ts';

/**
 * Serves all repositories below a folder until the running test ends. It answers in the test's own process: a git that
 * talks to it has to be started without waiting for it.
 *
 * @example const server = await serveGit(folder); server.url('notes.git') // 'http://127.0.0.1:40123/notes.git'
 */
export async function serveGit(
  root: string,
  tls: Parameters<typeof startGitServer>[1] = null,
): Promise<GitHttpServer> {
  const server = await startGitServer(root, tls);
  onTestFinished(() => server.close());
  return server;
}

/** Makes a bare repository refuse every push with these words, as a server does with a protected branch. */
export function protectBranches(bare: string, words: string): void {
  const hook = join(bare, 'hooks', 'pre-receive');
  writeFiles(bare, { 'hooks/pre-receive': `#!/bin/sh\nprintf '%b\\n' '${words}' >&2\nexit 1\n` });
  chmodSync(hook, 0o755);
}
