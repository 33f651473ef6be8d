import type { NoteOperation } from '../contract.ts';

const NOTHING: NoteOperation = {
  action: 'write',
  path: '',
  section: null,
  content: null,
  frontmatter: null,
  edits: [],
  set: null,
  unset: [],
  add: [],
  remove: [],
  location: 'frontmatter',
  ifHash: null,
  ifHashFromOp: null,
  createOnly: false,
  overwrite: false,
  createSection: false,
  subsections: null,
  timestamp: false,
  repeat: false,
  to: null,
  from: null,
  reason: null,
};

/** An operation that names only what a test is about. */
export function operation(fields: Partial<NoteOperation>): NoteOperation {
  return { ...NOTHING, ...fields };
}
