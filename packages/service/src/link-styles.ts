import type { Dialect } from '@grove/markdown';

/** How links are written, by dialect: examples for a model. */
export const LINK_STYLES: Readonly<Record<Dialect, string>> = {
  obsidian: '[[Note]], [[Note#Heading]], [[Note#^block]]',
  logseq: '[[Page]] and ((block id))',
  foam: '[[note]]',
  plain: '[text](Note.md)',
};
