import { InMemoryServerEventBus, type ServerEvent, type ServerEventBus } from '@modelcontextprotocol/server';
import type { McpContext } from '../context.ts';
import { changedUris } from './view-changes.ts';

/**
 * Feeds the streams of `subscriptions/listen` with the changes of one View, where the caller may read, and with those of
 * the list of tools, from the first of them to the last.
 *
 * @example createMcpHandler(factory, { bus: new ChangeBus(context, report) })
 */
export class ChangeBus implements ServerEventBus {
  readonly #context: Pick<McpContext, 'scope' | 'changes' | 'onTools'>;
  readonly #bus: InMemoryServerEventBus;
  #stops: readonly (() => void)[] = [];

  constructor(context: Pick<McpContext, 'scope' | 'changes' | 'onTools'>, onerror: (error: Error) => void) {
    this.#context = context;
    this.#bus = new InMemoryServerEventBus(onerror);
  }

  publish(event: ServerEvent): void {
    this.#bus.publish(event);
  }

  subscribe(listener: (event: ServerEvent) => void): () => void {
    const unsubscribe = this.#bus.subscribe(listener);
    if (this.#stops.length === 0) this.#stops = this.#listen();
    return () => {
      unsubscribe();
      if (this.#bus.listenerCount > 0) return;
      for (const stop of this.#stops) stop();
      this.#stops = [];
    };
  }

  #listen(): readonly (() => void)[] {
    const { scope, changes, onTools } = this.#context;
    const tools = onTools(() => this.publish({ kind: 'tools_list_changed' }));
    if (!scope.may.read) return [tools];
    const notes = changes.listen((change) => {
      for (const uri of changedUris(change)) this.publish({ kind: 'resource_updated', uri });
      if (change.isOtherList) this.publish({ kind: 'resources_list_changed' });
    });
    return [tools, notes];
  }
}
