import type { ViewRules } from '@grove/vault';
import { Ajv, type ValidateFunction } from 'ajv';
import { expect } from 'vitest';
import { ANSWER_BYTES, TEXT_BYTES } from '../answers/size.ts';
import type { Principal, Scope } from '../contract.ts';
import { errorShape } from '../errors/payload.ts';
import { type Answer, answerCall } from '../operation/answer.ts';
import { type AnyOperation, allOperations } from '../operations.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';
import type { OpenedVault, OpenOwnedVaultOptions } from '../workspace/opened-vault.ts';
import { type Files, makeVaultFolder, type VaultFolder } from './vault-folder.ts';

/** Noon of a Monday. */
const NOW = Date.parse('2026-11-30T12:00:00Z');

export const STDIO: Principal = { kind: 'stdio', id: 'test', name: 'test' };

/** An answer as it stands on the wire. */
// biome-ignore lint/suspicious/noExplicitAny: every answer is checked against its schemas when it is made.
export type Loose = any;

/** A vault that is open, and calls whose answers are all checked against their schemas and limits. */
export interface TestVault {
  readonly folder: VaultFolder;
  readonly opened: OpenedVault;
  readonly scope: Scope;
  /** Calls an operation by name; the structured answer. */
  call(name: string, input?: unknown, scope?: Scope): Promise<Answer>;
  /** The structured answer of a call that must go well. */
  ok(name: string, input?: unknown, scope?: Scope): Promise<Loose>;
  /** The error of a call that must fail. */
  fail(name: string, input?: unknown, scope?: Scope): Promise<Loose>;
  close(): Promise<void>;
}

/** Opens a vault of these files and waits until all of it is indexed; with `writes` it may be written. */
export async function openTestVault(
  files: Files,
  options: Partial<OpenOwnedVaultOptions> & {
    readonly rules?: ViewRules;
    readonly writes?: boolean;
    /** Does something with the folder before it is opened. */
    readonly prepare?: (root: string) => void;
  } = {},
): Promise<TestVault> {
  const folder = await makeVaultFolder(files);
  const { rules, writes = false, prepare, ...rest } = options;
  prepare?.(folder.root);
  const opened = await openOwnedVault({
    root: folder.root,
    dataDir: folder.dataDir,
    kind: 'stdio',
    clock: { now: () => NOW },
    ...rest,
  });
  await opened.ready;
  if (writes) await opened.writes.switch(true);
  const scope = opened.scope(STDIO, rules, { scopes: writes ? ['write'] : ['read'] });
  return {
    folder,
    opened,
    scope,
    call: (name, input = {}, other = scope) => callChecked(operationOf(name), other, input),
    ok: async (name, input = {}, other = scope) => {
      const answer = await callChecked(operationOf(name), other, input);
      expect(answer.error, answer.text).toBeNull();
      return answer.structured;
    },
    fail: async (name, input = {}, other = scope) => {
      const answer = await callChecked(operationOf(name), other, input);
      expect(answer.error, answer.text).not.toBeNull();
      return answer.error;
    },
    close: async () => {
      await opened.close();
      await folder.remove();
    },
  };
}

/** The operation of that name. */
export function operationOf(name: string): AnyOperation {
  const found = allOperations.find((operation) => operation.name === name);
  if (found === undefined) throw new Error(`no operation ${name}`);
  return found;
}

/** Compiled once: it takes many times as long as a call. */
const validators = new Map(allOperations.map((operation) => [operation, compileOutput(operation)]));

function compileOutput(operation: AnyOperation): ValidateFunction {
  return new Ajv({ strict: true }).compile(operation.outputSchema);
}

/** Runs a call; checks that its answer fits its schemas as a client would, keeps the limits and hides no failure. */
export async function callChecked(operation: AnyOperation, scope: Scope, input: unknown): Promise<Answer> {
  const failures: unknown[] = [];
  const answer = await answerCall(operation, scope, input, (cause) => {
    failures.push(cause);
    return null;
  });
  if (failures.length > 0) throw failures[0];
  const wire: Record<string, unknown> = JSON.parse(JSON.stringify(answer.structured));
  const validate = validators.get(operation) ?? compileOutput(operation);
  expect(validate(wire), JSON.stringify(validate.errors)).toBe(true);
  if (answer.error === null) expect(operation.output.safeParse(wire).error).toBeUndefined();
  else expect(errorShape.safeParse(wire.error).success).toBe(true);
  const text = Buffer.byteLength(answer.text);
  expect(text).toBeLessThanOrEqual(TEXT_BYTES);
  expect(text + Buffer.byteLength(JSON.stringify(wire))).toBeLessThanOrEqual(ANSWER_BYTES);
  expect(answer.text.isWellFormed()).toBe(true);
  return answer;
}
