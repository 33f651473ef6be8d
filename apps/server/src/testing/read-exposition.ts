/** One value of a family. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

export interface Family {
  readonly type: string;
  readonly help: string;
  readonly samples: Sample[];
}

const SAMPLE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\\n]|\\[\\"n])*)",?/y;
const NUMBER = /^(?:[+-]?Inf|NaN|[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?)$/i;

/**
 * Reads the text format of Prometheus as strictly as it is written down, families by name. Throws for a line that is none
 * of it, a value without a family, a family or a series that comes twice, and a histogram that does not add up.
 *
 * https://prometheus.io/docs/instrumenting/exposition_formats/#text-based-format
 */
export function readExposition(text: string): ReadonlyMap<string, Family> {
  const families = new Map<string, Family>();
  const helps = new Map<string, string>();
  const seen = new Set<string>();
  if (!text.endsWith('\n')) throw new Error('the last line does not end');
  for (const line of text.slice(0, -1).split('\n')) {
    if (line === '') continue;
    const [, word, named = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === 'HELP') helps.set(named, rest);
    else if (word === 'TYPE') {
      if (families.has(named)) throw new Error(`${named} comes twice`);
      families.set(named, { type: rest, help: helps.get(named) ?? '', samples: [] });
    } else {
      const sample = readSample(line);
      const series = `${sample.name} ${JSON.stringify(Object.entries(sample.labels).sort())}`;
      if (seen.has(series)) throw new Error(`${series} comes twice`);
      seen.add(series);
      familyOf(families, sample.name).samples.push(sample);
    }
  }
  for (const [name, family] of families) if (family.type === 'histogram') checkHistogram(name, family);
  return families;
}

function readSample(line: string): Sample {
  const [, name, inside = '', value = ''] = SAMPLE.exec(line) ?? [];
  if (name === undefined || !NUMBER.test(value)) throw new Error(`no sample: ${line}`);
  const labels: Record<string, string> = {};
  LABEL.lastIndex = 0;
  let end = 0;
  for (let match = LABEL.exec(inside); match !== null; match = LABEL.exec(inside)) {
    labels[match[1] as string] = match[2] as string;
    end = LABEL.lastIndex;
  }
  if (end !== inside.length) throw new Error(`no labels: ${line}`);
  return {
    name,
    labels,
    value: value.endsWith('Inf') ? Number(value.replace('Inf', 'Infinity')) : Number(value),
  };
}

function familyOf(families: ReadonlyMap<string, Family>, sample: string): Family {
  const family = families.get(sample) ?? families.get(sample.replace(/_(?:bucket|sum|count)$/, ''));
  if (family === undefined) throw new Error(`${sample} has no type`);
  return family;
}

/** The last bucket of a series holds all of it. */
function checkHistogram(name: string, { samples }: Family): void {
  const without = ({ le: _, ...labels }: Readonly<Record<string, string>>) => JSON.stringify(labels);
  const counts = new Map(
    samples
      .filter((one) => one.name === `${name}_count`)
      .map(({ labels, value }) => [without(labels), value]),
  );
  for (const { labels, value } of samples)
    if (labels.le === '+Inf' && counts.get(without(labels)) !== value)
      throw new Error(`${name} does not add up: ${without(labels)}`);
}
