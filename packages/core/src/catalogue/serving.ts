import type { CatalogueEntry } from './entry.ts';

/** Errors of serving: keys, HTTP, the process. */
export const SERVING = {
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
  admin_key_needed: {
    status: 403,
    message: 'Only a key with the scope admin may do that; what a client or a guest was let in to never can.',
    hint: 'Use such a key: grove keys create NAME --scopes admin.',
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
  trail_unknown: {
    status: 404,
    message: 'There is no trail "{trail}".',
    hint: 'See the trails with "grove trails list" or GET /v1/trails.',
  },
  trail_exists: {
    status: 409,
    message: 'There is a trail named "{trail}" already.',
    hint: 'Choose another name, or delete that trail.',
  },
  grant_unknown: {
    status: 404,
    message: 'There is no grant "{grant}".',
    hint: 'See the grants with "grove grants list" or GET /v1/grants.',
  },
  client_unknown: {
    status: 404,
    message: 'There is no client "{client}".',
    hint: 'See the clients with "grove clients list".',
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
    hint: 'Update this Grove. To stay with it, put back the copy from before the update that lies beside it (control.db.version-N), or a backup of that time.',
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
  rate_limited: {
    status: 429,
    message: 'More than {limit} {what} a minute are not taken; nothing of this was done.',
    hint: 'Send it again in {retry_after} seconds.',
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
  pipeline_full: {
    status: 503,
    message: 'This connection waits for {limit} answers already.',
    hint: 'Read the answers before you send more requests, or open another connection.',
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
