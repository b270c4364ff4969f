/** The verdict against BTC: bought outcomes decide, unless the service, which counts all outcomes, contradicts them. */
import { describe, expect, it } from 'vitest';
import { byHorizon } from '../../src/api/contract/horizons.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import type { TypeFinding } from '../../src/outcomes/findings.ts';
import { judge } from '../../src/outcomes/judge.ts';
import { questionOf } from '../../src/outcomes/question.ts';
import { decideVsBtc } from '../../src/outcomes/verdict-vs-btc.ts';
import { UNKNOWN } from '../../src/statistics/estimate.ts';
import { stats } from '../support/samples.ts';
import { placeboHistory } from './placebo.ts';
import { evidenceOf, groupsOf } from './support.ts';

/** What was bought: a difference with its interval, the same at every level. */
function bought(low: number, high: number) {
  const interval = () => ({ low, high });
  return { ...UNKNOWN, value: (low + high) / 2, size: 90, clusters: 15, interval };
}

describe('the verdict against BTC', () => {
  const cases = [
    { from: bought(-0.9, 0.7), byService: -1.4, verdict: 'unclear' },
    { from: bought(-0.9, 0.7), byService: 1.4, verdict: 'unclear' },
    { from: bought(-0.9, 0.7), byService: -0.9, verdict: 'small' },
    { from: bought(0.3, 2), byService: -0.2, verdict: 'unclear' },
    { from: bought(0.3, 2), byService: 0.2, verdict: 'above' },
    { from: bought(-2, -0.3), byService: 0.2, verdict: 'unclear' },
    { from: bought(-2, -0.3), byService: -0.2, verdict: 'below' },
    { from: bought(-3, 3), byService: 0, verdict: 'unclear' },
  ];
  it.each(cases)('is $verdict if the service has $byService pp', (row) => {
    const differences = {
      vsBtc: row.from,
      service: { vsBtc: row.byService },
      comparedWith: 'others' as const,
    };
    expect(decideVsBtc(differences, { least: 1 })).toBe(row.verdict);
  });

  it('goes by the bought outcomes alone if the service is not asked, or if there are no others', () => {
    const vsBtc = bought(-0.9, 0.7);
    const service = { vsBtc: -1.4 };
    expect({
      notAsked: decideVsBtc({ vsBtc, service: undefined, comparedWith: 'others' }, { least: 1 }),
      withoutOthers: decideVsBtc({ vsBtc, service, comparedWith: 'btc' }, { least: 1 }),
    }).toEqual({ notAsked: 'small', withoutOthers: 'small' });
  });

  it('stays unclear against the service, also if it was small until now', () => {
    const service = { vsBtc: -1.4 };
    const differences = { vsBtc: bought(-0.9, 0.7), service, comparedWith: 'others' as const };
    expect(decideVsBtc(differences, { least: 1 }, 'small')).toBe('unclear');
  });
});

describe('a type of which one card in four is bought, within 1 pp of BTC by these', () => {
  const world = { days: 60, perDay: () => 60, correlation: 0.1, types: 4, scale: 2 };
  const cards = placeboHistory(world, 3).map((card, place) =>
    place % 4 === 0 ? card : { ...card, isBought: false, outcomes: undefined },
  );
  const now = Math.max(...cards.map(({ at }) => at)) + 2 * DAY;
  const types = ['type_0', 'type_1', 'type_2', 'type_3'];
  const known = { cards, settingsSince: new Map(), settingsOf: new Map(), now };

  /** The service's answers on all types, about the last 30 days. @param vsBtc its difference of type_0 to BTC; that of the other types is 0 */
  function answersWith(vsBtc: number) {
    const asked = now - HOUR;
    const counted = cards.filter(({ at }) => at > asked - 30 * DAY);
    return types.map((type) => {
      const sample = counted.filter((card) => card.type === type).length;
      const median = type === 'type_0' ? vsBtc : 0;
      const horizons = byHorizon(() => ({
        sample,
        pending: 0,
        missing: 0,
        btc_sample: sample,
        median_move_pct: median,
        median_vs_btc_percentage_points: median,
      }));
      return { at: asked, type, stats: stats({ screener_type: type, horizons }) };
    });
  }

  it.each([
    { vsBtc: -0.5, verdict: 'small' },
    { vsBtc: -1.4, verdict: 'unclear' },
  ])('is $verdict, in the notebook and on the page, where all have $vsBtc', (row) => {
    const findings = judge({ ...known, answers: answersWith(row.vsBtc) }, []);
    const line = findings.find(
      (finding): finding is TypeFinding => finding.about === 'type' && finding.type === 'type_0',
    );
    const [shown] = groupsOf(evidenceOf(cards, { now, findings }), questionOf({}));
    const figures = shown?.horizons['24h'];
    expect({
      source: line?.source,
      ofService: figures?.service_median_vs_btc_percentage_points,
      notebook: line?.vs_btc,
      page: figures?.verdict,
    }).toEqual({
      source: 'service',
      ofService: row.vsBtc,
      notebook: row.verdict,
      page: row.verdict,
    });
  });
});
