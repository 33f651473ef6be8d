import { request } from 'node:http';
import { ok, problem } from '../finding.ts';
import { ANSWER_MS } from './ask.ts';
import type { ServerCheck } from './subject.ts';

/** https://www.rfc-editor.org/rfc/rfc6761#section-6.4: nobody's name. */
const FOREIGN = 'grove-doctor.invalid';

/** Whether a name that is not the server's is refused: a web page could point one of its own at this machine. */
export const foreignHost: ServerCheck = {
  name: 'Foreign names',
  run: async ({ url }) => {
    const status = await statusUnder(FOREIGN, `${url}/healthz`);
    if (status === 403) return ok('refused (403), so that no web page reaches the notes');
    return problem(
      `a request under the name ${FOREIGN} is answered with ${status}`,
      'Update Grove, or take the entry out of GROVE_ALLOWED_HOSTS that lets every name in.',
    );
  },
};

async function statusUnder(host: string, url: string): Promise<number> {
  return await new Promise((resolve, reject) => {
    const asked = request(url, { headers: { host }, timeout: ANSWER_MS }, (response) => {
      response.resume();
      resolve(response.statusCode ?? 0);
    });
    asked.on('timeout', () => asked.destroy(new Error('no answer in 10 seconds')));
    asked.on('error', reject);
    asked.end();
  });
}
