// How long one check of a token takes beside a thousand keys and a hundred trails, and what the audit adds to a call.
// Run: node bench/tokens.ts
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type AuditEntry, type Control, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { parseTrailRules } from '@grove/trails';
import { machineLine, percentile, table } from './figures.ts';

const RESOURCE = 'https://notes.example/mcp';
const KEYS = 1_000;
const TRAILS = 100;
const ROUNDS = 5_000;
const ASKED_MS = 0.5;

const ENTRY: AuditEntry = {
  at: Date.now(),
  principal: { kind: 'key', id: 'k_000000000000', name: 'Laptop' },
  trail: null,
  client: null,
  vault: 'notes',
  tool: 'query',
  via: 'mcp',
  ms: 1,
  found: 3,
  withheld: null,
  outcome: 'ok',
  address: null,
  requestId: null,
};

interface Filled {
  readonly key: string;
  readonly trail: string;
  readonly access: string;
  /** Id of a trail that can be changed. */
  readonly changed: string;
}

function fill({ keys, trails, oauth, grants }: Control): Filled {
  const rules = parseTrailRules({ allowTags: ['books'], denyPaths: ['Private'] });
  let key = '';
  for (let at = 0; at < KEYS; at += 1) key = keys.create({ name: `key ${at}`, vault: 'notes' }).token;
  const made = trails.create({ name: 'trail', vault: 'notes', rules });
  for (let at = 1; at < TRAILS; at += 1) trails.create({ name: `trail ${at}`, vault: 'notes', rules });
  const access = 'a'.repeat(43);
  oauth.upsert('Grant', 'grant', {}, 86_400);
  grants.record({
    grantId: 'grant',
    account: 'owner',
    vault: 'notes',
    trailId: null,
    scopes: ['read'],
    askedToWrite: true,
    clientId: 'client',
    clientName: 'Claude',
    redirectHost: 'claude.ai',
    resource: RESOURCE,
  });
  const exp = Math.floor(Date.now() / 1_000) + 3_600;
  const payload = { grantId: 'grant', accountId: 'owner', clientId: 'client', aud: RESOURCE, exp };
  oauth.upsert('AccessToken', access, { ...payload, scope: 'vault:read' }, 3_600);
  return { key, trail: made.token, access, changed: made.trail.id };
}

/** Milliseconds of each round; `before` is not measured. */
function samples(rounds: number, work: () => unknown, before: (round: number) => void = () => {}): number[] {
  return Array.from({ length: rounds }, (_, round) => {
    before(round);
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
}

const dataDir = mkdtempSync(join(tmpdir(), 'grove-tokens-'));
const control = openControl({ dataDir, clock: systemClock, resource: RESOURCE });
const other = openControl({ dataDir, clock: systemClock });
try {
  const { key, trail, access, changed } = fill(control);
  const verify = (token: string) => () => control.credentials.verify(token);
  const change = (round: number): void => void other.trails.update(changed, { reads: round });
  const kinds: readonly (readonly [string, readonly number[]])[] = [
    ['a key', samples(ROUNDS, verify(key))],
    ['the token of a trail', samples(ROUNDS, verify(trail))],
    ['an access token', samples(ROUNDS, verify(access))],
    ['a token that is none', samples(ROUNDS, verify(`grove_${'0'.repeat(43)}`))],
    ['a key, first after a change by another process', samples(50, verify(key), change)],
    ['noting a call for the audit', samples(ROUNDS, () => control.audit.record(ENTRY))],
    ['writing 5,000 of those', samples(1, () => control.audit.flush())],
  ];
  console.log(machineLine());
  console.log(
    table(
      ['what', 'p50, ms', 'p99, ms', 'asked, ms'],
      kinds.map(([what, took], at) => [
        what,
        percentile(took, 0.5).toFixed(4),
        percentile(took, 0.99).toFixed(4),
        at < 4 ? `<= ${ASKED_MS}` : '-',
      ]),
    ),
  );
} finally {
  other.close();
  control.close();
  rmSync(dataDir, { recursive: true, force: true });
}
