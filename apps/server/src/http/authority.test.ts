import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hostOf, splitTarget } from './authority.ts';

describe('hostOf', () => {
  it.each([
    ['localhost', 'localhost'],
    ['localhost:8420', 'localhost'],
    ['localhost:', 'localhost'],
    ['LocalHost', 'localhost'],
    ['nas.local.', 'nas.local'],
    ['nas.local.:80', 'nas.local'],
    ['my_box', 'my_box'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['[::1]:8420', '[::1]'],
    ['[0:0:0:0:0:0:0:1]', '[::1]'],
    ['[::FFFF:127.0.0.1]', '[::ffff:7f00:1]'],
    ['2130706433', '127.0.0.1'],
    ['0x7f.1', '127.0.0.1'],
    ['0177.0.0.1:80', '127.0.0.1'],
    ['127.1', '127.0.0.1'],
    ['127.0.0.1.', '127.0.0.1'],
  ])('reads %s as %s', (authority, host) => {
    expect(hostOf(authority)).toBe(host);
  });

  it.each([
    '',
    ' ',
    '.',
    ':80',
    '::1',
    '[::1',
    '[::1]]',
    '[fe80::1%25eth0]',
    'user@localhost',
    'user:word@localhost',
    'localhost/evil',
    'localhost?evil',
    'localhost#evil',
    'localhost\\evil',
    'localhost evil',
    'localhost,evil',
    'localhost:80:80',
    'localhost:99999',
    'localhost:8a',
    '%6cocalhost',
    'bücher.example',
    '$(reboot)',
    '256.1.1.1',
    'x'.repeat(300),
  ])('refuses %j', (authority) => {
    expect(hostOf(authority)).toBeNull();
  });

  it('gives any text one spelling or none, which names the same host again', () => {
    const texts = fc.oneof(fc.string(), fc.domain(), fc.ipV4Extended(), fc.webAuthority());
    fc.assert(
      fc.property(texts, (text) => {
        const host = hostOf(text);
        if (host === null) return;
        expect(host).toMatch(/^[a-z0-9._:[\]-]+$/);
        expect(hostOf(host)).toBe(host);
        expect(hostOf(`${host}:8420`)).toBe(host);
      }),
    );
  });
});

describe('splitTarget', () => {
  it.each([
    ['/docs?x=http://a/b', null, '/docs?x=http://a/b'],
    ['*', null, '*'],
    ['//evil/docs', null, '//evil/docs'],
    ['http://evil/docs?q', 'evil', '/docs?q'],
    ['HTTPS://evil:1', 'evil:1', '/'],
    ['http://evil?q', 'evil', '/?q'],
    ['http://', '', '/'],
    ['http://user@evil/x', 'user@evil', '/x'],
  ])('splits %s', (target, authority, path) => {
    expect(splitTarget(target)).toEqual({ authority, path });
  });
});
