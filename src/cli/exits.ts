/** What each exit code means, in help for people and for programs. */
export const EXITS: readonly { readonly code: number; readonly about: string }[] = [
  { code: 0, about: 'done; also when the reader of standard output has gone (| head -1)' },
  {
    code: 1,
    about: 'unexpected failure, a file that cannot be used, no history yet, another run is under way',
  },
  { code: 2, about: 'wrong usage; nothing was sent' },
  { code: 3, about: 'not logged in, or the key is invalid, expired or revoked (401)' },
  { code: 4, about: 'no active verified PRO plan (403)' },
  { code: 5, about: 'not found (404)' },
  { code: 6, about: 'the service rejected the arguments (422)' },
  { code: 7, about: 'out of quota (429), or --max-credits or the credits left forbid it' },
  { code: 8, about: 'unavailable (503 and other 5xx), network failure, timeout' },
  { code: 9, about: 'an answer that does not match the API document' },
  { code: 130, about: 'interrupted' },
];
