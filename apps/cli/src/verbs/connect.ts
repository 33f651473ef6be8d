import { type Keys, keyRecord, type NewKey } from '@grove/access';
import { GroveError } from '@grove/core';
import type { Client } from '@grove/server/clients';
import {
  CLIENTS,
  type Connection,
  clientOf,
  KEY_PLACEHOLDER,
  mcpUrl,
  serverName,
} from '@grove/server/clients';
import type { Command } from 'commander';
import { type KeyWords, parseKeyWish } from '../keys/key-wish.ts';
import { withKeys } from '../keys/with-keys.ts';
import type { CommonOptions, Run } from '../run.ts';
import { connectText } from '../serving/connect-text.ts';
import { stdioCommand } from '../serving/stdio-command.ts';
import { inOwnWords, ownCommand } from '../terminal/own-command.ts';
import { printJson } from '../terminal/print.ts';
import { addressOf, servesSeveral } from '../vaults/running-server.ts';
import { vaultOf } from '../vaults/vault-of-run.ts';
import { joinLists } from './option-values.ts';

interface ConnectOptions extends CommonOptions, Pick<KeyWords, 'scopes'> {
  readonly newKey?: boolean;
  readonly name?: string;
  readonly keyInLink?: boolean;
}

/** `grove connect [CLIENT]` */
export function connectVerb(command: Command, run: Run): void {
  command
    .description('Show what to paste into a client; without a client, which ones are known')
    .argument('[client]', 'such as claude-code, cursor, vscode')
    .option('--new-key', 'make a key for it; it is shown once')
    .option('--name <name>', "the new key's name (default: the client's)")
    .option('--key-in-link', 'with --new-key: put the key into the install links too')
    .option(
      '--scopes <scopes>',
      'what the new key may: read, append, write, admin (default: read)',
      joinLists,
    )
    .action(async (word: string | undefined, options: ConnectOptions) => {
      if (word === undefined) listClients(run, options);
      else await connect(run, options, clientOf(word));
    });
}

function listClients(run: Run, options: ConnectOptions): void {
  if (options.json === true) {
    const clients = CLIENTS.map(({ id, title, by, where }) => ({ id, title, by, where }));
    printJson(run, { clients });
    return;
  }
  const width = Math.max(...CLIENTS.map(({ id }) => id.length)) + 2;
  const lines = CLIENTS.map(({ id, title, where }) => `  ${id.padEnd(width)}${title}: ${where}`);
  const own = ownCommand(run);
  run.stdout.write(
    `${lines.join('\n')}\n\nShow what to paste: ${own} connect CLIENT\nThe same with a new key: ${own} connect CLIENT --new-key\n`,
  );
}

async function connect(run: Run, options: ConnectOptions, client: Client): Promise<void> {
  requireSense(options, client);
  const vault = await vaultOf(run, options);
  const { running, url } = await addressOf(run, options, vault);
  const made = options.newKey === true ? makeKey(run, options, client, vault.slug) : null;
  const connection: Connection = {
    name: serverName(vault.slug, await servesSeveral(run, options, running)),
    url,
    key: made?.token ?? KEY_PLACEHOLDER,
    stdio: stdioCommand(run, options, vault),
  };
  if (options.json === true) {
    const { id, title, by, where, aside, text, links } = client;
    const key = made === null ? {} : { token: made.token, key: keyRecord(made.key) };
    const name = connection.name;
    printJson(run, {
      client: id,
      title,
      by,
      where,
      ...(aside === undefined ? {} : { aside }),
      name,
      url,
      mcp_url: mcpUrl({ url }),
      running: running !== null,
      text: text([connection]),
      ...(links === undefined ? {} : { links: links(connection, options.keyInLink === true) }),
      ...key,
    });
    return;
  }
  run.stdout.write(`${connectText([client], [connection])}\n${linkText(client, connection, options)}`);
  for (const line of notes(client, made, {
    isRunning: running !== null,
    isPublic: url.startsWith('https://'),
  }))
    run.stderr.write(`${inOwnWords(line, ownCommand(run))}\n`);
}

/** The links that install it instead. */
function linkText({ links }: Client, connection: Connection, { keyInLink }: ConnectOptions): string {
  if (links === undefined) return '';
  const how =
    keyInLink === true
      ? 'with the key; keep it to yourself'
      : 'without a key: you sign in on the page that opens';
  const lines = links(connection, keyInLink === true).map(({ title, url }) => `    ${title}: ${url}`);
  return `\nOr open a link (${how}):\n\n${lines.join('\n')}\n`;
}

/** Throws `bad_input` for options that would mean nothing. */
function requireSense(
  { newKey, name, scopes, keyInLink }: ConnectOptions,
  { title, by, links }: Client,
): void {
  const refuse = (reason: string): GroveError =>
    new GroveError('bad_input', { reason }, { hint: 'See grove connect --help.' });
  if (newKey === true && by === 'command')
    throw refuse(`${title} starts grove itself and takes no key; leave --new-key out`);
  if (newKey === true && by === 'sign-in')
    throw refuse(`${title} takes no key: you sign in on a page of the server; leave --new-key out`);
  if (newKey !== true && (name !== undefined || scopes !== undefined))
    throw refuse('--name and --scopes say what a new key shall be; add --new-key');
  if (keyInLink === true && (newKey !== true || links === undefined))
    throw refuse('--key-in-link puts a new key into the links of Cursor or VS Code; add --new-key');
}

function makeKey(run: Run, options: ConnectOptions, { id }: Client, slug: string): NewKey {
  const words = options.scopes === undefined ? {} : { scopes: options.scopes };
  return withKeys(run, options, (keys) =>
    keys.create(parseKeyWish(slug, options.name ?? freeName(keys, slug, id), words)),
  );
}

/** The client's name, with a number where a live key has it already. */
function freeName(keys: Keys, vault: string, id: string): string {
  const taken = new Set(
    keys
      .list({ vault })
      .filter(({ state }) => state !== 'revoked')
      .map(({ name }) => name),
  );
  for (let count = 1; ; count += 1) {
    const name = count === 1 ? id : `${id}-${count}`;
    if (!taken.has(name)) return name;
  }
}

const NOT_PUBLIC =
  'This address is reached from this machine or network alone. docs/clients/claude.md says how to get a public one.';

function notes(
  { by }: Client,
  made: NewKey | null,
  { isRunning, isPublic }: { readonly isRunning: boolean; readonly isPublic: boolean },
): readonly string[] {
  if (by === 'command') return [];
  const ends = isRunning ? [] : ['No server runs for this vault now: grove start'];
  if (by === 'sign-in') return [...(isPublic ? [] : ['', NOT_PUBLIC]), ...ends];
  const about =
    made === null
      ? `${KEY_PLACEHOLDER} stands for a key that was shown when it was made. For another one: --new-key`
      : `The key "${made.key.name}" (${made.key.scopes.join(', ')}) was made now and is shown this once.`;
  return ['', about, ...ends];
}
