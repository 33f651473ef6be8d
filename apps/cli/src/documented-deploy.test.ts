import { readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { readSettings } from './settings/settings.ts';
import { runDocumented, shellBlocks } from './testing/documented-commands.ts';
import { NO_HOME } from './testing/processes.ts';
import { startServer } from './testing/running-server.ts';
import { servedScratch } from './testing/served-scratch.ts';
import { makeScratch } from './testing/vault-folder.ts';

const ROOT = new URL('../../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');
const PAGE = read('docs/deploy.md');
const LINES = shellBlocks(PAGE).map((block) => block.split('\n').filter((line) => line !== ''));
const IN_CONTAINER = 'docker compose exec grove grove ';

const served = servedScratch();

// Each command is a process of its own, of which a busy machine runs one in many seconds.
describe('docs/deploy.md', { timeout: 600_000 }, () => {
  it('says verbs beside a server in a container that work beside any server', async () => {
    const verbs = LINES.flat().filter((line) => line.startsWith(IN_CONTAINER));
    expect(verbs.length).toBeGreaterThan(3);
    for (const line of verbs) {
      const verb = `grove ${line.slice(IN_CONTAINER.length)}`;
      expect(await runDocumented(served.scratch, [verb]), line).not.toBe('');
    }
  });

  it('writes into .env what the compose file that it names asks for', async () => {
    const blocks = LINES.map((lines) =>
      lines.filter((line) => /^touch \.env |^echo .* >> \.env$/.test(line)),
    ).filter((lines) => lines.length > 0);
    expect(blocks).toHaveLength(3);
    for (const lines of blocks) {
      rmSync(join(served.scratch.folder, '.env'), { force: true });
      await runDocumented(served.scratch, lines, { cwd: served.scratch.folder });
      expect(statSync(join(served.scratch.folder, '.env')).mode & 0o777).toBe(0o600);
      const said = new Map(
        readFileSync(join(served.scratch.folder, '.env'), 'utf8')
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => line.split('=') as [string, string]),
      );
      const name = said.get('COMPOSE_FILE') ?? 'docker-compose.yml';
      const taken = new Set([...read(name).matchAll(/\$\{(\w+)/g)].map(([, variable]) => variable));
      for (const variable of said.keys())
        expect(taken.has(variable) || variable.startsWith('COMPOSE_'), `${variable} in ${name}`).toBe(true);
      const [, needed = ''] = /\$\{(\w+):\?/.exec(read(name)) ?? [];
      expect(said.has(needed), needed).toBe(true);
    }
  });

  it('starts without Docker, for a proxy on the same machine', async () => {
    const [line = ''] = LINES.flat().filter((each) => /bin\/grove start /.test(each));
    const other = makeScratch();
    const words = line.split(' ').slice(2);
    const named = words.map((word) => (word === '/home/me/notes' ? other.vault : word));
    const [, proxy = ''] = /set `GROVE_TRUST_PROXY=(\w+)`/.exec(PAGE) ?? [];
    const plain = await startServer([...named, '--data', other.data], { GROVE_TRUST_PROXY: proxy });
    expect(plain.told.mcp_url).toBe('https://notes.example.org/mcp');
    expect(await plain.stop()).toBe(0);
    other.remove();
  });

  it('installs what is missing by a verb of the launcher, and the unit of a user by copying it', async () => {
    const lines = LINES.flat();
    const [launcher = ''] = lines.filter((line) => line.endsWith('/bin/grove --help'));
    const root = fileURLToPath(ROOT).replace(/\/$/, '');
    expect(await runDocumented(served.scratch, [launcher.replace('/opt/grove', `"${root}"`)])).toContain(
      'start',
    );
    symlinkSync(root, join(served.scratch.folder, 'grove'));
    const copied = lines.filter((line) => /^(?:mkdir|cp) .*~\//.test(line));
    expect(copied).toHaveLength(2);
    await runDocumented(served.scratch, copied, { env: { HOME: served.scratch.folder } });
    const unit = readFileSync(join(served.scratch.folder, '.config/systemd/user/grove.service'), 'utf8');
    expect(unit).toBe(read('deploy/grove-user.service'));
  });

  it('sets in the drop-in of the unit what Grove knows', async () => {
    const [, dropIn = ''] = /^```ini\n([\s\S]*?)^```$/m.exec(PAGE) ?? [];
    const [, set = ''] = /^Environment=(.*)$/m.exec(dropIn) ?? [];
    const environment = Object.fromEntries(set.split(' ').map((pair) => pair.split('=')));
    const settings = await readSettings({ environment: { ...environment, HOME: NO_HOME }, from: '/' });
    expect(settings.vaults).toEqual([/^ReadWritePaths=(.*)$/m.exec(dropIn)?.[1]]);
    expect(settings.trustedProxies).toEqual(['loopback']);
  });
});
