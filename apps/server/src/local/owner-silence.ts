import { connect } from 'node:net';
import { LOCAL_PROTOCOL } from './greeting.ts';

/** How long a request may wait without a word from the owner before the owner is looked at. */
export const SILENCE_MS = 15_000;
const GREETING_MS = 5_000;

/**
 * True when something listens at the address and does not greet: an owner that is suspended or stuck. One that is
 * gone is not silent; its connections close by themselves.
 */
export async function isSilent(address: string, patienceMs = GREETING_MS): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = connect(address);
    const settle = (silent: boolean): void => {
      clearTimeout(timer);
      socket.destroy();
      resolve(silent);
    };
    const timer = setTimeout(() => settle(true), patienceMs);
    socket.on('connect', () => {
      socket.write(`${JSON.stringify({ protocol: LOCAL_PROTOCOL, mode: 'owner' })}\n`);
    });
    socket.on('data', () => settle(false));
    socket.on('error', () => settle(false));
    socket.on('close', () => settle(false));
  });
}

interface SilenceWatchOptions {
  readonly silenceMs: number;
  /** True while a request waits for its answer. */
  readonly isWaiting: () => boolean;
  /** Looks whether the owner is stuck. */
  readonly isSilent: () => Promise<boolean>;
  /** Called when a request has waited and the owner is stuck; again after each further silence. */
  readonly onSilent: () => void;
}

/** Notices that an owner takes requests and no longer answers, so that no client waits for ever. */
export class SilenceWatch {
  readonly #options: SilenceWatchOptions;
  #timer: NodeJS.Timeout | null = null;
  #stopped = false;

  constructor(options: SilenceWatchOptions) {
    this.#options = options;
  }

  /** A request went out: from now on the owner is expected to say something. */
  sent(): void {
    if (this.#stopped || this.#timer !== null) return;
    this.#timer = setTimeout(() => void this.#look(), this.#options.silenceMs);
    this.#timer.unref();
  }

  /** The owner said something. */
  heard(): void {
    this.#clear();
    if (this.#options.isWaiting()) this.sent();
  }

  stop(): void {
    this.#stopped = true;
    this.#clear();
  }

  async #look(): Promise<void> {
    const looked = this.#timer;
    if (!this.#options.isWaiting()) {
      this.#clear();
      return;
    }
    const silent = await this.#options.isSilent();
    // Something was heard meanwhile, or the owner was lost.
    if (this.#stopped || this.#timer !== looked) return;
    this.#clear();
    if (silent) this.#options.onSilent();
    if (this.#options.isWaiting()) this.sent();
  }

  #clear(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
