import type { CatalogueEntry } from './entry.ts';

/** Errors of writing: what was asked, who asked, the disk, git. */
export const WRITING = {
  // Git
  git_busy: {
    status: 503,
    message: 'Another program is changing the git repository of the vault: {reason}.',
    hint: 'Send the call again in a moment. If no git command is running, remove the file that is named.',
  },
  git_filter_unsupported: {
    status: 422,
    message: 'The note "{path}" is converted by git ({reason}), and Grove does not run that conversion.',
    hint: 'Edit it with another program, or take the attribute from .gitattributes.',
  },
  git_ignored: {
    status: 422,
    message: 'The path "{path}" is ignored by git, and a write there would have no history.',
    hint: 'Use another path, or take the pattern out of .gitignore ("git check-ignore -v" names it).',
  },
  git_in_operation: {
    status: 409,
    message: 'The git repository of the vault is in the middle of something: {reason}.',
    hint: 'Finish it in the vault folder ("git status" says how), then send the call again.',
  },
  git_in_submodule: {
    status: 422,
    message: 'The path "{path}" lies in another git repository, "{folder}".',
    hint: 'Use a path outside of it, or add that folder as a vault of its own.',
  },
  repository_full: {
    status: 507,
    message: 'There is no room left on the disk of the git repository.',
    hint: 'Free some room there and send the call again.',
  },
  repository_unwritable: {
    status: 503,
    message: 'The git repository of the vault cannot be written: {reason}.',
    hint: 'The vault stays readable; "grove doctor" says what to change.',
  },

  // Writes
  would_shrink: {
    status: 422,
    message: 'The write would leave {after} of the {before} {unit} of the note "{path}".',
    hint: 'Change only what differs with the action edit, replace or append; overwrite: true writes it as it is.',
  },
  elided_content: {
    status: 422,
    message: 'Line {line} of the content stands for text that was left out: "{text}".',
    hint: 'Change only what differs with the action edit; overwrite: true writes the line as it is.',
  },
  would_drop_subsections: {
    status: 422,
    message: 'The section "{section}" of the note "{path}" has subsections that the content lacks.',
    hint: 'Send them too, or subsections: false to keep them, or subsections: true to drop them.',
  },
  section_overrun: {
    status: 422,
    message: 'The content would not stay inside the section "{section}" of the note "{path}": {reason}.',
    hint: 'Use headings below that of the section, and write each section in a call of its own.',
  },
  unclosed_block: {
    status: 422,
    message: 'A {kind} in line {line} of {where} is not closed and would take in the text after it.',
    hint: 'Close it first; in a note the action edit does that.',
  },
  edit_no_match: {
    status: 422,
    message: 'Edit {edit} matches nothing in the {scope} of the note "{path}".',
    hint: 'Copy the text to find from the note as it is now; where lines come near, they are named.',
  },
  edit_ambiguous: {
    status: 409,
    message: 'Edit {edit} matches {count} places in the {scope} of the note "{path}".',
    hint: 'Add text around it until one place fits, or send all: true.',
  },
  frontmatter_broken: {
    status: 422,
    message: 'The frontmatter of the note "{path}" cannot be read: {reason} (line {line}).',
    hint: 'Mend that line first, with the action edit and scope: note.',
  },
  would_break_frontmatter: {
    status: 422,
    message: 'The frontmatter of the note "{path}" could not be read after this: {reason}.',
    hint: 'Send frontmatter that is a YAML mapping between two lines "---", or as the parameter frontmatter.',
  },
  second_frontmatter: {
    status: 422,
    message: 'Lines of the text would become frontmatter, which a note has once and at its start.',
    hint: 'Send the text alone, and change properties with the action frontmatter.',
  },
  frontmatter_entangled: {
    status: 422,
    message: 'The property "{key}" of the note "{path}" cannot be changed alone: {reason}.',
    hint: 'Change the YAML itself, with the action edit and scope: frontmatter.',
  },

  // What a write meets on disk
  disk_full: {
    status: 507,
    message: 'There is no room left on the disk of the vault.',
    hint: 'Free some room there and send the call again.',
  },
  disk_unwritable: {
    status: 503,
    message: 'The folder of the vault cannot be written: {reason}.',
    hint: 'Give this user the right to write there; reading goes on.',
  },
  folder_is_file: {
    status: 409,
    message: 'The path "{path}" goes through "{folder}", which is a file.',
    hint: 'Choose another folder, or rename that file.',
  },
  idempotency_key_reused: {
    status: 422,
    message: 'The idempotency key "{key}" was used for another request.',
    hint: 'Send a new key with each new request, and the same one only to retry it.',
  },
  ledger_unavailable: {
    status: 503,
    message: 'The ledger of the vault (ledger.db) cannot be used: {reason}.',
    hint: 'Mend that in the data folder and start Grove again; reading goes on.',
  },
  path_refused: {
    status: 422,
    message: 'The path "{path}" cannot be written: {reason}.',
    hint: 'Grove writes plain files with one name only. Choose another path.',
  },
  path_taken: {
    status: 409,
    message: 'The path "{path}" would differ from "{twin}" in spelling only.',
    hint: 'Use that path, or another name.',
  },
  write_conflict: {
    status: 409,
    message:
      'The note "{path}" was changed by somebody else at the same time; nothing of this write was done.',
    hint: 'Read it again with get, and send the change once more.',
  },
  write_queue_full: {
    status: 503,
    message: 'More than {limit} writes wait already.',
    hint: 'Send the call again in a few seconds.',
  },

  // What a caller may write, and when
  writes_off: {
    status: 403,
    message: 'Writing to this vault is switched off.',
    hint: 'Its owner switches it on with: grove vault writes on.',
  },
  writes_unavailable: {
    status: 503,
    message: 'This vault cannot be written: {reason}',
    hint: 'Tell its owner; "grove doctor" says what to mend. Reading goes on.',
  },
  read_only: {
    status: 403,
    message: 'This vault may only be read.',
    hint: 'Its owner decides that, with GROVE_READ_ONLY or the rules of the key.',
  },
  denied_path: {
    status: 403,
    message: 'The path "{path}" is denied.',
    hint: 'Choose another folder; GROVE_DENY_PATHS and the deny paths of the key name what is out of reach.',
  },
  outside_read_paths: {
    status: 403,
    message: 'The path "{path}" lies outside the folders that may be read.',
    hint: 'Choose a path inside GROVE_READ_PATHS and the read paths of the key.',
  },
  outside_write_paths: {
    status: 403,
    message: 'The path "{path}" lies outside the folders that may be written.',
    hint: 'Choose a path inside GROVE_WRITE_PATHS and the write paths of the key.',
  },
  not_writable: {
    status: 403,
    message: 'The path "{path}" cannot be written with these rights.',
    hint: 'Choose another path, or ask the owner for the right to write there.',
  },
  hash_required: {
    status: 428,
    message: 'There is a note "{path}", and {action} needs the hash that it has now.',
    hint: 'Read it with get and send its source_hash as if_hash. The actions append and edit need none.',
  },
  stale_hash: {
    status: 412,
    message: 'The note "{path}" is not what the hash stands for: {reason}.',
    hint: 'Read it again with get, and send the change with its new source_hash.',
  },
  vault_file_exists: {
    status: 409,
    message: 'There is a .grove/vault.yaml already.',
    hint: 'It was left alone. "grove init" prints the proposal; with --write --force it takes the place of that file, which is kept as vault.yaml.old.',
  },
  schema_violation: {
    status: 422,
    message: 'The note "{path}" would break rules of its vault: {reason}.',
    hint: 'Put right what is named and send it again, in one call.',
  },
  note_exists: {
    status: 412,
    message: 'There is a note "{path}" already.',
    hint: 'Choose another path, or change that note.',
  },
  delete_denied: {
    status: 403,
    message: 'Notes of this vault are not deleted by clients.',
    hint: 'Its owner decides that, with "deletes" in .grove/vault.yaml. The action move takes a note to another folder.',
  },
  confirmation_needed: {
    status: 403,
    message: 'Deleting needs the yes of the owner of the vault, and nothing of this call was done.',
    hint: 'Ask the owner to run "grove approve" on the machine of the vault; after a yes send the same call again within five minutes.',
  },
  confirmation_declined: {
    status: 403,
    message: 'The owner of the vault said no; nothing of this call was done.',
    hint: 'Leave the notes as they are, and ask again only when you are told to.',
  },
  confirmation_unanswered: {
    status: 403,
    message: 'The question whether to delete was closed without an answer; nothing of this call was done.',
    hint: 'Ask the person in your own words what they want, and send the call again when they want it.',
  },
  confirmation_void: {
    status: 409,
    message: 'The question whether to delete no longer holds: {reason}.',
    hint: 'Read the notes again, and send the call anew if it is still wanted: it is asked again.',
  },
  confirmation_too_large: {
    status: 413,
    message: 'The call would delete {count} notes, and one question is about at most {limit}.',
    hint: 'Delete them in several calls.',
  },
  confirmations_full: {
    status: 503,
    message: 'There are {limit} open questions to the owner of the vault already.',
    hint: 'Wait until they are answered; each ends after five minutes.',
  },
  confirmation_unknown: {
    status: 404,
    message: 'Nothing waits for a yes under "{id}".',
    hint: 'See what waits with "grove approve"; each question ends after five minutes, and when one of its notes changes.',
  },
  not_in_trash: {
    status: 404,
    message: 'The trash holds no note "{path}" (batch: {batch}).',
    hint: 'The answer of the deletion names the batch; the history has the note too, with from: {"revision": "…"}.',
  },
  revision_not_found: {
    status: 404,
    message: 'The history of the vault has no note "{path}" at the revision "{revision}".',
    hint: 'Send the id of a commit that holds it, as the answers of writes and the history name them.',
  },
  payload_too_large: {
    status: 413,
    message: 'The operation brings {size} bytes; at most {limit} are taken.',
    hint: 'Send it in parts, with append or edit.',
  },
  note_would_be_too_large: {
    status: 413,
    message: 'The note "{path}" would have {size} bytes; at most {limit} are written.',
    hint: 'Write the rest into another note and link to it.',
  },
  batch_too_large: {
    status: 413,
    message: 'The batch is too large: {reason}.',
    hint: 'Send it as several batches.',
  },
  batch_refused: {
    status: 422,
    message: 'Nothing was written: {refused} of {count} operations are refused.',
    hint: 'Mend the operations that are named, by their place from 0, and send the batch again.',
  },
  operation_skipped: {
    status: 424,
    message: 'Operation {op} was not tried: {reason}.',
    hint: 'Mend that one, and send both again.',
  },
} as const satisfies Record<string, CatalogueEntry>;
