/** A process of its own that indexes one new note after another, says so, and waits to be killed. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { openSearch } from '../open-search.ts';
import { openNotes } from './open-notes.ts';

const [root, stateDir, dir] = process.argv.slice(2) as [string, string, string];
const vault = await openNotes(root, stateDir);
const search = await openSearch({ vault, dir });
await search.ready;
for (let at = 0; ; at++) {
  await writeFile(join(root, `n${at}.md`), `heron number${at}`);
  await vault.reconcile();
  process.stdout.write(`${at}\n`);
}
