import { isGroveError } from '@grove/core';
import { processEmbedding } from '../embedding/process-embedding.ts';
import { type Check, ok, problem } from './finding.ts';

/** Long enough for a model that has to be loaded from a slow disk. */
const LIMIT_MS = 30_000;

/**
 * What turns notes into vectors by the settings of this process, asked for the vector of two words. A server may have been
 * started with other ones: what its health says of them is told beside the index.
 */
export const embedder: Check = {
  name: 'Embedder',
  run: async ({ run, dataDir }) => {
    const { settings } = run;
    if (settings.embedder.kind === 'off') return ok('off: search is by words');
    const embedding = processEmbedding(settings.embedder, dataDir, 'never');
    try {
      const opened = await embedding.open();
      if (opened === null) return ok('off: search is by words');
      if ('problem' in opened) return problem(opened.problem, 'Check GROVE_EMBEDDER and what belongs to it.');
      const { model, host } = opened.embedder;
      await opened.embedder.embedQuery('grove doctor', AbortSignal.timeout(LIMIT_MS));
      const where = host === null ? 'on this machine' : `texts are sent to ${host}`;
      return ok(`${model}, ${where}, as this terminal is set up`);
    } catch (error) {
      if (isGroveError(error, 'embedder_unavailable')) return problem(error.message, error.hint);
      if (!(error instanceof DOMException)) throw error;
      return problem(
        `It gave no vector within ${LIMIT_MS / 1000} seconds.`,
        'Until it does, search is by words.',
      );
    } finally {
      await embedding.close();
    }
  },
};
