import { foldCase, isGroveError, parseVaultPath, type VaultPath } from '@grove/core';
import { formatPeriodic, parsePeriodic, readPeriodic } from '@grove/markdown';
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

/** Longer references name no file on any system. */
const MAX_REFERENCE = 4096;

/** Finds a note by path, name, alias or date; see `View.resolve`. */
export function resolveReference(given: string, scope: ReferenceScope): Resolution {
  const reference = given.length > MAX_REFERENCE ? '' : given.normalize('NFC').trim();
  if (reference === '') return { kind: 'none', journal: null };
  const forms = [reference, ...strippedForms(reference, scope.vaultNames)];

  for (const [index, form] of forms.entries()) {
    const row = exact(form, scope);
    if (row !== null) return { kind: 'found', step: index === 0 ? 'path' : 'prefix', row };
  }

  const journal = journalPath(forms.at(-1) ?? reference, scope);
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
  return { kind: 'none', journal: journal === null ? null : asVaultPath(journal) };
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

/** Where the note of a date lies by the vault's patterns; null when the reference is no date. */
function journalPath(reference: string, { settings, now }: ReferenceScope): string | null {
  const period = parsePeriodic(reference, now, settings.zone) ?? logseqDay(reference, settings);
  if (period === null) return null;
  const { folder, format, style } = settings.journals[period.granularity];
  const name = formatPeriodic(period.date, format, style);
  return `${folder === '' ? '' : `${folder}/`}${name}.md`.normalize('NFC');
}

function logseqDay(
  reference: string,
  settings: VaultSettings,
): { readonly granularity: 'daily'; readonly date: string } | null {
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
