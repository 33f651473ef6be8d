import { describe, expect, it } from 'vitest';
import { findBreaches } from './check-boundaries.ts';

const breachesOf = (path: string, text: string) => findBreaches([{ path, text }]);

describe('the boundary check', () => {
  it('accepts imports that go down the house', () => {
    expect(breachesOf('packages/vault/src/a.ts', "import { contentHash } from '@grove/core';\n")).toEqual([]);
  });

  it('refuses imports that go up or sideways', () => {
    expect(breachesOf('packages/core/src/a.ts', "import type { View } from '@grove/vault';\n")).toEqual([
      'packages/core/src/a.ts: core may not import vault',
    ]);
    expect(breachesOf('packages/search/src/a.ts', "export * from '@grove/history';\n")).toEqual([
      'packages/search/src/a.ts: search may not import history',
    ]);
    expect(breachesOf('packages/vault/src/a.ts', "const x = await import('@grove/native');\n")).toEqual([
      'packages/vault/src/a.ts: vault may not import native',
    ]);
  });

  it('refuses a relative path into another package', () => {
    expect(
      breachesOf('packages/vault/src/a.ts', "import { x } from '../../core/src/errors.ts';\n"),
    ).toHaveLength(1);
  });

  it('finds a cycle and names its files', () => {
    const breaches = findBreaches([
      { path: 'packages/core/src/a.ts', text: "import { b } from './b.ts';\n" },
      { path: 'packages/core/src/b.ts', text: "import {\n  a,\n} from './a.ts';\n" },
    ]);
    expect(breaches).toEqual([
      'import cycle: packages/core/src/a.ts -> packages/core/src/b.ts -> packages/core/src/a.ts',
    ]);
  });

  it('refuses long files and folders whose names say nothing', () => {
    expect(breachesOf('packages/core/src/long.ts', 'x;\n'.repeat(401))).toEqual([
      'packages/core/src/long.ts: 401 lines, at most 400',
    ]);
    expect(breachesOf('packages/core/src/long.ts', 'x;\n'.repeat(400))).toEqual([]);
    expect(breachesOf('packages/core/src/utils/a.ts', '')).toHaveLength(1);
  });

  it('keeps the environment, the exit and the transports in apps', () => {
    expect(breachesOf('packages/core/src/a.ts', 'const home = process.env.HOME;\n')).toHaveLength(1);
    expect(breachesOf('packages/core/src/a.ts', 'process.exit(1);\n')).toHaveLength(1);
    expect(breachesOf('packages/core/src/a.ts', "import { fastify } from 'fastify';\n")).toHaveLength(1);
    expect(breachesOf('apps/server/src/a.ts', "import { fastify } from 'fastify';\n")).toEqual([]);
  });
});
