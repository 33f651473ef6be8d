import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@grove/testing';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { vectorOf } from '../testing/store-conformance.ts';
import { TRIAL_FILE } from './trial/try-lance.ts';
import { type VectorStores, vectorStores } from './vector-stores.ts';

const crashing = { script: new URL('../testing/aborting-trial.ts', import.meta.url) };

describe('where vectors are kept', () => {
  const removing: (() => void)[] = [];
  afterEach(() => {
    for (const remove of removing.splice(0)) remove();
  });

  const newFolder = (): string => {
    const folder = makeFolder('stores');
    removing.push(folder.remove);
    return folder.path;
  };

  async function kindIn(stores: VectorStores, dir: string): Promise<string> {
    const store = await stores.open(dir, 24);
    await store.put([{ key: 'a', vector: vectorOf(1) }]);
    expect(await store.get(['a'])).toHaveLength(1);
    await store.close();
    return store.kind;
  }

  it('is LanceDB where it runs, which is found out once', async () => {
    const folder = newFolder();
    const stores = vectorStores(folder);
    expect(await kindIn(stores, join(folder, 'store'))).toBe('lancedb');
    expect(stores.note()).toBeNull();
    // The trial that would crash is not made.
    expect(await kindIn(vectorStores(folder, crashing), join(folder, 'store'))).toBe('lancedb');
  });

  it('is SQLite where LanceDB crashes, with a sentence, and the former folder is made anew', async () => {
    const folder = newFolder();
    const dir = join(folder, 'store');
    await kindIn(vectorStores(newFolder()), dir);
    const stores = vectorStores(folder, crashing);
    expect(await kindIn(stores, dir)).toBe('sqlite');
    expect(stores.note()).toBe(
      'Vectors are kept in SQLite, because LanceDB cannot be used: it fails on this machine (SIGILL).',
    );
    expect(readdirSync(dir)).not.toContain('vectors.lance');
  });

  const other = process.platform === 'win32' ? 'darwin-arm64' : 'win32-x64';
  it.each([
    ['darwin-x64', 'it has no build for darwin-x64'],
    ['win32-ia32', 'it has no build for win32-ia32-msvc'],
    [other, `its build for ${other}${other === 'win32-x64' ? '-msvc' : ''} is not installed`],
  ])('is SQLite where LanceDB has no build: %s', async (name, clause) => {
    const [platform, arch] = name.split('-') as [NodeJS.Platform, NodeJS.Architecture];
    const machine = { platform, arch };
    const folder = newFolder();
    const stores = vectorStores(folder, { machine });
    expect(await kindIn(stores, join(folder, 'store'))).toBe('sqlite');
    expect(stores.note()).toBe(`Vectors are kept in SQLite, because LanceDB cannot be used: ${clause}.`);
    // Nothing is remembered: it may be there at the next start.
    expect(await kindIn(vectorStores(folder), join(folder, 'store'))).toBe('lancedb');
  });

  it('is SQLite where LanceDB fails, and says by which error', async () => {
    const folder = newFolder();
    const library = join(folder, 'wrong.node');
    writeFileSync(library, 'no library');
    vi.stubEnv('NAPI_RS_NATIVE_LIBRARY_PATH', library);
    removing.push(() => vi.unstubAllEnvs());
    const stores = vectorStores(folder);
    expect(await kindIn(stores, join(folder, 'store'))).toBe('sqlite');
    expect(stores.note()).toContain('it fails on this machine (ERR_DLOPEN_FAILED)');
  });

  it('is tried again on another machine, after a day, and when nothing can be remembered', async () => {
    const folder = newFolder();
    const dir = join(folder, 'store');
    const file = join(folder, TRIAL_FILE);
    expect(await kindIn(vectorStores(folder, crashing), dir)).toBe('sqlite');
    expect(await kindIn(vectorStores(folder), dir)).toBe('sqlite');
    const known = JSON.parse(readFileSync(file, 'utf8'));
    writeFileSync(file, JSON.stringify({ ...known, at: known.at - 25 * 3_600_000 }));
    expect(await kindIn(vectorStores(folder), dir)).toBe('lancedb');
    for (const text of [JSON.stringify({ ...known, key: 'another machine' }), 'rubbish']) {
      writeFileSync(file, text);
      expect(await kindIn(vectorStores(folder), dir)).toBe('lancedb');
    }
    expect(await kindIn(vectorStores(join(file, 'below a file')), dir)).toBe('lancedb');
  });

  it('is SQLite where LanceDB hangs', async () => {
    const folder = newFolder();
    const script = new URL('../testing/hanging-child.ts', import.meta.url);
    const stores = vectorStores(folder, { script, limitMs: 300 });
    expect(await kindIn(stores, join(folder, 'store'))).toBe('sqlite');
    expect(stores.note()).toContain('did not answer');
  });
});
