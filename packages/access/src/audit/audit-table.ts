import type { SQLInputValue } from 'node:sqlite';
import { CellReader, type Cells } from '../control-file/cells.ts';
import type { ControlStore } from '../control-file/store.ts';
import type { AuditDay, AuditEntry, AuditFilter, AuditRow, AuditSum } from './audit.ts';

const INSERT = `INSERT INTO audit (at, principal_kind, principal_id, principal_name, trail, client, vault, tool, via, ms,
  found, withheld, outcome, address, request_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const PRUNE =
  'DELETE FROM audit WHERE sequence IN (SELECT sequence FROM audit WHERE at < ? ORDER BY at LIMIT ?)';
const SUM = `count(*) AS calls, coalesce(sum(found), 0) AS found, coalesce(sum(outcome <> 'ok'), 0) AS refused,
  max(at) AS last_at`;
/** How each part of a filter reads in SQL. */
const CONDITIONS: Readonly<Record<keyof AuditFilter, string>> = {
  vaults: 'vault IN (SELECT value FROM json_each(?))',
  trail: 'trail = ?',
  principal: 'principal_id = ?',
  tool: 'tool = ?',
  outcome: 'outcome = ?',
  since: 'at >= ?',
  until: 'at < ?',
};
const VIAS: readonly string[] = ['mcp', 'rest', 'cli', 'oauth', 'owner'] satisfies AuditEntry['via'][];

const cell = new CellReader('audit');

/** The rows of the audit. All of it inside a read or a change of the store. */
export class AuditTable {
  readonly #store: ControlStore;

  constructor(store: ControlStore) {
    this.#store = store;
  }

  insert(entry: AuditEntry): void {
    const { principal } = entry;
    this.#store.statements.run(
      INSERT,
      entry.at,
      principal.kind,
      principal.id,
      principal.name,
      entry.trail,
      entry.client,
      entry.vault,
      entry.tool,
      entry.via,
      entry.ms,
      entry.found,
      entry.withheld,
      entry.outcome,
      entry.address,
      entry.requestId,
    );
  }

  /** Newest first. */
  list(filter: AuditFilter, before: number | undefined, limit: number): readonly AuditRow[] {
    const { where, values } = whereOf(filter, before === undefined ? [] : [['sequence < ?', before]]);
    return this.#store.statements
      .of(`SELECT * FROM audit ${where} ORDER BY sequence DESC LIMIT ?`)
      .all(...values, limit)
      .map(readRow);
  }

  sum(filter: AuditFilter): AuditSum {
    const { where, values } = whereOf(filter);
    return sumOf(this.#store.statements.of(`SELECT ${SUM} FROM audit ${where}`).get(...values) ?? {});
  }

  /** Newest first. */
  days(filter: AuditFilter): readonly AuditDay[] {
    const { where, values } = whereOf(filter);
    const sql = `SELECT date(at / 1000, 'unixepoch') AS day, ${SUM} FROM audit ${where} GROUP BY day ORDER BY day DESC`;
    return this.#store.statements
      .of(sql)
      .all(...values)
      .map((cells) => ({ day: cell.text(cells.day), ...sumOf(cells) }));
  }

  /** Takes away up to `most` of what is older than `at`; the number that went. */
  prune(at: number, most: number): number {
    return Number(this.#store.statements.of(PRUNE).run(at, most).changes);
  }
}

function whereOf(
  filter: AuditFilter,
  more: readonly (readonly [string, SQLInputValue])[] = [],
): { readonly where: string; readonly values: readonly SQLInputValue[] } {
  const given = Object.entries(CONDITIONS).flatMap(([name, sql]): [string, SQLInputValue][] => {
    const value = filter[name as keyof AuditFilter];
    if (value === undefined) return [];
    if (name === 'outcome' && value === 'refused') return [['outcome <> ?', 'ok']];
    return [[sql, typeof value === 'object' ? JSON.stringify(value) : value]];
  });
  const all = [...given, ...more];
  return {
    where: all.length === 0 ? '' : `WHERE ${all.map(([sql]) => sql).join(' AND ')}`,
    values: all.map(([, value]) => value),
  };
}

function readRow(cells: Cells): AuditRow {
  const via = cell.text(cells.via);
  if (!VIAS.includes(via)) throw cell.unreadable();
  return {
    sequence: cell.number(cells.sequence),
    at: cell.number(cells.at),
    principal: {
      kind: cell.text(cells.principal_kind),
      id: cell.text(cells.principal_id),
      name: cell.text(cells.principal_name),
    },
    trail: cell.textOrNull(cells.trail),
    client: cell.textOrNull(cells.client),
    vault: cell.text(cells.vault),
    tool: cell.text(cells.tool),
    via: via as AuditEntry['via'],
    ms: cell.number(cells.ms),
    found: cell.numberOrNull(cells.found),
    withheld: cell.numberOrNull(cells.withheld),
    outcome: cell.text(cells.outcome),
    address: cell.textOrNull(cells.address),
    requestId: cell.textOrNull(cells.request_id),
  };
}

function sumOf(cells: Cells): AuditSum {
  return {
    calls: cell.number(cells.calls),
    found: cell.number(cells.found),
    refused: cell.number(cells.refused),
    lastAt: cell.numberOrNull(cells.last_at),
  };
}
