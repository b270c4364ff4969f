/**
 * A service written from the API document alone, with choices of its own where the document is silent: cards in the
 * order in which they were recorded, times with an offset and in the list rounded to the minute, ten cards a page or
 * twenty-five and no other number, windows of 31 days at most and 7 by default, no time in the future, cursors that are
 * good for one use.
 */
import http from 'node:http';
import type { AddressInfo } from 'node:net';

const DAY = 86_400_000;
const MINUTE = 60_000;
const KEY = 'plain-key';

interface Card {
  readonly id: number;
  readonly created: number;
  /** When the service wrote it down, later than it was created. */
  readonly recorded: number;
}

export interface PlainService {
  readonly baseUrl: string;
  readonly key: string;
  readonly ids: readonly number[];
  /** Billable requests that were answered. */
  credits: number;
  close(): Promise<void>;
}

class Refused extends Error {}

const offset = (time: number, grain: number) =>
  new Date(Math.floor(time / grain) * grain).toISOString().replace(/\.\d+Z$/, '+00:00');

/** `count` cards, one every three hours, the newest of them an hour old; every tenth was recorded 20 minutes late. */
export async function startPlainService(count: number, now: () => number): Promise<PlainService> {
  const started = now();
  const cards: Card[] = Array.from({ length: count }, (_, i) => {
    const created = started - 3_600_000 - (count - 1 - i) * 3 * 3_600_000 + (i % 50) * 1000;
    return { id: 7 + 13 * i, created, recorded: created + (i % 10 === 3 ? 20 * MINUTE : 0) };
  });
  const used = new Set<string>();
  const service = { credits: 0 };

  function card({ id, created }: Card, grain: number) {
    return {
      id,
      source_symbol: ['BTCUSDT', 'SOLUSDT', 'X1'][id % 3],
      source_bot_type: id % 2 ? 'volume' : 'open interest',
      exchanges: ['okx'],
      changes: [],
      created_at: offset(created, grain),
      last_seen_at: null,
      repeat_count: 0,
      url: `https://example.com/n?id=${id}`,
      url_scope: 'filtered_notification_history',
      facts_scope: 'latest_episode_update',
      ...Object.fromEntries(
        ['price_pct', 'oi_pct', 'volume_pct', 'window_min', 'funding'].map((name) => [`fact_${name}`, null]),
      ),
      fact_oi_usd: 1e6,
      fact_volume_usd: 2.5e6,
    };
  }

  function page(query: URLSearchParams) {
    const limit = Number(query.get('limit') ?? 25);
    if (limit !== 10 && limit !== 25) throw new Refused('limit');
    const until = query.has('until') ? Date.parse(query.get('until') ?? '') : now();
    const since = query.has('since') ? Date.parse(query.get('since') ?? '') : until - 7 * DAY;
    if (Number.isNaN(since + until) || until > now() || since > until || until - since > 31 * DAY)
      throw new Refused('window');
    const shown = cards
      .filter(({ created, recorded }) => created >= since && created <= until && recorded <= now())
      .filter((one) =>
        ['symbol', 'screener_type'].every((name) => {
          const { source_symbol, source_bot_type } = card(one, 1);
          return !query.has(name) || query.get(name) === (name === 'symbol' ? source_symbol : source_bot_type);
        }),
      )
      .sort((a, b) => b.recorded - a.recorded || b.id - a.id);
    const cursor = query.get('cursor');
    if (cursor !== null && used.has(cursor)) throw new Refused('cursor');
    if (cursor !== null) used.add(cursor);
    const last = cursor === null ? undefined : JSON.parse(Buffer.from(cursor, 'hex').toString());
    const from = last === undefined ? 0 : shown.findIndex(({ id }) => id === last.after) + 1;
    const items = shown.slice(from, from + limit);
    const next = { after: items.at(-1)?.id, nonce: used.size };
    return {
      scope: 'own_recorded_notifications',
      items: items.map((one) => card(one, MINUTE)),
      next_cursor: from + limit < shown.length ? Buffer.from(JSON.stringify(next)).toString('hex') : null,
      since: offset(since, 1000),
      until: offset(until, 1000),
    };
  }

  function detail(id: number) {
    const found = cards.find((one) => one.id === id && one.recorded <= now());
    if (found === undefined) return undefined;
    const isDue = (hours: number) => now() >= found.created + hours * 3_600_000;
    return {
      ...card(found, 1000),
      outcome: {
        entry_at: offset(found.created, 1000),
        entry_price: 3,
        ...Object.fromEntries(
          [1, 24].flatMap((hours) => [
            [`state_${hours}h`, isDue(hours) ? 'available' : 'pending'],
            [`move_${hours}h_pct`, isDue(hours) ? (id % 9) - 4 : null],
            [`btc_move_${hours}h_pct`, isDue(hours) ? 0.5 : null],
          ]),
        ),
      },
      entry_context: { rsi: id % 100 },
      context_scope: 'entry_snapshot',
    };
  }

  function access() {
    const credits = { used: service.credits, limit: 1000, remaining: 1000 - service.credits };
    const resets_at = offset(started + 20 * DAY, 1000);
    return {
      beta: true,
      plan: 'PRO',
      expires_at: resets_at,
      credits: { ...credits, resets_at },
      operations: ['signals'],
      per_minute: 15,
    };
  }

  const server = http.createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://x');
    const path = pathname.replace('/v/api/external/v1', '');
    const send = (status: number, resource: unknown) => {
      if (status === 200 && path !== '/access') service.credits += 1;
      response.writeHead(status, { 'content-type': 'application/json', date: new Date(now()).toUTCString() });
      const errors = status === 200 ? null : String(resource);
      response.end(JSON.stringify({ hasError: status !== 200, response: status === 200 ? resource : null, errors }));
    };
    if (request.headers.authorization !== `Bearer ${KEY}`) return send(401, 'key');
    if (path === '/access') return send(200, access());
    if (path === '/screeners') return send(200, { scope: 'current_settings', items: [] });
    try {
      if (path === '/signals') return send(200, page(searchParams));
    } catch (error) {
      return send(422, (error as Error).message);
    }
    const found = detail(Number(path.split('/')[2]));
    return found === undefined ? send(404, 'NOT_FOUND') : send(200, found);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return Object.assign(service, {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v/api/external/v1`,
    key: KEY,
    ids: cards.map(({ id }) => id),
    close: () => new Promise<void>((resolve) => server.close(() => resolve()).closeAllConnections()),
  });
}
