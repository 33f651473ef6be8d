import { readOwner } from '@grove/vault';
import type { Command } from 'commander';
import { processEmbedding } from '../embedding/process-embedding.ts';
import type { CommonOptions, Run } from '../run.ts';
import { addSettingFlags, unlessPrinted } from '../settings/flags.ts';
import { dataDirOf, vaultOf } from '../vaults/vault-of-run.ts';

/** `grove stdio` */
export function stdioVerb(command: Command, run: Run): void {
  addSettingFlags(command, 'stdio')
    .description('Serve MCP on stdin and stdout, for clients that start Grove themselves')
    .action(
      unlessPrinted(run, async (options: CommonOptions) => {
        const vault = await vaultOf(run, options);
        const embedding = processEmbedding(run.settings.embedder, dataDirOf(run, options), 'always');
        // A session beside an owner goes through it, and has no use for a model of its own.
        if (readOwner(vault.stateDir) === null) await embedding.begin();
        // Most of Grove, which is loaded while the model is.
        const { serveSession } = await import('../serving/serve-session.ts');
        await serveSession(run, options, vault, embedding);
      }),
    );
}
