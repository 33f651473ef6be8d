import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Clock, parseVaultPath, type VaultPath, type WriteFs } from '@grove/core';
import { locateGitDir, NO_USER_SETTINGS } from '@grove/history';
import { SystemGit } from '@grove/testing';
import { onTestFinished } from 'vitest';
import type {
  EngineOutcome,
  EngineProblem,
  EngineRequest,
  FileNow,
  WriteAuthor,
  WriteEngine,
} from '../engine/contract.ts';
import { openWriteEngine } from '../engine/open-engine.ts';
import type { StepListener } from '../engine/steps.ts';
import { memoryFolder } from './memory-folder.ts';

export const KEY: WriteAuthor = { kind: 'key', id: 'k1', name: 'Helper', client: 'tests' };

/** A vault in a repository of its own, with an engine that is closed when the test ends. */
export interface OpenedEngine {
  readonly git: SystemGit;
  readonly root: string;
  readonly stateDir: string;
  readonly problems: EngineProblem[];
  /** Paths in the order in which they were published. */
  readonly published: VaultPath[];
  engine: WriteEngine;
  /** Closes the engine and opens it again. */
  again(options?: EngineSettings): Promise<void>;
  /** Writes a whole file, whatever it was. */
  write(path: string, text: string | null): Promise<EngineOutcome>;
  /** What a file holds, or null. */
  text(path: string): string | null;
}

export interface EngineSettings {
  readonly fs?: WriteFs;
  readonly step?: StepListener;
  readonly clock?: Clock;
  readonly queueLimit?: number;
}

/** A clock that moves by a second with each look. */
function steppingClock(start = 1_750_000_000_000): Clock {
  let time = start;
  return {
    now: () => {
      time += 1000;
      return time;
    },
  };
}

/** Opens an engine over a new repository whose first commit holds these files. */
export async function openedEngine(
  files: Readonly<Record<string, string>> = { 'Plan.md': 'one\ntwo\n' },
  settings: EngineSettings = {},
): Promise<OpenedEngine> {
  return engineOver(begun(files), settings);
}

/** A new repository whose first commit holds these files; without files it has no commit. */
export function begun(files: Readonly<Record<string, string>>): SystemGit {
  const git = SystemGit.init(memoryFolder('vault'));
  for (const [path, text] of Object.entries(files)) git.write(path, text);
  if (Object.keys(files).length > 0) git.commit('Begin');
  return git;
}

/** Opens an engine over a repository that is there; `below` names the vault's folder in it. */
export async function engineOver(
  git: SystemGit,
  settings: EngineSettings = {},
  stateDir = join(memoryFolder('state'), 'vault'),
  below = '',
): Promise<OpenedEngine> {
  const root = join(git.dir, below);
  mkdirSync(stateDir, { recursive: true });
  const problems: EngineProblem[] = [];
  const published: VaultPath[] = [];
  const clock = steppingClock();
  const open = async ({ fs, step, clock: own, queueLimit }: EngineSettings) => {
    const location = (await locateGitDir(root))!;
    return openWriteEngine(
      {
        root,
        stateDir,
        location,
        clock: own ?? clock,
        userSettings: NO_USER_SETTINGS,
        ...(fs === undefined ? {} : { fs }),
        published: async (paths) => {
          published.push(...paths);
        },
        onProblem: (problem) => problems.push(problem),
      },
      { ...(step === undefined ? {} : { step }), ...(queueLimit === undefined ? {} : { queueLimit }) },
    );
  };
  const opened: OpenedEngine = {
    git,
    root,
    stateDir,
    problems,
    published,
    engine: await open(settings),
    again: async (other = settings) => {
      await opened.engine.close();
      opened.engine = await open(other);
    },
    write: (path, text) => opened.engine.apply(wholeWrite(path, text)),
    text: (path) => {
      try {
        return readFileSync(join(root, path), 'utf8');
      } catch {
        return null;
      }
    },
  };
  onTestFinished(() => opened.engine.close());
  return opened;
}

/** A request that writes one whole file, or removes it. */
export function wholeWrite(
  path: string,
  text: string | null,
  more: Partial<EngineRequest> & { readonly seen?: (file: FileNow | null) => void } = {},
): EngineRequest {
  const parsed = parseVaultPath(path);
  const { seen, ...rest } = more;
  return {
    paths: [parsed],
    plan: (files) => {
      seen?.(files.get(parsed) ?? null);
      return {
        changes: [{ path: parsed, after: text === null ? null : Buffer.from(text) }],
        subject: `Write ${path}`,
        trailers: { 'Grove-Operation': 'write' },
        mechanical: false,
        answer: { path },
      };
    },
    author: KEY,
    idempotency: null,
    ...rest,
  };
}
