import type { Command } from 'commander';
import { parseServer, type ServerSettings, type ServerWords } from '../addresses.ts';
import type { Run } from '../run.ts';

const FLAGS: Readonly<Record<keyof ServerWords, string>> = {
  host: '--host',
  port: '--port',
  publicUrl: '--public-url',
  allowedHosts: '--allowed-hosts',
  allowedOrigins: '--allowed-origins',
};

/** The flags that say where the server listens. */
export function addServerFlags(command: Command): Command {
  return command
    .option('--host <address>', 'where to listen (GROVE_HOST, 127.0.0.1)')
    .option('--port <n>', 'which port, 0 for any free one (GROVE_PORT, 8420)')
    .option('--public-url <url>', 'where others reach this server, behind a proxy perhaps (GROVE_PUBLIC_URL)')
    .option(
      '--allowed-hosts <names>',
      'further host names to answer to, such as nas.local (GROVE_ALLOWED_HOSTS)',
    )
    .option(
      '--allowed-origins <origins>',
      'web pages that may call, such as https://app.example (GROVE_ALLOWED_ORIGINS)',
    );
}

/** Where the server listens: a flag wins over its variable. Throws `bad_input` with the flag's name. */
export function serverOf(run: Run, flags: ServerWords): ServerSettings {
  return parseServer(flags, run.settings.server, (word) => FLAGS[word]);
}
