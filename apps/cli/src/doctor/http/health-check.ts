import { note, ok, problem } from '../finding.ts';
import { ask, hintOf, reasonOf, said } from './ask.ts';
import type { ServerCheck } from './subject.ts';

/** `/healthz` and `/readyz`. */
export const health: ServerCheck = {
  name: 'HTTP',
  run: async ({ url, pid }) => {
    try {
      const healthy = await ask(`${url}/healthz`);
      if (healthy.status !== 200)
        return problem(
          `${url}/healthz answers ${said(healthy)}`,
          hintOf(healthy) ?? `Stop the server (kill ${pid}) and start it again.`,
        );
      const ready = await ask(`${url}/readyz`);
      if (ready.status === 200) return ok(`${url} answers and is ready`);
      return note(
        `${url} answers and is ${String(ready.body?.status ?? 'not ready')}: ask again in a moment`,
      );
    } catch (error) {
      return problem(
        `${url} does not answer (${reasonOf(error)})`,
        `Process ${pid} runs and hangs or is shut off: stop it (kill ${pid}) and start it again.`,
      );
    }
  },
};
