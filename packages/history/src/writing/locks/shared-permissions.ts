import type { WriteFs } from '@grove/core';

/**
 * What `core.sharedRepository` asks of the permissions of files in the git dir (git-config): a function from
 * the permissions the umask gave to those it should have, or null where it asks for nothing.
 *
 * @example sharedPermissions('group')?.(0o644) // 0o664
 */
export function sharedPermissions(
  setting: string | undefined,
): ((mode: number, folder?: boolean) => number) | null {
  const bits = sharedBits(setting?.toLowerCase());
  if (bits === null) return null;
  return (mode, folder = false) => {
    let added = bits.value;
    // What its owner may not write is written by nobody; what its owner may run, whoever reads it may.
    if ((mode & 0o200) === 0) added &= ~0o222;
    if (mode & 0o100) added |= (added & 0o444) >> 2;
    const result = bits.exact ? (mode & ~0o777) | added : mode | added;
    if (!folder) return result;
    // Folders can be entered by whoever reads them, and hand their group on.
    return result | ((result & 0o444) >> 2) | 0o2000;
  };
}

/** What a new folder needs to be shared, as `makeFolder` takes it. */
export function sharing(
  fs: WriteFs,
  mode: ReturnType<typeof sharedPermissions>,
): ((path: string) => Promise<void>) | undefined {
  return mode === null ? undefined : (path) => fs.chmod(path, mode(0o755, true));
}

function sharedBits(setting: string | undefined): { value: number; exact: boolean } | null {
  if (setting === undefined || /^(?:umask|false|no|off|0)$/.test(setting)) return null;
  if (/^(?:group|true|yes|on|1)$/.test(setting)) return { value: 0o660, exact: false };
  if (/^(?:all|world|everybody|2)$/.test(setting)) return { value: 0o664, exact: false };
  if (!/^0[0-7]{3}$/.test(setting)) return null;
  const value = Number.parseInt(setting, 8);
  return (value & 0o600) === 0o600 ? { value: value & 0o666, exact: true } : null;
}
