import { errorCode, GroveError } from './errors.ts';

/**
 * The error for a file or folder that could not be opened because the process (`EMFILE`) or the machine (`ENFILE`)
 * has too many open: that tells nothing of what lies there.
 *
 * @returns null for any other error
 * @example
 * const exhausted = outOfFiles(error);
 * if (exhausted !== null) throw exhausted;
 */
export function outOfFiles(error: unknown): GroveError | null {
  const code = errorCode(error);
  return code === 'EMFILE' || code === 'ENFILE'
    ? new GroveError('files_exhausted', {}, { cause: error })
    : null;
}
