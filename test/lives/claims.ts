/** The verdicts that a morning shows, by the fields of its JSON. */

// Its fields are named where they are read.
// biome-ignore lint/suspicious/noExplicitAny: JSON of the program.
export type Json = any;

/** One verdict on one morning. */
export interface Claim {
  /** What it compares with, or what it is about. */
  readonly about: 'others' | 'btc' | 'number' | 'change' | 'lately';
  readonly type: string;
  /** `above_others`, `small`, `higher`, `less` and so on. */
  readonly verdict: string;
  /** The number at the trigger, as `|number|` where its size is meant. */
  readonly number?: string;
}

/** What the program printed on a morning, read. */
export interface MorningAnswers {
  readonly today: Json;
  /** `stats --by type`. */
  readonly stats: Json;
  /** `stats --by settings`, by type; of types whose settings changed. */
  readonly settings: ReadonlyMap<string, Json>;
  readonly tune: Json;
}

/** All verdicts of a morning that say something, each once. */
export function claimsOf({ today, stats, settings, tune }: MorningAnswers): Claim[] {
  const claims = [...claimsOfToday(today), ...claimsOfStats(stats), ...claimsOfTune(tune)];
  for (const [type, answer] of settings) claims.push(...claimsOfChange(type, answer));
  const byText = new Map(claims.map((claim) => [textOf(claim), claim]));
  return [...byText.values()];
}

/** A claim in words, the same each morning. */
export function textOf({ about, type, verdict, number }: Claim): string {
  switch (about) {
    case 'others':
      return verdict === 'small' ? `${type} small beside the others` : `${type} ${verdict}`;
    case 'btc':
      return verdict === 'small' ? `${type} small against BTC` : `${type} ${verdict}`;
    case 'number':
      return `${type} number ${number} ${verdict}`;
    case 'change':
      return `${type} change ${verdict}`;
    case 'lately':
      return `${type} lately ${verdict}`;
  }
}

const SIDES: readonly string[] = ['above_others', 'below_others', 'above_btc', 'below_btc'];

/** A verdict that says on which side a type lies. */
function sideClaim(type: string, verdict: string | null): Claim[] {
  if (verdict === null || !SIDES.includes(verdict)) return [];
  return [{ about: verdict.endsWith('_others') ? 'others' : 'btc', type, verdict }];
}

function claimsOfToday({ by_type, news }: Json): Claim[] {
  const claims: Claim[] = [];
  for (const { screener_type, verdict } of by_type)
    claims.push(...sideClaim(screener_type, verdict));
  // News of a number do not say whether its size is meant: `tune` does.
  for (const { kind, screener_type: type, verdict } of news) {
    if (kind === 'verdict') claims.push(...sideClaim(type, verdict));
    if (kind === 'change' && verdict !== 'unclear') claims.push({ about: 'change', type, verdict });
    if (kind === 'lately' && verdict === 'less') claims.push({ about: 'lately', type, verdict });
  }
  return claims;
}

function claimsOfStats({ items }: Json): Claim[] {
  const claims: Claim[] = [];
  for (const { group: type, horizons } of items) {
    const { shown_verdict, verdict, verdict_vs_others } = horizons['24h'];
    claims.push(...sideClaim(type, shown_verdict), ...sideClaim(type, verdict));
    // Pages say of a type below the others that it is within 1 pp of BTC: then there is no reason to drop it.
    if (shown_verdict === 'below_others' && verdict === 'small')
      claims.push({ about: 'btc', type, verdict });
    if (shown_verdict !== 'small') continue;
    const about = verdict_vs_others === null ? 'btc' : 'others';
    claims.push({ about, type, verdict: 'small' });
  }
  return claims;
}

function claimsOfChange(type: string, { changes }: Json): Claim[] {
  const verdict = changes.at(-1)?.horizons['24h'].verdict;
  const saysSomething = ['higher', 'lower', 'small'].includes(verdict);
  return saysSomething ? [{ about: 'change', type, verdict }] : [];
}

function claimsOfTune({ questions }: Json): Claim[] {
  const claims: Claim[] = [];
  for (const { type, key, absolute, horizon, verdict } of questions) {
    if (horizon !== '24h' || !['higher', 'lower'].includes(verdict)) continue;
    claims.push({ about: 'number', type, number: absolute ? `|${key}|` : key, verdict });
  }
  return claims;
}
