import { Slices } from '@grove/core';
import { describe, expect, it } from 'vitest';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import { flatEdges } from '../catalog/row-codec.ts';
import { NameIndex } from '../resolve/name-index.ts';
import { temporaryVault } from '../testing/temporary-vault.ts';
import type { Vault } from '../vault.ts';
import { LinkGraph } from './link-graph.ts';

/** Rests after every step, and does something meanwhile. */
class RestingSlices extends Slices {
  readonly #meanwhile: (() => Promise<void>)[];

  constructor(meanwhile: (() => Promise<void>)[]) {
    super();
    this.#meanwhile = meanwhile;
  }

  override get spent(): boolean {
    return true;
  }

  override async rest(): Promise<void> {
    await this.#meanwhile.shift()?.();
  }
}

function graphOf(vault: Vault): { readonly graph: LinkGraph; readonly update: () => void } {
  const view = vault.ownerView();
  const byId = (id: number) => view.byId(id) as CatalogRow | null;
  const edges = (row: CatalogRow) => flatEdges(view.details(row).links);
  const rowsNow = () => view.notes() as readonly CatalogRow[];
  const index = new NameIndex(rowsNow(), byId);
  const graph = new LinkGraph({
    dialect: vault.dialect,
    index,
    byId,
    edges,
    edgesAfter: (id) =>
      rowsNow()
        .filter((row) => row.id > id)
        .sort((left, right) => left.id - right.id)
        .slice(0, 2)
        .map((row) => [row.id, edges(row)] as const),
  });
  let rows = new Map(rowsNow().map((row) => [row.id, row]));
  return {
    graph,
    update: () => {
      const now = new Map(rowsNow().map((row) => [row.id, row]));
      const changes = [...new Set([...rows.keys(), ...now.keys()])]
        .map((id) => ({ before: rows.get(id) ?? null, after: now.get(id) ?? null }))
        .filter(({ before, after }) => before !== after);
      for (const { before } of changes) if (before !== null) index.remove(before);
      for (const { after } of changes) if (after !== null) index.add(after);
      graph.update(changes);
      rows = now;
    },
  };
}

describe('LinkGraph', () => {
  // Rests until the changes come: at once, when the links are all found, and a little later.
  it.each([0, 4, 6])('that is built in slices takes in what changes after %i of them', async (rests) => {
    const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'];
    await using folder = await temporaryVault(
      Object.fromEntries(names.map((name) => [`${name}.md`, names.map((other) => `[[${other}]]`).join(' ')])),
    );
    const vault = await folder.open({ poll: true });
    const { graph, update } = graphOf(vault);
    const step = (change: () => Promise<void>, paths: string[]) => async () => {
      await change();
      await vault.reconcile(paths);
      update();
    };
    const steps = [
      ...Array.from({ length: rests }, () => async () => {}),
      // One that is in, one that is not yet, one that comes and one that goes.
      step(() => folder.write('a.md', '[[h]] [[late]]'), ['a.md']),
      step(() => folder.write('h.md', '[[new]] [[a]]'), ['h.md']),
      step(() => folder.write('new.md', '[[b]]'), ['new.md']),
      step(() => folder.remove('c.md'), ['c.md']),
    ];
    await graph.prepare(new RestingSlices(steps));
    for (const change of steps) await change();
    const seen = (links: LinkGraph) =>
      vault
        .ownerView()
        .notes()
        .map(({ id, path }) => [
          path,
          [...links.targetsOf(id)].sort(),
          links.sourcesOf(id).sort(),
          links.missingOf(id).map(({ target }) => target),
        ]);
    expect(seen(graph)).toEqual(seen(graphOf(vault).graph));
    expect(seen(graph).find(([path]) => path === 'new.md')?.[2]).toHaveLength(1);
    await step(() => folder.write('late.md', '[[e]]'), ['late.md'])();
    expect(seen(graph)).toEqual(seen(graphOf(vault).graph));
    expect(seen(graph).find(([path]) => path === 'late.md')?.[2]).toHaveLength(1);
  });
});
