import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { temporaryFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { loadNative, nativeCandidates } from './load.ts';
import { LOCAL_BUILD, LOCAL_SOURCES, localIsCurrent } from './local-build.ts';
import { readManifest } from './manifest.ts';
import { crateSources, sourceHash } from './source-hash.ts';

const packageDir = fileURLToPath(new URL('..', import.meta.url));
const prebuilt = join(packageDir, 'prebuilt');

describe('the committed binaries', () => {
  const manifest = readManifest(packageDir);

  it('were built from these sources', () => {
    expect(manifest?.sources).toBe(sourceHash(packageDir));
    expect(Object.keys(manifest?.binaries ?? {}).sort()).toEqual(['linux-arm64', 'linux-x64']);
  });

  it('are the ones the manifest tells of, and no others', () => {
    const listed = Object.values(manifest?.binaries ?? {});
    for (const { file, size, sha256 } of listed) {
      const bytes = readFileSync(join(prebuilt, file));
      expect(bytes.length).toBe(size);
      expect(createHash('sha256').update(bytes).digest('hex')).toBe(sha256);
    }
    const found = readdirSync(prebuilt, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.node'),
    );
    expect(found.map((name) => name.replaceAll('\\', '/')).sort()).toEqual(
      listed.map(({ file }) => file).sort(),
    );
  });

  it('need no newer glibc than the manifest says', () => {
    for (const { file, glibc } of Object.values(manifest?.binaries ?? {})) {
      const names = readFileSync(join(prebuilt, file), 'latin1').matchAll(/GLIBC_2\.(\d+)/g);
      const newest = Math.max(...[...names].map(([, minor]) => Number(minor)));
      expect(newest).toBeGreaterThan(0);
      expect(newest).toBeLessThanOrEqual(Number(glibc?.split('.')[1]));
    }
  });

  it('come with the licences of the crates in them', () => {
    const lock = readFileSync(join(packageDir, 'crate/Cargo.lock'), 'utf8');
    const rows = readFileSync(join(packageDir, 'THIRD-PARTY.md'), 'utf8').matchAll(
      /^- \[?([\w-]+)\]?(?:\([^)]*\))? (\d[^ ]*): (.+)$/gm,
    );
    const crates = [...rows].map(([, name, version, licence]) => ({ name, version, licence }));
    expect(crates.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['tantivy', 'napi', 'pulldown-cmark', 'regex']),
    );
    const texts = readFileSync(join(prebuilt, 'THIRD-PARTY-LICENSES.txt'), 'utf8');
    for (const { name, version, licence } of crates) {
      expect(lock).toContain(`name = "${name}"\nversion = "${version}"`);
      expect(licence).toMatch(/MIT|Apache-2\.0|BSD|ISC|Zlib|Unlicense/);
      expect(licence).not.toMatch(/GPL/);
      expect(texts.length).toBeGreaterThan(1000);
    }
  });
});

describe('the choice of a binary', () => {
  /** A package with this crate's sources and empty files for binaries. */
  function packageWith(parts: { sources?: string; local?: boolean }): string {
    const folder = temporaryFolder('package');
    for (const name of crateSources(packageDir)) {
      mkdirSync(join(folder, 'crate', name, '..'), { recursive: true });
      cpSync(join(packageDir, 'crate', name), join(folder, 'crate', name));
    }
    if (parts.sources !== undefined) {
      mkdirSync(join(folder, 'prebuilt/here'), { recursive: true });
      writeFileSync(join(folder, 'prebuilt/here/a.node'), '');
      const binary = { file: 'here/a.node', rustTarget: '', glibc: null, size: 0, sha256: '' };
      const manifest = { sources: parts.sources, binaries: { 'test-cpu': binary } };
      writeFileSync(join(folder, 'prebuilt/manifest.json'), JSON.stringify(manifest));
    }
    if (parts.local) {
      mkdirSync(join(folder, 'local'));
      writeFileSync(join(folder, LOCAL_BUILD), '');
      writeFileSync(join(folder, LOCAL_SOURCES), `${sourceHash(folder)}\n`);
    }
    return folder;
  }

  it('is the committed one when it fits the sources, then the local one', () => {
    const both = packageWith({ sources: sourceHash(packageDir), local: true });
    expect(nativeCandidates(both, 'test-cpu')).toEqual([
      join(both, 'prebuilt/here/a.node'),
      join(both, LOCAL_BUILD),
    ]);
    expect(nativeCandidates(both, 'other-cpu')).toEqual([join(both, LOCAL_BUILD)]);
    const stale = packageWith({ sources: 'of other sources' });
    expect(nativeCandidates(stale, 'test-cpu')).toEqual([]);
  });

  it('takes a local build as current until the sources change', () => {
    const folder = packageWith({ local: true });
    expect(localIsCurrent(folder)).toBe(true);
    const lib = join(folder, 'crate/src/lib.rs');
    const text = readFileSync(lib, 'utf8');
    writeFileSync(lib, text.replaceAll('\n', '\r\n'));
    expect(localIsCurrent(folder)).toBe(true);
    writeFileSync(lib, `${text}// more\n`);
    expect(localIsCurrent(folder)).toBe(false);
  });

  it('says in one sentence what to do when there is none, or none that loads', () => {
    for (const folder of [packageWith({}), packageWith({ local: true })]) {
      const load = () => loadNative(folder);
      expect(load).toThrow(/^[^.]*no build for [a-z0-9]+-[a-z0-9]+: .*packages\/native\/build\.ts"\.$/);
      expect(load).toThrow(expect.objectContaining({ code: 'native_missing' }));
    }
    expect(existsSync(prebuilt)).toBe(true);
  });
});
