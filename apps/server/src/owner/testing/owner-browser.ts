import { execFileSync } from 'node:child_process';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { type OAuthGarden, PASSPHRASE } from '../../oauth/testing/oauth-garden.ts';

/** The size of a phone. */
export const PHONE = { width: 390, height: 844 };

/** A browser on a phone in which the owner is signed in. */
export interface OwnerBrowser {
  readonly browser: Browser;
  readonly context: BrowserContext;
  /** The address of a page of the vault. */
  at(path: string): string;
  /** Opens a page of the vault; fails the test for a complaint of the browser, or a request to anywhere else. */
  open(path: string): Promise<Page>;
}

/** Starts the system's Chromium and signs the owner in, after one wrong passphrase. */
export async function ownerBrowser(garden: OAuthGarden): Promise<OwnerBrowser> {
  const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
  // A browser that is run by root, as in a container, cannot make its own sandbox.
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  const context = await browser.newContext({ viewport: PHONE });
  context.setDefaultTimeout(120_000);
  await signIn(context, garden.url);
  const at = (path: string): string => `${garden.url}/owner/vaults/${garden.opened.slug}/${path}`;
  return {
    browser,
    context,
    at,
    open: async (path) => {
      const page = await context.newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
      });
      page.on('request', (request) => {
        if (!request.url().startsWith(`${garden.url}/`) && !request.url().startsWith('data:'))
          complaints.push(`a request to ${request.url()}`);
      });
      onTestFinished(async () => {
        await page.close();
        expect(complaints).toEqual([]);
      });
      await page.goto(at(path));
      return page;
    },
  };
}

async function signIn(context: BrowserContext, url: string): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${url}/owner`);
  await page.getByLabel('Passphrase of this server').fill('tall tomatoes by the north wall');
  await page.getByRole('button', { name: 'Sign in' }).click();
  expect(await page.getByRole('alert').textContent()).toBe('This is not the passphrase.');
  await page.getByLabel('Passphrase of this server').fill(PASSPHRASE);
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Activity' }).waitFor();
  await page.close();
}
