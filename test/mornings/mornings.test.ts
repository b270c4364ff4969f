/** What the screens say on up to sixty-four mornings, held against the mornings before and after. */

import { expect, it } from 'vitest';
import { OPERATIONS } from '../../src/api/operations.ts';
import type { Cut } from '../../src/outcomes/tune-types.ts';
import { DAY } from '../history/support.ts';
import { CREDITS, live, type Morning, type Season } from './support.ts';

const isOctober = (at: number) => at >= Date.UTC(2026, 9) && at < Date.UTC(2026, 10);

/** A change of settings and the end of October are in each season; the silence of a type in the first one. */
const SEASONS: Readonly<Record<string, Season>> = {
  'from an empty account': {
    start: Date.UTC(2026, 8, 9, 6),
    oneIn: 5,
    listed: 0.5,
    mornings: 64,
    change: 14,
    hasAllScreens: true,
  },
  'beside one who overspends in October': {
    start: Date.UTC(2026, 8, 27, 6),
    oneIn: 5,
    listed: 0.5,
    mornings: 39,
    change: 20,
    neighbour: (at) => (isOctober(at) ? 25 : 0),
  },
  'from thirty listed days': {
    start: Date.UTC(2026, 9, 3, 6),
    oneIn: 5,
    listed: 30,
    mornings: 32,
    change: 16,
  },
};

type Type = Morning['stats']['items'][number];
/** What was said and did not come true. */
type Wrong = (mornings: readonly Morning[], season: Season) => unknown[];

const figures = ({ horizons }: Type) => horizons['24h'];
const word = (type: Type) => figures(type).shown_verdict;
const isTold = (type: Type) => ['above_others', 'below_others'].includes(word(type) ?? '');

/** Holds each type's line against that of the morning before. */
const daily = (
  isWrong: (now: Type, before: Type, morning: Morning, last: Morning) => unknown,
): Wrong => {
  return (mornings) =>
    mornings.slice(1).flatMap((morning, i) => {
      const last = mornings[i] as Morning;
      return morning.stats.items.flatMap((now) => {
        const before = last.stats.items.find(({ group }) => group === now.group);
        const has = before && isWrong(now, before, morning, last);
        return has ? [`morning ${morning.day}: ${now.group} ${word(now)}`] : [];
      });
    });
};

/** The rate of cards is known after a week; what others will spend never is. */
const foreseeing = (wrong: (morning: Morning, later: readonly Morning[]) => unknown): Wrong => {
  return (mornings, { neighbour }) => {
    const known = neighbour === undefined ? mornings.slice(7) : [];
    return known
      .filter((morning) => wrong(morning, mornings.slice(morning.day + 1)))
      .map(({ day }) => `morning ${day}`);
  };
};

const settings = ({ stats }: Morning) =>
  stats.items
    .map((item) => item.settings_since)
    .sort()
    .join();
const isAnew = (now: Morning, last: Morning) =>
  now.summary.medians > 0 || settings(now) !== settings(last);
/** An overdue export stands first for as long as it is overdue. */
const lines = ({ today }: Morning) =>
  today.unusual
    .filter(({ kind }) => kind !== 'export')
    .map(({ kind, message }) => kind + message.replace(/\d.*/, ''));
/** What comes due in a day may wait for the next. */
const isWaiting = ({ outlook, summary: { remaining } }: Morning) =>
  remaining.outcomes_due > (outlook?.due_a_day ?? 0);
