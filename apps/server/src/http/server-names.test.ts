import { describe, expect, it } from 'vitest';
import { originOf, parseServerNames } from './server-names.ts';

const none = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] };

describe('parseServerNames', () => {
  it('knows the names of this machine, the address that is listened on and the public one', () => {
    const names = parseServerNames({ ...none, host: 'NAS' }, 'https://Notes.example:8443/');
    expect([...names.hosts]).toEqual(['localhost', '127.0.0.1', '[::1]', 'nas', 'notes.example']);
    expect(names.anyAddress).toBe(true);
  });

  it.each(['127.0.0.1', '127.0.0.2', '::1', 'localhost'])('is for this machine alone on %s', (host) => {
    expect(parseServerNames({ ...none, host }, null).anyAddress).toBe(false);
  });

  it.each(['0.0.0.0', '::'])('goes by any address, and by no name, on %s', (host) => {
    const names = parseServerNames({ ...none, host }, null);
    expect(names.anyAddress).toBe(true);
    expect(names.hosts.size).toBe(3);
  });

  it('takes names, addresses, families of names and origins as people write them', () => {
    const names = parseServerNames(
      {
        ...none,
        allowedHosts: ['Nas.local', 'bücher.example.', 'fd00::7', '[fd00::8]', '*.tailnet.ts.net', '*.local'],
        allowedOrigins: ['HTTPS://App.example:443/', 'app://obsidian.md', 'chrome-extension://abc', 'null'],
      },
      null,
    );
    expect([...names.hosts].slice(3)).toEqual([
      'nas.local',
      'xn--bcher-kva.example',
      '[fd00::7]',
      '[fd00::8]',
    ]);
    expect(names.families).toEqual(['.tailnet.ts.net', '.local']);
    expect([...names.origins]).toEqual([
      'https://app.example',
      'app://obsidian.md',
      'chrome-extension://abc',
      'null',
    ]);
  });

  it.each([
    ['http://nas.local', 'write "nas.local"'],
    ['http://nas.local:8420/', 'write "nas.local"'],
    ['nas.local:8420', 'write "nas.local"'],
    ['[::1]:8420', 'write "[::1]"'],
    ['nas local', 'no host name'],
    ['', 'no host name'],
    ['*', 'only for the first label'],
    ['nas.*.net', 'only for the first label'],
    ['*nas.local', 'only for the first label'],
    ['*.*.ts.net', 'only for the first label'],
    ['*.10.0.0.1', 'only for the first label'],
    ['*.ts.net:80', 'only for the first label'],
    ['*.com', 'names of everybody'],
  ])('refuses the host %j', (entry, words) => {
    expect(() => parseServerNames({ ...none, allowedHosts: ['nas', entry] }, null)).toThrow(
      expect.objectContaining({
        code: 'bad_input',
        message: expect.stringMatching(/GROVE_ALLOWED_HOSTS/),
        data: expect.objectContaining({ reason: expect.stringContaining(words) }),
      }),
    );
  });

  it.each([
    '*',
    'app.example',
    'https://',
    'https://*.example',
    'https://app.example/page',
    'https://a@b',
    '',
  ])('refuses the origin %j', (entry) => {
    expect(() => parseServerNames({ ...none, allowedOrigins: [entry] }, null)).toThrow(
      expect.objectContaining({
        code: 'bad_input',
        message: expect.stringContaining('GROVE_ALLOWED_ORIGINS'),
      }),
    );
  });

  it.each([
    'notes.example',
    'ftp://notes.example',
    'https://ann@notes.example',
    'https://notes.example?x',
    'https://notes.example/grove',
    'https://',
  ])('refuses the public address %j', (url) => {
    expect(() => parseServerNames(none, url)).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining('GROVE_PUBLIC_URL') }),
    );
  });
});

describe('originOf', () => {
  it.each([
    'https://app.example/',
    'https://app.example/x',
    'blob:https://app.example',
    'https://a@app.example',
    '',
  ])('takes %j for no origin', (text) => {
    expect(originOf(text)).toBeNull();
  });
});
