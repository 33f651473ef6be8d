import { connect, type Socket } from 'node:net';
import { errorCode, GroveError, isGroveError } from '@grove/core';
import type { ErrorPayload, MaintainOutcome } from '@grove/service';
import * as z from 'zod';
import type { RuleSources } from '../rule-sources.ts';
import { PREVIEW, type PreviewAnswer } from '../trails/preview-answer.ts';
import type { TrailRuleTexts } from '../trails/rule-texts.ts';
import { type Greeting, LOCAL_PROTOCOL, type OwnerFacts, parseReply, type Reply } from './greeting.ts';
import { LineSplitter } from './lines.ts';

const CONNECT_MS = 5_000;
/** Longest silence of an owner that works on a call. */
const SILENCE_MS = 120_000;

/** Something went wrong in the owner; it told what, in the words of the error catalogue. */
export class OwnerError extends Error {
  override readonly name = 'OwnerError';
  readonly code: string;
  readonly hint: string;
  /** The whole answer: the facts of the error stand beside the three. */
  readonly payload: ErrorPayload;

  constructor(payload: ErrorPayload) {
    super(payload.message);
    this.payload = payload;
    this.code = payload.code;
    this.hint = payload.next;
  }
}

/** Progress of a long call. */
export interface CallProgress {
  readonly phase: string;
  readonly done: number;
  readonly total: number | null;
}

/**
 * Opens an MCP stream to the owner.
 *
 * @returns the socket, paused, after the owner's greeting, and what came behind it; null when nobody listens
 * @throws OwnerError when the owner refuses, `bad_input` when it answers something else
 */
export async function openMcpStream(
  address: string,
  rules: RuleSources,
): Promise<{ readonly socket: Socket; readonly owner: OwnerFacts; readonly early: Buffer } | null> {
  const socket = await dial(address);
  if (socket === null) return null;
  greet(socket, { protocol: LOCAL_PROTOCOL, mode: 'mcp', rules });
  const first = await firstLine(socket);
  if (first === null) return null;
  const reply = parseReply(first.line);
  if ('owner' in reply) return { socket, owner: reply.owner, early: first.rest };
  socket.destroy();
  if ('error' in reply) throw new OwnerError(reply.error);
  throw new GroveError('bad_input', { reason: 'the owner answered something else' });
}

/** Runs one operation in the owner. Null when nobody listens. Throws OwnerError. */
export async function callOwner(
  address: string,
  call: { readonly operation: string; readonly input: unknown; readonly rules: RuleSources },
): Promise<{ readonly output: unknown } | null> {
  return await request(address, { protocol: LOCAL_PROTOCOL, mode: 'call', ...call });
}

/** Lets the owner rebuild its index. Null when nobody listens. Throws OwnerError. */
export async function reindexOwner(
  address: string,
  onProgress: (progress: CallProgress) => void,
): Promise<{ readonly output: unknown } | null> {
  return await request(address, { protocol: LOCAL_PROTOCOL, mode: 'reindex' }, onProgress);
}

const GIT_DIR = z.object({ looseObjects: z.number(), packs: z.number(), bytes: z.number() });
const MAINTAINED = z.object({
  packed: z.number(),
  joined: z.number(),
  declined: z.string().nullable(),
  before: GIT_DIR,
  after: GIT_DIR,
});

/** Lets the owner pack its git dir. Null when nobody listens. Throws OwnerError. */
export async function maintainOwner(
  address: string,
  onProgress: (progress: CallProgress) => void,
): Promise<{ readonly output: MaintainOutcome } | null> {
  const answer = await request(address, { protocol: LOCAL_PROTOCOL, mode: 'maintain' }, onProgress);
  return answer === null ? null : { output: MAINTAINED.parse(answer.output) };
}

/** Whether a vault may be written, as its owner says. */
export interface WritesState {
  readonly on: boolean;
  /** What keeps it from being written all the same, as a sentence; null when nothing does. */
  readonly problem: string | null;
}

const WRITES_STATE = z.object({ on: z.boolean(), problem: z.string().nullable() });

/** Turns writing on or off in the owner, or asks with null how it stands. Null when nobody listens. Throws OwnerError. */
export async function switchOwnersWrites(
  address: string,
  on: boolean | null,
): Promise<{ readonly output: WritesState } | null> {
  const answer = await request(address, { protocol: LOCAL_PROTOCOL, mode: 'writes', on });
  return answer === null ? null : { output: WRITES_STATE.parse(answer.output) };
}

