/** What pages say while there is no verdict: what can be seen later, and what credits leave out. */
import { describe, expect, it } from 'vitest';
import type { Prospect, TypeProspect } from '../../../src/outcomes/prospect.ts';
import type { Scarcity } from '../../../src/outcomes/scarcity.ts';
import type { HeadLine } from '../../../src/output/views/head-lines.ts';
import {
  focusAdvice,
  prospectLines,
  scarcityLines,
} from '../../../src/output/views/prospect-words.ts';
import { AT } from '../../support/standing.ts';

/** The texts by their labels. */
const textsOf = (lines: readonly HeadLine[]): Record<string, string> =>
  Object.fromEntries(lines.map(({ label, text }) => [label, text]));

describe('what can be seen later', () => {
  const wouldShow: Readonly<Record<string, number>> = { c: 3.04, a: 2.66, d: 5.1, b: 2.9 };
  const prospectOf = (...types: string[]): Prospect => ({
    days: 180,
    types: types.map(
      (type): TypeProspect => ({
        type,
        wouldShow: wouldShow[type] ?? 0,
        wouldShowNow: 9,
      }),
    ),
    all: undefined,
  });
  const sentence = (sizes: string) =>
    `with 180 days of outcomes (older ones do not count), differences above about ${sizes} can be seen. Looser settings bring more cards, and answers sooner.`;

  it.each([
    { types: ['a'], sizes: '2.5 pp (a)' },
    { types: ['c', 'a'], sizes: '2.5 pp (a) and 3 pp (c)' },
    { types: ['c', 'a', 'b'], sizes: '2.5 pp (a) and 3 pp (b, c)' },
    { types: ['c', 'a', 'd', 'b'], sizes: '2.5 pp (a) to 5 pp (d)' },
  ])('of $types', ({ types, sizes }) => {
    expect(textsOf(prospectLines(prospectOf(...types)))).toEqual({ Later: sentence(sizes) });
  });

  it('is said only of types of which less can be seen now', () => {
    const seen = (wouldShowNow: number | undefined): TypeProspect => ({
      type: 'pump',
      wouldShow: 1.7,
      wouldShowNow,
    });
    const prospect = (...types: TypeProspect[]) =>
      textsOf(prospectLines({ days: 180, types, all: undefined }));
    const rsi = { type: 'rsi', wouldShow: 3.7, wouldShowNow: 5.8 };
    expect({
      less: prospect(seen(1.3), rsi),
      theSame: prospect(seen(1.5), rsi),
      theSameOnThePage: prospect(seen(1.54), rsi),
      more: prospect(seen(1.6)),
      none: prospect(seen(undefined)),
      nothing: prospect(seen(1.5)),
    }).toEqual({
      less: { Later: sentence('3.5 pp (rsi)') },
      theSame: { Later: sentence('3.5 pp (rsi)') },
      theSameOnThePage: { Later: sentence('3.5 pp (rsi)') },
      more: { Later: sentence('1.5 pp (pump)') },
      none: { Later: sentence('1.5 pp (pump)') },
      nothing: {},
    });
  });

  it('names what to do only where a difference that matters can never be seen', () => {
    const later = (wouldShow: number) => {
      const type = { type: 'pump', wouldShow, wouldShowNow: 9 };
      return textsOf(prospectLines({ days: 180, types: [type], all: undefined })).Later;
    };
    const seen = 'with 180 days of outcomes (older ones do not count), differences above about';
    expect([later(0.4), later(1.24), later(1.25)]).toEqual([
      `${seen} 1 pp (pump) can be seen`,
      `${seen} 1 pp (pump) can be seen`,
      `${seen} 1.5 pp (pump) can be seen. Looser settings bring more cards, and answers sooner.`,
    ]);
  });

  it('names no type where many have one size', () => {
    const types = ['a', 'b', 'c', 'd'].map((type) => ({ type, wouldShow: 0.8, wouldShowNow: 2 }));
    expect(textsOf(prospectLines({ days: 180, types, all: undefined }))).toEqual({
      Later:
        'with 180 days of outcomes (older ones do not count), differences above about 1 pp can be seen',
    });
  });

  it('is not said where something stands out', () => {
    expect(prospectLines(undefined)).toEqual([]);
  });
});

