// What `model-thread.ts` runs on a thread of its own: loads the model, then embeds one text after the other.
import { parentPort, workerData } from 'node:worker_threads';
import { troubleOf } from '../../unavailable.ts';
import { type LoadedModel, loadModel } from '../model/load-model.ts';
import type { FromThread, ThreadStart, ToThread } from './thread-messages.ts';

const port = parentPort!;
const send = (message: FromThread) => port.postMessage(message);
try {
  const model = await loadModel(workerData as ThreadStart);
  port.on('message', (message: ToThread) => {
    if (message === 'close') void model.close().finally(() => port.close());
    else void answer(model, message.text);
  });
  send({ kind: 'ready' });
} catch (error) {
  send({ kind: 'failed', trouble: troubleOf(error, 'the local model cannot be loaded') });
}

async function answer(model: LoadedModel, text: string): Promise<void> {
  try {
    const vector = await model.embed(text);
    port.postMessage({ kind: 'vector', vector } satisfies FromThread, [vector.buffer as ArrayBuffer]);
  } catch (error) {
    send({ kind: 'error', reason: error instanceof Error ? error.message : String(error) });
  }
}
