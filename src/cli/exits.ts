/** What each exit code means: in a command's help, and in more words in `screener help exit-codes`. */
export const EXITS: readonly { readonly code: number; readonly short: string; readonly long: string }[] = [
  { code: 0, short: 'done', long: 'done; also when the reader of standard output has gone (| head -1)' },
  {
    code: 1,
    short: 'unexpected failure, or a file that cannot be used',
    long: 'unexpected failure, a file that cannot be used, no history yet, another run is under way',
  },
  { code: 2, short: 'wrong usage, nothing was sent', long: 'wrong usage; nothing was sent' },
  {
    code: 3,
    short: 'not logged in, or the key was not accepted',
    long: 'not logged in, or the key is invalid, expired or revoked (401)',
  },
  { code: 4, short: 'no active PRO plan', long: 'no active verified PRO plan (403)' },
  { code: 5, short: 'not found', long: 'not found (404)' },
  { code: 6, short: 'the service rejected the arguments', long: 'the service rejected the arguments (422)' },
  {
    code: 7,
    short: 'out of quota, or your own limit forbids it',
    long: 'out of quota (429), or --max-credits or the credits left forbid it',
  },
  {
    code: 8,
    short: 'service unavailable, network, timeout',
    long: 'unavailable (503 and other 5xx), network failure, timeout',
  },
  {
    code: 9,
    short: 'an answer that does not match the API document',
    long: 'an answer that does not match the API document',
  },
  { code: 130, short: 'interrupted', long: 'interrupted' },
];
