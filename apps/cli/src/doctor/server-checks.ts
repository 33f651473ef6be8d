import { basename } from 'node:path';
import { findOwner } from '@grove/server';
import { describeFailure } from '../failure.ts';
import { requirePort } from '../serving/require-port.ts';
import { type DoctorSubject, type Finding, note, ok, problem, type VaultSubject } from './finding.ts';
import { guarded } from './guarded.ts';
import { foreignHost } from './http/foreign-host-check.ts';
import { health } from './http/health-check.ts';
import { httpMcpCheck } from './http/http-mcp-check.ts';
import { oauth } from './http/oauth-check.ts';
import { lookAtKeys, withPassingKeys } from './http/passing-keys.ts';
import { proxy } from './http/proxy-check.ts';
import { publicAddress } from './http/public-url-check.ts';
import { rest } from './http/rest-check.ts';
import type { ServerCheck, ServerSubject } from './http/subject.ts';

const CHECKS: readonly ServerCheck[] = [
  health,
  foreignHost,
  rest,
  httpMcpCheck('2025-11-25'),
  httpMcpCheck('2026-07-28'),
  oauth,
  publicAddress,
  // Last: what came through a proxy by then has shown it.
  proxy,
];

/** Finds the server of the vault and looks at it over HTTP, or says what starts one and whether it could listen. */
export async function checkServer(subject: VaultSubject, found: (finding: Finding) => void): Promise<void> {
  const { vault, run, dataDir } = subject;
  const ask = () => findOwner(vault.root, { dataDir, runtimeDir: run.settings.runtimeDir });
  const owner = await ask();
  if (owner?.kind !== 'server') {
    found({ check: 'Server', ...(await couldListen(subject)) });
    await guarded('Keys', found, async () =>
      found({ check: 'Keys', ...lookAtKeys(dataDir, basename(vault.stateDir)) }),
    );
    return;
  }
  if (owner.http === null) {
    const message = `process ${owner.pid} serves the vault and not yet HTTP, or is an older Grove`;
    found({ check: 'Server', ...problem(message, `Run it again; else stop that one: kill ${owner.pid}`) });
    return;
  }
  const { url, publicUrl } = owner.http;
  found({ check: 'Server', ...ok(`process ${owner.pid}, at ${url}`) });
  await guarded('Keys', found, () =>
    withPassingKeys(dataDir, basename(vault.stateDir), async (keys, finding) => {
      found({ check: 'Keys', ...finding });
      const proxies = async () => (await ask())?.http?.proxies ?? null;
      const server: ServerSubject = { url, publicUrl, pid: owner.pid, proxies, keys, version: run.version };
      for (const check of CHECKS)
        await guarded(check.name, found, async () =>
          found({ check: check.name, ...(await check.run(server)) }),
        );
    }),
  );
}

async function couldListen({ run, dataDir }: DoctorSubject): Promise<Omit<Finding, 'check'>> {
  try {
    await requirePort(run, { vault: [], data: dataDir }, run.settings.server);
    return note('none runs for this vault: clients that send a key need "grove start"');
  } catch (error) {
    const { message, hint } = describeFailure(error);
    return problem(`none runs for this vault, and none could: ${message}`, hint);
  }
}
