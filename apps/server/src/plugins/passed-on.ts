import { BlockList, isIPv6 } from 'node:net';
import fastifyPlugin from 'fastify-plugin';

declare module 'fastify' {
  interface FastifyInstance {
    /**
     * The address of a proxy near the server that passed a request on and that nobody named as one; null when none did.
     * Whoever comes through it counts as that one address.
     */
    unnamedProxy(): string | null;
  }
}

/** This machine and its own networks: from elsewhere anybody may say that a request was passed on. */
const NEAR = new BlockList();
for (const [address, length, family] of [
  ['127.0.0.0', 8, 'ipv4'],
  ['10.0.0.0', 8, 'ipv4'],
  ['172.16.0.0', 12, 'ipv4'],
  ['192.168.0.0', 16, 'ipv4'],
  ['169.254.0.0', 16, 'ipv4'],
  ['::1', 128, 'ipv6'],
  ['fc00::', 7, 'ipv6'],
  ['fe80::', 10, 'ipv6'],
] as const)
  NEAR.addSubnet(address, length, family);

/** Notices proxies that nobody named. */
export const passedOn = fastifyPlugin(
  async (app) => {
    let unnamed: string | null = null;
    app.decorate('unnamedProxy', () => unnamed);
    app.addHook('onRequest', async ({ headers, ips, socket }) => {
      // Of a proxy that is trusted there are two addresses, its own and the one that it names.
      if (!headers['x-forwarded-for'] || (ips?.length ?? 0) > 1) return;
      const peer = socket.remoteAddress?.replace(/^::ffff:(?=\d+\.)/i, '');
      if (peer !== undefined && NEAR.check(peer, isIPv6(peer) ? 'ipv6' : 'ipv4')) unnamed = peer;
    });
  },
  { name: 'passed-on', fastify: '5.x' },
);
