import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLine } from './json-rpc.ts';

describe('parseLine', () => {
  it.each([
    ['{"jsonrpc":"2.0","id":1,"method":"ping"}'],
    ['{"jsonrpc":"2.0","id":"a","method":"tools/list","params":{}}'],
    ['{"jsonrpc":"2.0","method":"notifications/initialized"}'],
    ['{"jsonrpc":"2.0","id":1,"result":{}}'],
    ['{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}'],
  ])('takes %s', (line) => {
    expect(parseLine(line)).toEqual({ kind: 'message', message: JSON.parse(line) });
  });

  it.each([
    ['{"jsonrpc":"2.0",', -32700, null],
    ['nothing', -32700, null],
    ['[]', -32600, null],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, null],
    ['42', -32600, null],
    ['null', -32600, null],
    ['{}', -32600, null],
    ['{"id":7,"method":"ping"}', -32600, 7],
    ['{"jsonrpc":"1.0","id":"x","method":"ping"}', -32600, 'x'],
    ['{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600, null],
    ['{"jsonrpc":"2.0","id":1,"method":3}', -32600, 1],
    ['{"jsonrpc":"2.0","id":1,"method":"ping","params":3}', -32600, 1],
  ])('answers %s with %i', (line, code, id) => {
    const parsed = parseLine(line);
    expect(parsed.kind).toBe('malformed');
    expect(parsed.kind === 'malformed' && JSON.parse(parsed.answer)).toEqual({
      jsonrpc: '2.0',
      id,
      error: { code, message: expect.any(String) },
    });
  });

  it('passes over blank lines', () => {
    expect(parseLine('  ')).toEqual({ kind: 'empty' });
  });

  it('throws on no line at all', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.json()), (line) => {
        expect(['message', 'malformed', 'empty']).toContain(parseLine(line).kind);
      }),
    );
  });
});
