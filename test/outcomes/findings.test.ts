/** What the notebook's lines are: which word stands, since when, and which line is news. */
import { describe, expect, it } from 'vitest';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY } from '../../src/base/units.ts';
import {
  type ChangeFinding,
  changeInNotebook,
  type DoubtFinding,
  type Finding,
  isSameVerdict,
  type LatelyFinding,
  lastMedians,
  latestNews,
  type MediansFinding,
  type NumberFinding,
  newsOf,
  presentVerdict,
  type TypeFinding,
  unsteadyTypes,
  withdrawnVerdict,
} from '../../src/outcomes/findings.ts';

const FIRST = Date.UTC(2026, 10, 1);
const timeOn = (day: number) => formatApiTime(FIRST + day * DAY);

const ofType = (type: string, day: number, more: Partial<TypeFinding> = {}) =>
  ({
    about: 'type',
    type,
    at: timeOn(day),
    verdict: 'unclear',
    vs_btc: 'unclear',
    settings_since: null,
    ...more,
  }) as TypeFinding;
const ofNumber = (day: number, more: Partial<NumberFinding>) =>
  ({
    about: 'number',
    type: 'pump',
    number: 'oi',
    absolute: false,
    at: timeOn(day),
    ...more,
  }) as NumberFinding;
const ofChange = (day: number, verdict: ChangeFinding['verdict'], since = 0) =>
  ({
    about: 'change',
    type: 'pump',
    at: timeOn(day),
    settings_since: timeOn(since),
    verdict,
  }) as ChangeFinding;
const lately = (type: string, day: number, verdict: LatelyFinding['verdict']) =>
  ({ about: 'lately', type, at: timeOn(day), verdict }) as LatelyFinding;
const doubt = (type: string, day: number, verdict: DoubtFinding['verdict']) =>
  ({ about: 'doubt', type, at: timeOn(day), verdict, of: 'above' }) as DoubtFinding;
const medians = (day: number, horizon: MediansFinding['horizon']) =>
  ({ about: 'medians', at: timeOn(day), horizon, types: {} }) as MediansFinding;

/** The days of the lines that are news, and the day of the line before each. */
function newsDays(findings: readonly Finding[], since = FIRST - DAY) {
  const dayOf = (line: Finding | undefined) =>
    line === undefined ? undefined : (Date.parse(line.at) - FIRST) / DAY;
  return newsOf(findings, since).map(({ line, before }) => ({
    day: dayOf(line),
    before: dayOf(before),
  }));
}

