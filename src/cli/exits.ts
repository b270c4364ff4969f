/** What each exit code means, in help for people and for programs. */
export const EXITS: Readonly<Record<string, string>> = {
  0: 'done; also when the reader of standard output has gone (| head -1)',
  1: 'unexpected failure, a file that cannot be used, no history yet, another run is under way',
  2: 'wrong usage; nothing was sent',
  3: 'not logged in, or the key is invalid, expired or revoked (401)',
  4: 'no active verified PRO plan (403)',
  5: 'not found (404)',
  6: 'the service rejected the arguments (422)',
  7: 'out of quota (429), or --max-credits or the credits left forbid it',
  8: 'unavailable (503 and other 5xx), network failure, timeout',
  9: 'an answer that does not match the API document',
  130: 'interrupted',
};
