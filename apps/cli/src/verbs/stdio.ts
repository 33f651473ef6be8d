import { createLog } from '@grove/server';
import { serveStdioSession } from '@grove/server/stdio';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { occupancyOptions, vaultOf } from '../vaults/vault-of-run.ts';

/** `grove stdio` */
export function stdioVerb(command: Command, run: Run): void {
  command
    .description('Serve MCP on stdin and stdout, for clients that start Grove themselves')
    .action(async (options: CommonOptions) => {
      const vault = await vaultOf(run, options);
      const session = serveStdioSession({
        ...occupancyOptions(run, options, vault, 'stdio', createLog(run.settings.logLevel)),
        input: run.stdin,
        output: run.stdout,
      });
      run.stop.addEventListener('abort', () => void session.close(), { once: true });
      if (run.stop.aborted) await session.close();
      await session.done;
    });
}