describe('news', () => {
  it('are words that are found or withdrawn, each once', () => {
    const lines = [
      ofType('a', 1, { verdict: 'too_few_days' }),
      ofType('a', 2, { verdict: 'unclear' }),
      ofType('a', 3, { verdict: 'above' }),
      ofType('a', 4, { verdict: 'above' }),
      ofType('a', 5, { verdict: 'small' }),
      ofType('a', 6, { verdict: null }),
      ofType('a', 7, { verdict: 'below' }),
      ofType('b', 8, { verdict: 'above' }),
    ];
    expect(newsDays(lines)).toEqual([
      { day: 3, before: 2 },
      { day: 5, before: 4 },
      { day: 7, before: 6 },
      { day: 8, before: undefined },
    ]);
    expect(newsDays(lines, FIRST + 5 * DAY)).toEqual([
      { day: 7, before: 6 },
      { day: 8, before: undefined },
    ]);
  });

  it('are of a type that is below the others, that it is behind BTC, too', () => {
    expect(
      newsDays([
        ofType('a', 1, { verdict: 'below', vs_btc: 'unclear' }),
        ofType('a', 2, { verdict: 'below', vs_btc: 'below' }),
        ofType('a', 3, { verdict: 'below', vs_btc: 'small' }),
        ofType('a', 4, { verdict: 'unclear', vs_btc: 'below' }),
      ]),
    ).toEqual([
      { day: 1, before: undefined },
      { day: 2, before: 1 },
      { day: 3, before: 2 },
      { day: 4, before: 3 },
    ]);
  });

  it('are that a type is above BTC, or above the others, after it was above the other of the two', () => {
    const of = (day: number, to: TypeFinding['to'], verdict: TypeFinding['verdict'] = 'above') =>
      ofType('a', day, { verdict, to });
    const lines = [
      of(1, 'others'),
      doubt('a', 2, 'in_doubt'),
      of(3, 'btc'),
      of(4, 'btc'),
      of(5, 'others'),
      of(6, 'others', 'unclear'),
      of(7, 'btc', 'unclear'),
    ];
    expect(newsDays(lines)).toEqual([
      { day: 1, before: undefined },
      { day: 2, before: undefined },
      { day: 3, before: 1 },
      { day: 5, before: 4 },
      { day: 6, before: 5 },
    ]);
    const latest = latestNews(newsOf(lines.slice(0, 3), 0));
    // The doubt was about above the others.
    expect(latest.map(({ line }) => line.about)).toEqual(['type']);
  });

  it('are of a number that is found, and that is taken back', () => {
    const cut = { at_least: 3 };
    expect(
      newsDays([
        ofNumber(3, { verdict: 'higher', cut }),
        ofNumber(4, { verdict: 'unclear', cut: null }),
        ofNumber(5, { verdict: 'lower', cut, absolute: true }),
      ]),
    ).toEqual([
      { day: 3, before: undefined },
      { day: 4, before: 3 },
      { day: 5, before: undefined },
    ]);
  });

  it('are what a change did, small or not, but never that it is unclear again', () => {
    expect(
      newsDays([
        ofChange(1, 'unclear'),
        ofChange(2, 'small'),
        ofChange(3, 'unclear'),
        ofChange(4, 'higher'),
        ofChange(5, 'lower', 4),
      ]),
    ).toEqual([
      { day: 2, before: 1 },
      { day: 4, before: 3 },
      { day: 5, before: undefined },
    ]);
  });

  it('are that a type does less lately, and that it does so no more; medians are none', () => {
    expect(
      newsDays([
        ofType('a', 1, { verdict: 'above' }),
        medians(2, '24h'),
        lately('a', 3, 'less'),
        lately('a', 4, 'as_before'),
      ]),
    ).toEqual([
      { day: 1, before: undefined },
      { day: 3, before: undefined },
      { day: 4, before: 3 },
    ]);
  });

  it('are a doubt and its end, and a doubt about a later verdict once more', () => {
    expect(
      newsDays([
        ofType('a', 1, { verdict: 'above' }),
        doubt('a', 2, 'in_doubt'),
        doubt('a', 3, 'cleared'),
        doubt('a', 4, 'in_doubt'),
        ofType('a', 5, { verdict: 'unclear' }),
        ofType('a', 6, { verdict: 'above' }),
        doubt('a', 7, 'in_doubt'),
        lately('a', 8, 'less'),
        ofType('a', 9, { verdict: 'unclear' }),
        ofType('a', 10, { verdict: 'above' }),
        lately('a', 11, 'less'),
      ]),
    ).toEqual([
      { day: 1, before: undefined },
      { day: 2, before: undefined },
      { day: 3, before: 2 },
      { day: 4, before: 3 },
      { day: 5, before: 1 },
      { day: 6, before: 5 },
      { day: 7, before: undefined },
      { day: 8, before: undefined },
      { day: 9, before: 6 },
      { day: 10, before: 9 },
      { day: 11, before: undefined },
    ]);
  });

  it('of which only the last is shown are one about each thing, without what was said of a verdict that ended', () => {
    const lines = [
      ofType('a', 1, { verdict: 'above' }),
      ofType('b', 2, { verdict: 'below' }),
      lately('b', 3, 'less'),
      lately('a', 3, 'less'),
      doubt('a', 3, 'in_doubt'),
      ofType('a', 4, { verdict: 'unclear' }),
    ];
    expect(
      latestNews(newsOf(lines, 0)).map(({ line: { type, about, at } }) => ({ type, about, at })),
    ).toEqual([
      { type: 'a', about: 'type', at: timeOn(4) },
      { type: 'b', about: 'type', at: timeOn(2) },
      { type: 'b', about: 'lately', at: timeOn(3) },
    ]);
  });
});

