import type { Clock } from '@grove/core';
import { parseTrailRules } from '@grove/trails';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Browser, type Visited } from '../../oauth/testing/browser.ts';
import { type OAuthGarden, oauthGarden, PASSPHRASE } from '../../oauth/testing/oauth-garden.ts';

/** A clock that is moved by hand. */
class MovedClock implements Clock {
  ahead = 0;

  now(): number {
    return Date.now() + this.ahead;
  }
}

const HOUR = 3_600_000;

let clock: MovedClock;
let garden: OAuthGarden;
let browser: Browser;
beforeAll(async () => {
  clock = new MovedClock();
  const names = { host: '127.0.0.1', allowedHosts: [], allowedOrigins: ['https://app.example'] };
  garden = await oauthGarden({}, { clock, names });
});
afterAll(() => garden.close());
beforeEach(() => {
  browser = new Browser(garden.url);
});

const titleOf = ({ text }: Visited): string => /<h1>(.*?)<\/h1>/.exec(text)?.[1] ?? '';
const cookieNamed = (name: string, from = browser) => from.cookies().find((cookie) => cookie.name === name);

async function signIn(passphrase = PASSPHRASE, by = browser): Promise<Visited> {
  return await by.submit(await by.visit('/owner/sign-in'), '/owner/sign-in', { passphrase });
}

/** Sends the form for signing in as it is, with other headers. */
async function postSignIn(headers: Readonly<Record<string, string>>, form?: string): Promise<Visited> {
  const page = await browser.visit('/owner/sign-in');
  const [, token = ''] = /name="form" value="([^"]*)"/.exec(page.text) ?? [];
  return await browser.ask('/owner/sign-in', {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: new URLSearchParams({ form: form ?? token, passphrase: PASSPHRASE }).toString(),
  });
}

