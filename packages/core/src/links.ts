import { errorCode } from './errors.ts';

// exFAT, some SMB and FUSE file systems.
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK']);

/** True when an error of `link` says that this file system knows no second names. */
export function hasNoLinks(error: unknown): boolean {
  return NO_LINKS.has(errorCode(error) ?? '');
}
