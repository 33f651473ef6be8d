import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, writeDurably } from '@grove/core';
import { z } from 'zod';
import type { SyncMode } from './contract.ts';

const CHOICE_FILE = 'sync.json';
const TOKEN_FILE = 'sync-token';

/** What was chosen for one vault, in its state folder. */
export interface StoredChoice {
  readonly mode: SyncMode;
  readonly remote: string;
}

const CHOICE = z.object({ mode: z.enum(['off', 'on', 'pull', 'push']), remote: z.string().min(1) });
const NOTHING_CHOSEN: StoredChoice = { mode: 'off', remote: 'origin' };

/** A file that is not there or cannot be understood means off. */
export async function readChoice(stateDir: string): Promise<StoredChoice> {
  const text = await readIfThere(join(stateDir, CHOICE_FILE));
  if (text === null) return NOTHING_CHOSEN;
  try {
    return CHOICE.parse(JSON.parse(text));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError) return NOTHING_CHOSEN;
    throw error;
  }
}

export async function keepChoice(stateDir: string, choice: StoredChoice): Promise<void> {
  await writeDurably(join(stateDir, CHOICE_FILE), `${JSON.stringify(choice)}\n`, 0o600);
}

/** The token that was stored for a vault, or null. */
export async function readToken(stateDir: string): Promise<string | null> {
  const token = (await readIfThere(join(stateDir, TOKEN_FILE)))?.trim() ?? '';
  return token === '' ? null : token;
}

/** Keeps a token where only this user reads it, or forgets it with null. */
export async function keepToken(stateDir: string, token: string | null): Promise<void> {
  const path = join(stateDir, TOKEN_FILE);
  if (token === null) await rm(path, { force: true });
  else await writeDurably(path, `${token}\n`, 0o600);
}

async function readIfThere(path: string): Promise<string | null> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return null;
    throw error;
  }
}
