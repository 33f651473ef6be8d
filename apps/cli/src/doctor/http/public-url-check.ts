import { isReadable } from '@grove/server';
import { READABLE } from '../../serving/readable-server.ts';
import { type Finding, note, ok, problem } from '../finding.ts';
import { type Answer, ask, bearer, hintOf, reasonOf, said } from './ask.ts';
import type { ServerCheck } from './subject.ts';

/** Whether the address that others use leads to this server, with its headers. */
export const publicAddress: ServerCheck = {
  name: 'Public address',
  run: async ({ url, publicUrl, keys }) => {
    if (publicUrl === null) return note('none is set: the server is for this machine, or its own network');
    let healthy: Answer;
    try {
      healthy = await ask(`${publicUrl}/healthz`);
    } catch (error) {
      return problem(
        `${publicUrl} does not answer (${reasonOf(error)})`,
        `Check its name in DNS, its certificate, and that the proxy runs and passes requests on to ${url}.`,
      );
    }
    const elsewhere = refusalOf(healthy, publicUrl, url);
    if (elsewhere !== null) return elsewhere;
    if (keys === null)
      return note(`${publicUrl} answers; whether it leads here was not checked without a key`);
    // This key sees no note, in case it is somebody else who answers.
    const asked = await ask(`${publicUrl}/v1/query?q=a&limit=1`, bearer(keys.blind));
    return verdict(asked, publicUrl, url);
  },
};

function refusalOf(answer: Answer, publicUrl: string, url: string): Omit<Finding, 'check'> | null {
  if (answer.status === 200 && answer.body?.status === 'ok') return null;
  const location = answer.headers.get('location');
  if (answer.status >= 300 && answer.status < 400 && location !== null)
    return problem(
      `${publicUrl} redirects to ${location}`,
      'Set --public-url (GROVE_PUBLIC_URL) to the address that answers itself, or let the proxy pass every path on.',
    );
  if (answer.body?.code === 'host_refused')
    return problem(
      `the proxy passes another Host header on than ${new URL(publicUrl).host}`,
      `Let it pass the Host header as it came. ${hintOf(answer) ?? ''}`.trim(),
    );
  return problem(
    `${publicUrl}/healthz answers ${said(answer)}: something else is there`,
    `Let the proxy pass every path on to ${url}.`,
  );
}

function verdict(answer: Answer, publicUrl: string, url: string): Omit<Finding, 'check'> {
  if (answer.status === 200) {
    return isReadable(publicUrl)
      ? note(`${publicUrl} leads here without TLS: ${READABLE}`)
      : ok(`${publicUrl} leads here`);
  }
  if (answer.body?.code === 'key_missing')
    return problem(
      `${publicUrl} loses the Authorization header on the way`,
      'Let the proxy pass that header on, and ask for no password of its own there.',
    );
  if (answer.body?.code === 'key_invalid')
    return problem(`${publicUrl} leads to another Grove`, `Let the proxy pass requests on to ${url}.`);
  return problem(`${publicUrl} answers ${said(answer)}`, hintOf(answer) ?? 'See the log of the proxy.');
}
