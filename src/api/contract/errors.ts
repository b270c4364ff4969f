/** Part 7 of the API document, and its own words, which need no repeating beside ours. */
export const STANDARD: Readonly<Record<number, string>> = {
  401: 'Invalid, expired or revoked key.',
  403: 'Active verified PRO required.',
  404: 'NOT_FOUND',
  422: 'Invalid arguments.',
  429: 'Shared account quota or global capacity exhausted.',
  503: 'Service disabled or temporarily unavailable.',
};
