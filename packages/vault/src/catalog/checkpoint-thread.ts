// What `checkpoint.ts` runs on a thread of its own.
import { DatabaseSync } from 'node:sqlite';
import { workerData } from 'node:worker_threads';

// `rw`: a file that was deleted meanwhile must not be made anew, empty.
const database = new DatabaseSync(new URL(`${workerData}?mode=rw`));
database.exec('PRAGMA wal_checkpoint(PASSIVE)');
database.close();
