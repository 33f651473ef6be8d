import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { beforeEach, describe, expect, it } from 'vitest';
import { awaitsSuccessor, clearSuccessor, nameSuccessor } from './succession.ts';

let stateDir: string;
beforeEach(() => {
  stateDir = temporaryFolder('succession');
});

describe('a named successor', () => {
  it('is awaited by others, not by itself', () => {
    nameSuccessor(stateDir, process.pid, 1000, 5000);
    expect(awaitsSuccessor(stateDir, 5500, process.pid + 1)).toBe(true);
    expect(awaitsSuccessor(stateDir, 5500, process.pid)).toBe(false);
  });

  it('is awaited no longer than the word holds', () => {
    nameSuccessor(stateDir, process.pid, 1000, 5000);
    expect(awaitsSuccessor(stateDir, 6001, process.pid + 1)).toBe(false);
  });

  it('is not awaited when it has died', () => {
    // Above the largest process id that Linux gives out.
    nameSuccessor(stateDir, 2 ** 22 + 1, 1000, 5000);
    expect(awaitsSuccessor(stateDir, 5500, 1)).toBe(false);
  });

  it('is not awaited after it came, nor when the note is damaged', () => {
    nameSuccessor(stateDir, process.pid, 1000, 5000);
    clearSuccessor(stateDir);
    expect(awaitsSuccessor(stateDir, 5500, 1)).toBe(false);
    writeFileSync(join(stateDir, 'successor.json'), '{"pid":');
    expect(awaitsSuccessor(stateDir, 5500, 1)).toBe(false);
  });
});
