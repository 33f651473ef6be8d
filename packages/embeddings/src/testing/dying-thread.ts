// The thread of the local model, which dies over a text that tells it to.
import { parentPort } from 'node:worker_threads';

parentPort?.on('message', (message: { readonly text?: string }) => {
  if (message.text?.includes('die now')) process.exit(1);
});
await import('../local/thread/embedding-thread.ts');
