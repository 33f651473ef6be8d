// Run by a test: does one thing to the keys, trails and grants of a data folder and prints what came of it.
import { isGroveError, systemClock } from '@grove/core';
import { openControl } from '../control.ts';

const [dataDir = '', verb = '', argument = '', end = ''] = process.argv.slice(2);
// Later than the clock of the tests: the key must be live for both.
const clock = { now: () => Math.max(systemClock.now(), Date.parse('2026-11-30T12:00:00Z')) };

function run(): unknown {
  const { keys } = control;
  switch (verb) {
    case 'create':
      return keys.create({ name: argument, vault: 'notes' });
    case 'revoke':
      return keys.revoke(argument);
    case 'rotate':
      return keys.rotate(argument);
    case 'remove':
      return keys.remove(argument) ?? null;
    case 'disable-trail':
      return control.trails.disable(argument);
    case 'remove-trail':
      return control.trails.remove(argument) ?? null;
    case 'revoke-grant':
      return control.grants.revoke(argument);
    case 'secrets':
      return [control.secrets.cookieKeys(), control.secrets.jwks()];
    case 'verify':
      return control.credentials.verify(argument);
    default:
      throw new Error(`no verb ${verb}`);
  }
}

const control = openControl({ dataDir, clock });
try {
  process.stdout.write(JSON.stringify(run()));
  if (end === 'killed') process.kill(process.pid, 'SIGKILL');
} catch (error) {
  if (!isGroveError(error)) throw error;
  process.stdout.write(JSON.stringify({ code: error.code }));
} finally {
  control.close();
}
