import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { LexicalIndex } from '@grove/native';

/** Every way by which Grove looks at a file. */
const WAYS = [
  'openSync',
  'lstatSync',
  'statSync',
  'existsSync',
  'readFileSync',
  'readdirSync',
  'realpathSync',
  'accessSync',
] as const;
const PROMISED = ['open', 'lstat', 'stat', 'access', 'readFile', 'readdir', 'realpath'] as const;
const ENGINE = ['search', 'scan', 'expand', 'documentFrequencies'] as const;

/** What was asked of the file system below a folder, and of the search engine, since it was last taken. */
export interface RecordedCalls extends Disposable {
  take(): string[];
}

/**
 * Notes each call of the file system that names something below `root`, and each of the engine, in their order. Every call
 * goes on to the real one.
 *
 * @param isNoise true for what goes on in the background
 */
export function recordCalls(root: string, isNoise: (path: string) => boolean): RecordedCalls {
  let calls: string[] = [];
  const undo: (() => void)[] = [];
  // biome-ignore lint/suspicious/noExplicitAny: functions of many shapes are put aside and called as they were.
  const watch = (owner: any, name: string, told: (given: readonly unknown[]) => string | null): void => {
    const real = owner[name];
    if (typeof real !== 'function') return;
    const watched = function (this: unknown, ...given: unknown[]): unknown {
      const call = told(given);
      if (call !== null) calls.push(call);
      return Reflect.apply(real, this, given);
    };
    owner[name] = Object.assign(watched, real);
    undo.push(() => {
      owner[name] = real;
    });
  };
  const below = ([path]: readonly unknown[]): string | null => {
    const text = typeof path === 'string' ? path : Buffer.isBuffer(path) ? path.toString() : '';
    if (!text.startsWith(`${root}/`)) return null;
    const inside = text.slice(root.length + 1);
    return isNoise(inside) ? null : inside;
  };
  for (const name of WAYS) watch(fs, name, (given) => named(name, below(given)));
  for (const name of PROMISED) watch(fs.promises, name, (given) => named(`promises.${name}`, below(given)));
  for (const name of ENGINE)
    watch(
      LexicalIndex.prototype,
      name,
      ([request]) => `engine.${name} ${JSON.stringify(request, withoutSets)}`,
    );
  syncBuiltinESMExports();
  return {
    take: () => {
      const taken = calls;
      calls = [];
      return taken;
    },
    [Symbol.dispose]: () => {
      for (const one of undo) one();
      syncBuiltinESMExports();
    },
  };
}

function named(name: string, path: string | null): string | null {
  return path === null ? null : `${name} ${path}`;
}

/** Sets of notes have no text of their own; how many they hold is what can be told of them. */
function withoutSets(_key: string, value: unknown): unknown {
  if (typeof value === 'object' && value !== null && 'size' in value && !Array.isArray(value))
    return { size: value.size };
  return value;
}
