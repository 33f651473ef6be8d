// Run by a test: owns a vault until it is killed, or prints that it may not.
import { isGroveError } from '@grove/core';
import { acquireOwnership } from '../ownership/ownership.ts';

const [lockDir = ''] = process.argv.slice(2);
try {
  await acquireOwnership({
    lockDir,
    host: 'child',
    pid: process.pid,
    socketPath: '/run/child.sock',
    kind: 'server',
  });
  process.stdout.write('owned\n');
  setInterval(() => {}, 1_000);
} catch (error) {
  if (!isGroveError(error)) throw error;
  process.stdout.write(`${JSON.stringify({ code: error.code, data: error.data })}\n`);
}
