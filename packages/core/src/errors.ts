import { CATALOGUE, type ErrorCode } from './catalogue/catalogue.ts';

/** Facts about one error: what the caller may show, and what fills the template's `{name}` places. */
export type ErrorData = Readonly<Record<string, unknown>>;

/**
 * The one error type that crosses package borders. Code, status and wording come from the catalogue;
 * `data` holds the facts of this occurrence and is safe to show to the caller that caused it.
 *
 * @example
 * throw new GroveError('note_not_found', { path: 'Ideas.md' });
 */
export class GroveError extends Error {
  override readonly name = 'GroveError';
  readonly code: ErrorCode;
  /** HTTP status that REST answers with. */
  readonly status: number;
  /** One true next step for whoever reads the message. */
  readonly hint: string;
  readonly data: ErrorData;

  constructor(code: ErrorCode, data: ErrorData = {}, options: { cause?: unknown; hint?: string } = {}) {
    const entry = CATALOGUE[code];
    super(fill(entry.message, data), options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.status = entry.status;
    this.hint = options.hint ?? fill(entry.hint, data);
    this.data = data;
  }
}

/** True for a {@link GroveError}, of the given code when one is named. */
export function isGroveError(error: unknown, code?: ErrorCode): error is GroveError {
  return error instanceof GroveError && (code === undefined || error.code === code);
}

/** The `code` of a system or library error (`ENOENT`, `native_panic`), or undefined. */
export function errorCode(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

function fill(template: string, data: ErrorData): string {
  const text = template.replaceAll(/\{(\w+)\}/g, (place, name: string) => {
    const value = data[name];
    if (value === undefined || value === null) return place;
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
  // A reason that ends as a question ends the sentence.
  return text.endsWith('?.') ? text.slice(0, -1) : text;
}
