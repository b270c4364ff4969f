/** One look of a watch, and where it stands: kept, so that a later watch with the same filters goes on. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import type { Client } from '../../api/client.ts';
import type { SignalCard } from '../../api/contract/resources.ts';
import { LIMITS } from '../../api/limits.ts';
import type { SignalsQuery } from '../../api/operations.ts';
import { pages } from '../../api/pages.ts';
import { at, formatApiTime } from '../../api/time.ts';
import { DAY, MINUTE } from '../../base/units.ts';
import { jsonText } from '../../runtime/json-text.ts';
import { keptFile } from '../../runtime/kept-file.ts';

/** Every look goes back so far behind the newest card: the service may record a card late. */
const OVERLAP = 30 * MINUTE;

const Position = v.object({
  /** Cards recorded before that have been seen for certain. Epoch milliseconds UTC. */
  since: v.pipe(v.number(), v.safeInteger()),
  /** Cards from then on that have been shown: id and epoch milliseconds UTC. */
  shown: v.array(v.tuple([v.pipe(v.number(), v.safeInteger()), v.number()])),
});

type Position = v.InferOutput<typeof Position>;

export function positionFile(stateDirectory: string, about: readonly (string | undefined)[]) {
  const name = createHash('sha256').update(jsonText(about)).digest('hex').slice(0, 24);
  return keptFile(stateDirectory, `watch/${name}.json`, v.parser(Position));
}

type Filters = Pick<SignalsQuery, 'symbol' | 'screener_type'>;

/**
 * One list call, unless more than a page has come.
 * @param before undefined: only cards recorded from now on count; the newest page tells which those are
 * @returns with `failure` what ended the look early: the next one, from `position` on, finds the rest
 */
export async function look(
  client: Client,
  filters: Filters,
  before: Position | undefined,
  now: number,
) {
  const isStart = before === undefined;
  // A time that was kept may be one of a wrong clock.
  let since = isStart ? 0 : Math.min(before.since, now);
  const shown = new Map(before?.shown);
  const fresh: SignalCard[] = [];
  const wanted = () => (isStart && shown.size > 0 ? 0 : LIMITS.cardsPerPage);
  let newest = since;
  let until = now;
  /** Whether the list goes on behind the last page that was asked for. */
  let hasMore = false;
  let failure: unknown;
  try {
    const from = isStart ? {} : { since: formatApiTime(since) };
    for await (const { page, ended, bad } of pages(client, { filters, from, wanted })) {
      until = Math.min(at(page.until), now);
      failure ??= bad;
      hasMore = !ended;
      for (const card of page.items) {
        const time = at(card.created_at);
        // The service may take `since` for the time a card was last seen: such a card is an old one.
        if (time < since) continue;
        newest = Math.max(newest, time);
        if (!isStart && !shown.has(card.id)) fresh.unshift(card);
        shown.set(card.id, time);
      }
    }
  } catch (cause) {
    return {
      cards: fresh,
      position: isStart ? undefined : { since, shown: [...shown] },
      failure: cause,
    };
  }
  if (isStart && shown.size === 0) newest = until;
  // The newest card says up to when all were seen. A day at most: a service may refuse a long window.
  since = Math.max(since, Math.min(newest, now) - OVERLAP, until - DAY);
  // Cards behind the first page are old ones, and were not marked as shown.
  if (isStart && hasMore && shown.size > 0)
    since = Math.max(since, Math.min(...shown.values()) + 1);
  return {
    cards: fresh,
    position: { since, shown: [...shown].filter(([, time]) => time >= since - OVERLAP) },
    failure,
  };
}
