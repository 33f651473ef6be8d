import { noteName, type VaultPath } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import { pageName } from '../catalog/page-name.ts';
import type { NoteLinks } from '../links/link-graph.ts';
import type { NoteDetails } from '../note-row.ts';
import { resolveLinkTarget } from '../resolve/link-rules.ts';
import type { NameIndex } from '../resolve/name-index.ts';
import type { VaultSettings } from '../settings/settings.ts';
import type { ImaginedMove } from '../view.ts';

/** What a move is imagined in. */
export interface MoveGround {
  readonly dialect: Dialect;
  readonly settings: VaultSettings;
  readonly index: NameIndex;
  readonly graph: NoteLinks;
  byId(id: number): CatalogRow | null;
  /** Lets the name index give this row for its id; null ends that. */
  imagine(row: CatalogRow | null): void;
}

/** See `View.imagineMove`. The names are put back whatever `look` throws; it runs to its end before anything else. */
export function imagineMove<Result>(
  ground: MoveGround,
  row: CatalogRow,
  properties: NoteDetails['properties'],
  to: VaultPath,
  look: (moved: ImaginedMove) => Result,
): Result {
  const { dialect, settings, index, graph } = ground;
  const fileName = noteName(to);
  const name = dialect === 'logseq' ? pageName(fileName, to, properties, settings.logseq) : fileName;
  const moved = to === row.path ? row : { ...row, path: to, diskPath: to, name };
  const ids = new Set([...graph.askersOf(row), ...graph.askersOf(moved)]);
  ids.delete(row.id);
  const concerned = [moved, ...[...ids].flatMap((id) => ground.byId(id) ?? [])];
  const memberOf = (id: number): CatalogRow | null => (id === moved.id ? moved : ground.byId(id));
  index.remove(row);
  ground.imagine(moved);
  index.add(moved);
  try {
    return look({
      row: moved,
      concerned,
      resolveLink: (link, from) => {
        const source = memberOf(from.id);
        return source === null ? null : resolveLinkTarget(dialect, link, source, index);
      },
      namedCount: (wanted) => index.named(wanted).length,
    });
  } finally {
    index.remove(moved);
    ground.imagine(null);
    index.add(row);
  }
}
