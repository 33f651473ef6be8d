import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { askWith } from '../testing/ask.ts';
import { readExposition } from '../testing/read-exposition.ts';
import { serveGarden } from '../testing/serve-garden.ts';

const PAGE = readFileSync(new URL('../../../../docs/observing.md', import.meta.url), 'utf8');
const [scraping = '', alarms = ''] = [...PAGE.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
  ([, text = '']) => text,
);
const NAMES = /\bgrove_[a-z_]+/g;
/** Only with a model, and with a remote. */
const CONDITIONAL = /^grove_(?:embed|sync)/;
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe('docs/observing.md', () => {
  it('tells of every metric that there is, and of none that is not', async () => {
    const garden = await serveGarden();
    const { payload } = await askWith(garden.app, garden.key({ scopes: ['admin'] }))('/metrics');
    await garden.close();
    const there = [...readExposition(payload).keys()].filter((name) => name.startsWith('grove_'));
    const table = PAGE.split('\n').filter((line) => line.startsWith('| `grove_'));
    const told = table.flatMap((line) => line.split(' | ')[0]?.match(NAMES) ?? []);
    expect(told.filter((name) => !CONDITIONAL.test(name)).sort()).toEqual(there.sort());
    const gauges = readFileSync(new URL('../http/vault-gauges.ts', import.meta.url), 'utf8').match(NAMES);
    for (const name of told.filter((one) => CONDITIONAL.test(one))) expect(gauges).toContain(name);
    const used = (alarms.match(NAMES) ?? []).map((name) => name.replace(/_count$/, ''));
    expect(used.length).toBeGreaterThan(5);
    for (const name of used) expect(told).toContain(name);
  });

  it('shows files of Prometheus', () => {
    const [job] = parse(scraping).scrape_configs;
    expect(job).toMatchObject({ metrics_path: '/metrics', authorization: { type: 'Bearer' } });
    const [{ rules }] = parse(alarms).groups;
    for (const rule of rules)
      expect(rule).toMatchObject({
        alert: expect.any(String),
        expr: expect.any(String),
        annotations: { summary: expect.any(String) },
      });
  });

  it.skipIf(!hasPromtool)('shows what promtool takes', () => {
    const folder = makeFolder('prometheus');
    writeFileSync(join(folder.path, 'grove.key'), 'x');
    const config = join(folder.path, 'prometheus.yml');
    writeFileSync(config, scraping.replace('/etc/prometheus/grove.key', 'grove.key'));
    const rules = join(folder.path, 'rules.yml');
    writeFileSync(rules, alarms);
    execFileSync('promtool', ['check', 'config', config]);
    expect(execFileSync('promtool', ['check', 'rules', rules], { encoding: 'utf8' })).toContain(
      '6 rules found',
    );
    folder.remove();
  });
});
