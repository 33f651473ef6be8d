import type { ResolveFnOutput, ResolveHookSync } from 'node:module';

/**
 * Finds what Grove's own modules import without a look at the disk, where Node takes several for each import, some
 * thousands in a start: a relative name is that of the file, and a package is the same for all modules beside it.
 * Everything else, and each package once, is left to Node.
 *
 * @param root address of the checkout, with a `/` at its end
 * @example registerHooks({ resolve: quickResolve(new URL('../../../', import.meta.url).href) });
 */
export function quickResolve(root: string): ResolveHookSync {
  const packages = new Map<string, ResolveFnOutput>();
  return (specifier, context, next) => {
    const { parentURL, conditions } = context;
    if (parentURL === undefined || !isOwn(parentURL, root) || !conditions.includes('import'))
      return next(specifier, context);
    if (specifier.startsWith('node:')) return { url: specifier, shortCircuit: true };
    if (/^\.\.?\/.*\.ts$/s.test(specifier))
      return { url: new URL(specifier, parentURL).href, format: 'module-typescript', shortCircuit: true };
    if (!/^[@a-z]/.test(specifier)) return next(specifier, context);
    const key = `${folderOf(parentURL, root)} ${specifier}`;
    let found = packages.get(key);
    if (found === undefined) {
      found = { ...next(specifier, context), shortCircuit: true };
      packages.set(key, found);
    }
    return found;
  };
}

function isOwn(url: string, root: string): boolean {
  return url.startsWith(root) && !url.includes('node_modules/', root.length);
}

/** The folder of the package that a module belongs to, as `packages/core`. */
function folderOf(url: string, root: string): string {
  const slash = url.indexOf('/', url.indexOf('/', root.length) + 1);
  return url.slice(root.length, slash);
}
