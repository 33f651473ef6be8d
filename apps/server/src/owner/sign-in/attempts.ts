import { GroveError } from '@grove/core';
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible';

/** Where an attempt comes from. */
export interface AttemptFrom {
  /** An IPv4 address, or the network of an IPv6 one. */
  readonly address: string;
  /** A browser in which the owner signed in before; null for every other. */
  readonly device: string | null;
}

const MINUTE = 60;
/** Wrong passphrases of one address, and of one browser that the owner used before. */
const OF_ADDRESS = { points: 5, duration: 15 * MINUTE };
const OF_DEVICE = { points: 10, duration: 15 * MINUTE };
/** Of all addresses together: whoever has many may guess no faster. The window is short, so that none waits for long. */
const OF_ALL = { points: 6, duration: MINUTE };
const ALL = 'all';

/**
 * Limits wrong passphrases. A browser in which the owner has signed in before has attempts of its own, so that nobody
 * else can use them up
 * (https://owasp.org/www-community/Slow_Down_Online_Guessing_Attacks_with_Device_Cookies).
 */
export class Attempts {
  readonly #ofAddress = new RateLimiterMemory(OF_ADDRESS);
  readonly #ofDevice = new RateLimiterMemory(OF_DEVICE);
  readonly #ofAll = new RateLimiterMemory(OF_ALL);

  /**
   * Counts an attempt before it is looked at, so that many at the same time count too.
   *
   * @throws GroveError `sign_in_limited`, with the seconds to wait
   */
  async begin({ address, device }: AttemptFrom): Promise<void> {
    try {
      if (device !== null) await this.#ofDevice.consume(device);
      else {
        await this.#ofAddress.consume(address);
        await this.#ofAll.consume(ALL);
      }
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new GroveError('sign_in_limited', {
        seconds: Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000)),
      });
    }
  }

  /** The attempt was right: those of its place do not count any more. */
  async succeed({ address, device }: AttemptFrom): Promise<void> {
    if (device !== null) await this.#ofDevice.delete(device);
    else {
      await this.#ofAddress.delete(address);
      await this.#ofAll.reward(ALL);
    }
  }
}
