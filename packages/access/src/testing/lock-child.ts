// Run by a test: holds a database, alone or against other writers, until it is killed.
import { DatabaseSync } from 'node:sqlite';

const [path = '', kind = ''] = process.argv.slice(2);
const database = new DatabaseSync(path, { timeout: 5_000 });
if (kind === 'alone') {
  database.exec('PRAGMA locking_mode = EXCLUSIVE; BEGIN IMMEDIATE; PRAGMA user_version = 1; COMMIT');
}
database.exec('BEGIN IMMEDIATE');
process.stdout.write('held\n');
setInterval(() => {}, 1_000);
