import type { Granularity } from '@grove/markdown';
import type { JournalPattern } from './settings.ts';
import { readJsonFile } from './settings-file.ts';

/** Formats that Obsidian's daily notes and the Periodic Notes plugin use when none is set. */
const DEFAULT_FORMATS: Readonly<Record<Granularity, string>> = {
  daily: 'YYYY-MM-DD',
  weekly: 'gggg-[W]ww',
  monthly: 'YYYY-MM',
  quarterly: 'YYYY-[Q]Q',
  yearly: 'YYYY',
};

/** Journal patterns of a vault that sets none: at the top, under Obsidian's default names. */
export function defaultJournals(): Record<Granularity, JournalPattern> {
  const at = (granularity: Granularity): JournalPattern => ({
    folder: '',
    format: DEFAULT_FORMATS[granularity],
    style: 'moment',
    template: null,
  });
  return {
    daily: at('daily'),
    weekly: at('weekly'),
    monthly: at('monthly'),
    quarterly: at('quarterly'),
    yearly: at('yearly'),
  };
}

/** Journal patterns from Obsidian's own settings; an enabled Periodic Notes entry wins over the core plugin. */
export async function readObsidianJournals(root: string): Promise<Record<Granularity, JournalPattern>> {
  const journals = defaultJournals();
  const daily = await readJsonFile(root, '.obsidian/daily-notes.json');
  if (daily !== null) journals.daily = patternOf(daily, 'daily');
  const periodic = await readJsonFile(root, '.obsidian/plugins/periodic-notes/data.json');
  for (const granularity of Object.keys(journals) as Granularity[]) {
    const entry = periodic?.[granularity];
    if (typeof entry !== 'object' || entry === null) continue;
    const settings = entry as Record<string, unknown>;
    if (settings.enabled !== false) journals[granularity] = patternOf(settings, granularity);
  }
  return journals;
}

function patternOf(settings: Record<string, unknown>, granularity: Granularity): JournalPattern {
  return {
    folder: typeof settings.folder === 'string' ? settings.folder.replaceAll(/^\/+|\/+$/g, '') : '',
    format:
      typeof settings.format === 'string' && settings.format.trim() !== ''
        ? settings.format.trim()
        : DEFAULT_FORMATS[granularity],
    style: 'moment',
    // The core plugin and older Periodic Notes say `template`, newer ones `templatePath`.
    template: templateOf(settings.template) ?? templateOf(settings.templatePath),
  };
}

function templateOf(value: unknown): string | null {
  const path = typeof value === 'string' ? value.trim().replace(/^\/+/, '') : '';
  return path === '' ? null : path;
}

/** The folder that Obsidian's templates lie in, or null when none is set. */
export async function readTemplateFolder(root: string): Promise<string | null> {
  const folder = (await readJsonFile(root, '.obsidian/templates.json'))?.folder;
  const trimmed = typeof folder === 'string' ? folder.trim().replaceAll(/^\/+|\/+$/g, '') : '';
  return trimmed === '' ? null : trimmed;
}
