import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { IndexChange } from '../writing/index-file/index-stat.ts';
import type { BuiltCommit } from '../writing/objects/build-commit.ts';

/** Index entries for what a commit changed, with the files' stats. */
export function indexChanges(root: string, built: BuiltCommit): IndexChange[] {
  return built.changes.map(({ path, oid, mode }) =>
    oid === null
      ? { path, removed: true }
      : { path, oid, mode: mode!, stat: lstatSync(join(root, path), { bigint: true }) },
  );
}
