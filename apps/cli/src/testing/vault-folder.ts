import { join } from 'node:path';
import { makeFolder, writeFiles } from '@grove/testing';

/** A vault and a data folder of one test file, in a folder whose name holds spaces. */
export interface Scratch {
  readonly folder: string;
  readonly vault: string;
  readonly data: string;
  write(path: string, text: string): void;
  remove(): void;
}

const NOTES: Readonly<Record<string, string>> = {
  'Start here.md': '# Start here\n\nThe garden begins with [[Compost]] and [[Tomatoes]].\n',
  'Garden/Compost.md':
    '---\ntags: [garden/soil]\ntype: guide\naliases: [Compost heap]\n---\n# Compost\n\nTurn the heap every three weeks.\n\n## Greens\n\nCoffee grounds, grass.\n\n## Browns\n\nLeaves and cardboard.\n',
  'Garden/Tomatoes.md':
    '---\ntags: [garden]\ntype: plant\n---\n# Tomatoes\n\nSow indoors in March; see [[Compost#Greens]].\n',
  'Private/Diary.md': '# Diary\n\nThe xylophone stays secret.\n',
  'People/Ünal Öz.md': '# Ünal Öz\n\nGrows tomatoes on a balcony. #person\n',
  'Daily/2026-11-29.md': '# 2026-11-29\n\n- 09:00 watered the tomatoes\n',
};

/** Makes the folder, with a few notes and as many numbered ones as asked for. */
export function makeScratch(numbered = 0): Scratch {
  const folder = makeFolder('a cli');
  const vault = join(folder.path, 'My Garden');
  const write = (path: string, text: string): void => writeFiles(vault, { [path]: text });
  writeFiles(vault, NOTES);
  for (let number = 1; number <= numbered; number += 1)
    write(
      `Numbered/Note ${String(number).padStart(4, '0')}.md`,
      `# Note ${number}\n\nnumbered note ${number}\n`,
    );
  return {
    folder: folder.path,
    vault,
    data: join(folder.path, 'data'),
    write,
    remove: folder.remove,
  };
}
