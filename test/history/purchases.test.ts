/** Which outcomes are bought, when, and how often. */
import { describe, expect, it } from 'vitest';
import { badAnswer } from '../../src/api/breach.ts';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { run as stats } from '../../src/commands/stats-local.ts';
import { ScreenerError } from '../../src/errors.ts';
import type { ExportOptions } from '../../src/history/export/export-run.ts';
import type { ExportSummary } from '../../src/history/export/summary.ts';
import { History } from '../../src/history/store/history.ts';
import { type ExportManifest, typesInFocus } from '../../src/history/store/manifest.ts';
import {
  cardOf,
  codeOf,
  DAY,
  directory,
  exportInto,
  exports,
  HOUR,
  inHashOrder,
  invocationOf,
  Service,
  setUp,
  started,
  stateOf,
  stored,
} from './support.ts';

const bought = (dir: string) => stored(dir).filter((card) => 'outcome' in card);

/** `perDay` cards a day, evenly, on the days before NOW and, where it is negative, after. */
function cardsOn(days: number, perDay: number, firstDay = 1): SignalDetail[] {
  return Array.from({ length: days * perDay }, (_, i) => {
    const day = firstDay + Math.floor(i / perDay);
    return cardOf(i + 1, day * 24 + ((i % perDay) / perDay) * 24 + 1);
  });
}

describe('the order', () => {
  const details = cardsOn(20, 100);
  const idsOf = (cards: readonly SignalDetail[]) => cards.map(({ id }) => id);

  it('60 credits for 20 days of 100 cards buy outcomes of at least 15 days, the same after any stops', async () => {
    const list = new Service({ details });
    const [whole, stopped] = [directory(), directory()];
    await exportInto(whole, list, { outcomes: false });
    await exportInto(whole, list, { maxCredits: 61, allCredits: true });
    const service = new Service({ details });
    await exportInto(stopped, service, { outcomes: false });
    for (const maxCredits of [12, 2, 30, 6, 16])
      await exportInto(stopped, service, { maxCredits, allCredits: true });
    expect(bought(whole)).toHaveLength(60);
    expect(
      new Set(bought(whole).map((card) => card.created_at.slice(0, 10))).size,
      'days with an outcome',
    ).toBeGreaterThanOrEqual(15);
    expect(bought(stopped).slice(0, 61)).toEqual(expect.arrayContaining(bought(whole)));
    expect(inHashOrder(idsOf(bought(whole)))).toEqual(inHashOrder(idsOf(details)).slice(0, 60));
  });

  it('--focus buys that type first, which export.json and figures over several types say', async () => {
    const { service, dir } = await started(details, { outcomes: false });
    const { summary } = await exportInto(dir, service, {
      focus: ['pump', 'pmup'],
      maxCredits: 31,
      allCredits: true,
    });
    expect(bought(dir).map((card) => card.source_bot_type)).toEqual(Array(30).fill('pump'));
    const pumps = details.filter((card) => card.source_bot_type === 'pump');
    expect(inHashOrder(idsOf(bought(dir)))).toEqual(inHashOrder(idsOf(pumps)).slice(0, 30));
    const { bought: share, focus } = stateOf(dir) as ExportManifest & Pick<ExportSummary, 'bought'>;
    // Of the other there was nothing to buy first: what is bought stays a fair sample of the rest.
    expect(focus).toEqual(['pump']);
    expect(share).toMatchObject({
      days: 31,
      due: 2000,
      bought: 30,
      by_type: { pump: { bought: 30 }, oi_surge: {} },
    });
    expect(Object.values(share?.by_day ?? {}).reduce((sum, day) => sum + day.bought, 0)).toBe(30);
    expect(summary.bought).toEqual(share);
    await exportInto(dir, service, { maxCredits: 11, allCredits: true });
    expect(stateOf(dir).focus).toEqual(['pump']);
    const invocation = invocationOf({});
    await stats(invocation, {
      history: new History(dir, invocation.notes, invocation.context.clock),
      by: 'type',
    });
    expect(invocation.said.results[0]).toMatchObject({ bought_first: ['pump'] });
  });

  it('--focus is in use until no run has had it for a day and a half, if outcomes are bought', async () => {
    const { service, dir } = await started(details, { outcomes: false });
    const run = (more: Partial<ExportOptions> = {}) =>
      exportInto(dir, service, { maxCredits: 3, allCredits: true, ...more });
    const inUse = () => [...typesInFocus(stateOf(dir) as ExportManifest)];
    await run({ focus: ['pump'], outcomes: false });
    expect(inUse(), 'no outcome is bought').toEqual([]);
    await run({ focus: ['pump'] });
    expect(inUse(), 'after a run with it').toEqual(['pump']);
    await service.clock.sleep(25 * HOUR);
    await run();
    expect(inUse(), 'after a run without it').toEqual(['pump']);
    await service.clock.sleep(12 * HOUR);
    await run();
    expect(inUse(), 'after runs without it for 37 hours').toEqual([]);
    await run({ focus: ['oi_surge'] });
    expect(inUse()).toEqual(['oi_surge']);
    const earlier = { ...(stateOf(dir) as ExportManifest), last_run: null };
    expect([...typesInFocus(undefined), ...typesInFocus(earlier)]).toEqual([]);
  });
});

