import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describeWithPrograms, end, serveGit, spawnScript, temporaryFolder } from '@grove/testing';
import { expect, it, onTestFinished, vi } from 'vitest';
import { fetchRemote, pushRemote } from './remote.ts';
import { remoteProcesses } from './testing/remote-processes.ts';
import { type TwoSides, twoSides } from './testing/two-sides.ts';

const TOKEN = 'a-secret-of-forty-characters-0123456789';

const options = ({ location, url }: TwoSides, token: string | null = null) =>
  ({ location, url, name: 'origin', branch: 'main', token }) as const;

/** Something to fetch of many packets. */
function addLargeNote({ other }: TwoSides): string {
  const lines = Array.from({ length: 20_000 }, (_, at) => `- ${Math.sin(at)}`);
  other.write('Large.md', lines.join('\n'));
  const tip = other.commit('Large');
  other.run('push', '-q');
  return tip;
}

/** What is left in the folders of objects. */
function leftovers({ location }: TwoSides): string[] {
  const objects = join(location.commonDir, 'objects');
  return [...readdirSync(objects), ...readdirSync(join(objects, 'pack'))].filter((name) => /tmp/.test(name));
}

/** The next try does what the failed one did not. */
async function expectNextTry(sides: TwoSides, tip: string): Promise<void> {
  expect(leftovers(sides)).toEqual([]);
  expect(sides.vault.run('fsck', '--full', '--strict', '--no-dangling')).toBe('');
  expect(await fetchRemote(options(sides))).toEqual({ tip, isEmpty: false });
  expect(sides.vault.run('fsck', '--full', '--strict', '--no-dangling')).toBe('');
}

async function untilStalled(sides: TwoSides): Promise<number> {
  for (;;) {
    const [pid] = remoteProcesses(process.pid);
    const incoming = leftovers(sides).find((name) => name.startsWith('tmp_objdir'));
    if (pid !== undefined && incoming !== undefined) return pid;
    await setTimeout(20);
  }
}

describeWithPrograms('a remote that', ['git'], () => {
  it('asks for a token gets it, and tells whether it was good', async () => {
    const sides = await twoSides();
    sides.server.token = TOKEN;
    expect((await fetchRemote(options(sides, TOKEN))).tip).toMatch(/^[0-9a-f]{40}$/);
    const failed = (token: string | null) => fetchRemote(options(sides, token)).catch((error) => error);
    expect(await failed('another')).toMatchObject({
      code: 'remote_sign_in',
      data: { reason: 'the token is wrong, has expired or was revoked' },
    });
    expect(await failed(null)).toMatchObject({ data: { reason: 'it asks for a token' } });
  });

  it.each([
    [403, 'remote_sign_in', 'the token lacks the right to do this'],
    [404, 'remote_missing', undefined],
    [429, 'remote_unreachable', 'it asks to wait (429)'],
    [503, 'remote_unreachable', 'it answers with an error of its own (503)'],
    [200, 'remote_answer_unusable', 'its answer is of the type ""'],
  ])('answers with %i', async (status, code, reason) => {
    const sides = await twoSides();
    sides.server.status = status;
    const push = pushRemote({ ...options(sides, TOKEN), commit: '0'.repeat(40) });
    await expect(push).rejects.toMatchObject({ code, data: reason === undefined ? {} : { reason } });
  });

  it('is gone, or not to be found', async () => {
    const sides = await twoSides();
    await sides.server.close();
    await expect(fetchRemote(options(sides))).rejects.toMatchObject({
      code: 'remote_unreachable',
      data: { reason: 'it refuses the connection' },
    });
    const lost = { ...options(sides), url: 'https://no-such-host.invalid/notes.git' };
    await expect(fetchRemote(lost)).rejects.toMatchObject({ code: 'remote_unreachable' });
  });

  it('cuts the connection in a pack leaves nothing here', async () => {
    const sides = await twoSides();
    const tip = addLargeNote(sides);
    sides.server.cutAfter = 60_000;
    await expect(fetchRemote(options(sides))).rejects.toMatchObject({
      code: 'remote_unreachable',
      data: { reason: 'the connection was cut' },
    });
    sides.server.cutAfter = null;
    await expectNextTry(sides, tip);
  });

  it('says nothing any more is given up', async () => {
    const sides = await twoSides();
    const tip = addLargeNote(sides);
    sides.server.stallAfter = 60_000;
    await expect(fetchRemote({ ...options(sides), idleLimitMs: 2000 })).rejects.toMatchObject({
      data: { reason: 'nothing came from it for 2 s' },
    });
    sides.server.stallAfter = null;
    await expectNextTry(sides, tip);
  });

  it('sends its visitors to another place never gets the token there', async () => {
    const sides = await twoSides();
    const there = await serveGit(join(sides.bare.dir, '..'));
    sides.server.redirectTo = there.origin;
    const tip = addLargeNote(sides);
    expect(await fetchRemote(options(sides, TOKEN))).toEqual({ tip, isEmpty: false });
    expect(sides.server.seen[0]?.authorization).toMatch(/^Basic /);
    expect(there.seen.map(({ method }) => method)).toContain('POST');
    expect(there.seen.map(({ authorization }) => authorization)).toEqual(there.seen.map(() => null));
    sides.server.redirectTo = sides.server.origin;
    await expect(fetchRemote(options(sides))).rejects.toMatchObject({ code: 'remote_answer_unusable' });
    sides.server.redirectTo = 'http://example.org';
    await expect(fetchRemote(options(sides))).rejects.toMatchObject({ code: 'remote_answer_unusable' });
  });
});

