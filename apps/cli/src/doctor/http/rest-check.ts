import { encodePath, type VaultPath } from '@grove/core';
import { type Finding, note, ok, problem } from '../finding.ts';
import { type Answer, ask, bearer, hintOf, said } from './ask.ts';
import type { ServerCheck } from './subject.ts';

/** A search, and a note twice: the second time only if it changed. */
export const rest: ServerCheck = {
  name: 'REST',
  run: async ({ url, keys }) => {
    if (keys === null) return note('not checked: no key could be made');
    const key = bearer(keys.reading);
    const found = await ask(`${url}/v1/query?q=a&limit=1`, key);
    if (found.status !== 200) return unexpected('a search', found);
    const listed = await ask(`${url}/v1/notes?limit=1`, key);
    const path = firstPath(listed);
    if (path === null)
      return listed.status === 200
        ? ok('a search answers; there is no note to read')
        : unexpected('a list', listed);
    const address = `${url}/v1/notes/${encodePath(path as VaultPath)}`;
    const whole = await ask(address, key);
    const tag = whole.headers.get('etag');
    if (whole.status !== 200 || tag === null) return unexpected('a note', whole);
    const again = await ask(address, { ...key, 'if-none-match': tag });
    return again.status === 304
      ? ok('a search and a note answer, and an unchanged note is not sent again (304)')
      : unexpected('an unchanged note', again);
  },
};

function firstPath({ body }: Answer): string | null {
  const notes = Array.isArray(body?.notes) ? body.notes : [];
  const path: unknown = notes[0]?.path;
  return typeof path === 'string' ? path : null;
}

function unexpected(asked: string, answer: Answer): Omit<Finding, 'check'> {
  const mend =
    answer.status === 401
      ? 'The server does not know a key that was made just now: does it run with another data folder? Stop it and start it again.'
      : (hintOf(answer) ?? 'See the log of the server.');
  return problem(`${asked} answers ${said(answer)}`, mend);
}
