import { serveStdioSession } from '@grove/server/stdio';
import type { VaultState } from '@grove/vault';
import { logEmbedding } from '../embedding/log-embedding.ts';
import type { ProcessEmbedding } from '../embedding/process-embedding.ts';
import type { CommonOptions, Run } from '../run.ts';
import { readSync } from '../settings/read-sync.ts';
import { syncWish } from '../syncing/sync-wish.ts';
import { servingLog } from '../terminal/run-log.ts';
import { dataDirOf, occupancyOptions } from '../vaults/vault-of-run.ts';
import { OwnAudit } from './own-audit.ts';

/** Serves MCP on the streams of this run until its client has gone. */
export async function serveSession(
  run: Run,
  options: CommonOptions,
  vault: VaultState,
  embedding: ProcessEmbedding,
): Promise<void> {
  const log = servingLog(run);
  const sync = syncWish(await readSync(run), { byItself: true });
  const audit = new OwnAudit(dataDirOf(run, options), log);
  const session = serveStdioSession({
    ...occupancyOptions(run, options, vault, 'stdio', log),
    audit,
    embedding: embedding.open,
    sync,
    onOpened: (opened) => logEmbedding(opened, log),
    input: run.stdin,
    output: run.stdout,
  });
  run.stop.addEventListener('abort', () => void session.close(), { once: true });
  if (run.stop.aborted) await session.close();
  await session.done.finally(() => {
    audit.close();
    return embedding.close();
  });
}
