import { describeFailure } from '../failure.ts';
import { type Finding, problem } from './finding.ts';

/** Runs work that tells what it finds; when it throws, that is a problem found by `check`, in the error's words. */
export async function guarded(
  check: string,
  found: (finding: Finding) => void,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const { message, hint } = describeFailure(error);
    found({ check, ...problem(message, hint) });
  }
}
