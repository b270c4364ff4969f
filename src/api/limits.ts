/** Part 8 of the API document: the limits a client must know before it sends anything. */
export const LIMITS = {
  creditsPerMonth: 1000,
  creditsPerDay: 150,
  requestsPerMinute: 15,
  cardsPerPage: 25,
  cursorLength: 220,
  symbol: /^[A-Z0-9]{1,32}$/,
} as const;
