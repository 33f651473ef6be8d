import { type Bridges, bridgesOf, type Demand, graphOverview, unresolvedTargets } from '@grove/graph';
import type { NoteRow } from '@grove/vault';
import { clip, noteFacts } from '../../answers/note-facts.ts';
import { fillPage } from '../../answers/size.ts';
import type { Scope } from '../../contract.ts';
import type { GraphAnswer } from './contract.ts';
import { linkedFacts } from './near.ts';

/** Of each list, unless the caller says. */
const LIMIT = 10;
/** Notes named for a group or a target. */
const EXAMPLES = 3;
const LIST_BYTES = 5 * 1024;
/** How long an answer waits for bridges, in milliseconds. A command has no later call that would find them. */
const PATIENCE = 500;
const COMMAND_PATIENCE = 60_000;

/** What a View is as a graph, each list cut at `limit`. */
export async function wholeGraph(scope: Scope, limit: number | null): Promise<Partial<GraphAnswer>> {
  const { view } = scope;
  const cut = <T, R>(list: readonly T[], tell: (item: T) => R): R[] => [
    ...fillPage(list.slice(0, limit ?? LIMIT).map(tell), LIST_BYTES).items,
  ];
  const { connected, orphans, components } = graphOverview(view);
  const unresolved = unresolvedTargets(view);
  const bridges = await bridgesOf(view, scope.principal.kind === 'owner' ? COMMAND_PATIENCE : PATIENCE);
  return {
    most_connected: cut(connected, (note) => linkedFacts(scope, note)),
    orphans: cut(orphans, ({ path }) => path),
    orphans_total: orphans.length,
    components: cut(components, (rows) => ({ notes: rows.length, examples: examplesOf(rows) })),
    components_total: components.length,
    bridges: {
      ...stateOf(bridges),
      notes: cut(bridges?.notes ?? [], ({ row, share, error }) => ({
        ...noteFacts(scope, row),
        share: rounded(share),
        ...(error === 0 ? {} : { error: rounded(error) }),
      })),
      total: bridges?.notes.length ?? 0,
    },
    unresolved: cut(unresolved, (demand: Demand) => ({
      target: clip(demand.target, 200),
      asked_by: demand.askers.length,
      examples: examplesOf(demand.askers),
    })),
    unresolved_total: unresolved.length,
  };
}

function stateOf(bridges: Bridges | null): { state: 'exact' | 'sampled' | 'measuring'; sample?: number } {
  if (bridges === null) return { state: 'measuring' };
  return bridges.isExact ? { state: 'exact' } : { state: 'sampled', sample: bridges.sources };
}

function examplesOf(rows: readonly NoteRow[]): string[] {
  return rows.slice(0, EXAMPLES).map(({ path }) => path);
}

/** To four significant digits: more would be noise in an answer. */
function rounded(share: number): number {
  return Number(share.toPrecision(4));
}
