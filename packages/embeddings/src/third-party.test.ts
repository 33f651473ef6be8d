import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';

const file = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');

describe('THIRD-PARTY.md', () => {
  it('names every package that is installed for embedding, in its version', () => {
    const page = file('../THIRD-PARTY.md');
    const { dependencies } = JSON.parse(file('../package.json')) as { dependencies: Record<string, string> };
    const outside = Object.entries(dependencies).filter(([name]) => !name.startsWith('@grove/'));
    for (const [name, version] of outside)
      expect(page).toMatch(new RegExp(`\\[${name}\\].*\\| ${version} \\|`));
  });

  it('holds for the runtime: no package of its download is installed', () => {
    const require = createRequire(createRequire(import.meta.url).resolve('onnxruntime-node'));
    for (const name of ['adm-zip', 'global-agent']) expect(() => require.resolve(name)).toThrow();
    expect(require.resolve('onnxruntime-common')).toContain('onnxruntime-common');
  });
});
