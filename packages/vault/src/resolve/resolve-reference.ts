import { foldCase, isGroveError, parseVaultPath, type VaultPath } from '@grove/core';
import { formatPeriodic, logseqFileName, type Period, parsePeriodic, readPeriodic } from '@grove/markdown';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { Resolution, ResolutionStep } from '../view.ts';
import { isAt, type NameIndex } from './name-index.ts';
import { byPath, lastSegment, withoutExtension } from './names.ts';
import { strippedForms } from './strip-prefixes.ts';

/** Where a reference is looked up: the members of one View, and what names mean in this vault. */
export interface ReferenceScope {
  /** The member at exactly this path, or null. */
  at(path: string): CatalogRow | null;
  index(): NameIndex;
  readonly settings: VaultSettings;
  /** Names that may stand before a path: the vault's folder name and slug. */
  readonly vaultNames: readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
}

/** Where the template of daily notes lies when no setting says otherwise. */
const DAILY_TEMPLATE = 'templates/daily.md';

/** Longer references name no file on any system. */
const MAX_REFERENCE = 4096;

/** Finds a note by path, name, alias or date; see `View.resolve`. */
export function resolveReference(given: string, scope: ReferenceScope): Resolution {
  const reference = given.length > MAX_REFERENCE ? '' : given.normalize('NFC').trim();
  if (reference === '') return { kind: 'none', journal: null, template: null, page: null };
  const forms = [reference, ...strippedForms(reference, scope.vaultNames)];

  for (const [index, form] of forms.entries()) {
    const row = exact(form, scope);
    if (row !== null) return { kind: 'found', step: index === 0 ? 'path' : 'prefix', row };
  }

  const period = periodOf(forms.at(-1) ?? reference, scope);
  const journal = period === null ? null : journalPath(period, scope);
  if (journal !== null) {
    const row = scope.at(journal);
    if (row !== null) return { kind: 'found', step: 'journal', row };
    // Kept elsewhere than the settings say, a journal note still has the journal's name.
    const elsewhere = choose('journal', scope.index().named(withoutExtension(lastSegment(journal))));
    if (elsewhere !== null) return elsewhere;
  }

  for (const form of forms) {
    const named = byName(form, scope.index());
    if (named !== null) return named;
  }
  for (const form of forms) {
    const aliased =
      choose('alias', scope.index().aliased(form)) ?? choose('alias', scope.index().titled(form));
    if (aliased !== null) return aliased;
  }
  const wouldBe = journal === null ? null : asVaultPath(journal);
  if (wouldBe === null || period === null)
    return { kind: 'none', journal: null, template: null, page: pagePath(forms, scope) };
  return { kind: 'none', journal: wouldBe, template: templateFor(period.granularity, scope), page: null };
}

function exact(form: string, scope: ReferenceScope): CatalogRow | null {
  return (/\.md$/i.test(form) ? scope.at(form) : null) ?? scope.at(`${form}.md`);
}

function byName(form: string, index: NameIndex): Resolution | null {
  const ending = index.pathEnding(form);
  const whole = ending.filter(
    (row) => isAt(row, foldCase(form)) || isAt(row, foldCase(withoutExtension(form))),
  );
  if (form.includes('/') && whole.length > 0) return choose('name', whole);
  // Logseq's page names hold `/` and are no paths.
  const pages = index.named(form).filter((row) => !ending.includes(row));
  return choose('name', [...ending, ...pages]);
}

function choose(step: ResolutionStep, rows: readonly CatalogRow[]): Resolution | null {
  const [row, ...others] = rows;
  if (row === undefined) return null;
  if (others.length === 0) return { kind: 'found', step, row };
  return { kind: 'ambiguous', step, candidates: [...rows].sort(byPath) };
}

/** The day, week or longer that a reference names, or null. */
function periodOf(reference: string, { settings, now }: ReferenceScope): Period | null {
  return parsePeriodic(reference, now, settings.zone) ?? logseqDay(reference, settings);
}

/** Where the note of a period lies by the vault's patterns. */
function journalPath({ granularity, date }: Period, { settings }: ReferenceScope): string {
  const { folder, format, style } = settings.journals[granularity];
  const name = formatPeriodic(date, format, style);
  return `${folder === '' ? '' : `${folder}/`}${name}.md`.normalize('NFC');
}

/** The template that the vault's settings name for such notes, else `templates/daily.md`, where it is visible. */
function templateFor(granularity: Period['granularity'], scope: ReferenceScope): VaultPath | null {
  const set = scope.settings.journals[granularity].template;
  if (set !== null) return exact(set.normalize('NFC'), scope)?.path ?? null;
  return granularity === 'daily' ? (scope.at(DAILY_TEMPLATE)?.path ?? null) : null;
}

/** Where Logseq keeps a page of this name, which may also be said with its folder. */
function pagePath(
  [reference = '', ...stripped]: readonly string[],
  { settings }: ReferenceScope,
): VaultPath | null {
  const { dialect, logseq } = settings;
  if (dialect !== 'logseq') return null;
  const name = /^\[\[.*\]\]$/s.test(reference) ? (stripped[0] ?? '') : reference;
  const folders = [logseq.pagesFolder, logseq.journalsFolder];
  if (name === '' || /\.md$/i.test(name) || name.split('/').some((part) => /^\.{1,2}$/.test(part)))
    return null;
  if (folders.some((folder) => name.startsWith(`${folder}/`))) return asVaultPath(`${name}.md`);
  return asVaultPath(`${logseq.pagesFolder}/${logseqFileName(name, logseq.fileNames)}.md`);
}

function logseqDay(reference: string, settings: VaultSettings): Period | null {
  if (settings.dialect !== 'logseq') return null;
  const date = readPeriodic(reference, settings.logseq.pageTitleFormat, 'java');
  return date === null ? null : { granularity: 'daily', date };
}

function asVaultPath(path: string): VaultPath | null {
  try {
    return parseVaultPath(path);
  } catch (error) {
    if (isGroveError(error, 'bad_path')) return null;
    throw error;
  }
}
