import { join } from 'node:path';
import { type OpenedVault, openOwnedVault } from '@grove/service';
import { makeFolder, writeFiles } from '@grove/testing';

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

/** Notes of a test by path; null leaves one out that every garden has. */
export type GardenNotes = Readonly<Record<string, string | null>>;

/** Leaves out all notes that every garden has. */
export const NO_NOTES: GardenNotes = Object.fromEntries(Object.keys(NOTES).map((path) => [path, null]));

/** Writes the notes to a new folder and opens it as the owner. */
export async function openGarden(notes: GardenNotes = {}): Promise<Garden> {
  const folder = makeFolder('a server');
  const root = join(folder.path, 'Garden');
  const files = Object.entries({ ...NOTES, ...notes });
  writeFiles(root, Object.fromEntries(files.filter((file): file is [string, string] => file[1] !== null)));
  const dataDir = join(folder.path, 'data');
  const opened = await openOwnedVault({ root, dataDir, kind: 'server' });
  await opened.ready;
  return {
    folder: folder.path,
    root,
    dataDir,
    opened,
    write: (path, text) => writeFiles(root, { [path]: text }),
    close: async () => {
      await opened.close();
      folder.remove();
    },
  };
}
