/**
 * On every answer: it is what its type says, is shown in no frame, is loaded by no foreign page without CORS, and no
 * address of a note travels on as a referrer.
 */
export const REPLY_HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
} as const;