/** Epoch milliseconds UTC; 0 where there is none. */
const lastOf = (mornings: readonly Morning[]): number => mornings.at(-1)?.at ?? 0;
const hasNoCredits = ({ left }: Morning) => left < OPERATIONS.stats.cost;
const iso = (time: number) => new Date(time).toISOString();
const signed = (value: number) => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`;

/** A type's row of the report's first picture. */
function rowOf(report: string, group: string | null): string {
  const [, ...rows] = report.replaceAll('<wbr>', '').split(/<li[ >]/);
  return rows.find((row) => row.includes(`<b>${group}</b>`)) ?? '';
}

/** Of mornings on which all screens were asked for. */
const isCutMoved = daily((now, before, morning, last) => {
  // Another horizon is a question of one's own.
  const isAdvice = ({ is_advice, type, horizon }: Cut) =>
    is_advice && type === now.group && horizon === '24h';
  const [cuts, old] = [morning, last].map(
    ({ screens }) => screens?.tune.cuts.filter(isAdvice) ?? [],
  );
  const isOther = (a: Cut) =>
    old?.some((b) => a.key === b.key && a.absolute === b.absolute && a.value !== b.value);
  return now.settings_since === before.settings_since && cuts?.some(isOther);
});

const TRUE: Readonly<Record<string, Wrong>> = {
  'a date never moves': daily((now, before) => {
    const [since, last] = [now, before].map((one) => figures(one).verdict_since);
    return word(now) === word(before) && last !== null && since !== last;
  }),
  'cards a day are as many in the forecast as in today, but on the day of a change': (mornings) =>
    mornings.flatMap((morning, i) => {
      const { day, outlook, today } = morning;
      const isFar = Math.abs((outlook?.due_a_day ?? today.cards.usual) - today.cards.usual) > 1.5;
      return isFar && settings(morning) === settings(mornings[i - 1] ?? morning)
        ? [`morning ${day}`]
        : [];
    }),
  'a word that changes stands among the changes, with that day': daily(
    (now, before, { at, today }) => {
      const named = today.verdicts_changed.filter((change) => change.screener_type === now.group);
      const isNew = named.length === 1 && at - Date.parse(named[0]?.since ?? '') < DAY / 2;
      return (
        named.length > 1 ||
        isNew !== (word(now) !== word(before) && (isTold(now) || isTold(before)))
      );
    },
  ),
  'a wait gets shorter by a day each day, until the medians are reckoned anew': daily(
    (now, before, morning, last) => {
      const [wait, said] = [now, before].map((one) => figures(one).days_until_least_shows);
      return (
        !isAnew(morning, last) &&
        wait != null &&
        said != null &&
        wait > Math.max(0, said - 1) + 0.01
      );
    },
  ),
  'a wait that is said before the medians are asked for ends with a verdict': (mornings) => {
    const first = mornings.findIndex(({ summary }) => summary.medians > 0);
    return mornings.slice(0, first).flatMap(({ day, stats }) =>
      stats.items.filter((item) => {
        const wait = figures(item).days_until_least_shows;
        const end = mornings[Math.ceil(day + (wait ?? Infinity))]?.stats.items.find(
          ({ group }) => group === item.group,
        );
        return end !== undefined && ['unclear', 'too_few_days'].includes(word(end) ?? '');
      }),
    );
  },
  'what the medians say stands until they are reckoned anew': daily(
    (now, before, morning, last) => {
      const [one, other] = [now, before].map(figures);
      const isService = one?.vs_others_from === 'service' && other?.vs_others_from === 'service';
      const isSame =
        one?.median_vs_others_percentage_points === other?.median_vs_others_percentage_points;
      return isService && !isSame && !isAnew(morning, last);
    },
  ),
  'nothing is weak after thirty days': daily(
    (now) => figures(now).weak && figures(now).distinct_days >= 30,
  ),
  'the medians are asked for when it was said': (mornings) =>
    mornings.slice(1).flatMap((morning) => {
      const { day, at, stats, summary } = morning;
      const said = Math.min(
        ...stats.items.map((type) => Date.parse(figures(type).next_medians_at ?? '') || Infinity),
      );
      const asked = mornings.find((later) => later.day > day && later.summary.medians > 0)?.at;
      if (said === Infinity) {
        // In the first days no type has the eight outcomes that an answer needs.
        const isEarly = day <= 3;
        const isNearlyAllBought = summary.bought.bought >= 0.9 * summary.bought.due;
        const isExpected = isEarly || isNearlyAllBought || hasNoCredits(morning);
        const isSoon = asked !== undefined && asked < at + 2 * DAY;
        return isSoon && !isExpected ? [`morning ${day}: not said, asked on ${iso(asked)}`] : [];
      }
      // What others will spend is not known.
      const then = mornings.find((later) => later.at >= said);
      if (asked === undefined || then === undefined || hasNoCredits(then)) return [];
      const isThen = asked >= said && asked < said + DAY;
      return isThen ? [] : [`morning ${day}: said for ${iso(said)}, asked on ${iso(asked)}`];
    }),
  'a line of unusual stands for seven mornings at most': (mornings) =>
    mornings.slice(7).flatMap((morning, i) => {
      const week = mornings.slice(i, i + 7);
      return lines(morning).filter((line) => week.every((one) => lines(one).includes(line)));
    }),
  'an alarm comes in the month of the neighbour, and in no other': (mornings, { neighbour }) => {
    const alarms = mornings.filter(({ today }) =>
      today.unusual.some(({ kind }) => kind === 'credits'),
    );
    const others = alarms
      .filter(({ at }) => neighbour === undefined || !isOctober(at))
      .map(({ day }) => day);
    return neighbour !== undefined && alarms.length === 0 ? ['no alarm'] : others;
  },
  'credits are gone when it was said': (mornings) =>
    mornings.filter(({ today }) => {
      const gone = Date.parse(today.credits?.gone_at ?? '');
      const { left = 0 } = mornings.findLast(({ at }) => at < gone) ?? {};
      return gone < lastOf(mornings) && left > CREDITS / 10;
    }),
  'as many outcomes are bought until the reset as foreseen': foreseeing(({ outlook }, later) => {
    const reset = Date.parse(outlook?.resets_at ?? '');
    const bought = later
      .filter(({ at }) => at < reset)
      .reduce((sum, { summary }) => sum + summary.outcomes, 0);
    return (
      reset < lastOf(later) && Math.abs(bought - (outlook?.bought_by_reset ?? 0)) > CREDITS / 10
    );
  }),
  'everything is bought by the day foreseen': foreseeing((morning, later) => {
    const said = Date.parse(morning.outlook?.all_bought_by ?? '');
    const latest = said + DAY + (said - morning.at) / 10;
    return (
      isWaiting(morning) &&
      latest < lastOf(later) &&
      !later.some((morning) => morning.at <= latest && !isWaiting(morning))
    );
  }),
  'an export counts outcomes as statistics do': (mornings) =>
    mornings.filter(({ stats: { items }, summary: { counts, cards_total } }) => {
      const sum = (of: (one: Type) => number) => items.reduce((total, one) => total + of(one), 0);
      const bought = sum(({ due, bought_share }) => Math.round(due * (bought_share ?? 0)));
      // Statistics leave out cards from before a change of settings.
      if (sum(({ rows }) => rows) < cards_total) return false;
      return sum(({ due }) => due) !== counts.due || bought !== counts.bought;
    }),
  'no cut changes': (mornings, season) =>
    isCutMoved(
      mornings.filter(({ screens }) => screens),
      season,
    ),
  'all screens say the same': daily((now, _, { today, screens }) => {
    const own = figures(now);
    const line = today.by_type.find((line) => line.screener_type === now.group);
    const screener = screens?.screeners.items.find((item) => item.type === now.group);
    const {
      median_vs_others_percentage_points: others,
      service_median_vs_btc_percentage_points: service,
    } = own;
    const btc = service ?? own.median_vs_btc_percentage_points;
    const isDrawn = screens?.report && own.median_vs_others_interval_95 !== null;
    const drawn = [others, btc].map((value) => `>${signed(value ?? 0)} pp<`);
    return (
      (line && (line.verdict !== word(now) || line.usual !== now.cards_per_day)) ||
      (screener && JSON.stringify(screener.horizons['24h']) !== JSON.stringify(own)) ||
      (screener && screener.cards_per_day !== now.cards_per_day) ||
      (isDrawn && drawn.some((text) => !rowOf(screens.report, now.group).includes(text)))
    );
  }),
};

/** All at once: each waits for its disk. */
const liveAll = () =>
  Promise.all(
    Object.entries(SEASONS).map(async ([name, season]) => ({
      name,
      season,
      mornings: await live(season),
    })),
  );
let lived: ReturnType<typeof liveAll> | undefined;

it.each(Object.entries(TRUE))('morning after morning %s', async (_statement, wrong) => {
  lived ??= liveAll();
  const all = await lived;
  const mistakes = all.map(({ name, season, mornings }) => ({
    season: name,
    wrong: wrong(mornings, season),
  }));
  expect(mistakes).toEqual(all.map(({ name }) => ({ season: name, wrong: [] })));
});
