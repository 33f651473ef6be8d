import { note, ok, problem } from '../finding.ts';
import type { ServerCheck } from './subject.ts';

/** Whether those who come through a proxy are told apart: by limits, and by what counts wrong passphrases. */
export const proxy: ServerCheck = {
  name: 'Proxy',
  run: async ({ publicUrl, proxies }) => {
    const told = await proxies();
    if (told === null) return note('not told by this server: is it an older Grove?');
    const { named, unnamed } = told;
    if (unnamed !== null)
      return problem(
        `all who come through the proxy at ${unnamed} share one address, and so one limit`,
        `If that is your proxy, set GROVE_TRUST_PROXY=${unnamed} for the server and start it again.`,
      );
    // Grove speaks no TLS itself.
    if (!named && publicUrl?.startsWith('https:') === true)
      return problem(
        `all who come through the proxy of ${publicUrl} share one address, and so one limit`,
        'Set GROVE_TRUST_PROXY for the server to the address that the proxy has for it ("loopback" on this machine), and start it again.',
      );
    return ok(named ? 'those that are named tell where requests come from' : 'no sign of one');
  },
};
