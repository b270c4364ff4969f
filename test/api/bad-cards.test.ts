/** A page with cards that do not match the document: which are kept, and what is said of the others. */
import { expect, it } from 'vitest';
import { hasFutureCard, withoutBadCards } from '../../src/api/bad-cards.ts';
import type { SignalPage } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY } from '../../src/base/units.ts';
import * as samples from '../support/samples.ts';

const NOW = Date.UTC(2026, 10, 20, 18, 5);
const good = samples.nthCard(1);
const recorded = (at: number, id = 7) => ({ ...good, id, created_at: formatApiTime(at) });
const page = (items: readonly unknown[], more: object = {}) => ({
  ...samples.page([]),
  until: formatApiTime(NOW),
  items,
  ...more,
});

it('the good cards are kept, and the first bad one is named', () => {
  const bad = { ...good, id: 9, source_symbol: 5 };
  const split = withoutBadCards(page([good, bad, { ...bad, id: 10 }]), NOW);
  expect(split?.page.items).toEqual([good]);
  expect(split?.bad).toMatchObject({
    code: 'bad_answer',
    scope: 'card',
    message: 'Card 9 does not match the API document: source_symbol: expected string, got number.',
    hint: 'The other cards are kept. If it stays so, the service has changed.',
    times: [
      {
        time: Date.parse(String(good.created_at)),
        goodBefore: Date.parse(String(good.created_at)),
      },
      {
        time: Date.parse(String(good.created_at)),
        goodBefore: Date.parse(String(good.created_at)),
      },
    ],
    texts: [JSON.stringify(bad), JSON.stringify({ ...bad, id: 10 })],
  });
});

it('nothing is made of a page on which more is wrong, or nothing', () => {
  const bad = { ...good, source_symbol: 5 };
  expect({
    good: withoutBadCards(page([good]), NOW),
    pageItself: withoutBadCards(page([good, bad], { next_cursor: 5 }), NOW),
    noList: withoutBadCards(page(null as never), NOW),
    nothing: withoutBadCards(undefined, NOW),
  }).toEqual({ good: undefined, pageItself: undefined, noList: undefined, nothing: undefined });
});

it('a card without an id, of no object, and one that is nested too deep has words, too', () => {
  const messageOf = (card: unknown) => withoutBadCards(page([card]), NOW)?.bad?.message;
  const deep = JSON.parse(`${'['.repeat(80)}${']'.repeat(80)}`);
  const { id: _, ...withoutId } = good;
  expect({
    withoutId: messageOf(withoutId),
    null: messageOf(null),
    deep: messageOf({ ...good, id: 5, more: deep }),
  }).toEqual({
    withoutId: 'A card without an id does not match the API document: id: missing.',
    null: 'A card without an id does not match the API document: expected Object, got null.',
    deep: 'Card 5 does not match the API document: it is nested more than 64 levels deep.',
  });
});

it('a card of more than two days ahead of the clock, and of the end of its page, is none', () => {
  const isFuture = (days: number, until = NOW) =>
    hasFutureCard(
      page([good, recorded(NOW + days * DAY)], { until: formatApiTime(until) }) as SignalPage,
      NOW,
    );
  expect({
    today: isFuture(0),
    twoDays: isFuture(2),
    later: isFuture(2.01),
    pageEndsLater: isFuture(4, NOW + 2 * DAY),
    pageEndsEarlier: isFuture(2, NOW - 9 * DAY),
  }).toEqual({
    today: false,
    twoDays: false,
    later: true,
    pageEndsLater: false,
    pageEndsEarlier: false,
  });
  const time = formatApiTime(NOW + 3 * DAY);
  expect(withoutBadCards(page([good, recorded(NOW + 3 * DAY)]), NOW)?.bad?.message).toBe(
    `Card 7 does not match the API document: created_at: ${time} is in the future.`,
  );
});
