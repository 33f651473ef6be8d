import { plural, remarkLines } from '../../answers/markdown.ts';
import { type NoteFacts, oneLine } from '../../answers/note-facts.ts';
import type { GraphAnswer } from './contract.ts';

type Neighbour = NonNullable<GraphAnswer['neighbours']>[number];
type Step = NonNullable<GraphAnswer['route']>[number];

/** The answer of vault_status in mode graph as Markdown. */
export function presentGraph(answer: GraphAnswer): string {
  const { vault, notes, links, density, remarks } = answer;
  const head = `Vault "${vault}" as a graph: ${plural(notes, 'note')}, ${plural(links, 'link')}, density ${density.toPrecision(2)}.`;
  const told =
    answer.route !== undefined
      ? routeLines(answer.route, answer.route_total)
      : answer.center === undefined
        ? wholeLines(answer)
        : nearLines(answer);
  return [head, ...remarkLines(remarks), ...told].join('\n');
}

function wholeLines(answer: GraphAnswer): string[] {
  const { most_connected = [], orphans = [], components = [], unresolved = [] } = answer;
  return [
    ...listed(
      'Most connected',
      most_connected.map(
        (note) => `${named(note)}: ${plural(note.backlinks, 'backlink')}, ${plural(note.links, 'link')}`,
      ),
    ),
    ...bridgeLines(answer.bridges),
    ...listed(
      `Groups that hang together: ${answer.components_total}`,
      components.map(
        ({ notes, examples }) => `${plural(notes, 'note')}, such as ${examples.map(oneLine).join(', ')}`,
      ),
      answer.components_total,
    ),
    ...listed(`Orphans: ${answer.orphans_total}`, orphans.map(oneLine), answer.orphans_total),
    ...listed(
      `Linked to and not there: ${answer.unresolved_total}`,
      unresolved.map(
        ({ target, asked_by, examples }) =>
          `${oneLine(target)}: asked for by ${plural(asked_by, 'note')}, such as ${examples.map(oneLine).join(', ')}`,
      ),
      answer.unresolved_total,
    ),
  ];
}

function bridgeLines(bridges: GraphAnswer['bridges']): string[] {
  if (bridges === undefined) return [];
  const { state, sample, notes, total } = bridges;
  if (state === 'measuring') return ['Bridges: still being measured; ask again in a moment.'];
  const how = state === 'exact' ? '' : `, from a sample of ${plural(sample ?? 0, 'note')}`;
  return listed(
    `Bridges (share of shortest ways that lead through${how})`,
    notes.map(
      (note) =>
        `${named(note)}: ${percent(note.share)}${note.error === undefined ? '' : ` ± ${percent(note.error)}`}`,
    ),
    total,
  );
}

function nearLines({ center, neighbours = [], neighbours_total = 0 }: GraphAnswer): string[] {
  if (center === undefined) return [];
  const { links, backlinks } = center;
  const lines = [`${named(center)}: ${plural(backlinks, 'backlink')}, ${plural(links, 'link')}.`];
  for (const note of neighbours) lines.push(`- ${note.distance} · ${named(note)}: ${wayOf(note)}`);
  const left = neighbours_total - neighbours.length;
  if (left > 0) lines.push(`- and ${left} more: a higher limit shows more of them, a smaller depth fewer`);
  return lines;
}

function wayOf({ via, way }: Neighbour): string {
  const other = oneLine(via);
  if (way === 'both') return `linked both ways with ${other}`;
  return way === 'to' ? `linked from ${other}` : `links to ${other}`;
}

function routeLines(route: readonly Step[] | null, total = 0): string[] {
  if (route === null) return ['No links lead from one to the other.'];
  const [first, ...others] = route;
  if (first === undefined) return [];
  const arrows = { to: '→', from: '←', both: '↔' } as const;
  const left = total - route.length;
  return [
    `${plural(total - 1, 'link')} apart (→ links to, ← is linked from, ↔ both):`,
    `- ${named(first)}`,
    ...others.map((step) => `- ${arrows[step.way ?? 'to']} ${named(step)}`),
    ...(left > 0 ? [`- and ${left} more`] : []),
  ];
}

function listed(heading: string, lines: readonly string[], total = lines.length): string[] {
  if (total === 0) return [];
  const more = total - lines.length;
  return [
    heading.endsWith(`: ${total}`) ? heading : `${heading}:`,
    ...lines.map((line) => `- ${line}`),
    ...(more > 0 ? [`- and ${more.toLocaleString('en')} more`] : []),
  ];
}

function named({ path, title }: NoteFacts): string {
  return title === undefined ? oneLine(path) : `${oneLine(path)} (${oneLine(title)})`;
}

function percent(share: number): string {
  return `${(share * 100).toPrecision(2)} %`;
}
