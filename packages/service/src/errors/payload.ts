import { CATALOGUE, type GroveError, isGroveError } from '@grove/core';
import { z } from 'zod';
import { fillPage } from '../answers/size.ts';

/** An error as every transport shows it: a stable code, what happened, one true next step, and its facts. */
export interface ErrorPayload {
  readonly code: string;
  readonly message: string;
  readonly next: string;
  readonly [fact: string]: unknown;
}

/** The shape of `error` in every structured answer. Facts stand beside the three. */
export const errorShape = z.looseObject({ code: z.string(), message: z.string(), next: z.string() });

const LONGEST_TEXT = 600;
const LONGEST_LIST = 50;
/** Bytes of JSON that refused operations take with all that is told of them. */
const OPERATIONS_BYTES = 20 * 1024;

/** Facts that callers may see; what is not named here (folders, sockets, processes) stays inside. */
const SHOWN_FACTS = [
  'path',
  'section',
  'candidates',
  'nearest',
  'name',
  'allowed',
  'reason',
  'rule',
  'size',
  'limit',
  'retry_after',
  'line',
  'revision',
  'vault',
  'known',
  'feature',
  'instead',
  'would_be',
  'template',
  'pid',
  'host',
  'op',
  'operations',
  'action',
  'edit',
  'lines',
  'diff',
  'elsewhere',
  'missing',
  'breaches',
  'notes',
] as const;

/** Hears the cause of what is Grove's own fault, and gives the id of the request that the log has it under, or null. */
export type ReportFault = (cause: unknown) => string | null;

/**
 * What a caller is told of an error. One that is no {@link GroveError} becomes `internal` without its text, with the id
 * that `report` gives as `request_id`.
 *
 * @example toErrorPayload(new GroveError('note_not_found', { path: 'a.md' })).code // 'note_not_found'
 */
export function toErrorPayload(error: unknown, report?: ReportFault): ErrorPayload {
  if (!isGroveError(error)) {
    const { message, hint: next } = CATALOGUE.internal;
    return { ...reported(error, report), code: 'internal', message, next };
  }
  const told = error.code === 'internal' ? reported(error, report) : {};
  return {
    ...facts(error),
    ...told,
    code: error.code,
    message: shorten(error.message),
    next: shorten(error.hint),
  };
}

function reported(cause: unknown, report: ReportFault | undefined): { readonly request_id?: string } {
  const id = report?.(cause) ?? null;
  return id === null ? {} : { request_id: id };
}

function facts(error: GroveError): Record<string, unknown> {
  const shown: Record<string, unknown> = {};
  for (const name of SHOWN_FACTS) {
    const value = error.data[name];
    if (value === undefined || value === null) continue;
    if (name === 'operations' && Array.isArray(value)) shown[name] = boundedOperations(value);
    else shown[name] = bounded(value);
  }
  return shown;
}

/** Every operation that is refused, the later ones only by their code when all would not fit. */
function boundedOperations(operations: readonly unknown[]): unknown[] {
  const all = operations.map(bounded);
  const { items } = fillPage(all, OPERATIONS_BYTES);
  return [...items, ...all.slice(items.length).map(byCode)];
}

function byCode(operation: unknown): unknown {
  const { op, code } = operation as { readonly op?: unknown; readonly code?: unknown };
  return { op, code };
}

function bounded(value: unknown): unknown {
  if (typeof value === 'string') return shorten(value);
  if (Array.isArray(value)) return value.slice(0, LONGEST_LIST).map(bounded);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, bounded(entry)]));
}

function shorten(text: string): string {
  const whole = text.toWellFormed();
  return whole.length <= LONGEST_TEXT ? whole : `${whole.slice(0, LONGEST_TEXT)}…`.toWellFormed();
}
