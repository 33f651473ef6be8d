import { type Clock, GroveError } from '@grove/core';
import type { ControlStore } from '../control-file/store.ts';
import type { LastUses } from '../credentials/last-uses.ts';
import type { TrailTable } from '../trails/trail-table.ts';
import { shownName, UNPRINTABLE } from '../wishes/name.ts';
import { accountOf, type GrantRow, stateOfGrant } from './grant-row.ts';
import type { GrantTable } from './grant-table.ts';
import type { GrantFacts, Grants, GrantWish } from './grants.ts';

const LONGEST_NAME = 64;

/** What the grants of one open control.db stand on. */
export interface GrantBookParts {
  readonly store: ControlStore;
  readonly grants: GrantTable;
  readonly trails: TrailTable;
  readonly uses: LastUses;
  readonly clock: Clock;
  /** The address of this server; null where none serves. */
  readonly resource: string | null;
}

/** The grants of one open control.db. */
export class GrantBook implements Grants {
  readonly #parts: GrantBookParts;

  constructor(parts: GrantBookParts) {
    this.#parts = parts;
  }

  record(wish: GrantWish): GrantFacts {
    const { store, grants, trails, clock } = this.#parts;
    const { grantId, trailId, ...terms } = wish;
    if (wish.account !== accountOf(trailId)) throw refuse('the account does not go with the trail');
    store.change(() => {
      if (trailId !== null && trails.rows().byId.get(trailId)?.vault !== wish.vault)
        throw refuse('the trail is not of the vault');
      grants.remove(grantId);
      grants.insert({
        ...terms,
        clientName: shownClient(wish),
        id: grantId,
        trail: trailId,
        createdAt: clock.now(),
      });
    });
    return this.find(grantId);
  }

  list({ vault, client }: { readonly vault?: string; readonly client?: string } = {}): readonly GrantFacts[] {
    return this.#parts.store.read(() =>
      this.#parts.grants
        .rows()
        .all.filter((row) => vault === undefined || row.vault === vault)
        .filter((row) => client === undefined || row.clientId === client)
        .map((row) => this.#facts(row))
        .filter(cameAbout),
    );
  }

  byId(id: string): GrantFacts | null {
    const row = this.#parts.store.read(() => this.#parts.grants.rows().byId.get(id));
    if (row === undefined) return null;
    const facts = this.#facts(row);
    return cameAbout(facts) ? facts : null;
  }

  find(id: string, { vault }: { readonly vault?: string } = {}): GrantFacts {
    const found = this.byId(id);
    if (found === null || (vault !== undefined && found.vault !== vault))
      throw new GroveError('grant_unknown', { grant: shownName(id) });
    return found;
  }

  revoke(id: string): GrantFacts {
    const { store, grants, clock } = this.#parts;
    store.change(() => {
      this.find(id);
      grants.revoke(id, clock.now());
      grants.endRecords(id);
    });
    return this.find(id);
  }

  revokeForeign(): readonly GrantFacts[] {
    const { resource } = this.#parts;
    if (resource === null) return [];
    const foreign = this.list().filter((grant) => grant.resource !== resource && grant.state === 'live');
    return foreign.map(({ id }) => this.revoke(id));
  }

  prune(olderThanMs: number): number {
    const { store, grants, clock } = this.#parts;
    const before = clock.now() - olderThanMs;
    return store.change(() => {
      const old = grants
        .rows()
        .all.map((row) => this.#facts(row))
        .filter(
          (grant) =>
            !cameAbout(grant) ||
            (grant.state !== 'live' && grant.createdAt < before && (grant.revokedAt ?? 0) < before),
        );
      for (const { id } of old) grants.remove(id);
      return old.length;
    });
  }

  #facts(row: GrantRow): GrantFacts {
    const { isKept: _kept, expiresAt: _expires, ...shown } = row;
    return {
      ...shown,
      lastUsedAt: this.#parts.uses.latest(row.id, row.lastUsedAt),
      state: stateOfGrant(row, this.#parts.clock.now()),
    };
  }
}

/** False for a grant that lapsed before any call was made by it: its code was not redeemed, and nothing ever came of it. */
function cameAbout({ state, lastUsedAt }: GrantFacts): boolean {
  return state !== 'expired' || lastUsedAt !== null;
}

/** What a client calls itself goes into lists, logs and the history of notes: one line of what can be printed. */
function shownClient({ clientName, clientId }: GrantWish): string {
  const name = (clientName.trim() === '' ? clientId : clientName).toWellFormed();
  return [...name.replaceAll(UNPRINTABLE, ' ').replaceAll(/\s+/g, ' ').trim()]
    .slice(0, LONGEST_NAME)
    .join('');
}

function refuse(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
