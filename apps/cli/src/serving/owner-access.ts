import type { Control } from '@grove/access';
import { GroveError, isGroveError } from '@grove/core';
import type { Run } from '../run.ts';
import { secretOfFile } from '../settings/read-secret.ts';

/** Where the owner looks after the server. */
export interface OwnerAccess {
  readonly url: string;
  /** The link that sets the first passphrase, once and for a day; null where there is one already. */
  readonly setupUrl: string | null;
}

const SETTING = 'GROVE_OWNER_PASSPHRASE_FILE';

/**
 * Makes the owner's passphrase the one in the file that is set for it, without the end of its line. Where it is that
 * already, nothing happens: who is signed in stays.
 *
 * @throws GroveError `bad_input`, which names the setting
 */
export async function takePassphraseFile(run: Run, { owner }: Pick<Control, 'owner'>): Promise<void> {
  const { ownerPassphraseFile: file } = run.settings;
  if (file === null) return;
  const called = run.settings.given.get('ownerPassphraseFile')?.called ?? SETTING;
  const passphrase = secretOfFile(run, file, called).replace(/\r?\n$/, '');
  try {
    if (!(await owner.verify(passphrase))) await owner.set(passphrase);
  } catch (error) {
    if (!isGroveError(error, 'bad_input')) throw error;
    const reason = `${called}: ${String(error.data.reason)}`;
    throw new GroveError('bad_input', { name: called, reason }, { cause: error });
  }
}

/** Where the owner's page is. The link is made here, at the last moment before it is shown; an earlier one is over. */
export function ownerAccess({ owner }: Pick<Control, 'owner'>, server: string): OwnerAccess {
  const url = `${server}/owner`;
  const setupUrl = owner.isSet() ? null : `${url}/setup?token=${owner.setupToken()}`;
  return { url, setupUrl };
}