describe('the word that stands', () => {
  it('is another one against BTC than against the others, if it is above or below', () => {
    const isSame = (verdict: TypeFinding['verdict']) =>
      isSameVerdict(
        ofType('a', 1, { verdict, to: 'others' }),
        ofType('a', 2, { verdict, to: 'btc' }),
      );
    expect({ above: isSame('above'), below: isSame('below'), unclear: isSame('unclear') }).toEqual({
      above: false,
      below: false,
      unclear: true,
    });
  });

  it('has the day on which it was first written without a break, under present settings', () => {
    const settings_since = timeOn(2);
    const lines = [
      ofType('a', 1, { verdict: 'above' }),
      ofType('a', 3, { verdict: 'above', settings_since }),
      ofType('a', 4, { verdict: 'above', settings_since }),
    ];
    const sinceOf = (all: readonly TypeFinding[], settingsSince?: number) => {
      const since = presentVerdict(all, settingsSince)?.since;
      return since === undefined ? undefined : (since - FIRST) / DAY;
    };
    expect({
      present: sinceOf(lines, FIRST + 2 * DAY),
      otherSettings: sinceOf(lines, FIRST + 3 * DAY),
      unknownSettings: sinceOf(lines),
      first: sinceOf(lines.slice(0, 1)),
      interrupted: sinceOf([
        ofType('a', 1, { verdict: 'above' }),
        ofType('a', 2),
        ofType('a', 3, { verdict: 'above' }),
        ofType('a', 4, { verdict: 'above' }),
      ]),
      comparedOtherwise: sinceOf([
        ofType('a', 1, { verdict: 'above', to: 'btc' }),
        ofType('a', 3, { verdict: 'above', to: 'others' }),
        ofType('a', 4, { verdict: 'above', to: 'others' }),
      ]),
      unclearOtherwise: sinceOf([ofType('a', 1, { to: 'btc' }), ofType('a', 3, { to: 'others' })]),
      none: sinceOf([]),
    }).toEqual({
      present: 3,
      otherSettings: undefined,
      unknownSettings: undefined,
      first: 1,
      interrupted: 3,
      comparedOtherwise: 3,
      unclearOtherwise: 1,
      none: undefined,
    });
  });

  it('on whether a type does as before is that of its last lines', () => {
    const first = formatApiTime(FIRST);
    const changed = formatApiTime(FIRST + DAY);
    const of = (type: string, day: number, verdict: TypeFinding['verdict'], since = first) =>
      ofType(type, day, { verdict, settings_since: since });
    const unsteady = unsteadyTypes([
      lately('recovered', 1, 'less'),
      lately('less', 2, 'less'),
      lately('recovered', 3, 'as_before'),
      of('below', 4, 'below'),
      ...[of('withdrawn', 1, 'above'), of('withdrawn', 5, 'unclear'), of('withdrawn', 6, 'small')],
      ...[of('weaker', 1, 'above'), lately('weaker', 3, 'less'), of('weaker', 5, 'unclear')],
      ...[of('again', 1, 'below'), of('again', 2, 'unclear'), of('again', 3, 'below')],
      ...[of('changed', 1, 'above'), of('changed', 2, 'unclear', changed)],
      ...[of('never', 1, 'unclear'), of('never', 2, 'small')],
    ]);
    expect(Object.fromEntries(unsteady)).toEqual({
      less: { why: 'less_lately', at: FIRST + 2 * DAY },
      withdrawn: { why: 'verdict_withdrawn', at: FIRST + 5 * DAY },
      weaker: { why: 'verdict_withdrawn', at: FIRST + 5 * DAY },
    });
  });

  it('is told with its two days once it is withdrawn', () => {
    const changed = timeOn(5);
    const of = (day: number, verdict: TypeFinding['verdict'], more: Partial<TypeFinding> = {}) =>
      ofType('a', day, { verdict, to: 'others', ...more });
    const withdrawnOf = (lines: readonly TypeFinding[]) => {
      const withdrawn = withdrawnVerdict(lines);
      if (withdrawn === undefined) return undefined;
      const { verdict, from, until } = withdrawn;
      return { verdict, from: (from - FIRST) / DAY, until: (until - FIRST) / DAY };
    };
    expect({
      withdrawn: withdrawnOf([of(1, 'unclear'), of(2, 'above'), of(4, 'above'), of(9, 'unclear')]),
      longAgo: withdrawnOf([of(2, 'below'), of(4, 'unclear'), of(9, 'small')]),
      comparedOtherwise: withdrawnOf([
        of(1, 'above', { to: 'btc' }),
        of(2, 'above'),
        of(3, 'small'),
      ]),
      standing: withdrawnOf([of(1, 'above'), of(2, 'unclear'), of(3, 'above')]),
      otherSettings: withdrawnOf([of(1, 'above'), of(6, 'unclear', { settings_since: changed })]),
      never: withdrawnOf([of(1, 'unclear')]),
      none: withdrawnOf([]),
    }).toEqual({
      withdrawn: { verdict: 'above', from: 2, until: 9 },
      longAgo: { verdict: 'below', from: 2, until: 4 },
      comparedOtherwise: { verdict: 'above', from: 2, until: 3 },
      standing: undefined,
      otherSettings: undefined,
      never: undefined,
      none: undefined,
    });
  });

  it('on a change has the day on which it was first said, not that of a later date for it', () => {
    const lines = [ofChange(1, 'unclear'), ofChange(5, 'unclear'), ofChange(6, 'higher', 3)];
    const inNotebook = changeInNotebook(lines, 'pump', FIRST);
    expect({ last: inNotebook?.line.at, since: inNotebook?.since }).toEqual({
      last: timeOn(5),
      since: FIRST + DAY,
    });
  });

  it('on a change is that of its last line, by the day of the settings', () => {
    const lines = [ofChange(1, 'unclear', 0), ofChange(2, 'higher', 0), ofChange(3, 'lower', 3)];
    expect({
      first: changeInNotebook(lines, 'pump', FIRST)?.line.verdict,
      second: changeInNotebook(lines, 'pump', FIRST + 3 * DAY)?.line.verdict,
      otherDay: changeInNotebook(lines, 'pump', FIRST + DAY),
      otherType: changeInNotebook(lines, 'spike', FIRST),
    }).toEqual({ first: 'higher', second: 'lower', otherDay: undefined, otherType: undefined });
  });

  it('medians of a horizon are the last ones of it', () => {
    const lines = [medians(1, '24h'), medians(2, '24h'), medians(3, '1h')];
    expect({
      day: lastMedians(lines, '24h')?.at,
      hour: lastMedians(lines, '1h')?.at,
      none: lastMedians([], '1h'),
    }).toEqual({ day: timeOn(2), hour: timeOn(3), none: undefined });
  });
});
