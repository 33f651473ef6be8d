import { allOperations } from '@grove/service';
import { describe, expect, it } from 'vitest';
import { repeatable } from './stdio-session.ts';

const request = (method: string, name?: string) => ({
  jsonrpc: '2.0' as const,
  id: 1,
  method,
  ...(name === undefined ? {} : { params: { name, arguments: {} } }),
});

describe('a request that lost its owner before it was answered', () => {
  it.each(allOperations.map(({ name }) => name))(
    'is sent again for the tool %s only if that reads',
    (name) => {
      expect(repeatable(request('tools/call', name))).toBe(name !== 'write_note');
    },
  );

  it('is not sent again for a tool that is not known here: it may write', () => {
    expect(repeatable(request('tools/call', 'write_anything'))).toBe(false);
    expect(repeatable(request('tools/call'))).toBe(false);
  });

  it.each(['tools/list', 'resources/read', 'ping'])('is sent again for %s', (method) => {
    expect(repeatable(request(method))).toBe(true);
  });
});
