import { type LinkedNote, linkedNoteOf, neighbourhood, shortestRoute } from '@grove/graph';
import type { NoteRow } from '@grove/vault';
import { type NoteFacts, noteFacts } from '../../answers/note-facts.ts';
import { fillPage } from '../../answers/size.ts';
import type { Scope } from '../../contract.ts';
import type { VaultStatusInput } from '../contract.ts';
import type { GraphAnswer } from './contract.ts';

/** Notes of one neighbourhood, unless the caller says. */
const LIMIT = 50;
const NEAR_BYTES = 24 * 1024;
const ROUTE_BYTES = 24 * 1024;

/** A note with its counts, as an answer tells of it. */
export function linkedFacts(
  scope: Scope,
  { row, links, backlinks }: LinkedNote,
): NoteFacts & { links: number; backlinks: number } {
  return { ...noteFacts(scope, row), links, backlinks };
}

/** What lies within `depth` links of a note, nearest first. */
export function neighboursIn(
  scope: Scope,
  center: NoteRow,
  { depth, limit }: Pick<VaultStatusInput, 'depth' | 'limit'>,
): Partial<GraphAnswer> {
  const near = neighbourhood(scope.view, center, depth ?? 1);
  const told = near.slice(0, limit ?? LIMIT).map((note) => ({
    ...linkedFacts(scope, note),
    distance: note.distance,
    via: note.via.path,
    way: note.way,
  }));
  return {
    center: linkedFacts(scope, linkedNoteOf(scope.view, center)),
    neighbours: [...fillPage(told, NEAR_BYTES).items],
    neighbours_total: near.length,
  };
}

/** How two notes hang together. */
export function routeIn(scope: Scope, from: NoteRow, to: NoteRow): Partial<GraphAnswer> {
  const route = shortestRoute(scope.view, from, to);
  if (route === null) return { route };
  const steps = route.map(({ row, way }) => ({ ...noteFacts(scope, row), ...(way === null ? {} : { way }) }));
  return { route: [...fillPage(steps, ROUTE_BYTES).items], route_total: route.length };
}
