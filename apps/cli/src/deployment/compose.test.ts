import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { readSettings } from '../settings/settings.ts';
import { NO_HOME } from '../testing/processes.ts';

/** What the tests look at of a service. */
interface Service {
  readonly image: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly volumes?: readonly (string | { readonly source: string; readonly bind: object })[];
  readonly ports?: readonly string[];
  readonly [key: string]: unknown;
}

interface ComposeFile {
  readonly services: Readonly<Record<'grove', Service>> & Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, null>>;
}

const ROOT = new URL('../../../../', import.meta.url);
const read = (name: string): string => readFileSync(new URL(name, ROOT), 'utf8');
const compose = (name: string): ComposeFile => parse(read(name)) as ComposeFile;

const CADDY = 'docker-compose.yml';
const TUNNEL = 'docker-compose.tunnel.yml';

describe.each([CADDY, TUNNEL])('%s', (name) => {
  const { services, volumes } = compose(name);

  it('takes every right from every service that it does not need', () => {
    for (const [called, service] of Object.entries(services)) {
      expect(service, called).toMatchObject({
        read_only: true,
        cap_drop: ['ALL'],
        security_opt: ['no-new-privileges:true'],
        restart: 'unless-stopped',
      });
      expect(service, called).not.toHaveProperty('privileged');
    }
  });

  it('starts Grove with settings that it knows, beyond this machine, behind a proxy', async () => {
    const filled = Object.fromEntries(
      Object.entries(services.grove.environment).map(([variable, value]) => [
        variable,
        value.replace(/\$\{(?:DOMAIN|PUBLIC_URL):\?[^}]*\}/, (asked) =>
          asked.includes('DOMAIN:') ? 'notes.example.org' : 'https://notes.example.org',
        ),
      ]),
    );
    const { server, trustedProxies } = await readSettings({
      environment: { ...filled, HOME: NO_HOME },
      from: '/',
    });
    expect(server).toMatchObject({ host: '0.0.0.0', publicUrl: 'https://notes.example.org' });
    expect(trustedProxies).toEqual(['uniquelocal']);
  });

  it('asks for one line alone, and says what stands in it', () => {
    const asked = [...read(name).matchAll(/\$\{(\w+):\?([^}]*)\}/g)];
    expect(asked.map(([, variable]) => variable)).toEqual([name === CADDY ? 'DOMAIN' : 'PUBLIC_URL']);
    for (const [, variable, sentence] of asked) expect(sentence).toContain(`${variable}=`);
  });

  it('mounts what is there, and the volumes that it names', () => {
    for (const { volumes: mounted = [] } of Object.values(services))
      for (const mount of mounted) {
        if (typeof mount !== 'string') {
          expect(mount.bind).toEqual({ create_host_path: false });
          continue;
        }
        const [source = ''] = mount.split(':');
        const there = source.startsWith('.') ? existsSync(new URL(source, ROOT)) : source in volumes;
        expect(there, mount).toBe(true);
      }
  });

  it('keeps the secrets of other services from Grove, which sees all other lines of .env', () => {
    const secrets = [...read(TUNNEL).matchAll(/\$\{(\w*(?:TOKEN|SECRET|KEY|PASSWORD)\w*)/g)];
    expect(secrets).not.toEqual([]);
    expect(services.grove.env_file).toBe('.env');
    for (const [, secret = ''] of secrets) expect(services.grove.environment[secret]).toBe('');
  });

  it('gives Grove longer to end than it takes', () => {
    expect(services.grove.stop_grace_period).toBe('15s');
  });
});

describe('both files', () => {
  it('run Grove in the same way', () => {
    const [one, other] = [compose(CADDY), compose(TUNNEL)].map(
      ({ services }) => JSON.parse(JSON.stringify(services.grove)) as Record<string, unknown>,
    );
    const alike = ({ ports: _, expose: __, environment, ...rest }: Record<string, unknown>) => ({
      ...rest,
      environment: { ...(environment as object), GROVE_PUBLIC_URL: '' },
    });
    expect(alike(one ?? {})).toEqual(alike(other ?? {}));
  });

  it('let nobody reach Grove but through the proxy', () => {
    expect(compose(CADDY).services.grove).not.toHaveProperty('ports');
    expect(compose(TUNNEL).services.grove.ports).toEqual(['127.0.0.1:8420:8420']);
  });

  it('give the image the folders, the port and the program that it has', () => {
    const dockerfile = read('Dockerfile');
    for (const said of ['VOLUME ["/vault", "/data"]', 'EXPOSE 8420', 'ENTRYPOINT ["grove"]', 'HEALTHCHECK'])
      expect(dockerfile).toContain(said);
    for (const [, source = ''] of read('.dockerignore').matchAll(/^!(.+)$/gm))
      expect(existsSync(fileURLToPath(new URL(source, ROOT))), source).toBe(true);
  });
});