/**
 * Lets the owner preview a trail of these rules, with why a note is in or out where one is named. Null when nobody
 * listens. Throws OwnerError.
 */
export async function previewOwner(
  address: string,
  rules: TrailRuleTexts,
  note: string | null,
): Promise<{ readonly output: PreviewAnswer } | null> {
  const answer = await request(address, { protocol: LOCAL_PROTOCOL, mode: 'preview', rules, note });
  return answer === null ? null : { output: PREVIEW.parse(answer.output) };
}

/** Asks a stdio owner for the vault; true when it is free now, null when nobody listens. Throws OwnerError. */
export async function requestHandOver(address: string, pid = process.pid): Promise<true | null> {
  const answer = await request(address, { protocol: LOCAL_PROTOCOL, mode: 'hand-over', pid });
  return answer === null ? null : true;
}

/** Who listens at the address, or null. Throws OwnerError. */
export async function askOwner(address: string): Promise<OwnerFacts | null> {
  const socket = await dial(address);
  if (socket === null) return null;
  greet(socket, { protocol: LOCAL_PROTOCOL, mode: 'owner' });
  const first = await firstLine(socket);
  socket.destroy();
  if (first === null) return null;
  const reply = parseReply(first.line);
  if ('owner' in reply) return reply.owner;
  throw 'error' in reply ? new OwnerError(reply.error) : new GroveError('bad_input', { reason: 'no owner' });
}

async function request(
  address: string,
  greeting: Greeting,
  onProgress?: (progress: CallProgress) => void,
): Promise<{ readonly output: unknown } | null> {
  const socket = await dial(address);
  if (socket === null) return null;
  greet(socket, greeting);
  socket.setTimeout(SILENCE_MS, () => socket.destroy(new Error('The owner of the vault does not answer')));
  const lines = new LineSplitter();
  try {
    for await (const chunk of socket) {
      for (const line of lines.push(chunk as Buffer)) {
        const reply: Reply = parseReply(line);
        if ('error' in reply) throw new OwnerError(reply.error);
        if ('output' in reply) return { output: reply.output };
        if ('progress' in reply) onProgress?.(reply.progress);
      }
    }
  } catch (error) {
    if (error instanceof OwnerError || isGroveError(error)) throw error;
    if (!isGone(error)) throw error;
  } finally {
    socket.destroy();
  }
  return null;
}

function greet(socket: Socket, greeting: Greeting): void {
  socket.write(`${JSON.stringify(greeting)}\n`);
}

/** A connected socket, or null when nobody listens there. */
async function dial(address: string): Promise<Socket | null> {
  return await new Promise((resolve, reject) => {
    const socket = connect(address);
    const timer = setTimeout(() => {
      socket.destroy();
      resolve(null);
    }, CONNECT_MS);
    socket.once('connect', () => {
      clearTimeout(timer);
      socket.off('error', failed);
      resolve(socket);
    });
    const failed = (error: unknown): void => {
      clearTimeout(timer);
      if (isGone(error)) resolve(null);
      else reject(error);
    };
    socket.once('error', failed);
  });
}

/** The first line and what came behind it, with the socket paused; null when the other end went away. */
async function firstLine(socket: Socket): Promise<{ readonly line: string; readonly rest: Buffer } | null> {
  const lines = new LineSplitter();
  return await new Promise((resolve, reject) => {
    const settle = (value: { line: string; rest: Buffer } | null): void => {
      clearTimeout(timer);
      socket.off('data', onData).off('close', onClose).off('error', onError);
      socket.pause();
      if (value === null) socket.destroy();
      resolve(value);
    };
    const onData = (chunk: Buffer): void => {
      const line = lines.first(chunk);
      if (line !== null) settle({ line, rest: lines.rest() });
    };
    const onClose = (): void => settle(null);
    const onError = (error: unknown): void => {
      if (isGone(error)) settle(null);
      else reject(error);
    };
    // An owner that does not greet hangs: it is as good as gone.
    const timer = setTimeout(() => settle(null), CONNECT_MS);
    socket.on('data', onData).on('close', onClose).on('error', onError);
  });
}

const GONE = new Set(['ENOENT', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTSOCK']);

function isGone(error: unknown): boolean {
  return GONE.has(errorCode(error) ?? '');
}
