import { shellWord } from '@grove/server/shell';

/**
 * The call that takes a change back as it is typed at a terminal; null for one that no verb makes.
 *
 * @param own how Grove is called here
 * @param vault as it was named with `--vault`
 * @example undoCommand({ action: 'delete', path: 'My note.md', if_hash: '1f' }, 'grove', [])
 * // "grove delete 'My note.md' --if-hash 1f"
 */
export function undoCommand(
  undo: Readonly<Record<string, unknown>>,
  own: string,
  vault: readonly string[],
): string | null {
  const { action, path, to, from, if_hash, ...others } = undo;
  if (typeof path !== 'string' || Object.keys(others).length > 0) return null;
  const words = wordsOf(String(action), { path, to, from });
  if (words === null) return null;
  const flags = [...flag('--if-hash', if_hash), ...vault.flatMap((name) => flag('--vault', name))];
  return [own, ...[...words, ...flags].map(shellWord)].join(' ');
}

function wordsOf(
  action: string,
  { path, to, from }: { readonly path: string; readonly to: unknown; readonly from: unknown },
): string[] | null {
  if (action === 'delete') return ['delete', path];
  if (action === 'move' && typeof to === 'string') return ['move', path, to];
  if (action !== 'restore') return null;
  const { batch, revision } = (from ?? {}) as { readonly batch?: unknown; readonly revision?: unknown };
  return ['restore', path, ...flag('--batch', batch), ...flag('--revision', revision)];
}

function flag(name: string, value: unknown): string[] {
  return typeof value === 'string' ? [name, value] : [];
}
