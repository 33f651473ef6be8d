import { join } from 'node:path';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { type OpenedVault, openOwnedVault } from '@grove/service';
import { writeFiles } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildApp } from '../app.ts';
import { listen } from '../http/listen.ts';
import { Browser, type Visited } from '../oauth/testing/browser.ts';
import { gardenOptions } from '../testing/garden-options.ts';
import { type Garden, openGarden } from '../testing/open-garden.ts';

const PASSPHRASE = 'seven swifts above the roof';

let garden: Garden;
let other: OpenedVault;
let browser: Browser;
let close: () => Promise<void>;
beforeAll(async () => {
  garden = await openGarden();
  const { dataDir, folder } = garden;
  const root = join(folder, 'Zo\u00eb & co');
  writeFiles(root, { 'Only here.md': '# Only here\n' });
  other = await openOwnedVault({ root, dataDir, kind: 'server' });
  await other.ready;
  const control = openControl({ dataDir, clock: systemClock });
  await control.owner.set(PASSPHRASE);
  for (const { slug } of [garden.opened, other]) control.keys.create({ name: `Key of ${slug}`, vault: slug });
  const app = await buildApp({ ...gardenOptions(garden, control), vaults: [garden.opened, other] });
  const port = await listen(app, { host: '127.0.0.1', port: 0 });
  browser = new Browser(`http://127.0.0.1:${port}`);
  const page = await browser.visit('/owner');
  await browser.submit(page, '/owner/sign-in', { passphrase: PASSPHRASE });
  close = async () => {
    await app.close();
    control.close();
    await other.close();
    await garden.close();
  };
});
afterAll(() => close());

const linksOf = ({ text }: Visited, nav: string): string[] => {
  const [, links = ''] = new RegExp(`<nav[^>]*aria-label="${nav}">(.*?)</nav>`, 's').exec(text) ?? [];
  return [...links.matchAll(/href="([^"]*)"/g)].map(([, link = '']) => link);
};

describe('several vaults', () => {
  it('are switched between on each page, and never mixed', async () => {
    const first = await browser.visit('/owner');
    const [own, foreign = ''] = linksOf(first, 'Vaults');
    expect(own).toBe(`/owner/vaults/${garden.opened.slug}/activity`);
    for (const section of linksOf(first, 'Pages')) expect((await browser.visit(section)).status).toBe(200);
    const keys = await browser.visit(foreign.replace(/activity$/, 'keys'));
    expect(keys.text).toContain(`Key of ${other.slug.replace('&', '&amp;')}`);
    expect(keys.text).not.toContain(`Key of ${garden.opened.slug}`);
    const made = await browser.submit(keys, '/keys', { name: 'Second', scopes: 'read', expires: 'never' });
    expect(made.text).toContain('class="secret"');
    expect((await browser.visit(`/owner/vaults/${garden.opened.slug}/keys`)).text).not.toContain('Second');
  });

  it('keep what belongs to one from the forms of the other', async () => {
    const foreign = await browser.visit(`/owner/vaults/${encodeURIComponent(other.slug)}/keys`);
    const [, id = ''] = /name="id" value="(k_[\w-]+)"/.exec(foreign.text) ?? [];
    const own = await browser.visit(`/owner/vaults/${garden.opened.slug}/keys`);
    const refused = await browser.submit(own, '/keys/revoke', { id });
    expect(refused.text).toContain('class="failure"');
    const still = await browser.visit(`/owner/vaults/${encodeURIComponent(other.slug)}/keys`);
    expect(still.text).toContain(`value="${id}"`);
  });
});

describe('what is not asked for by a page', () => {
  const page = (path: string) => browser.visit(`/owner/vaults/${garden.opened.slug}/${path}`);
  const post = async (path: string, body: string, type = 'application/x-www-form-urlencoded') =>
    await browser.ask(`/owner/vaults/${garden.opened.slug}/${path}`, {
      method: 'POST',
      headers: { 'content-type': type },
      body,
    });

  it('gets a page that says so, and tells nothing of the inside', async () => {
    const answers = [
      await browser.visit('/owner/vaults/nowhere/keys'),
      await browser.visit('/owner/vaults/__proto__/keys'),
      await page('trails/t_nothing00000'),
      await page('trails/%F0%9F%8C%B1'),
      await page('activity?cursor=garbage'),
      await page('activity/revert?key=&since='),
      await page('activity/revert?key=x&since=never'),
      await page('calls?before=-1'),
      await page('calls?before=1e999'),
      await post('undo', 'form=&commit=x'),
      await post('undo', 'x'.repeat(20_000)),
      await post('undo', '{}', 'application/json'),
      await post('undo', '%00%ff%fe='),
    ];
    for (const { status, text, url, headers } of answers) {
      expect([url, status >= 400 && status < 500]).toEqual([url, true]);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('cache-control')).toBe('no-store');
      expect(text).toContain('<h1>This did not work</h1>');
      expect(text).not.toMatch(/at .*\.ts:\d+|node_modules|Error:/);
    }
  });

  it('is refused in words on the page, for fields that no page has', async () => {
    const keys = await page('keys');
    for (const fields of [
      { name: '', scopes: 'read', expires: 'never' },
      { name: 'x'.repeat(65), scopes: 'read', expires: 'never' },
      { name: 'x', scopes: 'admin', expires: 'never' },
      { name: 'x', scopes: 'read', expires: 'tomorrow' },
    ])
      expect((await browser.submit(keys, '/keys', fields)).text).toContain('class="failure"');
    expect((await page('keys')).text).not.toContain('class="secret"');
  });

  it('is not answered to whoever is not signed in', async () => {
    const stranger = new Browser(new URL((await page('keys')).url).origin);
    for (const path of ['keys', 'activity', 'state', 'trails/t_nothing00000', 'calls?before=5']) {
      const asked = await stranger.ask(`/owner/vaults/${garden.opened.slug}/${path}`);
      expect([path, asked.status, asked.text]).toEqual([path, 303, '']);
      expect(asked.location).toContain('/owner/sign-in?next=');
    }
    const entrance = await stranger.ask('/owner');
    expect([entrance.status, entrance.location]).toEqual([303, '/owner/sign-in?next=%2Fowner']);
    expect((await stranger.visit('/owner')).text).not.toMatch(/garden|zo\u00eb/i);
    // A vault that is not there is not told from one that is.
    expect((await stranger.ask('/owner/vaults/nowhere/keys')).status).toBe(303);
  });
});
