// Run by a test: holds a database until it is killed, against everyone or against other writers.
import { DatabaseSync } from 'node:sqlite';
import { SQLITE, sqliteCode } from '@grove/core';

const [path = '', kind = ''] = process.argv.slice(2);
const database = new DatabaseSync(path, { timeout: 200 });
try {
  database.exec(kind === 'alone' ? 'PRAGMA locking_mode = EXCLUSIVE; BEGIN EXCLUSIVE' : 'BEGIN IMMEDIATE');
  process.stdout.write('held\n');
  setInterval(() => {}, 1_000);
} catch (error) {
  if (sqliteCode(error) !== SQLITE.BUSY) throw error;
  process.stdout.write('refused\n');
}