describe('what credits leave out', () => {
  const scarcity: Scarcity = {
    cardsPerDay: 250.4,
    boughtPerDay: 27.6,
    withoutMedians: [],
  };
  const bought = '11 % of the outcomes of the last 28 days, at random';

  it.each<{ what: string; more: Partial<Scarcity>; texts: Record<string, string> }>([
    { what: 'outcomes of some cards', more: {}, texts: { Bought: bought } },
    {
      what: 'all outcomes',
      more: { boughtPerDay: 0 },
      texts: { Bought: 'none yet of the outcomes of the last 28 days' },
    },
    {
      what: 'medians of some types',
      more: { withoutMedians: ['a', 'b'] },
      texts: {
        Bought: bought,
        'No medians': 'a, b (exports do not ask the service for these)',
      },
    },
    {
      what: 'nearly all outcomes',
      more: { cardsPerDay: 250, boughtPerDay: 8 / 28 },
      texts: { Bought: '0.1 % of the outcomes of the last 28 days, at random' },
    },
  ])('is $what', ({ more, texts }) => {
    expect(textsOf(scarcityLines({ ...scarcity, ...more }))).toEqual(texts);
  });

  it('is no random sample if some types are bought first', () => {
    expect(textsOf(scarcityLines(scarcity, ['pump', 'dump']))).toEqual({
      Bought:
        '11 % of the outcomes of the last 28 days; pump, dump first, so no random sample of all types',
    });
  });

  it('is nothing where all is bought', () => {
    expect(scarcityLines(undefined)).toEqual([]);
  });

  it('is lacking to tests of a type that would have enough first', () => {
    const command = 'screener signals export --focus pump';
    const isUnderWay = false;
    const counts = { outcomes: 28, needed: 150, by: AT, comesAnyway: false };
    const focus = { why: 'tune', type: 'pump', isUnderWay, ...counts } as const;
    const need = 'To learn what to change in pump, `tune` needs more of its outcomes.';
    const never = focusAdvice(focus, command);
    const later = focusAdvice({ ...focus, comesAnyway: true }, command);
    expect(never).toEqual({
      type: 'pump',
      purpose: '',
      text: `${need} If you buy them first, older cards included, there are enough by the end of Nov:`,
      command,
    });
    expect(later).toEqual({
      ...never,
      text: `${need} If you buy them first, older cards included, they come at least twice as fast:`,
    });
  });

  it('is lacking to know whether to drop a type', () => {
    const command = 'screener signals export --focus pump';
    const counts = { belowSince: AT, due: 1794, measured: 91, by: AT };
    const focus = { why: 'vs_btc', type: 'pump', isUnderWay: false, ...counts } as const;
    expect(focusAdvice(focus, command)).toEqual({
      type: 'pump',
      purpose: ', to learn whether to drop it',
      text: 'To know sooner whether to drop pump, buy its outcomes alone; that costs no more:',
      command,
    });
  });

  it('asks for nothing where exports buy the type first already', () => {
    const command = 'screener signals export --focus pump';
    const type = { type: 'pump', isUnderWay: true };
    const tune = {
      why: 'tune',
      ...type,
      outcomes: 28,
      needed: 150,
      by: AT,
      comesAnyway: false,
    } as const;
    const counts = { belowSince: AT, due: 1794, measured: 91 };
    const vsBtc = { why: 'vs_btc', ...type, ...counts } as const;
    expect([tune, vsBtc].map((focus) => focusAdvice(focus, command))).toEqual([
      {
        type: 'pump',
        purpose: '',
        text: 'Exports buy pump first, to learn what to change in it.',
        command: undefined,
      },
      {
        type: 'pump',
        purpose: ', to learn whether to drop it',
        text: 'Exports buy pump first, to learn whether it is below BTC, too: 91 of its 1794 outcomes are bought.',
        command: undefined,
      },
    ]);
  });
});
