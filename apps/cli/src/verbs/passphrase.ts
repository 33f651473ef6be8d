import { GroveError } from '@grove/core';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { askSecret } from '../terminal/ask-secret.ts';
import { printJson } from '../terminal/print.ts';
import { withControl } from '../vaults/with-control.ts';
import { readText } from '../writing/read-text.ts';
import { subcommand } from './subcommand.ts';

/** `grove passphrase set` */
export function passphraseVerb(command: Command, run: Run): void {
  command.description('What the owner signs in with when a client such as Claude asks to be let in');
  subcommand(
    command,
    'set',
    'set the passphrase: asked for at a terminal, else read from stdin; who is signed in has to sign in again',
  )
    .option('--file <file>', 'read it from this file, without the end of its line')
    .action(async (_words: unknown, own: Command) => {
      const options = own.optsWithGlobals<CommonOptions & { readonly file?: string }>();
      const passphrase = await readPassphrase(run, options.file);
      await withControl(run, options, ({ owner }) => owner.set(passphrase));
      if (options.json === true) printJson(run, { set: true });
      else run.stdout.write('The passphrase is set.\n');
    });
}

async function readPassphrase(run: Run, file: string | undefined): Promise<string> {
  if (file !== undefined || !run.stdin.isTTY) return (await readText(run, file)).replace(/\r?\n$/, '');
  const first = await askSecret(run, 'New passphrase: ');
  const second = first === null ? null : await askSecret(run, 'Once more: ');
  if (first === null || second === null)
    throw new GroveError('bad_input', { reason: 'no passphrase was typed; nothing was changed' });
  if (first !== second)
    throw new GroveError('bad_input', { reason: 'the two passphrases differ; nothing was changed' });
  return first;
}
