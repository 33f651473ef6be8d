import { propertyValue, writeNote } from '@grove/service';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { addWriteOptions, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { answer } from './answer.ts';
import { collect, given } from './option-values.ts';

interface SetOptions extends WriteOptions {
  readonly unset: readonly string[];
}

/** `grove set PATH KEY=VALUE… --unset KEY` */
export function setVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description('Set and unset properties of a note; every other line of it stays')
    .argument('<path>', 'such as Projects/Grove.md')
    .argument('[properties...]', 'such as status=done, rating=4, "authors=[Ada, Grace]"; values are YAML')
    .option('--unset <key>', 'drop this property; may repeat', collect, [])
    .action(async (path: string, properties: readonly string[], { unset, ...others }: SetOptions) => {
      const set: Record<string, unknown> = {};
      for (const property of properties) {
        const at = property.indexOf('=');
        if (at < 1)
          command.error(`error: '${property}' is no KEY=VALUE; to drop a property, give '--unset'`, {
            exitCode: 2,
          });
        defineProperty(set, property.slice(0, at).trim(), propertyValue(property.slice(at + 1)));
      }
      if (properties.length + unset.length === 0)
        command.error("error: give KEY=VALUE or '--unset'", { exitCode: 2 });
      const fields = { action: 'frontmatter', path, set: properties.length === 0 ? undefined : set, unset };
      await answer(run, others, writeNote, given({ ...fields, ...writeFields(others) }));
    });
}

/** `__proto__` is a key as any other. */
function defineProperty(set: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(set, key, { value, enumerable: true, configurable: true, writable: true });
}
