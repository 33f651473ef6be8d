import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { GroveError, InTurn } from '@grove/core';

/**
 * It is the only proof that is asked for, so more than the 8 of a second factor (NIST SP 800-63B, 3.1.1.2). The page
 * lets through some thousand guesses a day at most, and 12 characters that no list has stand those for good. No rule on
 * what they are: such rules make passphrases alike.
 */
const SHORTEST = 12;
const LONGEST = 1_024;
/** https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html: N=2^17, r=8, p=1, which takes 128 MiB. */
const COST = { N: 2 ** 17, r: 8, p: 1, maxmem: 160 * 1024 * 1024 } as const satisfies ScryptOptions;
const HASH_BYTES = 32;
const WRITTEN = /^scrypt\$131072\$8\$1\$([\w-]{22})\$([\w-]{43})$/;

/** One at a time: each takes 128 MiB. */
const turns = new InTurn();

/** A passphrase as it is compared: NFC, as it was typed otherwise (RFC 8265, OpaqueString). */
export function parsePassphrase(text: string): string {
  const passphrase = text.normalize('NFC');
  const length = [...passphrase].length;
  if (!passphrase.isWellFormed()) throw refuse('the passphrase is not valid Unicode');
  if (/\p{Cc}/u.test(passphrase)) throw refuse('the passphrase holds a control character');
  if (length < SHORTEST)
    throw refuse(`the passphrase has ${length} characters, and needs ${SHORTEST} at least`);
  if (length > LONGEST) throw refuse(`the passphrase has more than ${LONGEST} characters`);
  return passphrase;
}

/** What is kept of a passphrase: its cost, a random salt and its scrypt. */
export async function hashPassphrase(passphrase: string): Promise<string> {
  const salt = randomBytes(16);
  const hash = await derive(passphrase, salt);
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${salt.toString('base64url')}$${hash.toString('base64url')}`;
}

/** True for the text of {@link hashPassphrase}. */
export function isPassphraseHash(written: string): boolean {
  return WRITTEN.test(written);
}

/** True for the passphrase that was hashed; takes as long for null, where there is none. */
export async function isPassphrase(written: string | null, text: string): Promise<boolean> {
  const [, salt, hash] = (written === null ? null : WRITTEN.exec(written)) ?? [];
  const passphrase = text.slice(0, 4 * LONGEST).normalize('NFC');
  const derived = await derive(passphrase, Buffer.from(salt ?? '', 'base64url'));
  return hash !== undefined && timingSafeEqual(derived, Buffer.from(hash, 'base64url'));
}

function derive(passphrase: string, salt: Buffer): Promise<Buffer> {
  return turns.run(
    () =>
      new Promise((resolve, reject) =>
        scrypt(passphrase, salt, HASH_BYTES, COST, (error, key) =>
          error === null ? resolve(key) : reject(error),
        ),
      ),
  );
}

function refuse(reason: string): GroveError {
  return new GroveError('bad_input', { reason });
}
