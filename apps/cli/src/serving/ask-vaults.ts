import { GroveError } from '@grove/core';
import { compileRules, rulesOrNone } from '@grove/server';
import {
  type AnyOperation,
  answerCall,
  get,
  listNotes,
  type OpenedVault,
  query,
  vaultStatus,
} from '@grove/service';
import { OWNER } from '../calls/call-vault.ts';
import type { Run } from '../run.ts';
import { printMarkdown } from '../terminal/print.ts';
import { runPrompt } from '../terminal/prompt.ts';

/** The query prompt of `grove start`: asks the first vault, or the one that `vault SLUG` chose. */
export async function askVaults(run: Run, vaults: readonly OpenedVault[]): Promise<void> {
  let [chosen] = vaults;
  const rules = rulesOrNone(compileRules(run.settings.rules));
  let rest: (() => Promise<string>) | null = null;
  const ask = async (operation: AnyOperation, input: Readonly<Record<string, unknown>>): Promise<string> => {
    if (chosen === undefined) return 'No vault is open.';
    const { text, structured } = await answerCall(
      operation,
      chosen.scope(OWNER, rules, { scopes: ['read'] }),
      input,
    );
    const { cursor } = structured;
    if (typeof cursor !== 'string') {
      rest = null;
      return text;
    }
    rest = async () => await ask(operation, { ...input, cursor });
    return `${text.slice(0, text.lastIndexOf('\n'))}\nThere is more: type more.`;
  };
  await runPrompt(
    {
      input: run.stdin,
      output: run.stdout,
      show: (markdown) => printMarkdown(run, markdown),
      stop: run.stop,
    },
    {
      search: (words) => ask(query, { query: words }),
      get: (path) => ask(get, { path }),
      list: () => ask(listNotes, { limit: 20 }),
      status: () => ask(vaultStatus, { mode: 'health' }),
      more: async () => (rest === null ? 'There is no more.' : await rest()),
      choose: async (slug) => {
        const found = vaults.find((vault) => vault.slug === slug);
        const known = vaults.map((vault) => vault.slug).join(', ');
        if (found === undefined) throw new GroveError('vault_unknown', { vault: slug, known });
        chosen = found;
        rest = null;
        return `Asking ${slug} now.`;
      },
    },
  );
}
