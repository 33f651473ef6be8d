import { describe, expect, it } from 'vitest';
import { parseReply } from './greeting.ts';

describe('parseReply', () => {
  it('takes an owner that knows nothing of HTTP for one that serves none', () => {
    const owner = { protocol: 1, kind: 'stdio', pid: 7, version: '0.1.0' };
    expect(parseReply(JSON.stringify({ owner }))).toEqual({ owner: { ...owner, http: null } });
  });

  it('takes no notice of what a newer owner adds', () => {
    const owner = { protocol: 1, kind: 'server', pid: 7, version: '9.0.0', http: null };
    expect(parseReply(JSON.stringify({ owner: { ...owner, mood: 'good' } }))).toEqual({ owner });
  });
});