describe('cards whose detail cannot be had', () => {
  const details = cardsOn(3, 20, 2);
  const isOfBroken = (ids: number[]) => (name: string, params: Record<string, unknown>) =>
    name === 'signal' && ids.includes(Number(params.id));

  /** Daily runs; how often a broken card was asked for in each, and what each of them threw. */
  async function daily(service: Service, dir: string, broken: number[], runs: number) {
    const is = isOfBroken(broken);
    const asked: number[] = [];
    let gone = 0;
    for await (const { sent, said, summary } of exports(dir, service, runs)) {
      gone += summary.gone;
      asked.push(sent.filter(({ name, params }) => is(name, params)).length);
      const notes = said.notes.filter((note) => !note.startsWith('This first export'));
      for (const note of notes)
        expect(note).toMatch(/^No outcome for card \d+( and \d more)?; a later run asks again: /);
      expect(notes.length, 'notes on cards without an outcome').toBeLessThanOrEqual(
        asked.at(-1) === 0 ? 0 : 1,
      );
    }
    return { asked, gone };
  }

  it.each([500, 422, 'timeout', 'bad answer', 404] as const)(
    '%s for some keeps no other back',
    async (how) => {
      const broken = [5, 23, 41, 60];
      const { service, dir } = setUp({ details });
      const timeout = new ScreenerError('timeout', 'The answer was lost.');
      const answers = { timeout, 'bad answer': badAnswer('outcome', { scope: 'card' }) };
      const answer = typeof how === 'number' ? how : answers[how];
      service.intercept = (name, params) => (isOfBroken(broken)(name, params) ? answer : undefined);
      // One request a run, two such cards a run, at growing intervals; 404 twice is final.
      const { asked, gone } = await daily(service, dir, broken, 8);
      expect(asked).toEqual(how === 404 ? [4, 2, 2, 0, 0, 0, 0, 0] : [4, 2, 2, 2, 2, 2, 2, 0]);
      expect(bought(dir)).toHaveLength(details.length - broken.length);
      expect(gone).toBe(how === 404 ? broken.length : 0);
      service.intercept = undefined;
      for await (const { run, error } of exports(dir, service, 9))
        expect(error, `run ${run}`).toBeUndefined();
      expect(bought(dir)).toHaveLength(details.length - (how === 404 ? broken.length : 0));
    },
  );

  it.each([
    [500, 'unavailable'],
    [404, 'not_found'],
  ])(
    'a service that answers %i for all is left alone after three; the next run asks others',
    async (status, code) => {
      const { service, dir } = setUp({ details });
      service.intercept = (name) => (name === 'signal' ? status : undefined);
      // Then one card is asked for first: it says whether the operation is refused still.
      for (const tried of [3, 4]) {
        const { error, summary } = await exportInto(dir, service);
        expect({ code: codeOf(error), gone: summary.gone }).toEqual({ code, gone: 0 });
        if (status === 404)
          expect(error, `after ${tried} requests`).toMatchObject({
            message: expect.stringContaining('3 in a row'),
          });
        const ids = service.sent
          .filter(({ name }) => name === 'signal')
          .map(({ params }) => params.id);
        expect({ requests: ids.length, cards: new Set(ids).size }).toEqual({
          requests: tried,
          cards: tried,
        });
      }
      // None of them is taken for gone.
      for (let day = 0; day < 4; day += 1) {
        await service.clock.sleep(DAY);
        await exportInto(dir, service);
      }
      service.intercept = undefined;
      for await (const { run, summary } of exports(dir, service, 14))
        expect(summary.gone, `run ${run}`).toBe(0);
      expect(bought(dir)).toHaveLength(details.length);
    },
  );

  it('cards that failed only while all did are asked for again together, behind cards that failed alone', async () => {
    const order = inHashOrder(details.map(({ id }) => id));
    const broken = order.filter((_, i) => [0, 2, 4].includes(i));
    const { service, dir } = setUp({ details });
    service.intercept = (name, params) => (isOfBroken(broken)(name, params) ? 500 : undefined);
    // A page of three, and ten outcomes.
    await exportInto(dir, service, { maxCredits: 3 + 10 });
    service.intercept = (name) => (name === 'signal' ? 500 : undefined);
    const refused = await exportInto(dir, service);
    const refusedCards = refused.sent.filter(({ name }) => name === 'signal');
    expect({ code: codeOf(refused.error), cards: refusedCards.length }).toEqual({
      code: 'unavailable',
      cards: 3,
    });
    service.intercept = (name, params) => (isOfBroken(broken)(name, params) ? 500 : undefined);
    await service.clock.sleep(DAY);
    const { sent, error } = await exportInto(dir, service);
    expect(error).toBeUndefined();
    const asked = sent.filter(({ name }) => name === 'signal').map(({ params }) => params.id);
    // Two of the cards that failed alone; a third is left to the next run.
    expect(asked.filter((id) => broken.includes(Number(id)))).toEqual(broken.slice(0, 2));
    expect(bought(dir)).toHaveLength(details.length - broken.length);
  });
});

