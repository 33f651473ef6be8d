import { type BigIntStats, lstatSync } from 'node:fs';
import { errorCode } from '@grove/core';

/** What stands at a path, no link followed; null where nothing does, also below a file. */
export function statAt(absolute: string): BigIntStats | null {
  try {
    return lstatSync(absolute, { bigint: true, throwIfNoEntry: false }) ?? null;
  } catch (error) {
    if (errorCode(error) === 'ENOTDIR') return null;
    throw error;
  }
}
