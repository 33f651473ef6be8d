import { isoTime, isoTimeOrNull } from '../wishes/iso-time.ts';
import type { Audit, AuditEntry, AuditRow, AuditSum } from './audit.ts';

/** An entry as programs are told of it. Times are ISO 8601 in UTC. */
export interface AuditRecord {
  readonly at: string;
  readonly principal: AuditEntry['principal'];
  readonly trail: string | null;
  readonly client: string | null;
  readonly vault: string;
  readonly tool: string;
  readonly via: AuditEntry['via'];
  readonly ms: number;
  readonly found: number | null;
  readonly withheld: number | null;
  readonly outcome: string;
  readonly address: string | null;
  readonly request_id: string | null;
}

/** What entries come to, as programs are told of it. */
export interface SumRecord {
  readonly calls: number;
  /** Notes in the answers, each time counted. */
  readonly notes: number;
  /** Calls that ended with an error. */
  readonly refused: number;
  readonly last_at: string | null;
}

/** The same with each day in UTC, newest first. */
export interface UsageRecord extends SumRecord {
  readonly days: readonly (SumRecord & { readonly day: string })[];
}

/** An entry for an answer in JSON, with the names that every interface has for its parts. */
export function auditRecord({ sequence: _sequence, at, requestId, ...entry }: AuditRow): AuditRecord {
  return { at: isoTime(at), ...entry, request_id: requestId };
}

/**
 * What entries come to, for an answer in JSON.
 *
 * @example usageRecord(audit.sum({ trail: trail.id })).days[0].notes // 12
 */
export function usageRecord({ total, days }: ReturnType<Audit['sum']>): UsageRecord {
  return { ...sumRecord(total), days: days.map((day) => ({ day: day.day, ...sumRecord(day) })) };
}

function sumRecord({ calls, found, refused, lastAt }: AuditSum): SumRecord {
  return { calls, notes: found, refused, last_at: isoTimeOrNull(lastAt) };
}
