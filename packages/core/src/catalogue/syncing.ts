import type { CatalogueEntry } from './entry.ts';

/** Errors of talking to a git remote: its address, who asks, what it answers. */
export const SYNCING = {
  remote_address_refused: {
    status: 422,
    message: 'The address of the remote cannot be used: {reason}.',
    hint: 'Use its https:// address without a name or token in it, such as https://github.com/ada/notes.git.',
  },
  remote_unreachable: {
    status: 502,
    message: 'The remote {host} cannot be reached: {reason}.',
    hint: 'Look whether that server runs and this machine has a network; reading and writing go on here.',
  },
  remote_sign_in: {
    status: 502,
    message: 'The remote {host} does not let this machine in: {reason}.',
    hint: 'Make a token with the right to read and write the contents of the repository, and hand it over in place of the old one.',
  },
  remote_missing: {
    status: 502,
    message: 'The remote {host} has no such repository, or hides it from this token.',
    hint: 'Check the address, and that the token was given this repository.',
  },
  remote_branch_missing: {
    status: 502,
    message: 'The remote {host} has no branch "{branch}".',
    hint: 'Name a branch that it has, or none for the one it names itself.',
  },
  remote_rewritten: {
    status: 409,
    message:
      'The branch "{branch}" of the remote {host} was set back: commits that this vault has of it are no longer there.',
    hint: 'Merge what is there now with "grove sync accept", which brings the dropped commits back, or take it with git.',
  },
  remote_protected: {
    status: 502,
    message: 'The remote {host} refuses the change: {reason}.',
    hint: 'Let the owner of the token push to that branch in the settings of the repository, or sync another branch.',
  },
  remote_answer_unusable: {
    status: 502,
    message: 'The remote {host} does not answer as a git server does: {reason}.',
    hint: 'Check the address: it is the one that "git clone" takes. If it is, try again later.',
  },
  remote_history_unusable: {
    status: 502,
    message: 'The history of the remote {host} cannot be used: {reason}.',
    hint: 'Look at the repository with git; nothing was changed here.',
  },
  remote_interrupted: {
    status: 503,
    message: 'The process that talks to the remote has ended ({reason}).',
    hint: 'Try again. If it ends each time, this machine may lack memory for the repository.',
  },
  clone_folder_taken: {
    status: 409,
    message: 'The folder to clone into cannot be used: {reason}.',
    hint: 'Name a folder that is empty or not there yet.',
  },
  remote_none: {
    status: 409,
    message: 'The git repository of this vault has no remote "{remote}".',
    hint: 'Name its address: grove sync on --url https://HOST/OWNER/REPOSITORY.git',
  },
  sync_off: {
    status: 409,
    message: 'Sync of this vault is switched off.',
    hint: 'Its owner switches it on with: grove sync on',
  },
  sync_push_behind: {
    status: 409,
    message: 'The remote has commits that this vault lacks, so that nothing can be pushed.',
    hint: 'Where it may not pull, let it with "grove sync on", or pull with git in the vault folder. Where it may, others were faster: it tries again by itself.',
  },
  webhook_refused: {
    status: 403,
    message: 'The webhook is not taken: {reason}.',
    hint: 'Set GROVE_SYNC_WEBHOOK_SECRET to the secret that the git server signs its webhooks with, and restart.',
  },
  conflict_unknown: {
    status: 404,
    message: 'No copy of a conflict lies at "{path}".',
    hint: 'List them with "grove conflicts" or GET /v1/conflicts, and name one as it stands there.',
  },
  sync_unsupported: {
    status: 422,
    message: 'This vault cannot be kept in step with its remote: {reason}.',
    hint: 'Change what is named, or pull with git in the vault folder. Nothing was taken, and writing goes on here.',
  },
} as const satisfies Record<string, CatalogueEntry>;
