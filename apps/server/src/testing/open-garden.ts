import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type OpenedVault, openOwnedVault } from '@grove/service';

/** A small vault, open in this process. */
export interface Garden {
  readonly folder: string;
  readonly root: string;
  readonly dataDir: string;
  readonly opened: OpenedVault;
  write(path: string, text: string): void;
  close(): Promise<void>;
}

const NOTES: Readonly<Record<string, string>> = {
  'Compost.md':
    '---\ntags: [garden/soil]\naliases: [Heap]\n---\n# Compost\n\nTurn it every three weeks.\n\n## Greens\n\nGrass.\n',
  'Tomatoes.md': '# Tomatoes\n\nSee [[Compost#Greens]]. #garden\n',
  'Private/Diary.md': '# Diary\n\nThe xylophone stays secret.\n',
  'Broken.md': '---\ntitle: [unclosed\n---\nStill readable.\n',
};

/** Writes the notes to a new folder and opens it as the owner. */
export async function openGarden(notes: Readonly<Record<string, string>> = {}): Promise<Garden> {
  const folder = mkdtempSync(join(tmpdir(), 'grove server '));
  const root = join(folder, 'Garden');
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  for (const [path, text] of Object.entries({ ...NOTES, ...notes })) write(path, text);
  const dataDir = join(folder, 'data');
  const opened = await openOwnedVault({ root, dataDir, kind: 'server' });
  await opened.ready;
  return {
    folder,
    root,
    dataDir,
    opened,
    write,
    close: async () => {
      await opened.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
