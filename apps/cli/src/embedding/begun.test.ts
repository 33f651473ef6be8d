import { execFileSync } from 'node:child_process';
import { temporaryFolder } from '@grove/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { type ProcessEmbedding, processEmbedding } from './process-embedding.ts';

vi.setConfig({ testTimeout: 120_000 });

let embedding: ProcessEmbedding;
afterEach(() => embedding.close());

/** How many processes of the local model this one has. */
function models(): number {
  const children = execFileSync('ps', ['-o', 'args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  return children.split('\n').filter((line) => line.includes('embedding-child')).length;
}

async function embeds(): Promise<boolean> {
  const opened = await embedding.open();
  return opened !== null && 'embedder' in opened && (await opened.embedder.embedQuery('rain')).length > 0;
}

describe('the local model that a start begins with', () => {
  it('is the one that is opened', async () => {
    embedding = processEmbedding({ kind: 'local' }, temporaryFolder('begun'), 'always');
    await embedding.begin();
    expect(models()).toBe(1);
    expect(await embeds()).toBe(true);
    expect(models()).toBe(1);
  });

  it('is given up where nobody opens it, and opened anew by who comes later', async () => {
    embedding = processEmbedding({ kind: 'local' }, temporaryFolder('begun'), 'always', 0);
    await embedding.begin();
    await expect.poll(models, { timeout: 60_000 }).toBe(0);
    expect(await embeds()).toBe(true);
    expect(models()).toBe(1);
  });

  it('is none where another embedder is set', async () => {
    embedding = processEmbedding({ kind: 'off' }, temporaryFolder('begun'), 'always');
    await embedding.begin();
    expect(models()).toBe(0);
  });
});
