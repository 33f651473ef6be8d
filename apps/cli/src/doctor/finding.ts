import type { OccupancyOptions } from '@grove/server';
import type { Run } from '../run.ts';

/** What one check found. */
export interface Finding {
  readonly check: string;
  /** The vault's slug, where several are looked at. */
  readonly vault?: string;
  /** `note`: nothing is wrong, but a person should know. */
  readonly state: 'ok' | 'note' | 'problem';
  readonly message: string;
  /** What to do about a problem. */
  readonly mend: string | null;
}

/** What the checks of the machine look at. */
export interface DoctorSubject {
  readonly run: Run;
  readonly dataDir: string;
}

/** What the checks of a vault look at. */
export interface VaultSubject extends DoctorSubject {
  readonly vault: OccupancyOptions;
}

/** One thing that is looked at. A check that throws becomes a problem with the error's words. */
export interface Check<Subject = DoctorSubject> {
  readonly name: string;
  run(subject: Subject): Promise<Omit<Finding, 'check'>>;
}

/** What was looked at is as it should be. */
export function ok(message: string): Omit<Finding, 'check'> {
  return { state: 'ok', message, mend: null };
}

/** Nothing is wrong, but a person should know. */
export function note(message: string): Omit<Finding, 'check'> {
  return { state: 'note', message, mend: null };
}

/** Something is wrong; `mend` is one sentence on what to do. */
export function problem(message: string, mend: string): Omit<Finding, 'check'> {
  return { state: 'problem', message, mend };
}
