import { BACKING_UP } from './backing-up.ts';
import { MEANING } from './meaning.ts';
import { READING } from './reading.ts';
import { SERVING } from './serving.ts';
import { SIGNING_IN } from './signing-in.ts';
import { SYNCING } from './syncing.ts';
import { WRITING } from './writing.ts';

/**
 * Every error that Grove answers with: a stable code, an HTTP status, a message and the next step.
 * `docs/errors.md` is generated from this table; codes are never renamed or reused.
 */
export const CATALOGUE = {
  ...READING,
  ...MEANING,
  ...WRITING,
  ...SERVING,
  ...SIGNING_IN,
  ...BACKING_UP,
  ...SYNCING,
} as const;

/** A stable error code. */
export type ErrorCode = keyof typeof CATALOGUE;
