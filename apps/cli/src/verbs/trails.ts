import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { createTrail } from '../trails/create.ts';
import { trailSecrets } from '../trails/secrets.ts';
import { lookAtTrails } from '../trails/show.ts';
import { switchTrails } from '../trails/switch.ts';
import { updateTrail } from '../trails/update.ts';
import { subcommand } from './subcommand.ts';

/** `grove trails create|list|show|update|disable|enable|delete|usage|preview|invite|token` */
export function trailsVerb(command: Command, run: Run): void {
  command.description('Share a part of a vault by tags, types and folders, and see what is shared');
  createTrail(subcommand(command, 'create', 'share a part of the vault; token and link are shown once'), run);
  lookAtTrails(
    {
      list: subcommand(command, 'list', 'list the trails, disabled and expired ones too'),
      show: subcommand(command, 'show', 'show a trail, its tokens and the clients it let in'),
      usage: subcommand(command, 'usage', 'calls by a trail, by day'),
      preview: subcommand(command, 'preview', 'see what a trail shows, and why a note is in or out'),
    },
    run,
  );
  updateTrail(subcommand(command, 'update', 'change a trail; what is not named stays'), run);
  switchTrails(
    {
      disable: subcommand(command, 'disable', 'let nobody in by a trail, until it is enabled'),
      enable: subcommand(command, 'enable', 'let in by a trail again'),
      delete: subcommand(command, 'delete', 'end a trail for good, with its tokens, its link and its grants'),
    },
    run,
  );
  trailSecrets(
    {
      invite: subcommand(command, 'invite', 'make another invite link; the one before ends'),
      token: subcommand(command, 'token', 'make one more token; those there are stay'),
    },
    run,
  );
}
