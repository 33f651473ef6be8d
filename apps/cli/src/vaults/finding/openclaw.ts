import { isAbsolute, join } from 'node:path';
import { readSmallFile } from '../../small-file.ts';
import { homeOf } from '../../system-folders.ts';
import type { Candidate, Findings, Machine } from './finding.ts';
import { foldersIn, isThere } from './listing.ts';

const MOST_BYTES = 1024 * 1024;
const MOST_WORKSPACES = 100;

/**
 * The workspaces of OpenClaw: where they are by default, one a profile or an agent, and where its file says:
 * https://docs.openclaw.ai/concepts/agent-workspace.
 */
export async function openclawWorkspaces({ environment }: Machine): Promise<Findings> {
  const home = homeOf(environment);
  const candidates: Candidate[] = [];
  const remarks: string[] = [];
  const named = environment.OPENCLAW_WORKSPACE_DIR;
  if (named !== undefined && isAbsolute(named))
    candidates.push({ path: named, kind: 'openclaw', foundIn: 'OPENCLAW_WORKSPACE_DIR' });
  for (const state of await stateFolders(home, environment.OPENCLAW_STATE_DIR)) {
    for (const path of await foldersIn(state))
      if (/[/\\]workspace(?:-[^/\\]+)?$/.test(path))
        candidates.push({ path, kind: 'openclaw', foundIn: state });
    const file = join(state, 'openclaw.json');
    const read = readSmallFile(file, MOST_BYTES);
    if (read.text !== null)
      candidates.push(
        ...workspacesIn(read.text, home).map(
          (path): Candidate => ({ path, kind: 'openclaw', foundIn: file }),
        ),
      );
    else if (!read.missing) remarks.push(`${file} ${read.reason}.`);
  }
  return { candidates, remarks };
}

/** `~/.openclaw`, and `~/.openclaw-NAME` of profiles. */
async function stateFolders(home: string, named: string | undefined): Promise<readonly string[]> {
  const own = named !== undefined && isAbsolute(named) ? [named] : [];
  const profiles = (await foldersIn(home)).filter((path) => /[/\\]\.openclaw-[^/\\]+$/.test(path));
  const states: string[] = [];
  for (const state of new Set([...own, join(home, '.openclaw'), ...profiles]))
    if (await isThere(state, 'folder')) states.push(state);
  return states;
}

/**
 * What a file of OpenClaw's names as workspaces. It is JSON5, of which nothing else is wanted here.
 *
 * @example workspacesIn("{ agents: { defaults: { workspace: '~/work' } } }", '/home/ann') // ['/home/ann/work']
 */
export function workspacesIn(text: string, home: string): readonly string[] {
  const values = [...text.matchAll(/(?<![\w"'])["']?workspace["']?\s*:\s*(["'])([^"'\\\n]{1,4096})\1/g)];
  return values
    .map(([, , value = '']) => (/^~[/\\]/.test(value) ? join(home, value.slice(2)) : value))
    .filter((path) => isAbsolute(path))
    .slice(0, MOST_WORKSPACES);
}
