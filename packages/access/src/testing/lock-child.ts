// Run by a test: holds a database until it is killed, against everyone or against other writers.
import { DatabaseSync } from 'node:sqlite';

const [path = '', kind = ''] = process.argv.slice(2);
const database = new DatabaseSync(path, { timeout: 200 });
const BUSY = 5;
try {
  database.exec(kind === 'alone' ? 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE' : 'BEGIN IMMEDIATE');
  process.stdout.write('held\n');
  setInterval(() => {}, 1_000);
} catch (error) {
  if (!(error instanceof Error && 'errcode' in error && error.errcode === BUSY)) throw error;
  process.stdout.write('refused\n');
}
