import { cp, readdir, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { describeWithData } from '@grove/testing';
import { expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';

for (const name of ['kepano', 'logseq'])
  describeWithData(`the vault ${name}`, `vaults/${name}`, (data) => {
    it('leaves a link unresolved only where no note has its name', async () => {
      await using folder = await temporaryVault({});
      await cp(data, folder.root, { recursive: true });
      const vault = await folder.open({ poll: true });
      const view = vault.ownerView();
      const files = (await readdir(folder.root, { recursive: true })).filter((path) => /\.md$/i.test(path));
      const known = new Set<string>();
      for (const file of files) {
        known.add(basename(file).slice(0, -3).toLowerCase());
        const text = await readFile(join(folder.root, file), 'utf8');
        for (const [, title] of text.matchAll(/^(?:- )?title:: *(.+)$/gm))
          known.add(title!.trim().toLowerCase());
      }
      const isKnown = (target: string): boolean => {
        const path = target.toLowerCase().replace(/^\.\//, '').replace(/\.md$/, '');
        const inFile = vault.dialect === 'logseq' ? [path, path.replaceAll('/', '___')] : [basename(path)];
        return inFile.some((part) => known.has(part));
      };
      let count = 0;
      const wrong: string[] = [];
      for (const row of view.notes()) {
        for (const { link, to } of view.links(row)) {
          if (link.kind === 'block-ref') continue;
          count += 1;
          if (link.target === '') continue;
          const names = to === null ? [] : [to.name, ...to.aliases].map((text) => text.toLowerCase());
          const isRight =
            to === null
              ? !isKnown(link.target)
              : isKnown(link.target) || names.includes(link.target.toLowerCase());
          if (!isRight) wrong.push(`${row.path}: ${link.target}`);
        }
      }
      expect(count).toBeGreaterThan(100);
      expect(wrong).toEqual([]);
    });

    it('resolves every reference to a block that one of its files names', async () => {
      await using folder = await temporaryVault({});
      await cp(data, folder.root, { recursive: true });
      const view = (await folder.open({ poll: true })).ownerView();
      const named = new Set<string>();
      for (const file of await readdir(folder.root, { recursive: true })) {
        if (!/\.md$/i.test(file)) continue;
        const text = await readFile(join(folder.root, file), 'utf8');
        for (const [, id] of text.matchAll(/^[\t ]*(?:- )?id:: *([0-9a-f-]{36})/gm)) named.add(id!);
      }
      const references = view
        .notes()
        .flatMap((row) => view.links(row))
        .filter(({ link }) => link.kind === 'block-ref');
      const lost = references.filter(({ link, to }) => to === null && named.has(link.block ?? ''));
      expect(lost.map(({ from, link }) => `${from.path}: ${link.block}`)).toEqual([]);
      expect(references.length > 0).toBe(named.size > 0);
    });

    it('gives every link back as a backlink', async () => {
      await using folder = await temporaryVault({});
      await cp(data, folder.root, { recursive: true });
      const view = (await folder.open({ poll: true })).ownerView();
      const forward = view
        .notes()
        .flatMap((row) => view.links(row))
        .filter(({ from, to }) => to !== null && to !== from)
        .map(({ link, from, to }) => `${from.path}:${link.start} ${to?.path}`);
      const backward = view
        .notes()
        .flatMap((row) => view.backlinks(row))
        .map(({ link, from, to }) => `${from.path}:${link.start} ${to?.path}`);
      expect(backward.sort()).toEqual(forward.sort());
      expect(forward.length).toBeGreaterThan(50);
    });
  });
