// What `probe.ts` runs in a process of its own: whatever the processor does with the model, it does it here first.
import { troubleOf } from '../../unavailable.ts';
import { loadModel, type ModelOptions } from '../model/load-model.ts';
import { KNOWN_TEXT } from './known-text.ts';
import type { ProbeAnswer } from './probe.ts';

const answer = (value: ProbeAnswer) => process.stdout.write(`${JSON.stringify(value)}\n`);
try {
  const model = await loadModel(JSON.parse(process.argv[2]!) as ModelOptions);
  answer({ vector: [...(await model.embed(KNOWN_TEXT))] });
  await model.close();
} catch (error) {
  answer({ trouble: troubleOf(error, 'the local model cannot be loaded') });
}
