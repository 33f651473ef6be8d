// What `make-index.ts` runs in a process of its own: makes the index of the table of vectors.
import { constants, setPriority } from 'node:os';
import { loadLance } from '../lance-library.ts';

// Before the library's threads start, which take it over.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
// Who started it has ended, and the next one takes what is unfinished for waste.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
if (process.connected === false) process.kill(process.pid, 'SIGKILL');
process.channel?.unref();

const [dir, name] = process.argv.slice(2) as [string, string];
const { connect, Index } = loadLance().lancedb;
const database = await connect(dir);
const table = await database.openTable(name);
// Lengths are 1, so that the nearest by distance are those with the greatest product.
await table.createIndex('vector', { config: Index.ivfRq({ distanceType: 'l2' }) });
