import type { LogseqNames } from './settings.ts';

/** What a Logseq graph uses when its `config.edn` says nothing. */
export const LOGSEQ_DEFAULTS: LogseqNames = {
  journalsFolder: 'journals',
  pagesFolder: 'pages',
  fileNameFormat: 'yyyy_MM_dd',
  pageTitleFormat: 'MMM do, yyyy',
  // Newer graphs name the other format in their configuration.
  fileNames: 'legacy',
};

/** Reads the keys of `logseq/config.edn` that name journals; everything else is left alone. */
export function readLogseqConfig(text: string): LogseqNames {
  const config = withoutComments(text);
  return {
    journalsFolder: stringAt(config, 'journals-directory') ?? LOGSEQ_DEFAULTS.journalsFolder,
    pagesFolder: stringAt(config, 'pages-directory') ?? LOGSEQ_DEFAULTS.pagesFolder,
    fileNameFormat: stringAt(config, 'journal/file-name-format') ?? LOGSEQ_DEFAULTS.fileNameFormat,
    pageTitleFormat: stringAt(config, 'journal/page-title-format') ?? LOGSEQ_DEFAULTS.pageTitleFormat,
    fileNames: /:file\/name-format\s+:triple-lowbar\b/.test(config)
      ? 'triple-lowbar'
      : LOGSEQ_DEFAULTS.fileNames,
  };
}

/** How many paths `:hidden` keeps out of Logseq's own graph. */
export function countHidden(text: string): number {
  const list = /:hidden\s+\[([^\]]*)\]/.exec(withoutComments(text))?.[1] ?? '';
  return list.match(/"(?:[^"\\]|\\.)*"/g)?.length ?? 0;
}

/** EDN comments run from `;` to the end of the line, except within strings. */
function withoutComments(text: string): string {
  return text.replaceAll(/"(?:[^"\\]|\\.)*"|;[^\n]*/g, (part) => (part.startsWith(';') ? '' : part));
}

function stringAt(config: string, key: string): string | null {
  const match = new RegExp(`:${key}\\s+"((?:[^"\\\\]|\\\\.)*)"`).exec(config);
  const value = match?.[1]?.replaceAll(/\\(.)/g, '$1').trim() ?? '';
  return value === '' ? null : value;
}
