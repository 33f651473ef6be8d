import { DatabaseSync } from 'node:sqlite';
import { guarded } from './faults.ts';
import { refuseForeign, refuseNewer } from './migrations.ts';

/**
 * Looks whether a file that nobody writes to could be this Grove's control.db: of its own version, or of an earlier one. It
 * is not changed.
 *
 * @throws GroveError `control_damaged`, `control_newer`
 */
export function checkControlFile(path: string): void {
  guarded(() => {
    const database = new DatabaseSync(path, { readOnly: true });
    try {
      refuseForeign(database);
      refuseNewer(database);
    } finally {
      database.close();
    }
  });
}
