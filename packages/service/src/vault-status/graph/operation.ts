import { graphSize } from '@grove/graph';
import type { NoteRow } from '@grove/vault';
import type { Scope } from '../../contract.ts';
import { locateByName, notFound } from '../../notes/locate.ts';
import { buildingRemarks } from '../building.ts';
import type { VaultStatusInput } from '../contract.ts';
import type { GraphAnswer } from './contract.ts';
import { neighboursIn, routeIn } from './near.ts';
import { wholeGraph } from './whole.ts';

/**
 * The notes of the View and their links: the whole, what is near one note, or how two of them hang together.
 *
 * @throws GroveError `note_not_found` with near names, `note_ambiguous`
 */
export async function tellGraph(scope: Scope, input: VaultStatusInput): Promise<GraphAnswer> {
  const { path, to } = input;
  const frame = { mode: 'graph' as const, vault: scope.vault.name, ...graphSize(scope.view) };
  const told =
    path === null
      ? await wholeGraph(scope, input.limit)
      : to === null
        ? neighboursIn(scope, noteCalled(scope, path), input)
        : routeIn(scope, noteCalled(scope, path), noteCalled(scope, to));
  return { ...frame, ...told, remarks: buildingRemarks(scope) };
}

function noteCalled(scope: Scope, name: string): NoteRow {
  const located = locateByName(scope, name);
  if (located === null || 'wouldBe' in located) throw notFound(scope, name);
  return located.row;
}
