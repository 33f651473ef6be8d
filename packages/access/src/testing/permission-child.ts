// Run by a test: opens control.db as a user without root's rights over everything and prints what came of it. The
// modules are loaded before, so that the checkout itself need not be readable for everyone.
import { isGroveError, systemClock } from '@grove/core';
import { openControl } from '../control.ts';

const [dataDir = '', uid = ''] = process.argv.slice(2);
if (uid !== '') {
  process.setgroups?.([]);
  process.setgid?.(Number(uid));
  process.setuid?.(Number(uid));
}
try {
  openControl({ dataDir, clock: systemClock }).close();
  process.stdout.write(JSON.stringify({ code: null }));
} catch (error) {
  if (!isGroveError(error)) throw error;
  process.stdout.write(JSON.stringify({ code: error.code, message: error.message }));
}
