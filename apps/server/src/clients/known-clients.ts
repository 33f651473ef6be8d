import { GroveError, nearest } from '@grove/core';
import type { Client } from './client.ts';
import { codex, continueDev, goose } from './file-clients.ts';
import { n8n, openWebUi, raycast } from './form-clients.ts';
import {
  claudeDesktop,
  cline,
  cursor,
  geminiCli,
  jetbrains,
  lmStudio,
  opencode,
  vscode,
  windsurf,
  zed,
} from './json-clients.ts';
import { REMOTE_CLIENTS } from './sign-in-clients.ts';
import { claudeCode, curl } from './terminal-clients.ts';

/** The clients that `grove start` shows; `grove connect` has them all. */
export const MAIN_CLIENTS: readonly Client[] = [claudeCode, claudeDesktop, cursor, vscode, curl];

/** Every client that is known, the main ones first. */
export const CLIENTS: readonly Client[] = [
  ...MAIN_CLIENTS,
  ...REMOTE_CLIENTS,
  cline,
  codex,
  continueDev,
  geminiCli,
  goose,
  jetbrains,
  lmStudio,
  n8n,
  openWebUi,
  opencode,
  raycast,
  windsurf,
  zed,
];

/**
 * The client that a person means.
 *
 * @throws GroveError `bad_input` with those that may be meant
 * @example clientOf('vs-code').title // 'VS Code'
 */
export function clientOf(word: string): Client {
  const wanted = plain(word);
  const found = CLIENTS.find(({ id, title }) => plain(id) === wanted || plain(title) === wanted);
  if (found !== undefined) return found;
  const meant = nearTo(wanted).join(' or ');
  throw new GroveError(
    'bad_input',
    { reason: `no client "${word}" is known${meant === '' ? '' : `; did you mean ${meant}?`}` },
    {
      hint: `Known are ${CLIENTS.map(({ id }) => id).join(', ')}. Any other client that sends a bearer key takes the MCP address and the key: see docs/connecting.md.`,
    },
  );
}

/** All that begin so, else the nearest one. */
function nearTo(wanted: string): readonly string[] {
  const ids = CLIENTS.map(({ id }) => id);
  const begun = wanted === '' ? [] : ids.filter((id) => plain(id).startsWith(wanted));
  return begun.length > 0 ? begun : nearest(wanted, ids, 1);
}

function plain(word: string): string {
  return word.toLowerCase().replaceAll(/[\s_.-]/g, '');
}
