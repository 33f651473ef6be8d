import { expect, it } from 'vitest';
import { createLog } from './log.ts';

function lines(format: 'json' | 'pretty' | undefined, isTTY: boolean): string[] {
  const written: string[] = [];
  const to = { isTTY, write: (line: string) => void written.push(line) };
  const log = createLog('debug', to, format);
  log.warn({ vault: 'garden', reqId: null }, 'the folder vanished');
  log.info({ client: '\u001b[31mred', token: 'x' }, 'called');
  log.error({ err: new TypeError('no') }, 'a call failed');
  return written;
}

it('is what a terminal gets, and nothing else does unless told', () => {
  for (const written of [lines(undefined, true), lines('pretty', false)]) {
    expect(written[0]).toMatch(/^\d\d:\d\d:\d\d warn {3}the folder vanished \(vault garden\)\n$/);
    expect(written[1]).toMatch(/info {3}called \(client \?\[31mred, token \[hidden\]\)\n$/);
    expect(written[2]).toMatch(/error {2}a call failed\n {2}TypeError: no\n {6}at /);
  }
  for (const written of [lines(undefined, false), lines('json', true)])
    expect(JSON.parse(written[0] ?? '')).toMatchObject({
      level: 40,
      vault: 'garden',
      msg: 'the folder vanished',
    });
});
