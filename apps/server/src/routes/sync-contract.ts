import { flag, text } from '@grove/service';

export const syncQuery = {
  vault: text('For a webhook: the short name of the vault, where the server has more than one.', {
    guesses: ['slug', 'name'],
  }),
  wait: flag(false, 'Answer when the run has ended, or after 30 s.', { guesses: ['sync', 'block'] }),
} as const;
