import type { CommonOptions, Run } from '../run.ts';
import { addressOf } from '../vaults/running-server.ts';
import { vaultOf } from '../vaults/vault-of-run.ts';

/** An invite link, and whether others can open it. */
export interface InviteLink {
  readonly url: string;
  /** False when it leads to an address of this machine alone. */
  readonly isPublic: boolean;
}

/** The link of an invite: at the server that runs for the vault now, else where it would be reached. */
export async function inviteLink(run: Run, options: CommonOptions, secret: string): Promise<InviteLink> {
  const { url, publicUrl } = await addressOf(run, options, await vaultOf(run, options));
  return { url: `${url}/invite/${secret}`, isPublic: publicUrl !== null };
}

/** What to know of a link before it is sent. */
export function linkNotes({ isPublic }: InviteLink): readonly string[] {
  const send =
    'Send the link to whom the trail is for: the page behind it shows the steps for each client. Who has it can read the trail.';
  return isPublic
    ? [send]
    : [
        send,
        'It opens on this machine alone: start the server with --public-url for others (docs/connecting.md).',
      ];
}
