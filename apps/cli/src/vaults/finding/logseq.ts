import { isAbsolute, join } from 'node:path';
import { homeOf } from '../../system-folders.ts';
import type { Candidate, Findings, Machine } from './finding.ts';
import { entriesOf, foldersIn, isThere } from './listing.ts';

/** Logseq keeps a copy of each graph of files under a name made of its path. */
const COPY = /^logseq_local_(.+)\.transit$/;

/** Logseq's graphs of files: those that it keeps a copy of, and those in the folders where people put them. */
export async function logseqGraphs(machine: Machine): Promise<Findings> {
  const home = homeOf(machine.environment);
  return {
    candidates: [...(await openedGraphs(home)), ...(await graphsIn(usualPlaces(home, machine)))],
    remarks: [],
  };
}

async function openedGraphs(home: string): Promise<readonly Candidate[]> {
  const copies = join(home, '.logseq', 'graphs');
  return (await entriesOf(copies)).flatMap(({ name }): Candidate[] => {
    const path = pathOfCopy(name);
    return path === null ? [] : [{ path, kind: 'logseq', foundIn: copies }];
  });
}

/** As Logseq's `graph-name->path` has it. @example pathOfCopy('logseq_local_++home++ann++Graph.transit') // '/home/ann/Graph' */
export function pathOfCopy(name: string): string | null {
  const path = COPY.exec(name)?.[1]?.replaceAll('+3A+', ':').replaceAll('++', '/');
  return path !== undefined && isAbsolute(path) ? path : null;
}

function usualPlaces(home: string, { platform }: Machine): readonly string[] {
  const places = ['Documents', 'Logseq', 'logseq', 'Notes', 'notes'].map((name) => join(home, name));
  const cloud = join(home, 'Library', 'Mobile Documents', 'iCloud~com~logseq~logseq', 'Documents');
  return platform === 'darwin' ? [...places, cloud] : places;
}

/** The graphs among these folders and what is directly in them. */
async function graphsIn(places: readonly string[]): Promise<readonly Candidate[]> {
  const found: Candidate[] = [];
  for (const place of places) {
    if (!(await isThere(place, 'folder'))) continue;
    for (const folder of [place, ...(await foldersIn(place))])
      if (await isGraph(folder)) found.push({ path: folder, kind: 'logseq', foundIn: place });
  }
  return found;
}

async function isGraph(folder: string): Promise<boolean> {
  const settings = join(folder, 'logseq');
  return (await isThere(settings, 'folder')) && (await isThere(join(settings, 'config.edn'), 'file'));
}
