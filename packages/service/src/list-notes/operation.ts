import { defineOperation } from '../operation/define.ts';
import { listNotesOutput, listNotesParameters } from './contract.ts';
import { presentListNotes } from './present.ts';
import { runListNotes } from './run.ts';

/** Notes, folders, tags, types or tasks, with totals. */
export const listNotes = defineOperation({
  name: 'list_notes',
  title: 'List notes',
  description:
    'List notes by folder, glob, filters, newest first; or tasks, folders, tags, types. Totals always.',
  parameters: listNotesParameters,
  output: listNotesOutput,
  run: runListNotes,
  present: presentListNotes,
});
