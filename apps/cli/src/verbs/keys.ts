import { type KeyFacts, keyRecord, type NewKey } from '@grove/access';
import { systemClock } from '@grove/core';
import type { Command } from 'commander';
import { keyTable, rulesText } from '../keys/key-table.ts';
import { type KeyWords, parseKeyWish } from '../keys/key-wish.ts';
import { relativeTime } from '../keys/relative-time.ts';
import { withKeys } from '../keys/with-keys.ts';
import type { CommonOptions, Run } from '../run.ts';
import { ownCommand } from '../terminal/own-command.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { slugOfRun } from '../vaults/slug-of-run.ts';
import { joinLists } from './option-values.ts';
import { subcommand } from './subcommand.ts';

/** `grove keys create|list|revoke|rotate` */
export function keysVerb(command: Command, run: Run): void {
  command.description('Make, list and revoke the keys that open a vault over HTTP');
  createKey(subcommand(command, 'create', 'make a key; it is shown once'), run);
  listKeys(subcommand(command, 'list', 'list the keys, revoked and expired ones too'), run);
  revokeKey(subcommand(command, 'revoke', 'end a key: it opens nothing from the next call on'), run);
  rotateKey(subcommand(command, 'rotate', 'give a key another secret; the one before ends'), run);
}

function createKey(command: Command, run: Run): void {
  command
    .argument('<name>', 'what the key is for, such as phone')
    .option(
      '--scopes <scopes>',
      'read, append, write, admin, with commas between them (default: read)',
      joinLists,
    )
    .option('--expires <when>', '90d, 12h, 2w, a day such as 2027-01-31, or never (default: never)')
    .option('--read-paths <rules>', 'only these folders or globs, with commas between them', joinLists)
    .option('--write-paths <rules>', 'only these may be written', joinLists)
    .option('--deny-paths <rules>', 'never these', joinLists)
    .action(async (name: string, words: KeyWords) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const wish = parseKeyWish(await slugOfRun(run, options), name, words);
      const made = withKeys(run, options, (keys) => keys.create(wish));
      show(run, options, made, `Made the key "${made.key.name}" of ${made.key.vault}`);
    });
}

function listKeys(command: Command, run: Run): void {
  command.action(async () => {
    const options = command.optsWithGlobals<CommonOptions>();
    const vault = await slugOfRun(run, options);
    const keys = withKeys(run, options, (all) => all.list({ vault }));
    if (options.json === true) printJson(run, { vault, keys: keys.map(keyRecord) });
    else if (keys.length === 0)
      run.stdout.write(`${vault} has no key. Make one: ${ownCommand(run)} keys create NAME\n`);
    else run.stdout.write(withoutControls(`${keyTable(keys, systemClock.now())}\n`));
  });
}

function revokeKey(command: Command, run: Run): void {
  command.argument('<key>', 'its name or id').action(async (reference: string) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const vault = await slugOfRun(run, options);
    const key = withKeys(run, options, (keys) => keys.revoke(keys.find(reference, { vault }).id));
    if (options.json === true) printJson(run, { key: keyRecord(key) });
    else run.stdout.write(withoutControls(`Revoked the key "${key.name}" (${key.id}) of ${key.vault}.\n`));
  });
}

function rotateKey(command: Command, run: Run): void {
  command.argument('<key>', 'its name or id').action(async (reference: string) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const vault = await slugOfRun(run, options);
    const made = withKeys(run, options, (keys) => keys.rotate(keys.find(reference, { vault }).id));
    show(run, options, made, `Gave the key "${made.key.name}" of ${made.key.vault} another secret`);
  });
}

/** The token alone on stdout, so that a script can take it; the words on stderr. */
function show(run: Run, options: CommonOptions, { key, token }: NewKey, done: string): void {
  if (options.json === true) {
    printJson(run, { key: keyRecord(key), token });
    return;
  }
  run.stderr.write(withoutControls(`${done}: ${describe(key)}. It is shown this once.\n`));
  run.stdout.write(`${token}\n`);
}

function describe(key: KeyFacts): string {
  const rules = rulesText(key);
  const expiry =
    key.expiresAt === null ? 'does not expire' : `expires ${relativeTime(key.expiresAt, systemClock.now())}`;
  return [key.scopes.join(', '), ...(rules === '' ? [] : [rules]), expiry, key.id].join('; ');
}
