import { setTimeout } from 'node:timers/promises';

/** Pauses between attempts, in milliseconds: doubled from the first to the last. */
const FIRST_PAUSE = 1_000;
const LAST_PAUSE = 15_000;

/**
 * Tries again and again what an embedder refused, until it answers. Does not keep the process.
 *
 * @param told each further refusal
 * @returns what `attempt` gives; never resolves when `signal` ends it
 * @example await whenItAnswers(() => openEmbedder(settings), { signal, told: (error) => { last = error; } })
 */
export async function whenItAnswers<Result>(
  attempt: () => Promise<Result>,
  { signal, told }: { signal: AbortSignal; told: (error: unknown) => void },
): Promise<Result> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(pause * 2, LAST_PAUSE)) {
    const ended = await setTimeout(pause, false, { signal, ref: false }).catch(() => true);
    if (ended) return await new Promise<never>(() => {});
    try {
      return await attempt();
    } catch (error) {
      told(error);
    }
  }
}
