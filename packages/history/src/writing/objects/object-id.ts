import { createHash } from 'node:crypto';
import type { GitObject } from '../../objects/git-object.ts';

/** What stands before an object's content where it is hashed and stored (gitformat-loose). */
export function objectHeader(object: GitObject): Buffer {
  return Buffer.from(`${object.type} ${object.data.length}\0`);
}

/** An object's id: 40 hex digits of SHA-1. */
export function objectId(object: GitObject): string {
  return createHash('sha1').update(objectHeader(object)).update(object.data).digest('hex');
}
