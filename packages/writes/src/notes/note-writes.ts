import type { View } from '@grove/vault';
import { type CopyToSettle, settleCopy } from '../conflicts/settle-copy.ts';
import type { DiscoverOutcome } from '../discovery/contract.ts';
import { type DiscoverWish, discoverLinks } from '../discovery/discover-links.ts';
import { LinkWirer } from '../discovery/link-wirer.ts';
import type { EngineOutcome } from '../engine/contract.ts';
import { mendLeft } from '../moving/mend-behind.ts';
import type { BatchItem, NoteWriteCaller, NoteWriteRequest, NoteWritesOptions } from './contract.ts';
import { NoteCall } from './note-call.ts';
import { RecentAppends } from './recent-appends.ts';
import { asCallerSees } from './refusals.ts';
import type { WritePolicy } from './write-policy.ts';

/** Changes notes of one vault for those who may. */
export interface NoteWrites {
  /**
   * Does one operation, or a batch. A batch that is not atomic answers for each operation; everything else is done
   * whole or not at all.
   *
   * @throws GroveError what refuses the operation; for a batch `batch_refused`, with what is wrong with each of its
   * operations, when nothing of it was done
   */
  write(caller: NoteWriteCaller, request: NoteWriteRequest): Promise<readonly BatchItem[]>;
  /**
   * Adds links to notes because somebody asked for it, whatever the vault's setting is.
   *
   * @throws GroveError as `discoverLinks` does
   */
  discover(
    by: { readonly view: View; readonly policy: WritePolicy },
    wish: DiscoverWish,
  ): Promise<DiscoverOutcome>;
  /** See {@link settleCopy}. */
  settleCopy(caller: NoteWriteCaller, wish: CopyToSettle): Promise<EngineOutcome>;
  /** Does what earlier writes had still to do when they were cut off; call it once the vault is scanned. */
  finish(): Promise<void>;
  /** Ends adding links to what was written: what cannot be done soon is left to the next process. */
  end(): Promise<void>;
}

/**
 * Writes to a vault through its engine.
 *
 * @example
 * const writes = openNoteWrites({ engine, clock: systemClock, zone: () => vault.zone, schema: () => vault.schema });
 * const [item] = await writes.write(caller, request);
 */
export function openNoteWrites(options: NoteWritesOptions): NoteWrites {
  const wirer = new LinkWirer(options);
  const parts = { appends: new RecentAppends(options.clock), wirer };
  return {
    finish: async () => {
      await mendLeft(options);
      await wirer.finish();
    },
    end: () => wirer.end(),
    settleCopy: (caller, wish) => settleCopy(options.engine, caller, wish),
    discover: (by, wish) => discoverLinks(options, by, wish),
    write: async (caller, request) => {
      try {
        return await new NoteCall(options, parts, caller, request).run();
      } catch (error) {
        throw asCallerSees(error, caller);
      }
    },
  };
}
