/** What stands behind one error code. `{name}` places are filled from the error's data. */
export interface CatalogueEntry {
  readonly status: number;
  readonly message: string;
  readonly hint: string;
}

/**
 * Every error that Grove answers with: a stable code, an HTTP status, a message and the next step.
 * `docs/errors.md` is generated from this table; codes are never renamed or reused.
 */
export const CATALOGUE = {
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
    message: 'The path rule "{rule}" is not valid: {reason}.',
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
  repository_unreadable: {
    status: 503,
    message: 'The git repository of the vault cannot be read: {reason}.',
    hint: 'Run git fsck in the vault folder.',
  },

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
    hint: 'Copy the text to find from the note; the nearest lines are named with their numbers.',
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
    message: 'The content opens with a frontmatter block, which a note has only at its start.',
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
    message: 'There is a note "{path}" already, and {action} needs the hash of what it replaces.',
    hint: 'Read it with get and send its source_hash as if_hash. To add to it, use append or edit: they need none.',
  },
  stale_hash: {
    status: 412,
    message: 'The note "{path}" is not what the hash stands for: {reason}.',
    hint: 'Read it again with get, and send the change with its new source_hash.',
  },
  note_exists: {
    status: 412,
    message: 'There is a note "{path}" already.',
    hint: 'Choose another path, or change that note.',
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

  // Search
  index_unavailable: {
    status: 503,
    message: 'The search index is being rebuilt.',
    hint: 'Try again in a few seconds; vault_status shows the progress.',
  },

  // Keys and the state they are kept in
  key_missing: {
    status: 401,
    message: 'This needs a key.',
    hint: 'Send the header "Authorization: Bearer KEY". "grove keys create NAME" makes a key.',
  },
  key_invalid: {
    status: 401,
    message: 'The key is not known, was revoked or has expired.',
    hint: 'Make another with "grove keys create NAME", or ask the owner of the server for one.',
  },
  scope_missing: {
    status: 403,
    message: 'The key lacks the scope "{scope}".',
    hint: 'Use a key that has it: grove keys create NAME --scopes {scope}.',
  },
  key_unknown: {
    status: 404,
    message: 'There is no key "{key}".',
    hint: 'See the keys with "grove keys list" or GET /v1/keys.',
  },
  key_exists: {
    status: 409,
    message: 'A key named "{key}" is in use already.',
    hint: 'Choose another name, or rotate or revoke that key.',
  },
  key_ended: {
    status: 409,
    message: 'The key "{key}" is revoked and stays so.',
    hint: 'Make another with "grove keys create NAME".',
  },
  key_expired: {
    status: 409,
    message: 'The key "{key}" has expired; another token would not make it last longer.',
    hint: 'Make another with "grove keys create NAME".',
  },
  key_limited: {
    status: 403,
    message: 'The key is limited to some paths, and keys may not be seen or made with it.',
    hint: 'Use a key with the scope admin and without read, write and deny paths.',
  },
  key_none: {
    status: 500,
    message: 'No key of the vault "{vault}" is live, and the server would listen beyond this machine.',
    hint: 'Make one first: grove keys create NAME. Or listen on 127.0.0.1.',
  },
  vault_unserved: {
    status: 503,
    message: 'The key belongs to the vault "{vault}", which this server does not serve.',
    hint: 'Start the server with that vault: grove start --vault {vault}.',
  },
  keys_unavailable: {
    status: 503,
    message: 'Keys cannot be checked now.',
    hint: 'Try again in a moment; when it stays so, "grove doctor" and the log of the server say why.',
  },
  control_locked: {
    status: 503,
    message: 'The file of keys (control.db) is locked by another process.',
    hint: 'Wait a moment and try again; when it stays so, find and stop the process that holds it.',
  },
  control_damaged: {
    status: 500,
    message: 'The file of keys (control.db) cannot be read: {reason}.',
    hint: 'Put it back from a backup. Moving it away makes an empty one, and every key has to be made again.',
  },
  control_newer: {
    status: 500,
    message: 'The file of keys (control.db) was written by a newer Grove.',
    hint: 'Update this Grove, or put back the control.db of its time from a backup.',
  },
  data_unwritable: {
    status: 500,
    message: 'The data folder cannot be written: {reason}.',
    hint: 'Give this user the right to write there, or name another folder with --data DIR or GROVE_DATA.',
  },

  // HTTP
  bad_url: {
    status: 400,
    message: 'The address cannot be read: {reason}.',
    hint: 'Percent-encode each segment once, as encodeURIComponent does; slashes stay as they are.',
  },
  bad_body: {
    status: 400,
    message: 'The body cannot be read: {reason}.',
    hint: 'Send one JSON object with the header "Content-Type: application/json".',
  },
  bad_request: {
    status: 400,
    message: 'The request is not valid HTTP: {reason}.',
    hint: 'Send it again with an ordinary HTTP client.',
  },
  host_refused: {
    status: 403,
    message: 'This server does not answer to the host name "{host}".',
    hint: 'If it is yours, allow it: start with --allowed-hosts {host}, or set GROVE_ALLOWED_HOSTS={host}.',
  },
  origin_refused: {
    status: 403,
    message: 'This server does not answer to pages of the origin "{origin}".',
    hint: 'If you trust it, allow it: start with --allowed-origins {origin}, or set GROVE_ALLOWED_ORIGINS={origin}.',
  },
  route_unknown: {
    status: 404,
    message: 'There is nothing at {method} {path}.',
    hint: 'See /docs for what this server offers.',
  },
  method_refused: {
    status: 405,
    message: '{path} does not take {method}.',
    hint: 'Use one of: {allowed}.',
  },
  not_acceptable: {
    status: 406,
    message: 'No form of the answer fits the Accept header.',
    hint: 'Accept one of: {offered}.',
  },
  request_timeout: {
    status: 408,
    message: 'The request did not arrive in time.',
    hint: 'Send it again.',
  },
  body_too_large: {
    status: 413,
    message: 'The body is larger than {limit} bytes.',
    hint: 'Send less at a time.',
  },
  url_too_long: {
    status: 414,
    message: 'A part of the address is longer than any name of a note.',
    hint: 'Shorten it, or send the call as POST.',
  },
  media_type_refused: {
    status: 415,
    message: 'A body of the type "{type}" is not taken here.',
    hint: 'Send one of: {offered}.',
  },
  streams_full: {
    status: 429,
    message: 'The key has {limit} open event streams, and more are not kept.',
    hint: 'Close one of them, or use another key for each client.',
  },
  headers_too_large: {
    status: 431,
    message: 'The address and the headers of the request are too large.',
    hint: 'Send fewer or shorter ones; what is long belongs into a body.',
  },
  server_busy: {
    status: 503,
    message: 'More than {limit} connections are open.',
    hint: 'Send the request again in a few seconds; use one connection for several requests.',
  },
  stopping: {
    status: 503,
    message: 'The server is stopping.',
    hint: 'Send the request again in a few seconds.',
  },
  port_taken: {
    status: 500,
    message: 'Port {port} on {host} is taken by another program.',
    hint: 'Stop that program, or choose another port with --port or GROVE_PORT.',
  },
  listen_failed: {
    status: 500,
    message: 'The server cannot listen on {host}, port {port}: {reason}.',
    hint: 'Name an address of this machine with --host and a free port above 1023 with --port.',
  },

  // Process
  not_implemented: {
    status: 501,
    message: '{feature} is not there yet.',
    hint: '{instead}',
  },
  native_missing: {
    status: 500,
    message: 'The native module for this platform is missing.',
    hint: 'Install Rust (https://rustup.rs) and run the start command again: it builds the module.',
  },
  internal: {
    status: 500,
    message: 'Something went wrong inside Grove.',
    hint: 'See the log of the server for the cause.',
  },
} as const satisfies Record<string, CatalogueEntry>;

/** A stable error code. */
export type ErrorCode = keyof typeof CATALOGUE;
