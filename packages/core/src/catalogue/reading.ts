import type { CatalogueEntry } from './entry.ts';

/** Errors of reading: input, notes, the vault, search. */
export const READING = {
  // Input
  bad_input: {
    status: 422,
    message: 'The input is not valid: {reason}.',
    hint: 'Correct the named field and send the call again.',
  },
  unknown_parameter: {
    status: 422,
    message: 'There is no parameter "{name}".{suggestion}',
    hint: 'Use one of: {allowed}.',
  },
  bad_path: {
    status: 422,
    message: 'The path "{path}" cannot name a note: {reason}.',
    hint: 'Use a path inside the vault with "/" between folders, such as "Projects/Grove.md".',
  },
  bad_cursor: {
    status: 422,
    message: 'The cursor does not belong to this call.',
    hint: 'Send the call again without a cursor.',
  },
  bad_regex: {
    status: 422,
    message: 'The regular expression is not valid: {reason}.',
    hint: 'Use the syntax of the Rust regex crate: no look-around, no back-references.',
  },
  bad_filter: {
    status: 422,
    message: 'The filter "{name}" is not valid: {reason}.',
    hint: 'See the parameter description for accepted values.',
  },
  bad_rule: {
    status: 422,
    message: 'The rule "{rule}" is not valid: {reason}.',
    hint: 'Use a folder of the vault such as "Projects", or a glob such as "Projects/**/*.md".',
  },

  // Notes
  note_not_found: {
    status: 404,
    message: 'No note answers to "{path}".',
    hint: 'Search for it with query, or list notes with list_notes.',
  },
  note_ambiguous: {
    status: 409,
    message: '"{path}" fits several notes.',
    hint: 'Send the path of one of the candidates.',
  },
  note_unclear: {
    status: 404,
    message: 'No note is called "{path}", and its words stand in several.',
    hint: 'Send the path of one of the candidates, or search with query.',
  },
  section_not_found: {
    status: 404,
    message: 'The note "{path}" has no section "{section}".',
    hint: 'Use one of the nearest headings, or get the note with format map to see them all.',
  },
  section_ambiguous: {
    status: 409,
    message: 'The note "{path}" has several sections "{section}".',
    hint: 'Send the address of one of the candidates, such as "Tasks@2".',
  },
  note_too_large: {
    status: 413,
    message: 'The note "{path}" has {size} bytes; at most {limit} are served.',
    hint: 'Read a section of it, or split the note.',
  },
  note_not_text: {
    status: 422,
    message: 'The note "{path}" is not UTF-8 text.',
    hint: 'Save the file as UTF-8.',
  },

  // Vault
  vault_missing: {
    status: 503,
    message: 'The vault folder is not there.',
    hint: 'Check that the folder exists and that its disk is mounted.',
  },
  vault_degraded: {
    status: 503,
    message: 'The vault folder vanished or was replaced while it was open.',
    hint: 'Mount it again; Grove goes on by itself.',
  },
  vault_not_a_folder: {
    status: 422,
    message: 'The vault is not a folder that can be read: {reason}.',
    hint: 'Name a folder of Markdown notes.',
  },
  vault_owned: {
    status: 409,
    message: 'Another Grove process (pid {pid} on {host}) owns this vault.',
    hint: 'Stop that process, or connect through it.',
  },
  vault_unknown: {
    status: 404,
    message: 'There is no vault "{vault}".',
    hint: 'Use one of: {known}.',
  },
  vault_none: {
    status: 404,
    message: 'No vault is known yet.',
    hint: 'Name a folder of notes with --vault DIR, or run "grove start" to try a small sample vault.',
  },
  vault_required: {
    status: 422,
    message: 'More than one vault is known.',
    hint: 'Name one with --vault: {known}.',
  },
  files_exhausted: {
    status: 503,
    message: 'No more files can be opened: too many are open already.',
    hint: 'Try again in a moment. When it stays so, the owner of the server allows it more (ulimit -n, LimitNOFILE=).',
  },
  repository_unreadable: {
    status: 503,
    message: 'The git repository of the vault cannot be read: {reason}.',
    hint: 'Put right what is named; "git status" and "git fsck" in the vault folder say more.',
  },
  git_init_refused: {
    status: 409,
    message: 'The vault folder gets no repository of its own: {reason}.',
    hint: 'Leave --git-init out: Grove keeps the history where it is now.',
  },
  history_not_shared: {
    status: 403,
    message: 'A trail shows notes as they are now, and nothing of how they were.',
    hint: 'Read the note without a revision; to see what it was, ask the owner of the vault.',
  },
  history_unavailable: {
    status: 503,
    message: 'The history of the vault cannot be read: {reason}.',
    hint: 'Notes can be read as they are now; the owner of the vault sees what is wrong with vault_status.',
  },

  // Search
  index_unavailable: {
    status: 503,
    message: 'The search index is being rebuilt.',
    hint: 'Try again in a few seconds; vault_status shows the progress.',
  },
} as const satisfies Record<string, CatalogueEntry>;
