import { isGroveError } from '@grove/core';
import { describe, expect, it } from 'vitest';
import { mayRedirect, parseRemoteAddress, shownAddress, signIn } from './remote-address.ts';

describe('the address of a remote', () => {
  it.each([
    'https://github.com/ada/notes.git',
    'https://git.example.org:8443/ada/my%20notes',
    'http://127.0.0.1:3000/ada/notes.git',
    'http://localhost/notes',
    'http://[::1]:3000/notes',
  ])('%s is taken', (text) => {
    expect(parseRemoteAddress(text).href).toBe(text);
  });

  it.each([
    ['git@github.com:ada/notes.git', /https:\/\/github\.com\/ada\/notes\.git/],
    ['ssh://git@git.example.org:2222/ada/notes.git', /https:\/\/git\.example\.org\/ada\/notes\.git/],
    ['https://ada:secret@github.com/ada/notes.git', /^it holds a name or a token/],
    ['https://token@github.com/ada/notes.git', /^it holds a name or a token/],
    ['https://ada:1/secret@github.com/ada/notes.git', /^it holds a name or a token/],
    ['https://ada:1?secret@github.com/ada/notes.git', /^it holds a name or a token/],
    ['ftp://ada:secret@example.org/notes.git', /^it holds a name or a token/],
    ['https:ada:secret@github.com/ada/notes.git', /https:\/\/github\.com\/ada\/notes\.git/],
    ['ssh://ada:x/secret@y@github.com/ada/notes.git', /https:\/\/github\.com\/ada\/notes\.git/],
    ['ada:x@secret@github.com:ada/notes.git', /https:\/\/github\.com\/ada\/notes\.git/],
    ['secret:x', /^it is no address/],
    ['http://github.com/ada/notes.git', /^over http:\/\//],
    ['http://127.0.0.1.example.org/notes.git', /^over http:\/\//],
    ['http://192.168.1.2/notes.git', /^over http:\/\//],
    ['file:///srv/notes.git', /^it begins with file:\/\//],
    ['git://example.org/notes.git', /^it begins with git:\/\//],
    ['ext::sh -c date', /./],
    ['/srv/notes.git', /^it is no address/],
    ['', /^it is no address/],
    ['https://example.org/notes.git?x=1', /"\?"/],
  ])('%s is refused', (text, reason) => {
    let caught: unknown;
    try {
      parseRemoteAddress(text);
    } catch (error) {
      caught = error;
    }
    expect(isGroveError(caught, 'remote_address_refused') && caught.data.reason).toMatch(reason);
    expect(String(caught)).not.toContain('secret');
  });

  it.each([
    ['https://github.com/ada/notes.git', 'https://github.com/ada/notes.git'],
    ['https://ada:secret@github.com/ada/notes.git?secret#secret', 'https://github.com/ada/notes.git'],
    ['https://ada:1/secret@x?secret#secret@github.com/notes.git', 'https://github.com/notes.git'],
    ['https:\\\\ada:secret@github.com/notes.git', 'github.com/notes.git'],
    ['ssh://git:secret@github.com:22/notes.git', 'ssh://github.com:22/notes.git'],
    ['git@github.com:ada/notes.git', 'github.com:ada/notes.git'],
    ['/srv/notes.git', '/srv/notes.git'],
  ])('%s is shown without a secret', (text, shown) => {
    expect(shownAddress(text)).toBe(shown);
  });

  it('may lead on to https alone, or stay on this machine', () => {
    const may = (from: string, to: string) => mayRedirect(new URL(from), new URL(to));
    expect(may('https://a.org/x', 'https://b.org/x')).toBe(true);
    expect(may('https://a.org/x', 'http://a.org/x')).toBe(false);
    expect(may('https://a.org/x', 'http://127.0.0.1/x')).toBe(false);
    expect(may('http://127.0.0.1/x', 'http://localhost/x')).toBe(true);
    expect(may('http://127.0.0.1/x', 'http://a.org/x')).toBe(false);
  });
});

describe('signing in', () => {
  it.each([
    ['github.com', 'ghp_1', 'x-access-token:ghp_1'],
    ['gitlab.com', 'glpat-1', 'oauth2:glpat-1'],
    ['gitlab.example.org', 'glpat-1', 'oauth2:glpat-1'],
    ['codeberg.org', 'abc', 'x-access-token:abc'],
    ['bitbucket.org', 'ATC', 'x-token-auth:ATC'],
    ['git.example.org', 'ada:a:b', 'ada:a:b'],
  ])('to %s with %s', (host, token, pair) => {
    expect(signIn(host, token)).toBe(`Basic ${Buffer.from(pair).toString('base64')}`);
  });
});
