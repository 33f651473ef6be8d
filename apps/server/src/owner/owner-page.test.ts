import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGroveError } from '@grove/core';
import { type Principal, vaultStatus, writeNote } from '@grove/service';
import { describeWithPrograms } from '@grove/testing';
import { parseTrailRules } from '@grove/trails';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type OAuthGarden, oauthGarden } from '../oauth/testing/oauth-garden.ts';
import { shownTexts } from './testing/contrast.ts';
import { type OwnerBrowser, ownerBrowser, PHONE } from './testing/owner-browser.ts';

const SCRIPT = '<script>document.title = "taken"</script>.md';
const TURNED = 'Left \u202etfel\u202c and \u05d9\u05de\u05d9\u05df.md';
const LONG = `${'w'.repeat(240)}.md`;
const DEEP = `${'folder'.repeat(40)}/${'name'.repeat(60)}.md`;

const KEY: Principal = { kind: 'key', id: 'k_assistant000', name: 'Assistant <b>', client: 'Client & Co' };
const WRITING_ON = 'Clients may change notes now, as far as their keys let them.';

// A browser on a busy machine.
vi.setConfig({ testTimeout: 240_000, hookTimeout: 240_000 });

describeWithPrograms("the owner's page, in a browser on a phone", ['chromium'], () => {
  let garden: OAuthGarden;
  let phone: OwnerBrowser;
  beforeAll(async () => {
    garden = await oauthGarden({
      '.grove/vault.yaml': 'deletes: confirm\n',
      ...Object.fromEntries([SCRIPT, TURNED, LONG, DEEP].map((path) => [path, '# A note\n'])),
      'Shared.md': '---\ntags: [club]\n---\n# Shared\n\nSee [[Private/Diary]].\n',
    });
    await garden.opened.writes.switch(true);
    phone = await ownerBrowser(garden);
  });
  afterAll(async () => {
    await phone?.browser.close();
    await garden.close();
  });

  /** What a key writes. */
  async function write(call: object): Promise<void> {
    const scope = garden.opened.scope(KEY, undefined, { scopes: ['write'] });
    await writeNote.run(scope, writeNote.parse(call));
  }

  const textOf = (path: string): string => readFileSync(join(garden.root, path), 'utf8');
  const notice = (page: Page) => page.locator('.notice').textContent();

  it('has no page that scrolls sideways, or has an input without a label', async () => {
    for (const path of [SCRIPT, TURNED, LONG, DEEP])
      await write({ path, action: 'append', content: `${'y'.repeat(500)} \u202eturned <u>${path}` });
    const made = garden.control.trails.create({
      name: `<i>${'n'.repeat(55)}`,
      vault: garden.opened.slug,
      rules: parseTrailRules({ allowTags: ['club', 'z'.repeat(200)] }),
    });
    garden.control.keys.create({
      name: '<img src=x onerror=alert(1)>',
      vault: garden.opened.slug,
      readPaths: [DEEP],
    });
    const pages = ['activity', 'keys', 'trails', `trails/${made.trail.id}`, 'clients', 'calls', 'state'];
    pages.push(`activity/revert?${new URLSearchParams({ key: `key:${KEY.id}`, since: '2020-01-01' })}`);
    for (const path of pages) {
      const page = await phone.open(path);
      for (const details of await page.locator('details').all())
        await details.evaluate((element) => element.setAttribute('open', ''));
      const widths = await page.locator('html').evaluate((root) => [root.scrollWidth, root.clientWidth]);
      expect([path, ...widths]).toEqual([path, PHONE.width, PHONE.width]);
      const unlabelled = await page
        .locator('input:not([type=hidden]), select')
        .evaluateAll((fields) => fields.filter(({ labels }) => labels.length !== 1).map(({ name }) => name));
      expect([path, unlabelled]).toEqual([path, []]);
      const small = await page
        .locator('button:visible, select, input:not([type=hidden], [type=radio])')
        .evaluateAll((fields) =>
          fields
            .filter((field) => field.getBoundingClientRect().height < 44)
            .map(({ outerHTML }) => outerHTML),
        );
      expect([path, small]).toEqual([path, []]);
      expect(await page.title()).not.toBe('taken');
      expect(await page.locator('main script, main img, main b, main i').count()).toBe(0);
      expect(await page.locator('h1').count()).toBe(1);
    }
  });

  it('shows hostile names as text, and what no eye sees as its code', async () => {
    const page = await phone.open('activity');
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).toContain(SCRIPT);
    expect(text).toContain('Left \\u{202e}tfel\\u{202c} and \u05d9\u05de\u05d9\u05df.md');
    expect(text).toContain(LONG);
    expect(text).toContain('\\u{202e}turned');
    expect(text).toContain('Assistant b with Client & Co');
    expect(text).not.toContain('\u202e');
  });

  it('undoes what was written, as long as nobody has written since', async () => {
    const before = textOf('Compost.md');
    await write({ path: 'Compost.md', action: 'append', content: 'Stones are fine too.' });
    const page = await phone.open('activity');
    const stale = await phone.open('activity');
    await page.locator('summary').filter({ hasText: 'Compost.md' }).first().click();
    expect(await page.locator('.added').filter({ hasText: 'Stones are fine too.' }).first().isVisible()).toBe(
      true,
    );
    await write({ path: 'Compost.md', action: 'append', content: 'Later words.' });
    const undo = (on: Page) => on.getByRole('button', { name: 'Undo the change of Compost.md' }).first();
    await undo(page).click();
    expect(await page.locator('.failure').textContent()).toContain('it was changed after that');
    expect(textOf('Compost.md')).toContain('Later words.');
    await page.locator('summary').filter({ hasText: 'Compost.md' }).first().click();
    await undo(page).click();
    expect(await notice(page)).toContain('Undone: Compost.md');
    expect(textOf('Compost.md')).toContain('Stones are fine too.');
    expect(textOf('Compost.md')).not.toContain('Later words.');
    await stale.locator('summary').filter({ hasText: 'Compost.md' }).first().click();
    await undo(stale).click();
    expect(await notice(stale)).toContain('Undone');
    expect(textOf('Compost.md')).toBe(before);
  });

  it('undoes a new note, a rename and a deletion', async () => {
    await write({ path: 'Fresh.md', content: 'fresh\n' });
    await write({ path: 'Tomatoes.md', action: 'move', to: 'Fruit.md', if_hash: '*' });
    const page = await phone.open('activity');
    const undo = async (path: string): Promise<void> => {
      await page.locator('summary').filter({ hasText: path }).first().click();
      await page
        .getByRole('button', { name: `Undo the change of ${path}` })
        .first()
        .click();
      expect(await notice(page)).toContain('Undone');
    };
    await undo('Fruit.md');
    await undo('Fresh.md');
    expect(
      ['Fruit.md', 'Tomatoes.md', 'Fresh.md'].map((path) => existsSync(join(garden.root, path))),
    ).toEqual([false, true, false]);
    await undo('Fresh.md');
    expect(textOf('Fresh.md')).toBe('fresh\n');
  });

  it('undoes all that one key wrote, after showing it', async () => {
    await write({ path: 'Plan.md', content: 'of the key\n' });
    const page = await phone.open('activity');
    await page
      .getByRole('link', { name: /^Undo all that/ })
      .first()
      .click();
    await page.getByRole('heading', { name: 'Undo what was written' }).waitFor();
    expect(await page.locator('main').textContent()).toContain('Plan.md');
    expect(existsSync(join(garden.root, 'Plan.md'))).toBe(true);
    await page.getByRole('button', { name: /^Undo \d+ note/ }).click();
    expect(await notice(page)).toContain(`key:${KEY.id}`);
    expect(existsSync(join(garden.root, 'Plan.md'))).toBe(false);
  });

  describe('deletions that wait', () => {
    const codeOf = async (call: object): Promise<string> => {
      try {
        await write(call);
        return 'ok';
      } catch (error) {
        return isGroveError(error) ? error.code : String(error);
      }
    };

    it('are allowed, and then pass once', async () => {
      const call = { path: 'Broken.md', action: 'delete', if_hash: '*' };
      expect(await codeOf(call)).toBe('confirmation_needed');
      const page = await phone.open('activity');
      const waiting = page.getByRole('region', { name: 'Waiting for your word' });
      expect(await waiting.textContent()).toContain('Assistant <b>');
      expect(await waiting.textContent()).toContain('Broken.md');
      await page.getByRole('button', { name: 'Allow the deletion' }).click();
      expect(await notice(page)).toContain('passes once');
      expect([await waiting.count(), await codeOf(call)]).toEqual([0, 'ok']);
    });

    it('are refused', async () => {
      const call = { path: 'Shared.md', action: 'delete', if_hash: '*' };
      expect(await codeOf(call)).toBe('confirmation_needed');
      const page = await phone.open('activity');
      await page.getByRole('button', { name: 'Refuse' }).click();
      expect(await notice(page)).toContain('nothing is deleted');
      expect(await codeOf(call)).toBe('confirmation_declined');
      expect(existsSync(join(garden.root, 'Shared.md'))).toBe(true);
    });
  });

  it('makes, rotates and revokes a key, whose token is shown once', async () => {
    const page = await phone.open('keys');
    await page.getByLabel('Name').fill('Kitchen <tablet>');
    await page.getByLabel('Read and write').check();
    await page.getByLabel('When does it end?').selectOption('In 30 days');
    await page.getByRole('button', { name: 'Make the key' }).click();
    const token = (await page.locator('.secret').textContent()) ?? '';
    const verified = garden.control.credentials.verify(token);
    expect(verified).toMatchObject({ name: 'Kitchen <tablet>', scopes: ['read', 'append', 'write'] });
    expect(garden.control.keys.find('Kitchen <tablet>').expiresAt).not.toBeNull();
    await page.reload();
    expect(await page.locator('.secret').count()).toBe(0);
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Rotate the key Kitchen <tablet>' }).click();
    const rotated = (await page.locator('.secret').textContent()) ?? '';
    expect([token, rotated].map((one) => garden.control.credentials.verify(one)?.name)).toEqual([
      undefined,
      'Kitchen <tablet>',
    ]);
    await page.getByRole('button', { name: 'Revoke the key Kitchen <tablet>' }).click();
    expect(await notice(page)).toContain('Revoked: Kitchen <tablet>');
    expect(garden.control.credentials.verify(rotated)).toBeNull();
    await page.getByLabel('Name').fill('x'.repeat(64));
    await page.getByRole('button', { name: 'Make the key' }).click();
    await page.getByLabel('Name').fill('x'.repeat(64));
    await page.getByRole('button', { name: 'Make the key' }).click();
    expect(await page.locator('.failure').textContent()).toContain('key');
  });

  it('disables and enables a trail, makes an invite, and previews what it shows', async () => {
    const { trail, token } = garden.control.trails.create({
      name: 'Book club',
      vault: garden.opened.slug,
      rules: parseTrailRules({ allowTags: ['club'] }),
    });
    const isLetIn = (): boolean => garden.control.credentials.verify(token) !== null;
    const page = await phone.open('trails');
    await page.getByRole('button', { name: 'Disable: Book club' }).click();
    expect([await notice(page), isLetIn()]).toEqual([expect.stringContaining('Disabled: Book club'), false]);
    await page.getByRole('button', { name: 'Enable: Book club' }).click();
    expect([await notice(page), isLetIn()]).toEqual([expect.stringContaining('Enabled: Book club'), true]);
    await page.getByRole('button', { name: 'New invite link: Book club' }).click();
    const link = (await page.locator('.secret').textContent()) ?? '';
    expect(link.startsWith(`${garden.url}/invite/`)).toBe(true);
    expect(garden.control.trails.byInvite(link.split('/').at(-1) ?? '')?.id).toBe(trail.id);
    await page.getByRole('link', { name: 'Book club' }).click();
    const main = page.locator('main');
    expect(await main.textContent()).toContain('It shows 1 note');
    expect(await main.textContent()).toContain('names Private/Diary.md');
  });

  it('disconnects a client', async () => {
    const id = 'grant-of-the-test';
    garden.control.oauth.upsert('Grant', id, { accountId: 'owner' }, 3_600);
    garden.control.grants.record({
      grantId: id,
      account: 'owner',
      vault: garden.opened.slug,
      trailId: null,
      scopes: ['read'],
      askedToWrite: false,
      clientId: 'c',
      clientName: 'Chat <client>',
      redirectHost: 'client.example',
      resource: garden.resource,
    });
    const page = await phone.open('clients');
    expect(await page.locator('main').textContent()).toContain('client.example');
    await page.getByRole('button', { name: 'Disconnect Chat <client>' }).click();
    expect(await notice(page)).toContain('Disconnected: Chat <client>');
    expect(garden.control.grants.find(id).state).toBe('revoked');
  });

  it('switches writing, and tells of the index and the queue', async () => {
    const page = await phone.open('state');
    const { notes } = await garden.opened.health(garden.opened.vault.ownerView());
    const main = page.locator('main');
    expect(await main.textContent()).toContain(`${notes} in `);
    expect(await main.textContent()).toContain('No embedding model is set up');
    await page.getByRole('button', { name: 'Switch writing off' }).click();
    expect([await notice(page), garden.opened.writes.on]).toEqual(['Clients may only read now.', false]);
    await page.getByRole('button', { name: 'Switch writing on' }).click();
    expect([await notice(page), garden.opened.writes.on]).toEqual([WRITING_ON, true]);
  });

  it('writes down what the owner did, without what was shown', async () => {
    const page = await phone.open('calls');
    const text = (await page.locator('main').textContent()) ?? '';
    for (const tool of ['sign_in', 'key_create', 'key_revoke', 'undo', 'approve', 'trail_disable'])
      expect(text).toContain(tool);
    expect(text).not.toMatch(/grove_[\w-]{43}|invite_[\w-]{43}/);
  });

  it('works without scripts', async () => {
    const plain = await phone.browser.newContext({
      viewport: PHONE,
      javaScriptEnabled: false,
      storageState: await phone.context.storageState(),
    });
    onTestFinished(() => plain.close());
    const page = await plain.newPage();
    await page.goto(phone.at('state'));
    await page.getByRole('button', { name: 'Switch writing off' }).click();
    expect(await notice(page)).toBe('Clients may only read now.');
    await page.getByRole('button', { name: 'Switch writing on' }).click();
    expect(await notice(page)).toBe(WRITING_ON);
    await page.getByRole('link', { name: 'Keys' }).click();
    await page.getByRole('heading', { name: 'Make a key' }).waitFor();
  });

  it('can be read in the dark', async () => {
    const page = await phone.open('keys');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const texts = await shownTexts(page);
      expect([colorScheme, texts.filter(({ ratio }) => ratio < 4.5)]).toEqual([colorScheme, []]);
      expect(texts.length).toBeGreaterThan(10);
    }
  });

  it('refuses a form without its token, and one of another origin', async () => {
    const cookie = (await phone.context.cookies()).map(({ name, value }) => `${name}=${value}`).join('; ');
    const page = await phone.open('state');
    const form = (await page.locator('input[name=form]').first().getAttribute('value')) ?? '';
    const post = async (
      fields: Readonly<Record<string, string>>,
      headers: Readonly<Record<string, string>>,
    ) => {
      const body = new URLSearchParams({ writes: 'off', ...fields });
      const answer = await fetch(phone.at('writes'), {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie, ...headers },
        body,
      });
      return [answer.status, answer.headers.get('cache-control')];
    };
    expect(await post({}, {})).toEqual([403, 'no-store']);
    expect(await post({ form: 'x'.repeat(43) }, {})).toEqual([403, 'no-store']);
    expect(await post({ form }, { origin: 'https://evil.example' })).toEqual([403, 'no-store']);
    expect(await post({ form }, { origin: 'null' })).toEqual([403, 'no-store']);
    expect(await post({ form }, { cookie: '' })).toEqual([303, 'no-store']);
    expect(garden.opened.writes.on).toBe(true);
  });

  it('tells of the same history as vault_status', async () => {
    const scope = garden.opened.scope({ kind: 'owner', id: 'owner', name: 'owner' }, undefined, {
      scopes: ['write'],
    });
    const answer = await vaultStatus.run(scope, vaultStatus.parse({ mode: 'history', limit: 15 }));
    const commits = answer.mode === 'history' ? answer.commits : [];
    const page = await phone.open('activity');
    expect(await page.locator('.items > li h3').count()).toBe(commits.length);
    for (let count = commits.length; count <= 15; count += 1)
      await write({ path: 'Shared.md', action: 'append', content: `Line ${count}.` });
    await page.reload();
    await page.getByRole('link', { name: 'Earlier changes' }).click();
    await page.getByRole('heading', { name: 'Earlier changes' }).waitFor();
    expect(await page.getByRole('button', { name: /^Undo the change/ }).count()).toBe(0);
  });
});
