// Opens, uses and closes the model some times over, and prints the memory of the process after each (MB).
import { openLocalEmbedder } from '../local/open-local-embedder.ts';

const sizes: number[] = [];
for (let round = 0; round < 4; round++) {
  const embedder = await openLocalEmbedder({ stateFolder: process.argv[2]! });
  await embedder.embedPassages(['a text', 'words and more of them '.repeat(200)]);
  await embedder.close();
  sizes.push(Math.round(process.memoryUsage.rss() / 1e6));
}
console.log(JSON.stringify(sizes));
