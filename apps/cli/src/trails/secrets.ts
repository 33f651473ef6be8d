import { keyRecord, trailRecord } from '@grove/access';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { inOwnWords, ownCommand } from '../terminal/own-command.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { slugOfRun } from '../vaults/slug-of-run.ts';
import { withControl } from '../vaults/with-control.ts';
import { inviteLink, linkNotes } from './invite-link.ts';

/** `grove trails invite|token` */
export function trailSecrets(commands: Readonly<Record<'invite' | 'token', Command>>, run: Run): void {
  newInvite(commands.invite, run);
  newToken(commands.token, run);
}

function newInvite(command: Command, run: Run): void {
  command.argument('<trail>', 'its name or id').action(async (reference: string) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const vault = await slugOfRun(run, options);
    const { trail, secret } = withControl(run, options, ({ trails }) => {
      const found = trails.find(reference, { vault });
      return { trail: found, secret: trails.newInvite(found.id) };
    });
    const link = await inviteLink(run, options, secret);
    if (options.json === true) {
      printJson(run, { trail: trailRecord(trail), invite_url: link.url });
      return;
    }
    const lines = [
      `The invite link of the trail "${trail.name}", which is shown this once; the one before has ended.`,
      ...linkNotes(link),
    ];
    run.stderr.write(withoutControls(`${lines.join('\n')}\n`));
    run.stdout.write(`${link.url}\n`);
  });
}

function newToken(command: Command, run: Run): void {
  command
    .argument('<trail>', 'its name or id')
    .option('--name <name>', 'who or what will hold it')
    .action(async (reference: string, words: { readonly name?: string }) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const vault = await slugOfRun(run, options);
      const { trail, made } = withControl(run, options, ({ trails }) => {
        const found = trails.find(reference, { vault });
        return { trail: found, made: trails.newToken(found.id, words.name) };
      });
      if (options.json === true) {
        printJson(run, { trail: trailRecord(trail), key: keyRecord(made.key), token: made.token });
        return;
      }
      const lines = [
        `Made the token "${made.key.name}" of the trail "${trail.name}" (${made.key.id}). It is shown this once.`,
        `To end it alone: grove keys revoke ${made.key.id}`,
      ];
      const own = ownCommand(run);
      run.stderr.write(withoutControls(`${lines.map((line) => inOwnWords(line, own)).join('\n')}\n`));
      run.stdout.write(`${made.token}\n`);
    });
}
