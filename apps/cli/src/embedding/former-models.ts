import type { Embedding, Models } from '@grove/service';
import type { EmbedderSettings } from '../settings/embedder-settings.ts';

type Embedder = Embedding['embedder'];

/** Settings of a model that can be made without asking anybody. */
export type KnownSettings = Exclude<EmbedderSettings, { kind: 'off' }>;

/** Opens the embedder of settings whose dimensions are known. */
export type OpenKnown = (settings: KnownSettings) => Promise<Embedder>;

/** Models of former settings, for all vaults of a process. */
export interface FormerModels extends Models {
  /** After the vaults. */
  close(): Promise<void>;
}

/**
 * The models that the present settings reach: the local one always, another one only at the very host that is set up, by
 * the key that is. No text goes anywhere else. Vaults share the embedder of a model.
 *
 * @param host of the model that is set up
 */
export function formerModels(settings: KnownSettings, host: string | null, open: OpenKnown): FormerModels {
  const shared = new Map<string, { readonly embedder: Promise<Embedder>; uses: number }>();
  return {
    kind: settings.kind,
    async reopen({ id, kind, model, host: formerHost, dimensions }) {
      const isLocal = kind === 'local' && formerHost === null;
      if (!isLocal && (kind !== settings.kind || formerHost !== host || formerHost === null)) return null;
      const wanted: KnownSettings =
        isLocal || settings.kind === 'local' ? { kind: 'local' } : { ...settings, model, dimensions };
      const known = shared.get(id) ?? { embedder: open(wanted), uses: 0 };
      shared.set(id, known);
      known.uses += 1;
      const embedder = await known.embedder;
      const close = async () => {
        known.uses -= 1;
        if (known.uses > 0) return;
        if (shared.get(id) === known) shared.delete(id);
        await embedder.close();
      };
      // Another version of the model, or another form of asking it.
      if (embedder.id !== id || embedder.host !== formerHost) {
        await close();
        return null;
      }
      return handle(embedder, close);
    },
    async close() {
      const left = [...shared.values()];
      shared.clear();
      for (const { embedder } of left) await (await embedder).close();
    },
  };
}

/** An embedder that others use, too: closed once, it is given back. */
function handle(embedder: Embedder, giveBack: () => Promise<void>): Embedder {
  const { id, model, host, dimensions, batch } = embedder;
  let given: Promise<void> | null = null;
  return {
    id,
    model,
    host,
    dimensions,
    batch,
    embedPassages: (texts, signal) => embedder.embedPassages(texts, signal),
    embedQuery: (text, signal) => embedder.embedQuery(text, signal),
    async close() {
      given ??= giveBack();
      await given;
    },
  };
}
