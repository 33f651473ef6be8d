import type { Dialect } from '@grove/markdown';
import type { Catalog } from '../catalog/catalog.ts';
import type { Deliveries } from '../catalog/deliveries.ts';
import type { NoteReader } from '../scan/note-reader.ts';
import type { Reconciler } from '../scan/reconciler.ts';
import type { RootGuard } from '../scan/root-guard.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { VaultHealth } from '../vault.ts';
import type { Watching } from '../watch/freshness.ts';

export interface HealthSources {
  readonly state: VaultHealth['state'];
  readonly catalog: Catalog;
  readonly reader: NoteReader;
  readonly guard: RootGuard;
  readonly reconciler: Reconciler;
  readonly deliveries: Deliveries;
  readonly watching: Watching;
  readonly settings: VaultSettings;
  /** The dialect that the vault was opened with. */
  readonly dialect: Dialect;
  /** What the last background work threw, or null. */
  readonly failure: string | null;
  readonly isHistoryReady: boolean;
}

/** The state of one vault, for its owner. */
export function describeHealth(sources: HealthSources): VaultHealth {
  const { state, catalog, reader, guard, reconciler, watching } = sources;
  let brokenFrontmatter = 0;
  for (const row of catalog.rows()) {
    if (row.frontmatterStatus === 'broken' || row.frontmatterStatus === 'unclosed') brokenFrontmatter += 1;
  }
  const { last } = reconciler;
  return {
    state,
    problem: state === 'degraded' ? guard.problem : null,
    notes: catalog.size,
    skipped: reconciler.skipped,
    unreadableFolders: reconciler.unreadableFolders,
    brokenFrontmatter,
    watching,
    lastReconcile: last === null ? null : { at: last.at, tookMs: last.tookMs },
    parsed: reader.parsed,
    rebuilt: catalog.rebuilt,
    history: { ready: sources.isHistoryReady },
    remarks: remarks(sources),
  };
}

function remarks({ settings, dialect, catalog, deliveries, failure }: HealthSources): string[] {
  const sentences = [...settings.remarks];
  if (settings.dialect !== dialect) {
    sentences.push(`The folder is now one of ${settings.dialect}; start Grove anew to read it so.`);
  }
  if (catalog.storeFailure !== null) {
    sentences.push(
      `The catalog cannot be written (${catalog.storeFailure}); it is made anew when the disk lets it.`,
    );
  }
  if (deliveries.failure !== null) {
    const { failure: thrown } = deliveries;
    sentences.push(
      `A listener to changes failed: ${thrown instanceof Error ? thrown.message : String(thrown)}.`,
    );
  }
  if (failure !== null) sentences.push(`The last look at the folder failed: ${failure}.`);
  return sentences;
}
