import { execFileSync } from 'node:child_process';
import { describeWithPrograms } from '@grove/testing';
import { type Browser, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { routeDescriptions } from '../openapi/document.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

describeWithPrograms('the page of the interface, in a browser', ['chromium'], () => {
  let garden: ServedGarden;
  let url: string;
  let browser: Browser;
  beforeAll(async () => {
    garden = await serveGarden({ 'Beds/Bed 1.md': '# Bed 1\n\nHeavy clay.\n' });
    url = await garden.listen();
    const executablePath = execFileSync('which', ['chromium'], { encoding: 'utf8' }).trim();
    // A browser that is run by root, as in a container, cannot make its own sandbox.
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await garden.close();
  });

  /** Opens the page; fails the test that opened it for a console error, or a request to anywhere else. */
  async function openDocs(): Promise<Page> {
    const page = await browser.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    page.on('request', (request) => {
      if (!request.url().startsWith(`${url}/`) && !request.url().startsWith('data:'))
        complaints.push(`a request to ${request.url()}`);
    });
    onTestFinished(async () => {
      await page.close();
      expect(complaints).toEqual([]);
    });
    await page.goto(`${url}/docs`);
    await page.waitForSelector('.opblock');
    return page;
  }

  async function execute(
    page: Page,
    operationId: string,
    fields: Readonly<Record<string, string>>,
  ): Promise<string> {
    const block = page.locator(`.opblock[id$="-${operationId}"]`);
    await block.locator('.opblock-summary-control').click();
    for (const [name, value] of Object.entries(fields))
      await block.locator(`tr[data-param-name="${name}"] input`).fill(value);
    await block.locator('button.execute').click();
    const answer = block.locator('.live-responses-table .response');
    await answer.waitFor();
    return (await answer.textContent()) ?? '';
  }

  it('lists every operation', async () => {
    const page = await openDocs();
    expect(await page.locator('.opblock').count()).toBe(routeDescriptions.length);
    expect(await page.locator('#docs').textContent()).toContain('Search the notes');
  });

  it('runs a query and reads a note in a folder with a key that is typed in', async () => {
    const page = await openDocs();
    await page.locator('button.authorize').first().click();
    await page.locator('.auth-container input').fill(garden.key());
    await page.locator('.auth-btn-wrapper button[type="submit"]').click();
    await page.locator('.auth-btn-wrapper .btn-done').click();
    const found = await execute(page, 'queryByAddress', { q: 'clay' });
    expect(found).toContain('200');
    expect(found).toContain('Beds/Bed 1.md');
    const note = await execute(page, 'getNote', { path: 'Beds/Bed 1.md' });
    expect(note).toContain('Heavy clay.');
  });

  it('leads from the type of a problem to its description', async () => {
    const page = await browser.newPage();
    await page.goto(`${url}/docs/errors#note_not_found`);
    expect(await page.locator('section:target').textContent()).toContain('No note answers to');
    await page.close();
  });
});
