// Embeds one text and does not close: an unused model must not keep the process.
import { openLocalEmbedder } from '../local/open-local-embedder.ts';

const embedder = await openLocalEmbedder({ stateFolder: process.argv[2]! });
console.log((await embedder.embedQuery('a query')).length);
