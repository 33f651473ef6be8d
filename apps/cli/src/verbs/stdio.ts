import { serveStdioSession } from '@grove/server/stdio';
import type { Command } from 'commander';
import { logEmbedding } from '../embedding/log-embedding.ts';
import { processEmbedding } from '../embedding/process-embedding.ts';
import type { CommonOptions, Run } from '../run.ts';
import { OwnAudit } from '../serving/own-audit.ts';
import { addSettingFlags, unlessPrinted } from '../settings/flags.ts';
import { readSync } from '../settings/read-sync.ts';
import { syncWish } from '../syncing/sync-wish.ts';
import { servingLog } from '../terminal/run-log.ts';
import { dataDirOf, occupancyOptions, vaultOf } from '../vaults/vault-of-run.ts';

/** `grove stdio` */
export function stdioVerb(command: Command, run: Run): void {
  addSettingFlags(command, 'stdio')
    .description('Serve MCP on stdin and stdout, for clients that start Grove themselves')
    .action(
      unlessPrinted(run, async (options: CommonOptions) => {
        const vault = await vaultOf(run, options);
        const log = servingLog(run);
        const dataDir = dataDirOf(run, options);
        const embedding = processEmbedding(run.settings.embedder, dataDir, 'always');
        const sync = syncWish(await readSync(run), { byItself: true });
        const audit = new OwnAudit(dataDir, log);
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
      }),
    );
}
