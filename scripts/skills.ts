import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gardenPrompts, renderSkill } from '../packages/service/src/index.ts';

/** Where the skill files stand, a folder for each. */
export const skillsFolder = fileURLToPath(new URL('../skills', import.meta.url));

/** What every skill file is to hold, by its path in that folder. */
export function currentSkills(): Map<string, string> {
  return new Map(gardenPrompts.map((prompt) => [join(prompt.name, 'SKILL.md'), renderSkill(prompt)]));
}

/** What the folder holds. */
export function skillsOnDisk(): Map<string, string> {
  mkdirSync(skillsFolder, { recursive: true });
  const files = readdirSync(skillsFolder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return new Map(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(skillsFolder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

if (import.meta.main) {
  const wanted = currentSkills();
  const before = skillsOnDisk();
  for (const path of before.keys()) if (!wanted.has(path)) rmSync(join(skillsFolder, path));
  for (const [path, text] of wanted) {
    mkdirSync(join(skillsFolder, path, '..'), { recursive: true });
    writeFileSync(join(skillsFolder, path), text);
  }
  const changed = [...wanted].filter(([path, text]) => before.get(path) !== text).length;
  console.log(changed === 0 ? 'skills/ was up to date' : `skills/ written: ${changed} of ${wanted.size}`);
}
