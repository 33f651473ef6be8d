import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseVaultPath, type VaultPath } from '@grove/core';
import type {
  EngineOutcome,
  EngineRequest,
  PlannedChange,
  WriteAuthor,
  WriteEngine,
} from '../engine/contract.ts';

/** One step of a sequence of writes; `line` is told apart from all others. */
export type ScriptStep =
  | { readonly kind: 'append'; readonly paths: readonly string[]; readonly line: string }
  | { readonly kind: 'remove'; readonly paths: readonly string[]; readonly line: string }
  /** The first path becomes the second. */
  | { readonly kind: 'move'; readonly paths: readonly [string, string]; readonly line: string }
  /** Somebody else saves the file, knowing nothing of Grove. */
  | { readonly kind: 'outside'; readonly paths: readonly string[]; readonly line: string };

const WRITER: WriteAuthor = { kind: 'key', id: 'script', name: 'Script', client: null };

/** Notes that a sequence of writes starts with. */
export const BEGINNING: Readonly<Record<string, string>> = {
  'A.md': 'a\n',
  'B.md': 'b\n',
  'Deep/C.md': 'c\n',
};

/** A sequence in which every kind of write comes after every other kind of state. */
export const SCRIPT: readonly ScriptStep[] = [
  { kind: 'append', paths: ['A.md'], line: '1 replaced' },
  { kind: 'append', paths: ['New/Folder/D.md'], line: '2 made in new folders' },
  { kind: 'outside', paths: ['B.md'], line: '3 by a person' },
  { kind: 'append', paths: ['B.md'], line: '4 after a person' },
  { kind: 'append', paths: ['A.md', 'Deep/C.md', 'E.md'], line: '5 three at once' },
  { kind: 'remove', paths: ['Deep/C.md'], line: '6 removed' },
  { kind: 'append', paths: ['Deep/C.md'], line: '7 made again' },
  { kind: 'outside', paths: ['Loose.md'], line: '8 new by a person' },
  { kind: 'append', paths: ['Loose.md', 'A.md'], line: '9 on top of it' },
  { kind: 'remove', paths: ['Loose.md', 'E.md'], line: '10 two removed' },
  { kind: 'move', paths: ['B.md', 'b.md'], line: '11 spelled anew' },
  { kind: 'append', paths: ['A.md'], line: '12 last' },
];

/** What the notes hold after the first steps of a sequence. */
export function stateAfter(
  steps: readonly ScriptStep[],
  beginning: Readonly<Record<string, string>> = BEGINNING,
): ReadonlyMap<string, string> {
  const notes = new Map(Object.entries(beginning));
  for (const { kind, paths, line } of steps) {
    const [from = '', to = ''] = paths;
    if (kind === 'move') {
      notes.set(to, notes.get(from) ?? '');
      notes.delete(from);
      continue;
    }
    for (const path of paths) {
      if (kind === 'remove') notes.delete(path);
      else notes.set(path, `${notes.get(path) ?? ''}${line}\n`);
    }
  }
  return notes;
}

/** Does one step; for an outside one there is no outcome. The idempotency key is the line. */
export async function doStep(
  engine: WriteEngine,
  root: string,
  step: ScriptStep,
): Promise<EngineOutcome | null> {
  if (step.kind === 'outside') {
    for (const path of step.paths) {
      mkdirSync(dirname(join(root, path)), { recursive: true });
      writeFileSync(join(root, path), `${step.line}\n`, { flag: 'a' });
    }
    return null;
  }
  return engine.apply(requestOf(step));
}

/** The request of a step, which a retry sends again. */
export function requestOf(step: ScriptStep): EngineRequest {
  const paths = step.paths.map(parseVaultPath);
  return {
    paths,
    plan: (files) => ({
      changes: paths.map((path) =>
        changeOf(step, path, files.get(step.kind === 'move' ? paths[0]! : path)?.bytes ?? null),
      ),
      subject: step.line,
      trailers: { 'Grove-Operation': step.kind },
      mechanical: false,
      answer: step.line,
    }),
    author: WRITER,
    idempotency: { key: step.line, bodyHash: step.line },
  };
}

function changeOf(
  { kind, paths, line }: ScriptStep,
  path: VaultPath,
  before: Uint8Array | null,
): PlannedChange {
  if (kind === 'move') return { path, after: path === paths[1] ? before : null };
  if (kind === 'remove') return { path, after: null };
  return { path, after: Buffer.concat([before ?? Buffer.alloc(0), Buffer.from(`${line}\n`)]) };
}
