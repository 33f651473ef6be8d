import type { Log, OccupancyOptions } from '@grove/server';
import type { Run } from '../run.ts';

/** What one check found. */
export interface Finding {
  readonly check: string;
  /** `note`: nothing is wrong, but a person should know. */
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** What to do about a problem. */
  readonly mend: string | null;
}

/** What the checks look at. */
export interface DoctorSubject {
  readonly run: Run;
  readonly dataDir: string;
  /** Null when no vault is known or it cannot be found. */
  readonly vault: OccupancyOptions | null;
  readonly log: Log;
}

/** One thing that is looked at. A check that throws becomes a problem with the error's words. */
export interface Check {
  readonly name: string;
  run(subject: DoctorSubject): Promise<Omit<Finding, 'check'>>;
}

export function ok(message: string): Omit<Finding, 'check'> {
  return { state: 'ok', message, mend: null };
}

export function note(message: string): Omit<Finding, 'check'> {
  return { state: 'note', message, mend: null };
}

export function problem(message: string, mend: string): Omit<Finding, 'check'> {
  return { state: 'problem', message, mend };
}
