// What `measure-aside.ts` runs on a thread of its own.
import { parentPort, workerData } from 'node:worker_threads';
import { betweenness } from './betweenness.ts';

parentPort?.postMessage(betweenness(workerData));
