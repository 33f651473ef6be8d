import { InTurn, isGroveError } from '@grove/core';
import type { View } from '@grove/vault';
import { PASSING } from '../moving/mend-behind.ts';
import type { VaultGround } from '../notes/contract.ts';
import { type WiringGround, wireNotes } from './wire-notes.ts';
import { isWiringTask, type WiringTask } from './wiring-task.ts';

/** Adds links to notes once their writes are answered, one after the other. */
export class LinkWirer {
  readonly #ground: WiringGround & { readonly ground: VaultGround };
  /** Of the tasks of this process that are not done, under whose View. */
  readonly #views = new Map<number, View>();
  readonly #turns = new InTurn();
  #isReady = false;
  /** True while something is left that passes by itself: the next write tries it again. */
  #isBehind = false;
  readonly #ending = Promise.withResolvers<void>();

  constructor(ground: WiringGround & { readonly ground: VaultGround }) {
    this.#ground = ground;
  }

  /** A write was done. */
  begin(id: number, task: WiringTask, view: View): void {
    this.#views.set(id, view);
    const { onProblem } = this.#ground.discovery;
    this.#turns.run(() => this.#wire(id, task, view)).catch(onProblem);
    if (!this.#isBehind) return;
    this.#isBehind = false;
    this.finish().catch(onProblem);
  }

  /** Does what earlier writes left, here or in another process; what a narrow View wrote there is let go. */
  async finish(): Promise<void> {
    const { engine, ground } = this.#ground;
    const owner = ground.ownerView();
    if (owner === null) return;
    for (const { id, task } of engine.followUps()) {
      if (!isWiringTask(task)) continue;
      const view = this.#views.get(id) ?? (task.narrow ? null : owner);
      if (view === null) engine.followedUp(id);
      else await this.#turns.run(() => this.#wire(id, task, view));
    }
  }

  /** Resolves when nothing is under way; what cannot be done soon is left to the next process. */
  async end(): Promise<void> {
    this.#ending.resolve();
    await this.#turns.idle();
  }

  async #wire(id: number, { paths }: WiringTask, view: View): Promise<void> {
    const { discovery } = this.#ground;
    try {
      await this.#untilReady();
      // Waits for the next process, or until notes may be changed again.
      if (!this.#isReady || !discovery.mayChange()) return;
      if (discovery.setting() === 'wire') await wireNotes(this.#ground, view, paths, { dryRun: false });
      this.#done(id);
    } catch (error) {
      if (isGroveError(error) && PASSING.some((code) => error.code === code)) {
        this.#isBehind = true;
        return;
      }
      discovery.onProblem(error);
      this.#done(id);
    }
  }

  #done(id: number): void {
    this.#views.delete(id);
    this.#ground.engine.followedUp(id);
  }

  async #untilReady(): Promise<void> {
    if (this.#isReady) return;
    const ready = this.#ground.discovery.ready().then(() => {
      this.#isReady = true;
    });
    await Promise.race([ready, this.#ending.promise]);
  }
}
