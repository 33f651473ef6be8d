import type { Control } from '@grove/access';
import { type Connection, KEY_PLACEHOLDER, MAIN_CLIENTS, mcpUrl, serverName } from '@grove/server/clients';
import type { HttpServing } from '@grove/server/http';
import type { GitInsideOutcome } from '@grove/service';
import { embeddingLine } from '../embedding/embedding-line.ts';
import type { CommonOptions, Run } from '../run.ts';
import type { ServerSettings } from '../settings/settings.ts';
import { ownCommand } from '../terminal/own-command.ts';
import { printJson } from '../terminal/print.ts';
import { connectText } from './connect-text.ts';
import { makeFirstKeys } from './first-keys.ts';
import { type OwnerAccess, ownerAccess } from './owner-access.ts';
import { readableWarning } from './readable-server.ts';
import type { Served, VaultOutcome } from './served.ts';
import { stdioCommand } from './stdio-command.ts';
import { summaryLine } from './summary.ts';

/** A server that listens, and what it serves. */
export interface Serving {
  readonly server: ServerSettings;
  /** True when other machines reach it. */
  readonly beyond: boolean;
  readonly control: Control;
  readonly served: readonly Served[];
  readonly outcomes: readonly VaultOutcome[];
  readonly http: HttpServing;
}

/**
 * Tells what is served and how to connect. The first keys are made here, at the last moment before they are shown: one
 * that was made and not shown would be lost.
 */
export function announce(run: Run, options: CommonOptions, serving: Serving): void {
  const { served, outcomes } = serving;
  for (const { summary, problem } of outcomes)
    if (problem !== null) run.stderr.write(`${summary.slug}: ${problem} Run ${ownCommand(run)} doctor.\n`);
  const { publicUrl } = serving.server;
  const warning = readableWarning(serving.server, serving.beyond);
  if (warning !== null) run.stderr.write(`${warning}\n`);
  const tokens = makeFirstKeys(
    serving.control.keys,
    served.map(({ vault }) => vault),
  );
  const url = publicUrl ?? serving.http.url;
  const connections = served.map(
    ({ vault }): Connection => ({
      name: serverName(vault.slug, served.length > 1),
      url,
      key: tokens.get(vault.slug) ?? KEY_PLACEHOLDER,
      stdio: stdioCommand(run, options, vault),
    }),
  );
  const told = { serving, url, tokens, connections, owner: ownerAccess(serving.control, url) };
  if (options.json === true) printJson(run, asJson(told));
  else run.stdout.write(asText(run, told));
}

/** What is told. */
interface Told {
  readonly serving: Serving;
  readonly url: string;
  /** First keys by slug. */
  readonly tokens: ReadonlyMap<string, string>;
  readonly connections: readonly Connection[];
  readonly owner: OwnerAccess;
}

function asJson({ serving, url, tokens, connections, owner }: Told): object {
  const { served, outcomes, http } = serving;
  const vaults = served.map(({ vault, occupancy }, at) => {
    const key = tokens.get(vault.slug);
    const { command, args } = connections[at]?.stdio ?? {};
    const writes = occupancy.opened.writes.on;
    const { gitInside } = occupancy.opened;
    const git = gitInside === null ? {} : { git_init: gitInside };
    return { ...outcomes[at]?.summary, writes, ...git, command, args, ...(key === undefined ? {} : { key }) };
  });
  // With several vaults each has its own, above.
  const key = served.length === 1 ? vaults[0]?.key : undefined;
  return {
    ready: true,
    pid: process.pid,
    url,
    mcp_url: mcpUrl({ url }),
    local_url: http.url,
    port: http.port,
    vaults,
    owner_url: owner.url,
    ...(owner.setupUrl === null ? {} : { owner_setup_url: owner.setupUrl }),
    ...(key === undefined ? {} : { key }),
  };
}

function asText(run: Run, { serving, url, tokens, connections, owner }: Told): string {
  const { server, beyond, served, outcomes, http } = serving;
  const lines = [
    ...outcomes.map(({ summary }) => summaryLine(summary)),
    ...served.flatMap(({ occupancy }) => embeddingLine(occupancy.opened) ?? []),
    ...served.flatMap(({ vault, occupancy }) => whereGitIs(vault.slug, occupancy.opened.gitInside)),
    '',
    `MCP   ${mcpUrl({ url })}`,
    `REST  ${url}/v1   (documentation: ${url}/docs)`,
    ownersLine(owner),
  ];
  if (server.publicUrl !== null) lines.push(`Here  ${http.url}`);
  else if (beyond)
    lines.push('From another machine use the name or address of this one; --public-url puts it in here.');
  lines.push(...whoMayWrite(ownCommand(run), served));
  return `${[...lines, '', ...howToConnect(ownCommand(run), tokens, connections)].join('\n')}\n\n`;
}

/** The owner's page; until there is a passphrase the link that sets one, from which it goes on to the page. */
function ownersLine({ url, setupUrl }: OwnerAccess): string {
  if (setupUrl === null) return `You   ${url}   (what clients did, keys, what is shared)`;
  return `You   ${setupUrl}   (sets the passphrase of your own page: once, within 24 hours)`;
}

/** What `--git-init` came to. */
function whereGitIs(slug: string, outcome: GitInsideOutcome | null): readonly string[] {
  if (outcome === null) return [];
  if (outcome === 'there') return [`${slug}: the folder has a .git of its own already`];
  const what = outcome === 'made' ? 'a new history is' : 'the history is';
  return [
    `${slug}: ${what} in .git in the folder from now on, with the notes as they are`,
    'Later edits of yours are yours to commit; "autocommit: true" in .grove/vault.yaml leaves that to Grove.',
  ];
}

/** Whoever was not asked, or has forgotten, sees where the switch is. */
function whoMayWrite(own: string, served: readonly Served[]): readonly string[] {
  const reading = served
    .filter(({ occupancy }) => !occupancy.opened.writes.on)
    .map(({ vault }) => vault.slug);
  if (reading.length === 0) return [];
  const one = served.length === 1 ? '' : ` of ${reading.join(', ')}`;
  const named = served.length === 1 ? '' : ' --vault SLUG';
  return [`Clients may only read the notes${one}. To let them change notes: ${own} vault writes on${named}`];
}

/** In full while there is a key to show; afterwards it would be the same pages again, with a gap in each. */
function howToConnect(
  own: string,
  tokens: ReadonlyMap<string, string>,
  connections: readonly Connection[],
): readonly string[] {
  if (tokens.size === 0)
    return [
      `Connect a client: ${own} connect CLIENT (${MAIN_CLIENTS.map(({ id }) => id).join(', ')} and more)`,
      'It shows what to paste; --new-key makes a key for it.',
    ];
  const [were, are, them] =
    tokens.size === 1 ? ['key above was', 'is', 'it'] : ['keys above were', 'are', 'them'];
  const lines = [
    connectText(MAIN_CLIENTS, connections),
    '',
    `The ${were} made now (read, append, write) and ${are} shown this once: keep ${them}.`,
  ];
  if (connections.some(({ key }) => key === KEY_PLACEHOLDER))
    lines.push(
      `${KEY_PLACEHOLDER} stands for a key that was shown when it was made; "${own} connect CLIENT --new-key" makes another.`,
    );
  return [...lines, `More clients: ${own} connect`];
}
