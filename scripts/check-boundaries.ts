import { readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sourceFiles } from './source-files.ts';

/** Our own packages that each package may import; what is not listed is refused. */
const MAY_IMPORT: Readonly<Record<string, readonly string[]>> = {
  core: [],
  native: [],
  markdown: ['core', 'native'],
  vault: ['core', 'markdown'],
  history: ['core', 'markdown', 'vault'],
  search: ['core', 'markdown', 'vault', 'native'],
  trails: ['core', 'markdown', 'vault'],
  graph: ['core', 'markdown', 'vault', 'search'],
  writes: ['core', 'markdown', 'vault', 'history'],
  // The port that it implements is search's.
  embeddings: ['core', 'search'],
  access: ['core', 'trails'],
  service: [
    'core',
    'markdown',
    'vault',
    'history',
    'search',
    'graph',
    'trails',
    'writes',
    'access',
    'embeddings',
    'native',
  ],
};
const MAX_LINES = 400;
const VAGUE_FOLDERS = new Set([
  'utils',
  'util',
  'helpers',
  'helper',
  'manager',
  'managers',
  'common',
  'misc',
  'shared',
  'lib',
]);
const APPS_ONLY_IMPORTS = /^(?:fastify|@fastify\/.*|@modelcontextprotocol\/.*)$/;

export interface SourceText {
  /** Relative to the repository, with `/`. */
  readonly path: string;
  readonly text: string;
}

/**
 * What breaks the rules of the house: import directions, cycles between files, file sizes, vague folder names,
 * and what only `apps/` may do (environment, exit, Fastify, MCP).
 *
 * @returns one sentence for each breach, in the order of the files
 */
export function findBreaches(files: readonly SourceText[]): string[] {
  const breaches: string[] = [];
  const imports = new Map<string, string[]>();
  const known = new Set(files.map((file) => file.path));
  for (const { path, text } of files) {
    const lines = text.split('\n').length - (text.endsWith('\n') ? 1 : 0);
    if (lines > MAX_LINES) breaches.push(`${path}: ${lines} lines, at most ${MAX_LINES}`);
    for (const folder of dirname(path).split('/'))
      if (VAGUE_FOLDERS.has(folder))
        breaches.push(`${path}: the folder name "${folder}" does not say what it holds`);
    if (!path.endsWith('.ts')) continue;
    const specifiers = importsOf(text);
    imports.set(path, localTargets(path, specifiers, known));
    breaches.push(...directionBreaches(path, specifiers), ...appOnlyBreaches(path, text, specifiers));
  }
  return [...breaches, ...findCycles(imports)];
}

function importsOf(text: string): string[] {
  const code = text.replaceAll(/\/\*[\s\S]*?\*\//g, '');
  const pattern =
    /^\s*(?:import|export)\s(?:[^'";]*?\sfrom\s)?\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)/gm;
  return [...code.matchAll(pattern)].map((match) => match[1] ?? match[2] ?? '');
}

function localTargets(path: string, specifiers: readonly string[], known: ReadonlySet<string>): string[] {
  return specifiers
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => normalize(join(dirname(path), specifier)).replaceAll('\\', '/'))
    .filter((target) => known.has(target));
}

function directionBreaches(path: string, specifiers: readonly string[]): string[] {
  const [area, name] = path.split('/');
  const breaches: string[] = [];
  for (const specifier of specifiers) {
    const target = /^@grove\/([a-z-]+)/.exec(specifier)?.[1];
    const outside = specifier.startsWith('.') && leavesPackage(path, specifier);
    if (outside && area === 'packages')
      breaches.push(`${path}: "${specifier}" leaves the package; import it by name`);
    if (target === undefined || area !== 'packages' || name === undefined || isTest(path)) continue;
    if (target !== name && !(MAY_IMPORT[name] ?? []).includes(target))
      breaches.push(`${path}: ${name} may not import ${target}`);
  }
  return breaches;
}

function leavesPackage(path: string, specifier: string): boolean {
  const [area, name] = path.split('/');
  return !normalize(join(dirname(path), specifier))
    .replaceAll('\\', '/')
    .startsWith(`${area}/${name}/`);
}

function appOnlyBreaches(path: string, text: string, specifiers: readonly string[]): string[] {
  if (!path.startsWith('packages/') || isTest(path)) return [];
  const breaches = specifiers
    .filter((specifier) => APPS_ONLY_IMPORTS.test(specifier))
    .map((specifier) => `${path}: only apps/ may import ${specifier}`);
  // A build script of a package is a program of its own.
  if (!path.includes('/src/')) return breaches;
  // To hand it on to another process, or to set a variable for a library, is not to read it.
  if (/(?<!\.\.\.)\bprocess\.env\b(?!\.\w+ = )/.test(text))
    breaches.push(`${path}: only apps/ may read the environment`);
  if (/\bprocess\.exit\b/.test(text)) breaches.push(`${path}: only apps/ may end the process`);
  return breaches;
}

function isTest(path: string): boolean {
  return /\.test\.ts$|\/(?:test|testing|bench)\//.test(path);
}

function findCycles(imports: ReadonlyMap<string, readonly string[]>): string[] {
  const state = new Map<string, 'open' | 'closed'>();
  const cycles: string[] = [];
  const visit = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === 'closed') return;
    if (state.get(path) === 'open') {
      cycles.push(`import cycle: ${[...trail.slice(trail.indexOf(path)), path].join(' -> ')}`);
      return;
    }
    state.set(path, 'open');
    for (const target of imports.get(path) ?? []) visit(target, [...trail, path]);
    state.set(path, 'closed');
  };
  for (const path of imports.keys()) visit(path, []);
  return cycles;
}

if (import.meta.main) {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const files = sourceFiles(root).map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
  const breaches = findBreaches(files);
  for (const breach of breaches) console.error(breach);
  console.log(`${files.length} files checked, ${breaches.length} breaches`);
  process.exitCode = breaches.length === 0 ? 0 : 1;
}