/** A card's outcome is there `late` after its 24 h; `never`: ids that stay pending. */
function lateService(details: SignalDetail[], late: number, never: number[]) {
  const service = new Service({ details });
  service.intercept = (name, params) => {
    if (name !== 'signal') return undefined;
    const one = details.find(({ id }) => id === params.id) as SignalDetail;
    const isThere =
      service.clock.now() >= Date.parse(one.created_at) + DAY + late && !never.includes(one.id);
    if (isThere) return one;
    return { ...one, outcome: { ...one.outcome, state_24h: 'pending', move_24h_pct: null } };
  };
  return service;
}

it.each([60, 30, 0])(
  'outcomes %i h late: about one purchase a card, learning included',
  async (late) => {
    const days = 24;
    const all = cardsOn(days, 20, -days);
    // Some never come: the margin is not theirs.
    const service = lateService(all, late * HOUR, late === 0 ? [17, 160, 333, 334, 402] : [250]);
    const dir = directory();
    let purchases = 0;
    for await (const { summary } of exports(dir, service, days, { allCredits: true }))
      purchases += summary.outcomes;
    const settled = bought(dir).filter(({ outcome }) => outcome?.state_24h === 'available').length;
    expect(settled, 'cards with an outcome').toBeGreaterThan(
      all.length * (late === 60 ? 0.6 : 0.75),
    );
    expect(purchases / settled, 'purchases a card').toBeLessThan(late === 60 ? 1.25 : 1.1);
  },
);
