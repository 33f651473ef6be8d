import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Clock } from '@grove/core';
import { collect, spawnScript, temporaryFolder } from '@grove/testing';
import { onTestFinished } from 'vitest';
import { type Control, controlOf, openControl } from '../control.ts';
import { openControlFile } from '../control-file/open-file.ts';
import { ControlStore } from '../control-file/store.ts';

/** The address that access tokens of the tests are for. */
export const RESOURCE = 'https://notes.example/mcp';

/** A clock that stands still until it is moved. */
export class ManualClock implements Clock {
  #now = Date.parse('2026-11-30T12:00:00Z');

  now(): number {
    return this.#now;
  }

  advance(milliseconds: number): void {
    this.#now += milliseconds;
  }
}

/** A data folder of the running test, and control.db in it. */
export interface OpenedControl extends Control {
  readonly dataDir: string;
  readonly path: string;
  readonly clock: ManualClock;
  /** Opens the same file once more. */
  again(): Control;
}

/** Opens control.db in a new data folder; closed with the test. */
export function openedControl(dataDir = join(temporaryFolder('control'), 'data')): OpenedControl {
  const clock = new ManualClock();
  const open = (): Control => {
    const control = openControl({ dataDir, clock, resource: RESOURCE });
    onTestFinished(() => control.close());
    return control;
  };
  const first = open();
  return {
    ...first,
    dataDir,
    path: join(dataDir, 'control.db'),
    clock,
    again: open,
  };
}

/** A control.db whose database can be reached by the test. */
export function openedDatabase(dataDir: string) {
  const file = openControlFile(dataDir);
  const control = controlOf(new ControlStore(file), new ManualClock(), RESOURCE);
  onTestFinished(() => control.close());
  return { control, ring: control.keys, database: file.database };
}

/** Runs one verb on the keys of `dataDir` in a process of its own, which may be killed after it; answers what it prints. */
export async function inAnotherProcess(
  dataDir: string,
  verb: string,
  argument: string,
  end: 'orderly' | 'killed' = 'orderly',
): Promise<unknown> {
  const script = fileURLToPath(new URL('keys-child.ts', import.meta.url));
  const child = spawnScript(script, [dataDir, verb, argument, end]);
  const output = collect(child.stdout);
  await once(child, 'close');
  return JSON.parse(output());
}
