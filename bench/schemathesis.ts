import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { repository, scratchFolder } from './corpora.ts';
import { machineLine } from './figures.ts';
import { startHttpServer } from './http-server.ts';

/** What is judged beside the five conformances that `openapi.yaml` promises. */
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'missing_required_header',
  'unsupported_method',
  'allow_header_conformance',
  'use_after_free',
  'ensure_resource_availability',
  'ignored_auth',
];

/** Operations that end a key, perhaps the one in hand. */
const ENDING = ['revokeKey', 'rotateKey'];

const NOTES: Readonly<Record<string, string>> = {
  'Home.md':
    '---\ntags: [garden]\ntype: index\n---\n# Home\n\nSee [[Tomatoes]] and [[Beds/Bed 1|bed one]].\n',
  'Tomatoes.md': '# Tomatoes\n\nSow in March. #vegetable ^sowing\n\n## Care\n\nWater them often.\n',
  'Beds/Bed 1.md':
    '---\naliases: [first bed]\nstatus: growing\n---\n# Bed 1\n\nCompost and [[Tomatoes#Care]].\n',
  'Broken.md': '---\ntags: [\n---\nText.\n',
  'Journal/2026-11-30.md': '# Today\n\n- [ ] dig\n',
};

/** Installs schemathesis as requirements.txt has it into bench/.venv, and gives its program. */
function installed(): string {
  const here = join(repository, 'bench');
  const venv = join(here, '.venv');
  const [wanted, stamp] = [join(here, 'requirements.txt'), join(venv, 'installed')];
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== readFileSync(wanted, 'utf8')) {
    rmSync(venv, { recursive: true, force: true });
    execFileSync('python3', ['-m', 'venv', venv], { stdio: 'inherit' });
    const pip = [
      '-m',
      'pip',
      'install',
      '--quiet',
      '--disable-pip-version-check',
      '--no-input',
      '-r',
      wanted,
    ];
    execFileSync(join(venv, 'bin', 'python'), pip, { stdio: 'inherit' });
    copyFileSync(wanted, stamp);
  }
  return join(venv, 'bin', 'schemathesis');
}

function including(ids: readonly string[]): string[] {
  return ids.flatMap((id) => ['--include-operation-id', id]);
}

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '240' },
    examples: { type: 'string', default: '60' },
    checks: { type: 'string', default: CHECKS.join(',') },
    seed: { type: 'string', default: '20261130' },
    only: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  console.log(
    'node bench/schemathesis.ts [--seconds 240] [--examples 60] [--seed N] [--checks …] [--only OPERATION]   sends what openapi.yaml allows, and what it does not, to a real `grove start`',
  );
} else {
  const program = installed();
  const scratch = scratchFolder('schemathesis');
  const vault = join(scratch, 'Garden');
  for (const [path, text] of Object.entries(NOTES)) {
    mkdirSync(dirname(join(vault, path)), { recursive: true });
    writeFileSync(join(vault, path), text);
  }
  const server = await startHttpServer(vault, join(scratch, 'data'));
  let status = 0;
  const run = async (name: string, seconds: number, filters: readonly string[]) => {
    const scopes = ['--scopes', 'read,append,write,admin'];
    const made = JSON.parse(await server.grove('keys', 'create', name, ...scopes)) as {
      readonly token: string;
    };
    const { status: ended } = spawnSync(
      program,
      [
        ...['--config-file', join(repository, 'bench', 'schemathesis.toml')],
        ...['run', join(repository, 'openapi.yaml'), '--url', server.url],
        ...['--header', `Authorization: Bearer ${made.token}`],
        ...['--checks', values.checks, '--max-examples', values.examples, '--seed', values.seed],
        ...['--max-time', String(seconds), '--request-timeout', '10', '--continue-on-failure'],
        ...[
          '--generation-database',
          'none',
          '--baseline',
          join(repository, 'bench', 'schemathesis-known.json'),
          ...filters,
        ],
      ],
      { stdio: 'inherit', cwd: scratch, timeout: (seconds + 60) * 1000 },
    );
    if (ended !== 0) status = ended ?? 1;
  };
  try {
    const seconds = Number(values.seconds);
    if (values.only !== undefined) await run('only', seconds, including([values.only]));
    else {
      // Streams stay open until somebody ends them; what revokes or rotates would end the key in hand.
      await run(
        'all',
        seconds * 0.8,
        ['streamMcp', ...ENDING].flatMap((id) => ['--exclude-operation-id', id]),
      );
      await run('keys', seconds * 0.2, including([...ENDING, 'listKeys', 'createKey', 'getKey']));
    }
    console.log(machineLine());
  } finally {
    await server.close();
    rmSync(scratch, { recursive: true });
  }
  process.exitCode = status;
}
