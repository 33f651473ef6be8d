// Parsed and resolved notes of one folder; exports are promises.
export type * from './note-row.ts';
export type * from './times.ts';
export { noGitTimes } from './times.ts';
export type * from './vault.ts';
export type * from './view.ts';
