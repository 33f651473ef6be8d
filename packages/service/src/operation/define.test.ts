import { describe, expect, it } from 'vitest';
import { allOperations, ownerOperations } from '../operations.ts';

describe.each([...allOperations, ...ownerOperations])('the schemas of $name', (operation) => {
  it('are made when they are first asked for, once', () => {
    for (const name of ['inputSchema', 'outputSchema'] as const) {
      expect(Object.getOwnPropertyDescriptor(operation, name)).toMatchObject({ get: expect.any(Function) });
      expect(operation[name]).toMatchObject({ type: 'object', properties: expect.any(Object) });
      expect(operation[name]).toBe(operation[name]);
    }
  });
});
