import { isAbsolute, join } from 'node:path';
import { readSmallFile } from '../../small-file.ts';
import { configFolderOf, homeOf } from '../../system-folders.ts';
import type { Candidate, Findings, Machine } from './finding.ts';

/** A list of vaults is a few kilobytes. */
const MOST_BYTES = 1024 * 1024;
/** So many vaults of one list are looked at. */
const MOST_VAULTS = 100;

/** The vaults in Obsidian's own list, wherever a way to install it keeps that: https://obsidian.md/help/data-storage. */
export async function obsidianVaults(machine: Machine): Promise<Findings> {
  const candidates: Candidate[] = [];
  const remarks: string[] = [];
  for (const folder of configFolders(machine)) {
    const file = join(folder, 'obsidian.json');
    const read = readSmallFile(file, MOST_BYTES);
    if (read.text === null) {
      if (!read.missing) remarks.push(`${file} ${read.reason}.`);
      continue;
    }
    const paths = pathsIn(read.text);
    if (paths === null) remarks.push(`${file} is no list of vaults.`);
    else for (const path of paths) candidates.push({ path, kind: 'obsidian', foundIn: file });
  }
  return { candidates, remarks };
}

function configFolders({ environment, platform }: Machine): readonly string[] {
  const own = join(configFolderOf(environment, platform), 'obsidian');
  if (platform === 'win32' || platform === 'darwin') return [own];
  const home = homeOf(environment);
  return [
    own,
    join(home, '.var', 'app', 'md.obsidian.Obsidian', 'config', 'obsidian'),
    join(home, 'snap', 'obsidian', 'current', '.config', 'obsidian'),
  ];
}

/** Null for what has not the form of that list. */
function pathsIn(text: string): readonly string[] | null {
  let vaults: unknown;
  try {
    const list: unknown = JSON.parse(text);
    if (!isRecord(list)) return null;
    vaults = list.vaults ?? {};
  } catch (error) {
    if (error instanceof SyntaxError) return null;
    throw error;
  }
  if (!isRecord(vaults)) return null;
  return Object.values(vaults)
    .flatMap((vault) => (isRecord(vault) && typeof vault.path === 'string' ? [vault.path] : []))
    .filter((path) => isAbsolute(path))
    .slice(0, MOST_VAULTS);
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