describe('signing in', () => {
  it('leads from any page of the owner to signing in, and back to it', async () => {
    const asked = await browser.visit(`/owner/vaults/${garden.opened.slug}/keys`);
    expect(titleOf(asked)).toBe('Sign in');
    const page = await browser.submit(asked, '/owner/sign-in', { passphrase: PASSPHRASE });
    expect([page.status, titleOf(page)]).toEqual([200, 'Keys']);
  });

  it('goes on to pages of the owner alone', async () => {
    for (const next of [
      '//evil.example',
      'https://evil.example/owner/vaults/',
      '/owner/vaults/../../mcp//x',
      '/v1',
    ]) {
      const other = new Browser(garden.url);
      const page = await other.visit(`/owner/sign-in?${new URLSearchParams({ next })}`);
      const after = await other.submit(page, '/owner/sign-in', { passphrase: PASSPHRASE });
      expect([next, new URL(after.url).origin, titleOf(after)]).toEqual([next, garden.url, 'Activity']);
    }
  });

  it('says that a passphrase is wrong, and opens nothing', async () => {
    const page = await signIn('tall tomatoes by the north wall');
    expect(page.status).toBe(403);
    expect(page.text).toContain('This is not the passphrase.');
    expect(titleOf(await browser.visit('/owner'))).toBe('Sign in');
    expect(cookieNamed('grove_owner')).toBeUndefined();
  });

  it('sets a cookie that no script reads and no other site brings along, with a new secret each time', async () => {
    await signIn();
    const first = cookieNamed('grove_owner');
    expect(first?.line).toMatch(/^grove_owner=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    await browser.submit(await browser.visit('/owner'), '/owner/sign-out');
    await signIn();
    expect(cookieNamed('grove_owner')?.value).not.toBe(first?.value);
  });

  it('takes no session that somebody else chose', async () => {
    const chosen = 'A'.repeat(43);
    const page = await browser.visit('/owner/sign-in');
    const headers = {
      cookie: `${browser
        .cookies()
        .map(({ name, value }) => `${name}=${value}`)
        .join('; ')}; grove_owner=${chosen}`,
    };
    const [, form = ''] = /name="form" value="([^"]*)"/.exec(page.text) ?? [];
    const answer = await fetch(`${garden.url}/owner/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body: new URLSearchParams({ form, passphrase: PASSPHRASE }),
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.getSetCookie().join()).not.toContain(chosen);
    const asked = await fetch(`${garden.url}/owner/vaults/${garden.opened.slug}/keys`, {
      redirect: 'manual',
      headers: { cookie: `grove_owner=${chosen}` },
    });
    expect(asked.headers.get('location')).toContain('/owner/sign-in');
  });

  it('refuses forms of other pages', async () => {
    const statuses = [
      await postSignIn({ origin: 'https://evil.example' }),
      await postSignIn({ origin: 'http://127.0.0.1:1' }),
      // It may call the interfaces, and not act for the owner.
      await postSignIn({ origin: 'https://app.example' }),
      await postSignIn({ origin: 'null' }),
      await postSignIn({ origin: garden.url }, ''),
      await postSignIn({ origin: garden.url }, 'x'.repeat(43)),
    ].map(({ status }) => status);
    expect(statuses).toEqual([403, 403, 403, 403, 403, 403]);
    expect((await postSignIn({ origin: garden.url })).status).toBe(303);
  });

  it('keeps pages out of caches and frames', async () => {
    const { headers } = await browser.visit('/owner/sign-in');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(headers.get('x-content-type-options')).toBe('nosniff');
  });
});

describe('a session', () => {
  const isOpen = async () => titleOf(await browser.visit('/owner')) === 'Activity';

  it('ends twelve hours after its last use, by whatever time it began', async () => {
    await signIn();
    for (let hours = 0; hours < 30; hours += 10) {
      clock.ahead += 10 * HOUR;
      expect(await isOpen()).toBe(true);
    }
    clock.ahead += 12 * HOUR + 1;
    expect(await isOpen()).toBe(false);
  });

  it('is not kept alive by a page that loads itself anew, and ends after thirty days at the latest', async () => {
    await signIn();
    clock.ahead += 11 * HOUR;
    await browser.visit(`/owner/vaults/${garden.opened.slug}/state?refresh=1`);
    clock.ahead += 2 * HOUR;
    expect(await isOpen()).toBe(false);
    await signIn();
    for (let hours = 0; hours < 30 * 24; hours += 11) {
      clock.ahead += 11 * HOUR;
      await isOpen();
    }
    expect(await isOpen()).toBe(false);
  });

  it('survives a restart', async () => {
    await signIn();
    await garden.restart();
    expect(await isOpen()).toBe(true);
  });

  it('ends at the sign-out, for whoever has its cookie', async () => {
    await signIn();
    const { value = '' } = cookieNamed('grove_owner') ?? {};
    const page = await browser.submit(await browser.visit('/owner'), '/owner/sign-out');
    expect(titleOf(page)).toBe('Sign in');
    const kept = await fetch(`${garden.url}/owner/vaults/${garden.opened.slug}/keys`, {
      redirect: 'manual',
      headers: { cookie: `grove_owner=${value}` },
    });
    expect(kept.status).toBe(303);
  });

  it('ends when the passphrase is another', async () => {
    await signIn();
    await garden.control.owner.set('another passphrase altogether');
    onTestFinished(() => garden.control.owner.set(PASSPHRASE));
    expect(await isOpen()).toBe(false);
    expect((await signIn()).status).toBe(403);
    expect(titleOf(await signIn('another passphrase altogether'))).toBe('Activity');
  });

  it('is not in control.db as the cookie has it', async () => {
    await signIn();
    const { value = '' } = cookieNamed('grove_owner') ?? {};
    expect(garden.control.oauth.find('OwnerSession', value)).toBeDefined();
    expect(JSON.stringify(garden.control.oauth.find('OwnerSession', value))).not.toContain('passphrase');
  });
});

// Each is hashed as slowly as it has to be.
describe('wrong passphrases', { timeout: 180_000 }, () => {
  // They are counted in memory.
  beforeEach(() => garden.restart());

  it('are taken five times of an address, and not the right one either then', async () => {
    for (let count = 0; count < 5; count += 1)
      expect((await signIn('wrong again and again')).status).toBe(403);
    const refused = await signIn();
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.text).toContain('Too many wrong passphrases');
    garden.control.audit.flush();
    const entries = garden.control.audit.list({ tool: 'sign_in', limit: 6 });
    expect(entries.map(({ tool, outcome }) => [tool, outcome])).toEqual([
      ['sign_in', 'sign_in_limited'],
      ...Array.from({ length: 5 }, () => ['sign_in', 'passphrase_wrong']),
    ]);
  });

  it('of others do not keep the owner out of a browser used before', async () => {
    await signIn();
    await browser.submit(await browser.visit('/owner'), '/owner/sign-out');
    const stranger = new Browser(garden.url);
    for (let count = 0; count < 6; count += 1) await signIn('wrong again and again', stranger);
    expect((await signIn(PASSPHRASE, stranger)).status).toBe(429);
    expect(titleOf(await signIn())).toBe('Activity');
  });

  it('do not count once the right one was sent', async () => {
    for (let count = 0; count < 4; count += 1) await signIn('wrong again and again');
    expect(titleOf(await signIn())).toBe('Activity');
    expect((await signIn('wrong again and again', new Browser(garden.url))).status).toBe(403);
  });

  it('count from a forged name of a browser as from none', async () => {
    const forged = { cookie: `grove_device=${'a'.repeat(22)}.${'b'.repeat(43)}` };
    for (let count = 0; count < 5; count += 1) await signIn('wrong again and again');
    const page = await browser.visit('/owner/sign-in');
    const [, form = ''] = /name="form" value="([^"]*)"/.exec(page.text) ?? [];
    const own = browser.cookies().map(({ name, value }) => `${name}=${value}`);
    const answer = await fetch(`${garden.url}/owner/sign-in`, {
      method: 'POST',
      headers: { cookie: [...own, forged.cookie].join('; ') },
      body: new URLSearchParams({ form, passphrase: PASSPHRASE }),
    });
    expect(answer.status).toBe(429);
  });
});

describe('the link of the first start', () => {
  afterEach(() => garden.control.owner.set(PASSPHRASE));

  const NEW = 'six sparrows in the hedge';

  const fill = async (token: string, fields: Readonly<Record<string, string>>, by = browser) =>
    await by.submit(await by.visit(`/owner/setup?token=${token}`), '/owner/setup', fields);

  it('sets the passphrase once, and signs in', async () => {
    const token = garden.control.owner.setupToken();
    const page = await fill(token, { passphrase: NEW, again: NEW });
    expect(titleOf(page)).toBe('Activity');
    expect(await garden.control.owner.verify(NEW)).toBe(true);
    const again = await new Browser(garden.url).visit(`/owner/setup?token=${token}`);
    expect([again.status, titleOf(again)]).toEqual([410, 'This link is over']);
  });

  it('is over for a form that was loaded before', async () => {
    const token = garden.control.owner.setupToken();
    const other = new Browser(garden.url);
    const loaded = await other.visit(`/owner/setup?token=${token}`);
    await fill(token, { passphrase: NEW, again: NEW });
    const late = await other.submit(loaded, '/owner/setup', { passphrase: PASSPHRASE, again: PASSPHRASE });
    expect(late.status).toBe(410);
    expect(await garden.control.owner.verify(NEW)).toBe(true);
  });

  it('is over after 24 hours, and when another was made', async () => {
    const token = garden.control.owner.setupToken();
    const newer = garden.control.owner.setupToken();
    expect((await browser.visit(`/owner/setup?token=${token}`)).status).toBe(410);
    expect((await browser.visit(`/owner/setup?token=${newer}`)).status).toBe(200);
    clock.ahead += 24 * HOUR;
    expect((await browser.visit(`/owner/setup?token=${newer}`)).status).toBe(410);
    expect((await browser.visit('/owner/setup')).status).toBe(410);
  });

  it('goes on after a passphrase that is too short, or two that differ', async () => {
    const token = garden.control.owner.setupToken();
    const differing = await fill(token, { passphrase: NEW, again: `${NEW}!` });
    expect(differing.text).toContain('The two are not the same.');
    const short = await browser.submit(differing, '/owner/setup', {
      passphrase: 'sparrows',
      again: 'sparrows',
    });
    expect(short.status).toBe(400);
    expect(short.text).toContain('needs 12 at least');
    const done = await browser.submit(short, '/owner/setup', { passphrase: NEW, again: NEW });
    expect(titleOf(done)).toBe('Activity');
  });

  it('is asked for by a form of its own page alone', async () => {
    const token = garden.control.owner.setupToken();
    const answer = await fetch(`${garden.url}/owner/setup`, {
      method: 'POST',
      headers: { origin: 'https://evil.example' },
      body: new URLSearchParams({ token, passphrase: NEW, again: NEW }),
    });
    expect(answer.status).toBe(403);
    expect(await garden.control.owner.verify(NEW)).toBe(false);
  });
});

describe('behind https', () => {
  const host = 'notes.example.org';
  const publicUrl = `https://${host}`;
  const SECURE = /^__Host-\w+=[\w.-]+; (?:Max-Age=\d+; )?Path=\/; HttpOnly; Secure; SameSite=Lax$/;
  let proxied: OAuthGarden;
  beforeAll(async () => {
    proxied = await oauthGarden({}, { publicUrl });
  });
  afterAll(() => proxied.close());

  /** The cookies that the page of the form and the sign-in set, as a browser brings them back that takes `isTaken` ones. */
  async function cookiesOf(
    page: Readonly<Record<string, string>>,
    post: Readonly<Record<string, string>>,
    isTaken: (line: string) => boolean,
  ): Promise<{ readonly form: readonly string[]; readonly session: readonly string[] }> {
    const shown = await proxied.app.inject({ url: '/owner/sign-in', headers: page });
    const [, form = ''] = /name="form" value="([^"]*)"/.exec(shown.body) ?? [];
    const before = [shown.headers['set-cookie'] ?? []].flat();
    const cookie = before
      .filter(isTaken)
      .map((line) => line.split(';')[0])
      .join('; ');
    const done = await proxied.app.inject({
      method: 'POST',
      url: '/owner/sign-in',
      headers: { ...post, cookie, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ form, passphrase: PASSPHRASE }).toString(),
    });
    expect(done.statusCode).toBe(303);
    const kept = [done.headers['set-cookie'] ?? []].flat().filter((line) => !line.includes('Max-Age=0'));
    return { form: before, session: kept };
  }

  it('keeps cookies for this very host and https alone', async () => {
    const { form, session } = await cookiesOf({ host }, { host, origin: publicUrl }, () => true);
    expect(form).toEqual([expect.stringMatching(SECURE)]);
    expect(session.map((line) => line.split('=')[0])).toEqual(['__Host-grove_device', '__Host-grove_owner']);
    for (const line of session) expect(line).toMatch(SECURE);
  });

  it.each([{ origin: publicUrl }, {}])(
    'does so where a proxy names itself as the host (%j)',
    async (origin) => {
      const inside = { host: '127.0.0.1:8420' };
      const { form, session } = await cookiesOf(inside, { ...inside, ...origin }, (line) =>
        SECURE.test(line),
      );
      expect(form.filter((line) => SECURE.test(line))).toHaveLength(1);
      expect(session).toHaveLength(2);
      for (const line of session) expect(line).toMatch(SECURE);
      const { invite } = proxied.control.trails.create({
        name: `Guests ${JSON.stringify(origin).length}`,
        vault: proxied.opened.slug,
        rules: parseTrailRules({ allowTags: ['garden'] }),
      });
      const opened = await proxied.app.inject({ url: `/invite/${invite}`, headers: inside });
      expect(opened.headers['set-cookie']).toMatch(SECURE);
    },
  );

  it('lets the owner in who is at the machine itself, without it', async () => {
    const inside = { host: '127.0.0.1:8420' };
    const isPlain = (line: string): boolean => !line.includes('Secure');
    const { session } = await cookiesOf(inside, { ...inside, origin: `http://${inside.host}` }, isPlain);
    expect(session.map((line) => line.split('=')[0])).toEqual(['grove_device', 'grove_owner']);
    expect(session.every(isPlain)).toBe(true);
  });
});
