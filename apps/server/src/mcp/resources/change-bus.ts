import { InMemoryServerEventBus, type ServerEvent, type ServerEventBus } from '@modelcontextprotocol/server';
import { noteUri } from './note-uri.ts';
import type { ViewChanges } from './view-changes.ts';

/**
 * Feeds the streams of `subscriptions/listen` with the changes of one View, from the first of them to the last.
 *
 * @example createMcpHandler(factory, { bus: new ChangeBus(changes, report) })
 */
export class ChangeBus implements ServerEventBus {
  readonly #changes: ViewChanges;
  readonly #bus: InMemoryServerEventBus;
  #stop: (() => void) | null = null;

  constructor(changes: ViewChanges, onerror: (error: Error) => void) {
    this.#changes = changes;
    this.#bus = new InMemoryServerEventBus(onerror);
  }

  publish(event: ServerEvent): void {
    this.#bus.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const unsubscribe = this.#bus.subscribe(listener);
    this.#stop ??= this.#changes.listen(({ updated, isOtherList }) => {
      for (const path of updated) this.publish({ kind: 'resource_updated', uri: noteUri(path) });
      if (isOtherList) this.publish({ kind: 'resources_list_changed' });
    });
    return () => {
      unsubscribe();
      if (this.#bus.listenerCount > 0) return;
      this.#stop?.();
      this.#stop = null;
    };
  }
}
