import { Client, type Transport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { type Check, type Finding, ok, problem, type VaultSubject } from './finding.ts';

/** Revisions that clients in use speak. */
const ERAS = { '2025-11-25': 'legacy', '2026-07-28': { pin: '2026-07-28' } } as const;
/** A revision that is tried. */
export type Revision = keyof typeof ERAS;
const ANSWER_MS = 30_000;

/** A session over a `grove stdio` of its own, with the list of tools and one call, in one revision of MCP. */
export function mcpCheck(revision: Revision): Check<VaultSubject> {
  return {
    name: `MCP ${revision}`,
    run: async (subject) => await trySession(revision, subject.run.version, stdioTransport(subject)),
  };
}

/** Opens a session, lists the tools, calls one, and closes. */
export async function trySession(
  revision: Revision,
  version: string,
  transport: Transport,
): Promise<Omit<Finding, 'check'>> {
  const client = new Client(
    { name: 'grove-doctor', version },
    { versionNegotiation: { mode: ERAS[revision] } },
  );
  try {
    await client.connect(transport, { timeout: ANSWER_MS });
    const { tools } = await client.listTools(undefined, { timeout: ANSWER_MS });
    const status = await client.callTool(
      { name: 'vault_status', arguments: { mode: 'health' } },
      { timeout: ANSWER_MS },
    );
    if (status.isError === true)
      return problem('vault_status answered with an error', 'Run "grove status" to see it.');
    return ok(`${tools.length} tools: ${tools.map(({ name }) => name).join(', ')}`);
  } finally {
    await client.close();
  }
}

function stdioTransport({ run, dataDir, vault: { root } }: VaultSubject): StdioClientTransport {
  // The program itself: what the launcher would install first is not the doctor's to change.
  return new StdioClientTransport({
    command: process.execPath,
    args: [run.main, 'stdio', '--vault', root, '--data', dataDir],
    env: { ...run.environment },
    stderr: 'ignore',
  });
}
