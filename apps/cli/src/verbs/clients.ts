import { clientRecord, type OAuthClientFacts, type OAuthClients } from '@grove/access';
import { GroveError, systemClock } from '@grove/core';
import type { Command } from 'commander';
import { relativeTime } from '../keys/relative-time.ts';
import type { CommonOptions, Run } from '../run.ts';
import { ownCommand } from '../terminal/own-command.ts';
import { plainTable } from '../terminal/plain-table.ts';
import { printJson, visible, withoutControls } from '../terminal/print.ts';
import { withControl } from '../vaults/with-control.ts';
import { subcommand } from './subcommand.ts';

const HEAD = ['client id', 'name', 'goes back to', 'made'];

/** `grove clients create|list|remove` */
export function clientsVerb(command: Command, run: Run): void {
  command.description(
    'Make OAuth clients with a secret, for programs that take a client id; Claude, ChatGPT, Cursor and VS Code need none',
  );
  createClient(subcommand(command, 'create', 'make a client; its secret is shown once'), run);
  listClients(subcommand(command, 'list', 'list the clients that were made here'), run);
  removeClient(subcommand(command, 'remove', 'take a client away, with what it was let in to'), run);
}

function createClient(command: Command, run: Run): void {
  command
    .argument('<name>', 'what the client is, as the owner will be asked about it')
    .argument('<redirect-uri...>', 'addresses to which it takes people back, each in full')
    .action((name: string, redirectUris: readonly string[]) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const { client, secret } = withControl(run, options, ({ clients }) =>
        clients.create({ name, redirectUris }),
      );
      if (options.json === true) {
        printJson(run, { client: clientRecord(client), client_secret: secret });
        return;
      }
      run.stderr.write(
        withoutControls(
          `Made the client "${client.name}" (${client.id}), which goes back to ${client.redirectUris.join(', ')}.\nGive it this id and this secret, which is shown this once:\n`,
        ),
      );
      run.stdout.write(`${client.id}\n${secret}\n`);
    });
}

function listClients(command: Command, run: Run): void {
  command.action(() => {
    const options = command.optsWithGlobals<CommonOptions>();
    const clients = withControl(run, options, (control) => control.clients.list());
    if (options.json === true) printJson(run, { clients: clients.map(clientRecord) });
    else if (clients.length === 0)
      run.stdout.write(
        `No client was made here. Make one: ${ownCommand(run)} clients create NAME REDIRECT-URI\n`,
      );
    else run.stdout.write(withoutControls(`${clientTable(clients, systemClock.now())}\n`));
  });
}

function removeClient(command: Command, run: Run): void {
  command.argument('<client>', 'its name or id').action((reference: string) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const client = withControl(run, options, ({ clients }) => {
      const found = findClient(clients, reference);
      clients.remove(found.id);
      return found;
    });
    if (options.json === true) printJson(run, { client: clientRecord(client) });
    else run.stdout.write(withoutControls(`Removed the client "${client.name}" (${client.id}).\n`));
  });
}

function findClient(clients: OAuthClients, reference: string): OAuthClientFacts {
  const all = clients.list();
  const byId = all.find(({ id }) => id === reference);
  const named = all.filter(({ name }) => name === reference.normalize('NFC').trim());
  if (byId === undefined && named.length > 1)
    throw new GroveError('bad_input', {
      reason: `several clients are named "${reference.slice(0, 80).toWellFormed()}"; use the id`,
    });
  const found = byId ?? named[0];
  if (found === undefined)
    throw new GroveError('client_unknown', { client: reference.slice(0, 80).toWellFormed() });
  return found;
}

function clientTable(clients: readonly OAuthClientFacts[], now: number): string {
  return plainTable(
    HEAD,
    clients.map(({ id, name, redirectUris, createdAt }) => [
      id,
      name,
      visible(redirectUris.join(', ')),
      relativeTime(createdAt, now),
    ]),
  );
}
