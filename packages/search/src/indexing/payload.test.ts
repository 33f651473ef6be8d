import { describe, expect, it } from 'vitest';
import { DOCUMENT_VERSION, readPayload, writePayload } from './payload.ts';

describe('readPayload', () => {
  it('reads what was written', () => {
    const payload = { catalogId: 'x1', sequence: 42, version: DOCUMENT_VERSION };
    expect(readPayload(writePayload(payload))).toEqual(payload);
  });

  it.each([null, '', 'x', '{', 'null', '[]', '{"catalogId":1,"sequence":2,"version":3}'])(
    'is null for %j',
    (text) => {
      expect(readPayload(text)).toBeNull();
    },
  );
});
