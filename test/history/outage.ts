/** One operation that is refused for two days, while the others work and cron goes on. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import type { OperationName } from '../../src/api/operations.ts';
import { type ApiResponse, failure, reply } from '../../src/sandbox/response.ts';
import { parseLines } from '../support/fixtures.ts';
import { type Cron, type Heard, startCron } from './cron.ts';
import { cardOf, DAY, HOUR } from './support.ts';

export const OPERATIONS_ASKED = ['access', 'signals', 'signal', 'screeners', 'stats'] as const;

export const REFUSALS = {
  401: () => failure(401),
  403: () => failure(403),
  404: () => failure(404),
  422: () => failure(422),
  429: () => failure(429),
  500: () => failure(500),
  503: () => failure(503),
  html: () => reply(403, '<!doctype html><title>Attention required</title>'),
  hang: () => ({ ...reply(200, ''), delivery: 'hang' as const }),
} as const satisfies Readonly<Record<string, () => ApiResponse>>;

export type Refusal = keyof typeof REFUSALS;

export interface Outage {
  readonly operation: (typeof OPERATIONS_ASKED)[number];
  readonly refusal: Refusal;
  /** Seconds; undefined: without the header. */
  readonly retryAfter: number | undefined;
  /** Runs a day. */
  readonly runs: number;
  /** Days before, of, and after the outage. */
  readonly days: readonly [before: number, during: number, after: number];
  readonly cardsPerDay: number;
  /** Days of cards that are listed before the first run. */
  readonly past: number;
}

export interface RunDuringOutage {
  /** Days since the first run. */
  readonly day: number;
  readonly code: number;
  /** Requests that were refused in this run. */
  readonly refused: number;
  readonly isOut: boolean;
  readonly isComplete: boolean;
  /** Due outcomes of listed cards that are not bought. */
  readonly waiting: number;
  readonly stderr: string;
}

export interface OutageResult {
  readonly runs: readonly RunDuringOutage[];
  /** Cards and outcomes that could be had, and those that are not. */
  readonly cards: number;
  readonly outcomes: number;
  readonly missingCards: number;
  readonly missingOutcomes: number;
  /** Details that were answered with 200 more than once. */
  readonly twice: number;
  /** Types whose medians were had. */
  readonly medians: number;
}

const START = Date.UTC(2026, 10, 10, 6);

function cards(before: number, days: number, perDay: number): SignalDetail[] {
  return Array.from({ length: (before + days) * perDay }, (_, i) => {
    const at = START - before * DAY + i * (DAY / perDay);
    return cardOf(i + 1, 0, { created_at: new Date(Math.floor(at / 1000) * 1000).toISOString() });
  });
}

function typesWithMedians({ dir }: Cron): number {
  const path = join(dir, 'stats.ndjson');
  if (!existsSync(path)) return 0;
  const lines: { readonly type: string }[] = parseLines(readFileSync(path, 'utf8'));
  return new Set(lines.map(({ type }) => type)).size;
}

/** Exports through an outage, and says what was had in the end. */
export async function liveThrough(outage: Outage): Promise<OutageResult> {
  const { operation, refusal, retryAfter, runs: perDay } = outage;
  const [before, during, after] = outage.days;
  const days = before + during + after;
  const details = cards(outage.past, days, outage.cardsPerDay);
  const from = START + before * DAY;
  const until = from + during * DAY;
  const cron = await startCron({ details, start: START });
  let refused = 0;
  const headers = retryAfter === undefined ? {} : { 'retry-after': String(retryAfter) };
  cron.answerInstead(({ operation: asked, at }: Heard) => {
    if (asked !== (operation as OperationName) || at < from || at >= until) return undefined;
    refused += 1;
    const answer = REFUSALS[refusal]();
    return { ...answer, headers: { ...answer.headers, ...headers } };
  });
  // Medians are asked for where the outcomes are not bought.
  const options = operation === 'stats' ? ['--no-outcomes'] : [];
  // Seconds. On a busy machine an answer may be slow, and one that comes too late is paid for in vain.
  const timeout = refusal === 'hang' ? '0.5' : '20';
  const runs: RunDuringOutage[] = [];
  for (let run = 0; run < days * perDay; run += 1) {
    const due = START + run * (DAY / perDay);
    await cron.clock.sleep(Math.max(0, due - cron.clock.now()));
    const now = cron.clock.now();
    refused = 0;
    const { code, stderr } = await cron.export('--timeout', timeout, ...options);
    const { complete: isComplete, counts } = cron.manifest();
    const isOut = now >= from && now < until;
    const day = (now - START) / DAY;
    runs.push({ day, code, refused, isOut, isComplete, waiting: counts?.to_buy ?? 0, stderr });
  }
  const end = cron.clock.now();
  const kept = new Map(cron.cards().map((card) => [card.id, card]));
  const listed = details.filter(({ created_at }) => Date.parse(created_at) <= end);
  const measured = listed.filter(({ created_at }) => Date.parse(created_at) <= end - DAY - HOUR);
  return {
    runs,
    cards: listed.length,
    outcomes: measured.length,
    missingCards: listed.filter(({ id }) => !kept.has(id)).length,
    missingOutcomes: measured.filter(({ id }) => kept.get(id)?.outcome === undefined).length,
    twice: [...cron.bought().values()].filter((times) => times > 1).length,
    medians: typesWithMedians(cron),
  };
}
