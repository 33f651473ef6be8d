import { type Frontmatter, formatPeriodic, logseqPageName, readPeriodic } from '@grove/markdown';
import type { LogseqNames } from '../settings/settings.ts';

/**
 * The name by which Logseq calls a page: its `title` property, a journal's date as the graph writes it, or
 * what the file name stands for (`a___b`, `a%2Fb`).
 */
export function pageName(
  fileName: string,
  path: string,
  properties: Frontmatter['data'],
  names: LogseqNames,
): string {
  const { title } = properties;
  if (typeof title === 'string' && title.trim() !== '') return title.trim();
  if (path.startsWith(`${names.journalsFolder}/`)) {
    const date = readPeriodic(fileName, names.fileNameFormat, 'java');
    if (date !== null) return formatPeriodic(date, names.pageTitleFormat, 'java');
  }
  return logseqPageName(fileName, names.fileNames);
}
