import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describeWithPrograms } from '@grove/testing';
import { parseTrailRules } from '@grove/trails';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { type OAuthGarden, oauthGarden, PASSPHRASE } from './testing/oauth-garden.ts';
import { callTool, TestClient } from './testing/test-client.ts';

/** What is asked of a field of a page. */
interface Field {
  readonly labels: { readonly length: number } | null;
  readonly textContent: string | null;
  readonly outerHTML: string;
}

/** A phone. */
const SCREEN = { width: 390, height: 844 };

describeWithPrograms('signing in and agreeing, in a browser of the size of a phone', ['chromium'], () => {
  let garden: OAuthGarden;
  let browser: Browser;
  let callback: Server;
  let redirect: string;
  beforeAll(async () => {
    garden = await oauthGarden({ 'Books/Herbs.md': '# Herbs\n\nThyme. #books\n' });
    // Where the client of these tests waits for its code, another site to the browser.
    callback = createServer((_, answer) => answer.end('<title>connected</title>'));
    callback.listen(0, '127.0.0.1');
    await once(callback, 'listening');
    redirect = `http://localhost:${(callback.address() as AddressInfo).port}/callback`;
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    callback.close();
    await garden.close();
  });

  /** A new browser without cookies; fails the test for a complaint of the browser's, such as one of the page's policy. */
  async function openPage(
    options: { readonly javaScriptEnabled?: boolean; readonly dark?: boolean } = {},
  ): Promise<Page> {
    const { javaScriptEnabled = true, dark = false } = options;
    const context = await browser.newContext({
      viewport: SCREEN,
      javaScriptEnabled,
      colorScheme: dark ? 'dark' : 'light',
    });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      // What the server refuses on purpose is told as an error too.
      if (message.type() === 'error' && !message.text().includes('403')) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    onTestFinished(async () => {
      await context.close();
      expect(complaints).toEqual([]);
    });
    return page;
  }

  async function expectUsable(page: Page): Promise<void> {
    const width = await page.evaluate<number>('document.documentElement.scrollWidth');
    expect(width).toBeLessThanOrEqual(SCREEN.width);
    expect(await page.locator('h1').count()).toBe(1);
    const unnamed = await page
      .locator('input:not([type=hidden]), select, button')
      .evaluateAll((fields) =>
        (fields as unknown as Field[])
          .filter(
            ({ labels, textContent }) => (labels?.length ?? 0) === 0 && (textContent ?? '').trim() === '',
          )
          .map(({ outerHTML }) => outerHTML),
      );
    expect(unnamed).toEqual([]);
  }

  it('connects a client by the keyboard alone, without scripts', async () => {
    const client = await TestClient.registered(garden, { redirect_uris: [redirect] });
    const page = await openPage({ javaScriptEnabled: false });
    await page.goto(client.authorizeUrl());
    await page.getByLabel('Passphrase of this server').focus();
    await page.keyboard.type('not this one');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('alert').textContent()).toContain('This is not the passphrase.');
    await page.getByLabel('Passphrase of this server').focus();
    await page.keyboard.type(PASSPHRASE);
    await page.keyboard.press('Enter');
    await page.getByRole('radio', { name: 'Only read' }).focus();
    await page.keyboard.press('Space');
    // From the last field on, the next stop is the button.
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.waitForURL(/^http:\/\/localhost/);
    const answer = new URL(page.url()).searchParams;
    expect(answer.get('state')).toBe(client.state);
    const { body } = await client.exchange(answer.get('code'));
    expect(body.scope).toBe('vault:read');
    expect((await callTool(garden, String(body.access_token))).status).toBe(200);
  });

  it.each([false, true])('shows pages that fit and whose fields have names (dark: %s)', async (dark) => {
    garden.control.trails.create({
      name: `Everything that anybody ever wrote about books ${dark}`,
      vault: garden.opened.slug,
      rules: parseTrailRules({ allowTags: ['books'] }),
    });
    const client = await TestClient.registered(garden, {
      redirect_uris: [redirect],
      client_name: `A client with a name as long as it may be${'e'.repeat(80)}`,
    });
    const page = await openPage({ dark });
    await page.goto(client.authorizeUrl());
    await expectUsable(page);
    await page.getByLabel('Passphrase of this server').fill(PASSPHRASE);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await expectUsable(page);
    expect(await page.locator('dd').first().textContent()).toContain('A client with a name');
    await page.getByRole('button', { name: 'Do not connect' }).click();
    await page.waitForURL(/error=access_denied/);
  });

  it('leads a guest from the invite to the client', async () => {
    const { trail, invite } = garden.control.trails.create({
      name: 'Herbs',
      vault: garden.opened.slug,
      rules: parseTrailRules({ allowTags: ['books'] }),
    });
    const page = await openPage();
    await page.goto(`${garden.url}/invite/${invite}`);
    await expectUsable(page);
    await page.getByText('Claude Code', { exact: true }).first().click();
    expect(await page.locator('details[open] pre').textContent()).toContain(garden.resource);
    await page.getByText('Cursor', { exact: true }).first().click();
    const install = await page.getByRole('link', { name: 'Install in Cursor' }).getAttribute('href');
    const { protocol, searchParams } = new URL(install ?? '');
    expect([protocol, atob(searchParams.get('config') ?? '')]).toEqual([
      'cursor:',
      JSON.stringify({ url: garden.resource }),
    ]);
    await expectUsable(page);
    await page.getByRole('button', { name: 'Make a token' }).click();
    await page.getByRole('heading', { name: 'Your token' }).waitFor();
    await expectUsable(page);
    const client = await TestClient.registered(garden, { redirect_uris: [redirect] });
    await page.goto(client.authorizeUrl());
    await page.getByRole('button', { name: `Continue as guest of “${trail.name}”` }).click();
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.waitForURL(/^http:\/\/localhost/);
    const { body } = await client.exchange(new URL(page.url()).searchParams.get('code'));
    expect((await callTool(garden, String(body.access_token), 'list_notes', {})).text).toContain('Herbs');
  });

  it('does not show its pages in a frame of another page', async () => {
    const client = await TestClient.registered(garden, { redirect_uris: [redirect] });
    const context = await browser.newContext({ viewport: SCREEN });
    onTestFinished(() => context.close());
    const page = await context.newPage();
    await page.setContent(`<iframe src="${client.authorizeUrl()}" width="300" height="300"></iframe>`);
    await page.waitForLoadState('networkidle');
    const [, frame] = page.frames();
    expect((await frame?.content()) ?? '').not.toContain('Passphrase');
  });
});
