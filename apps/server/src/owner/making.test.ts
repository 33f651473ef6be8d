import { grants } from '@grove/access';
import { describeWithPrograms } from '@grove/testing';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { type OAuthGarden, oauthGarden } from '../oauth/testing/oauth-garden.ts';
import { askWith } from '../testing/ask.ts';
import { type OwnerBrowser, ownerBrowser, PHONE } from './testing/owner-browser.ts';

// A browser on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

describeWithPrograms('keys and trails that are made on a phone', ['chromium'], () => {
  let garden: OAuthGarden;
  let phone: OwnerBrowser;
  beforeAll(async () => {
    garden = await oauthGarden({
      'Club/Shared.md': '---\ntags: [club]\ntype: book\n---\n# Shared\n\nSee [[Private/Diary]].\n',
      'Club/Kept.md': '---\ntags: [club, own]\n---\n# Kept\n',
    });
    await garden.opened.writes.switch(true);
    phone = await ownerBrowser(garden);
  });
  afterAll(async () => {
    await phone?.browser.close();
    await garden.close();
  });

  const secrets = (page: Page) => page.locator('.secret').allTextContents();
  const failure = (page: Page) => page.locator('.failure').textContent();
  /** What a token is answered for a note. */
  const read = async (token: string, path: string): Promise<number> =>
    (await askWith(garden.app, token)(`/v1/notes/${encodeURI(path)}`)).statusCode;

  it('makes a key for some folders', async () => {
    const page = await phone.open('keys');
    await page.getByLabel('Name').fill('Tablet');
    await page.getByLabel('Read and write').check();
    await page.getByText('Only some folders').click();
    await page.getByLabel('Reads only').fill('Club, Private');
    await page.getByLabel('Writes only').fill('Club/Drafts');
    await page.getByLabel('Not in').fill('Private');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const [token = '', ...more] = await secrets(page);
    expect(more).toEqual([]);
    expect(garden.control.keys.find('Tablet')).toMatchObject({
      vault: garden.opened.slug,
      readPaths: ['Club', 'Private'],
      writePaths: ['Club/Drafts'],
      denyPaths: ['Private'],
      expiresAt: null,
    });
    expect([await read(token, 'Club/Shared.md'), await read(token, 'Private/Diary.md')]).toEqual([200, 404]);
    const text = (await page.locator('.items').textContent()) ?? '';
    for (const shown of ['Club, Private', 'Club/Drafts']) expect(text).toContain(shown);
  });

  it('makes no key of rules that cannot be read, and keeps what was typed', async () => {
    const page = await phone.open('keys');
    await page.getByLabel('Name').fill('Odd');
    await page.getByLabel('Read, add to notes and make new ones').check();
    await page.getByText('Only some folders').click();
    await page.getByLabel('Not in').fill('../up');
    await page.getByLabel('When does it end?').selectOption('In 90 days');
    await page.getByRole('button', { name: 'Make the key' }).click();
    expect(await failure(page)).toContain('../up');
    expect(garden.control.keys.list().map(({ name }) => name)).not.toContain('Odd');
    expect([
      await page.getByLabel('Name').inputValue(),
      await page.getByLabel('Read, add to notes and make new ones').isChecked(),
      await page.getByLabel('Not in').inputValue(),
      await page.getByLabel('When does it end?').inputValue(),
    ]).toEqual(['Odd', true, '../up', '90d']);
    // A list of nothing would limit nothing.
    await page.getByLabel('Not in').fill(' , ');
    await page.getByRole('button', { name: 'Make the key' }).click();
    expect(await failure(page)).toContain('"deny_paths" names nothing');
    await page.getByLabel('Not in').fill('Private');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const [token = ''] = await secrets(page);
    const made = garden.control.credentials.verify(token);
    expect(made === null ? [] : [grants(made.scopes, 'append'), grants(made.scopes, 'write')]).toEqual([
      true,
      false,
    ]);
    await page.reload();
    expect(await page.getByLabel('Name').inputValue()).toBe('');
  });

  it('makes a trail, whose token and link are shown once', async () => {
    const page = await phone.open('trails');
    await page.getByLabel('Name').fill('Book <club>');
    await page.getByLabel('With one of these tags', { exact: true }).fill('club, #books');
    await page.getByLabel('With one of these tags, never').fill('own');
    await page.getByLabel('In these folders', { exact: true }).fill('Club');
    await page.getByText('Writing, and how often').click();
    await page.getByLabel('Folders in which it may write').fill('Club');
    await page.getByLabel('Calls a minute that write').fill('5');
    await page.getByLabel('Calls a minute that read').fill('30');
    await page.getByLabel('When does it end?').selectOption('In 30 days');
    await page.getByRole('button', { name: 'Make the trail' }).click();
    const told = (await page.locator('.notice').textContent()) ?? '';
    expect(told).toContain('Shared: Book <club>. It shows 1 note of ');
    expect(told).toContain('1 place in them names a note that it does not show');
    expect(told).toContain('opens on this machine alone');
    const [link = '', token = '', ...more] = await secrets(page);
    expect(more).toEqual([]);
    const trail = garden.control.trails.find('Book <club>');
    expect(trail).toMatchObject({
      vault: garden.opened.slug,
      reads: 30,
      writes: 5,
      rules: {
        allowTags: ['club', 'books'],
        denyTags: ['own'],
        allowPaths: ['Club'],
        writeFolders: ['Club'],
      },
    });
    expect((trail.expiresAt ?? 0) - trail.createdAt).toBeCloseTo(30 * 86_400_000, -4);
    expect(garden.control.trails.byInvite(link.split('/').at(-1) ?? '')?.id).toBe(trail.id);
    expect(link.startsWith(`${garden.url}/invite/`)).toBe(true);
    expect([await read(token, 'Club/Shared.md'), await read(token, 'Club/Kept.md')]).toEqual([200, 404]);
    const [widest = 0] = await page
      .locator('html')
      .evaluateAll((roots) => roots.map(({ scrollWidth }) => scrollWidth));
    expect(widest).toBe(PHONE.width);
    await page.reload();
    expect(await secrets(page)).toEqual([]);
    expect(await page.content()).not.toContain(token);
    const calls = await phone.open('calls');
    const text = (await calls.locator('main').textContent()) ?? '';
    expect(text).toContain('trail_create');
    expect([token, link].filter((secret) => text.includes(secret))).toEqual([]);
  });

  it('makes no trail of what would share all, or names what is not there, and keeps what was typed', async () => {
    const before = garden.control.trails.list().length;
    const page = await phone.open('trails');
    await page.getByLabel('Name').fill('All');
    await page.getByRole('button', { name: 'Make the trail' }).click();
    expect(await failure(page)).not.toBe('');
    await page.getByLabel('Of one of these types', { exact: true }).fill('boook');
    await page.getByRole('button', { name: 'Make the trail' }).click();
    expect(await failure(page)).toContain('boook');
    expect(garden.control.trails.list()).toHaveLength(before);
    expect(await page.getByLabel('Name').inputValue()).toBe('All');
    await page.getByLabel('Of one of these types', { exact: true }).fill('book');
    await page.getByText('Writing, and how often').click();
    await page.getByLabel('Folders in which it may write').fill('Club');
    await page.getByRole('button', { name: 'Make the trail' }).click();
    expect(await page.locator('.notice').textContent()).toContain('It may not write');
    expect(garden.control.trails.find('All').rules.allowTypes).toEqual(['book']);
  });

  it('takes neither form without the token of the session', async () => {
    const cookie = (await phone.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    for (const [path, fields] of [
      ['keys', { name: 'Forged', scopes: 'read' }],
      ['trails', { name: 'Forged', allow_paths: '**' }],
    ] as const) {
      const answer = await fetch(phone.at(path), {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie },
        body: new URLSearchParams(fields),
      });
      expect([path, answer.status]).toEqual([path, 403]);
    }
    const names = [...garden.control.keys.list(), ...garden.control.trails.list()].map(({ name }) => name);
    expect(names).not.toContain('Forged');
  });
});
