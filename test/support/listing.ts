import { OPERATIONS } from './operations.ts';
import * as samples from './samples.ts';
import { type Answer, type ApiServer, failure, ok, type Recorded } from './server.ts';

/**
 * `/signals` over a list of cards, newest first: part 4, rule 1. The cursor is bound to the filters it was given for.
 */
export function listing(cards: readonly samples.Json[]): (request: Recorded) => Answer {
  return ({ query }) => {
    const { since, until, symbol, screener_type: type, cursor, limit = '25' } = query;
    const filters = JSON.stringify([since, until, symbol, type]);
    const matching = cards.filter(
      (card) =>
        (symbol === undefined || card.source_symbol === symbol) &&
        (type === undefined || card.source_bot_type === type) &&
        (since === undefined || Date.parse(String(card.created_at)) >= Date.parse(since)) &&
        (until === undefined || Date.parse(String(card.created_at)) <= Date.parse(until)),
    );
    const start = cursor === undefined ? 0 : readCursor(cursor, filters);
    if (start === undefined) return failure(422);
    const end = start + Number(limit);
    return ok({
      scope: 'own_recorded_notifications',
      items: matching.slice(start, end),
      next_cursor: end < matching.length ? makeCursor(end, filters) : null,
      since: since ?? '2026-10-21T18:00:00Z',
      until: until ?? '2026-11-20T18:00:00Z',
      page_note: 'not in the document',
    });
  };
}

function makeCursor(start: number, filters: string): string {
  return Buffer.from(JSON.stringify([start, filters])).toString('base64url');
}

function readCursor(cursor: string, filters: string): number | undefined {
  try {
    const [start, bound] = JSON.parse(Buffer.from(cursor, 'base64url').toString()) as [number, string];
    return bound === filters ? start : undefined;
  } catch {
    return undefined;
  }
}

/** `/signals/{id}` of the cards of the samples. */
export function details({ path }: Pick<Recorded, 'path'>): Answer {
  return ok(samples.detail(9000 - Number(path.slice('/signals/'.length))));
}

/** Every operation answers as it should, over these cards. */
export function serveAll(server: ApiServer, cards: readonly samples.Json[] = samples.cards(60)): ApiServer {
  for (const { path, sample } of OPERATIONS) server.always(path, ok(sample));
  return server.always('/signals', listing(cards)).always('/signals/{id}', details);
}
