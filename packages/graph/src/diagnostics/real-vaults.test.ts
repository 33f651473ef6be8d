import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { dirname, normalize } from 'node:path/posix';
import { describeWithData } from '@grove/testing';
import { PLAIN_GARDEN, type ResolvedLink, type View } from '@grove/vault';
import { expect, it } from 'vitest';
import { openNotes } from '../testing/open-notes.ts';
import { brokenLinks } from './broken-links.ts';
import { conflictCopies } from './conflict-copies.ts';
import { duplicateTitles } from './duplicate-titles.ts';
import { emptyNotes, unreadableProperties } from './empty-notes.ts';
import { orphanNotes } from './orphans.ts';
import { staleInbox } from './stale-inbox.ts';

const NO_NOTE = /\.(?:png|jpe?g|gif|svg|webp|pdf|base|canvas|mp4|edn|css|js|html?)$/i;

/** A note as its file says, read by nothing of what is tested. */
interface PlainNote {
  readonly path: string;
  readonly properties: string;
  readonly body: string;
  readonly title: string;
  /** In lower case: what a link may call it, paths and their ends aside. */
  readonly names: readonly string[];
}

function readFolder(root: string, isLogseq: boolean): PlainNote[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.md') && !path.split('/').some((segment) => segment.startsWith('.')))
    .map((path) => readNote(path.normalize('NFC'), readFileSync(join(root, path), 'utf8'), isLogseq));
}

function readNote(path: string, text: string, isLogseq: boolean): PlainNote {
  const yaml = /^---\r?\n([\s\S]*?)^---[ \t]*(?:\r?\n|$)/m.exec(text);
  const isAtTop = yaml?.index === 0;
  const properties = isAtTop ? (yaml[1] ?? '') : '';
  const body = isAtTop ? text.slice(yaml[0].length) : text;
  const file = path.slice(path.lastIndexOf('/') + 1, -3);
  const ofPage = (key: string): string | undefined =>
    new RegExp(`^${key}:: *(.+)$`, 'im').exec(body.split(/^\s*-\s/m, 1)[0] ?? '')?.[1]?.trim();
  const ofYaml = /^title:\s*(.+?)\s*$/im.exec(properties)?.[1];
  const ofFile = journalDay(path) ?? decodeURIComponent(file.replaceAll('___', '/'));
  const page = isLogseq ? (ofPage('title') ?? ofYaml ?? ofFile) : file;
  const alias = isLogseq ? (ofPage('alias') ?? '') : '';
  const aliases = alias
    .split(',')
    .map((name) => name.replaceAll(/[[\]]/g, '').trim())
    .filter((name) => name !== '');
  return {
    path,
    properties,
    body,
    title: page,
    names: [file, page, ...aliases].map((name) => name.toLowerCase()),
  };
}

/** As Logseq writes it: `Jul 14th, 2021`. */
function journalDay(path: string): string | null {
  const found = /^journals\/(\d{4})_(\d\d)_(\d\d)\.md$/.exec(path);
  if (found === null) return null;
  const [year, month, day] = found.slice(1).map(Number) as [number, number, number];
  const name = new Date(Date.UTC(year, month - 1, day)).toLocaleString('en', {
    month: 'short',
    timeZone: 'UTC',
  });
  const ending = { one: 'st', two: 'nd', few: 'rd' }[
    new Intl.PluralRules('en', { type: 'ordinal' }).select(day) as 'one' | 'two' | 'few'
  ];
  return `${name} ${day}${ending ?? 'th'}, ${year}`;
}

function spelled(target: string): string {
  return target.replaceAll('\u00A0', ' ').trim().toLowerCase().replace(/\.md$/, '');
}

/** The note that a link asks for: by its name, or for a link of Markdown by its path from the top. */
function askedFor({ link, from }: ResolvedLink): string {
  const target = spelled(link.target);
  return `${from.path} ${link.kind === 'markdown' ? normalize(join(dirname(from.path), target)).toLowerCase() : target}`;
}

/** True where a note is what a link names, by the plain rule: a path from the top or the end of one, or a name. */
function isAnswered(notes: readonly PlainNote[], { link, from }: ResolvedLink): boolean {
  const target = spelled(link.target);
  const beside = normalize(join(dirname(from.path), target)).toLowerCase();
  return notes.some(({ path, names }) => {
    const plain = path.toLowerCase().slice(0, -3);
    return plain === target || plain.endsWith(`/${target}`) || plain === beside || names.includes(target);
  });
}

function askingLinks(view: View): ResolvedLink[] {
  return view
    .notes()
    .flatMap((row) => view.links(row))
    .filter(
      ({ link }) =>
        link.kind !== 'block-ref' &&
        link.kind !== 'image' &&
        link.target !== '' &&
        !NO_NOTE.test(link.target),
    );
}

function pathsOf(rows: readonly { readonly path: string }[]): string[] {
  return rows.map(({ path }) => path).sort();
}

for (const vault of ['kepano', 'logseq'])
  describeWithData(`what is wrong with the notes of ${vault}`, `vaults/${vault}`, (folder) => {
    it('is as plain loops over the files find it', async () => {
      const plain = readFolder(folder, vault === 'logseq');
      await using opened = await openNotes(folder);
      const { view } = opened;
      expect(pathsOf(view.notes())).toEqual(pathsOf(plain));
      const asking = askingLinks(view);
      const broken = asking.filter((link) => !isAnswered(plain, link));
      expect(new Set(brokenLinks(view).map(({ from, target }) => `${from.path} ${spelled(target)}`))).toEqual(
        new Set(broken.map(askedFor)),
      );
      expect(broken.length).toBeGreaterThan(0);

      const linked = new Set<string>();
      for (const { from, to } of view.notes().flatMap((row) => view.links(row)))
        if (to !== null && to.path !== from.path) for (const { path } of [from, to]) linked.add(path);
      expect(pathsOf(orphanNotes(view))).toEqual(pathsOf(plain.filter(({ path }) => !linked.has(path))));

      const titles = new Map(view.notes().map(({ path, title }) => [path as string, title.toLowerCase()]));
      const twins = plain.filter(({ path }) =>
        plain.some((other) => other.path !== path && titles.get(other.path) === titles.get(path)),
      );
      expect(pathsOf(duplicateTitles(view).flat())).toEqual(pathsOf(twins));

      const bare = plain.filter(
        ({ path, body }) =>
          !/[\p{L}\p{N}]/u.test(body) &&
          view.links(view.notes().find((row) => row.path === path)!).length === 0,
      );
      expect(pathsOf(emptyNotes(view))).toEqual(pathsOf(bare));
      expect(pathsOf(unreadableProperties(view))).toEqual([]);
      expect(conflictCopies(view).map(({ copy }) => copy.path as string)).toEqual(
        plain.map(({ path }) => path).filter((path) => /conflict/i.test(path)),
      );
      const later = Date.now() + 400 * 86_400_000;
      expect(pathsOf(staleInbox(view, later, PLAIN_GARDEN).map(({ row }) => row))).toEqual(
        pathsOf(plain.filter(({ path }) => /^[^/]*inbox\//i.test(path))),
      );
    });
  });
