// What `model-process.ts` runs in a process of its own: loads the model, then embeds one text after the other.
import { flushCompileCache } from 'node:module';
import { constants, setPriority } from 'node:os';
import { troubleOf } from '../../unavailable.ts';
import { type LoadedModel, loadModel, type ModelOptions } from '../model/load-model.ts';
import { KNOWN_TEXT } from './known-text.ts';
import type { FromProcess, ToProcess } from './process-messages.ts';

// Before the model's threads start, which take it over: minutes of embedding come behind whatever else is to be done.
setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
const send = (message: FromProcess) => process.send?.(message);
// Who started it has closed it, or has ended in whatever way.
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
try {
  const model = await loadModel(JSON.parse(process.argv[2]!) as ModelOptions);
  // The bytes of the files, some 40 MB, would stay for as long as there is little to clear away.
  globalThis.gc?.();
  const known = await model.embed(KNOWN_TEXT);
  process.on('message', (message: ToProcess) => void answer(model, message.text));
  send({ kind: 'ready', known, runtime: model.runtime });
  // It would be written at an exit, which a process that is killed does not have.
  flushCompileCache();
} catch (error) {
  send({ kind: 'failed', trouble: troubleOf(error, 'the local model cannot be loaded') });
}

async function answer(model: LoadedModel, text: string): Promise<void> {
  try {
    send({ kind: 'vector', vector: await model.embed(text) });
  } catch (error) {
    send({ kind: 'error', reason: error instanceof Error ? error.message : String(error) });
  }
}