describeWithPrograms('a remote over TLS', ['git', 'openssl'], () => {
  it('is talked to when its certificate is trusted, and only then', async () => {
    const sides = await twoSides();
    const folder = temporaryFolder('tls');
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
    const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert];
    const names = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1', '-days', '2'];
    execFileSync('openssl', [...request, ...names], { stdio: 'ignore' });
    const tls = { key: readFileSync(key), cert: readFileSync(cert) };
    const server = await serveGit(join(sides.bare.dir, '..'), tls);
    server.token = TOKEN;
    const call = { ...options(sides, TOKEN), url: server.url('notes.git') };
    expect(call.url).toMatch(/^https:/);
    await expect(fetchRemote(call)).rejects.toMatchObject({
      code: 'remote_unreachable',
      data: { reason: 'its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT)' },
    });
    onTestFinished(() => void vi.unstubAllEnvs());
    // What is trusted on the machine, as far as a test may say so.
    vi.stubEnv('SSL_CERT_FILE', cert);
    expect((await fetchRemote(call)).tip).toMatch(/^[0-9a-f]{40}$/);
    vi.unstubAllEnvs();
    vi.stubEnv('NODE_EXTRA_CA_CERTS', cert);
    sides.vault.write('Mine.md', '# Mine\n');
    const commit = sides.vault.commit('Mine');
    expect(await pushRemote({ ...call, commit })).toEqual({ outcome: 'pushed' });
  });
});

describeWithPrograms('the process of a call', ['git', 'ps'], () => {
  it('holds the token where nobody else looks', async () => {
    const sides = await twoSides();
    addLargeNote(sides);
    sides.server.stallAfter = 60_000;
    const abort = new AbortController();
    vi.stubEnv('GROVE_SYNC_TOKEN', TOKEN);
    onTestFinished(() => void vi.unstubAllEnvs());
    const call = fetchRemote({ ...options(sides, TOKEN), signal: abort.signal });
    call.catch(() => {});
    const pid = await untilStalled(sides);
    for (const file of ['cmdline', 'environ'])
      expect(readFileSync(`/proc/${pid}/${file}`, 'utf8')).not.toContain(TOKEN);
    abort.abort(new Error('enough'));
    await expect(call).rejects.toThrow('enough');
    expect(remoteProcesses(process.pid)).toEqual([]);
  });

  it('may be called off or killed, and the next one begins anew', async () => {
    const sides = await twoSides();
    const tip = addLargeNote(sides);
    sides.server.stallAfter = 60_000;
    const abort = new AbortController();
    const aborted = fetchRemote({ ...options(sides), signal: abort.signal });
    aborted.catch(() => {});
    await untilStalled(sides);
    abort.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    expect(leftovers(sides)).toEqual([]);
    const killed = fetchRemote(options(sides));
    killed.catch(() => {});
    process.kill(await untilStalled(sides), 'SIGKILL');
    await expect(killed).rejects.toMatchObject({
      code: 'remote_interrupted',
      data: { reason: 'SIGKILL' },
    });
    sides.server.stallAfter = null;
    await expectNextTry(sides, tip);
  });

  it('may be killed at any moment', async () => {
    const sides = await twoSides();
    let tip = '';
    for (let round = 0; round < 6; round++) {
      sides.other.write('Film.bin', randomBytes(2_000_000));
      tip = sides.other.commit('Film');
      sides.other.run('push', '-q');
      const call = fetchRemote(options(sides));
      let isOver = false;
      const over = call.catch((error) => expect(error).toMatchObject({ code: 'remote_interrupted' }));
      void over.finally(() => (isOver = true));
      while (remoteProcesses(process.pid).length === 0 && !isOver) await setTimeout(5);
      // Later in each round; the last ones may come too late.
      await setTimeout(round * 150);
      for (const pid of remoteProcesses(process.pid)) process.kill(pid, 'SIGKILL');
      await over;
      expect(leftovers(sides)).toEqual([]);
      expect(sides.vault.run('fsck', '--full', '--strict', '--no-dangling')).toBe('');
    }
    await expectNextTry(sides, tip);
  });

  it('ends with who started it, and what it left goes with the next call', async () => {
    const sides = await twoSides();
    const tip = addLargeNote(sides);
    sides.server.stallAfter = 60_000;
    const script = fileURLToPath(new URL('./testing/fetch-until-killed.ts', import.meta.url));
    const parent = spawnScript(script, [sides.vault.dir, sides.url]);
    let pids: number[] = [];
    while (pids.length === 0 || leftovers(sides).length === 0) {
      pids = remoteProcesses(parent.pid!);
      await setTimeout(20);
    }
    await end(parent, 'SIGKILL');
    while (isThere(pids[0]!)) await setTimeout(20);
    expect(leftovers(sides)).toHaveLength(1);
    sides.server.stallAfter = null;
    expect(await fetchRemote(options(sides))).toEqual({ tip, isEmpty: false });
    expect(leftovers(sides)).toEqual([]);
  });
});

function isThere(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
