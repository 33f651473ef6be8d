import type { Clock } from '@grove/core';
import { CellReader, type Cells } from '../control-file/cells.ts';
import type { ControlStore } from '../control-file/store.ts';
import { hashOfSecret, newSecret } from '../credentials/secret.ts';
import type { GrantTable } from '../grants/grant-table.ts';
import { newId } from '../wishes/ids.ts';
import { parseName } from '../wishes/name.ts';
import { parseRedirectUris } from '../wishes/redirect-uris.ts';
import type { NewOAuthClient, OAuthClientFacts, OAuthClients } from './oauth-clients.ts';

interface ClientRow extends OAuthClientFacts {
  readonly secretHash: string;
}

const INSERT =
  'INSERT INTO oauth_clients (id, name, redirect_uris, secret_hash, created_at) VALUES (?, ?, ?, ?, ?)';
const REMOVE = 'DELETE FROM oauth_clients WHERE id = ?';

const cell = new CellReader('OAuth clients');

/** The static clients of one open control.db. */
export class ClientBook implements OAuthClients {
  readonly #store: ControlStore;
  readonly #grants: GrantTable;
  readonly #clock: Clock;

  constructor(parts: { readonly store: ControlStore; readonly grants: GrantTable; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#grants = parts.grants;
    this.#clock = parts.clock;
  }

  create(wish: { readonly name: string; readonly redirectUris: readonly string[] }): NewOAuthClient {
    const { secret, hash } = newSecret('client');
    const client: OAuthClientFacts = {
      id: newId('client'),
      name: parseName('client', wish.name),
      redirectUris: parseRedirectUris(wish.redirectUris),
      createdAt: this.#clock.now(),
    };
    const uris = JSON.stringify(client.redirectUris);
    this.#store.change(() =>
      this.#store.statements.run(INSERT, client.id, client.name, uris, hash, client.createdAt),
    );
    return { client, secret };
  }

  list(): readonly OAuthClientFacts[] {
    return this.#rows().map(factsOf);
  }

  remove(id: string): void {
    this.#store.change(() => {
      for (const grant of this.#grants.rows().all.filter(({ clientId }) => clientId === id)) {
        this.#grants.revoke(grant.id, this.#clock.now());
        this.#grants.endRecords(grant.id);
      }
      this.#store.statements.run(REMOVE, id);
    });
  }

  find(id: string): OAuthClientFacts | null {
    const row = this.#rows().find((client) => client.id === id);
    return row === undefined ? null : factsOf(row);
  }

  verifySecret(id: string, secret: string): boolean {
    const hash = hashOfSecret('client', secret);
    return hash !== null && this.#rows().some((client) => client.id === id && client.secretHash === hash);
  }

  #rows(): readonly ClientRow[] {
    return this.#store.read(() => {
      this.#store.refuseNewer();
      return this.#store.statements
        .of('SELECT * FROM oauth_clients ORDER BY sequence DESC')
        .all()
        .map(readRow);
    });
  }
}

function readRow(cells: Cells): ClientRow {
  const redirectUris = cell.list(cells.redirect_uris);
  if (redirectUris.length === 0) throw cell.unreadable();
  return {
    id: cell.text(cells.id),
    name: cell.text(cells.name),
    redirectUris,
    secretHash: cell.text(cells.secret_hash),
    createdAt: cell.number(cells.created_at),
  };
}

function factsOf({ secretHash: _hash, ...shown }: ClientRow): OAuthClientFacts {
  return shown;
}
