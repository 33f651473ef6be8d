// Embeds one text, prints the process id of the model, and ends: of itself, in the middle of texts, or when killed.
import { execFileSync } from 'node:child_process';
import { openLocalEmbedder } from '../local/open-local-embedder.ts';

const embedder = await openLocalEmbedder();
await embedder.embedQuery('a query');
const children = execFileSync('ps', ['-o', 'pid=,args=', '--ppid', String(process.pid)], {
  encoding: 'utf8',
});
console.log(/(\d+) .*embedding-child/.exec(children)?.[1]);
if (process.argv[2] !== 'unused') {
  const texts = Array.from({ length: embedder.batch }, (_, at) => `words and more of them ${at} `.repeat(80));
  void embedder.embedPassages(texts).catch(() => {});
  if (process.argv[2] === 'exit') setTimeout(() => process.exit(0), 100);
}
