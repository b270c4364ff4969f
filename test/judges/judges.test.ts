/**
 * Figures, `tune`, changes of settings and the notebook of random histories, against numpy and scipy (`judge.py`).
 * `SCREENER_HEAVY=1` takes 300 histories. On a machine of one's own without numpy or scipy it is skipped; in CI it fails.
 */

import { spawn, spawnSync } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import {
  byHorizon,
  HORIZON_NAMES,
  type HorizonName,
  OUTCOME_MILLIS,
} from '../../src/api/contract/horizons.ts';
import type { SignalDetail } from '../../src/api/contract/resources.ts';
import { formatApiTime } from '../../src/api/time.ts';
import { DAY, HOUR } from '../../src/base/units.ts';
import { figuresFrom } from '../../src/outcomes/figure.ts';
import { GROUP_TABLE, HORIZON_TABLE } from '../../src/outcomes/figure-table.ts';
import { figuresOf } from '../../src/outcomes/figures.ts';
import type { Finding } from '../../src/outcomes/findings.ts';
import { cardsBeforeMonth, focusOf } from '../../src/outcomes/focus.ts';
import type { HistoryCard } from '../../src/outcomes/history-card.ts';
import { judge } from '../../src/outcomes/judge.ts';
import { picksOf } from '../../src/outcomes/picks.ts';
import { PICKS_TABLE } from '../../src/outcomes/picks-figures.ts';
import { DEFAULT_LEAST, type Evidence, leastOf, questionOf } from '../../src/outcomes/question.ts';
import { lastSittings } from '../../src/outcomes/service-answers.ts';
import {
  CHANGE_LEVEL,
  ChangeComparison,
  changeVerdict,
  settingsChangesOf,
} from '../../src/outcomes/settings-change.ts';
import { type KnownScreeners, standingsOf } from '../../src/outcomes/standing.ts';
import { tuningOf } from '../../src/outcomes/tune.ts';
import type { SettingsTime } from '../../src/outcomes/types.ts';
import { GROUPS } from '../../src/outcomes/types.ts';
import { LEVEL } from '../../src/statistics/estimate.ts';
import { cleanOrNull, medianOf } from '../../src/statistics/quantile.ts';
import { SURE_LEVEL } from '../../src/statistics/rule.ts';
import { bare } from '../history/support.ts';
import { detailOf, rowsOf } from '../outcomes/support.ts';
import { normalOf, randomOf } from '../support/history.ts';
import { stats } from '../support/samples.ts';

const HEAVY = process.env.SCREENER_HEAVY === '1';
const HISTORIES = HEAVY ? 300 : 9;
/** Processes of Python, each of which loads numpy and scipy: for few histories that takes longer than to judge them. */
const JUDGES = HEAVY ? 2 : 1;
/** Nine in a row from here on meet every situation that must be met. */
const FIRST_SEED = 9;
const NOW = Date.UTC(2026, 10, 20);
const LONG_AGO = formatApiTime(NOW - 60 * DAY);
const BEGUN = { at: formatApiTime(NOW - 10 * DAY), settings_since: null };
const type = {
  ...BEGUN,
  about: 'type',
  to: 'others',
  difference_percentage_points: 1,
  interval_95: null,
} as const;
const OF_TYPE = {
  ...type,
  sample: 9,
  source: 'bought',
  least: 1,
  weak: false,
  shows_at: null,
} as const;
const doubt = {
  at: BEGUN.at,
  about: 'doubt',
  verdict: 'in_doubt',
  newer: { percentage_points: 0, interval_95: null },
  newer_since: BEGUN.at,
} as const;
const number = {
  ...BEGUN,
  about: 'number',
  absolute: false,
  cut: { at_least: 1 },
  cards_per_day: 1,
} as const;

/** What stands in the notebook that nothing bears out, and says what decides until the next sitting. */
const FOUND: readonly Finding[] = [
  { ...OF_TYPE, at: LONG_AGO, type: 'type_0', verdict: 'above', vs_btc: 'above' },
  { ...OF_TYPE, at: LONG_AGO, type: 'type_1', verdict: 'below', vs_btc: 'below' },
  { ...OF_TYPE, type: 'type_2', verdict: 'small', vs_btc: 'small' },
  { ...OF_TYPE, type: 'gone', verdict: 'small', vs_btc: 'small' },
  { ...doubt, type: 'type_0', of: 'above', before: 0.01 },
  { ...doubt, type: 'type_1', of: 'below', before: -0.01 },
  {
    ...number,
    type: 'type_1',
    number: 'tied',
    verdict: 'higher',
    kept_vs_btc: 1,
    kept_vs_dropped: 1,
  },
];
const SWAPPED: readonly Finding[] = [
  { ...OF_TYPE, type: 'type_0', verdict: 'unclear', vs_btc: null, source: 'service' },
  { ...OF_TYPE, type: 'type_1', verdict: 'unclear', vs_btc: null },
];

/** Nobody looked at the screeners: none is silent, and none switched off. */
const UNKNOWN_SCREENERS: KnownScreeners = {
  screeners: [],
  offSince: new Map(),
  firstCardAt: 0,
  until: NOW,
  isListed: false,
  dueAfter: OUTCOME_MILLIS,
};

/** The last one is when older cards and answers count no more. */
const MORNINGS = [
  { now: NOW - 9 * DAY, found: FOUND },
  { now: NOW, found: [] },
  { now: NOW + 1.5 * DAY, found: SWAPPED },
  { now: NOW + 160 * DAY, found: [] },
];

/** The types that exports buy first, in one history after the other. */
const IN_FOCUS = [[], ['type_1'], ['type_0'], ['type_2', 'type_3']] as const;

/**
 * Few or many days, cards and symbols, ties, gaps, states of all kinds, days that go together, lasting effects of
 * symbols; numbers at the trigger that tell and others, some seldom given, some with names that nobody expects.
 * @returns also lines of stats.ndjson, and when the settings of type_0 changed, epoch milliseconds UTC
 */
function randomHistory(seed: number) {
  const random = randomOf(seed);
  const normal = normalOf(random);
  const isLong = seed % 2 === 0;
  const isCrowded = seed % 15 === 0;
  const usualDays = isLong ? 37 + Math.floor(random() * 25) : 1 + Math.floor(random() ** 2 * 60);
  const days = isCrowded ? 30 : usualDays;
  const usualPerDay = isLong ? 7 + random() * 3 : Math.exp(random() * 3);
  const perDay = isCrowded ? 40 : usualPerDay;
  const digits = Math.floor(random() * 5);
  const broken = isLong || random() < 0.5 ? 0.02 : 0.3;
  const hasBtc = random() < 0.3;
  const isScarce = seed % 4 === 0;
  const shareOfFew = isScarce ? 0.2 : 0.05;
  // Where many cards come and few are bought, buying a type first is proposed.
  const shareUnbought = isCrowded ? 0.7 : shareOfFew;
  const fades = seed % 4 === 2;
  const lasting = Array.from({ length: 1 + Math.floor(random() * 25) }, normal);
  const effects = [[2, -2], [], [4, -3], []][seed % 4] ?? [];
  const changes =
    seed % 3 === 0 ? [0.6, 0.3].map((share) => NOW - Math.floor(share * days * DAY)) : [];
  const spread = isLong ? 1 : 3;
  const memory = random() < 0.5 ? 0 : 0.8;
  let market = 0;
  const cards: SignalDetail[] = [];
  for (let day = 0; day < days; day += 1) {
    market = memory * market + normal();
    for (let i = Math.floor(perDay * Math.exp(normal() * random())); i > 0; i -= 1) {
      const symbol = Math.floor(lasting.length * random() ** 2);
      const type = Math.floor(random() ** 1.5 * 4);
      const at = NOW - day * DAY - Math.floor(random() * DAY);
      const isChanged = type === 0 && at >= (changes.at(-1) ?? NOW);
      const telling = normal();
      const told = [telling, -telling, -Math.abs(telling)][seed % 3] ?? 0;
      const isOver = fades && day < 20;
      const effect = (isOver ? 0 : (effects[type] ?? 0)) + (isChanged ? 3 : 0);
      const own = effect + spread * normal() + 0.3 * (lasting[symbol] ?? 0) + 1.2 * told;
      const measured = () => {
        const btc = Number((0.5 * market).toFixed(digits));
        const move =
          hasBtc && symbol === lasting.length - 1
            ? btc
            : Number((btc + market + own + normal() / 3).toFixed(digits));
        const lot = random();
        if (lot < broken / 2)
          return {
            state: ['pending', 'missing', 'novel'][Math.floor(random() * 3)],
            move: null,
            btc,
          };
        return {
          state: 'available',
          move: lot < broken * 0.6 ? null : move,
          btc: lot > 0.97 ? null : btc,
        };
      };
      const named = { symbol: `S${symbol}USDT`, type: `type_${type}` };
      const card = detailOf({
        id: cards.length + 1,
        ...named,
        at,
        isBought: true,
        outcomes: byHorizon(measured),
      });
      card.entry_context = {
        telling,
        ofDay: Math.sin(day),
        tied: random() < 0.8 ? 0 : Number(normal().toFixed(1)),
        ...(random() < 0.45 ? { seldom: telling } : {}),
        constructor: Number((telling + normal()).toFixed(1)),
      };
      const lot = random();
      cards.push(
        lot < shareUnbought
          ? (bare(card) as SignalDetail)
          : lot < (isScarce ? 0.22 : 0.1)
            ? { ...card, outcome: null }
            : card,
      );
    }
  }
  const picked = cards.filter(isPicked).map(({ id }) => id);
  const answers = seed % 4 < 2 ? [] : randomAnswers(cards, random);
  return { cards, answers, changes, picked, focus: IN_FOCUS[seed % IN_FOCUS.length] ?? [] };
}

/** Some by chance, bought or not, and some by a number that tells what comes after. */
function isPicked({ id, entry_context }: SignalDetail): boolean {
  return id % 7 === 0 || Number(entry_context?.telling) > 0.7;
}

/** What the service may have said in windows of 30 days; now and then it is wrong. */
function randomAnswers(cards: readonly SignalDetail[], random: () => number) {
  const types = [...new Set(cards.map((card) => card.source_bot_type))];
  const ends = [NOW, NOW - 30 * DAY, NOW - Math.floor(random() * 40) * DAY];
  const asked = types.flatMap((type) =>
    ends.map((end) => ({ type, at: end - Math.floor(random() * HOUR) })),
  );
  return asked
    .sort((one, other) => one.at - other.at)
    .map(({ type, at }) => {
      const own = cards.filter(({ source_bot_type, created_at }) => {
        const since = at - Date.parse(created_at);
        return source_bot_type === type && since >= 0 && since < 30 * DAY;
      });
      const horizon = (name: HorizonName) => {
        const moves = own.flatMap(({ outcome }) => {
          const [move, btc] = [
            outcome?.[`move_${name}_pct`] ?? null,
            outcome?.[`btc_move_${name}_pct`] ?? null,
          ];
          return move === null || btc === null ? [] : [move - btc];
        });
        const off = random() < 0.1 ? 20 : (random() - 0.5) / 5;
        const share = () => Math.floor(random() * 0.05 * own.length);
        // The rest is listed, but not counted.
        const [pending, missing] = [share(), share()];
        const counted = Math.max(moves.length, own.length - pending - missing - share());
        return {
          sample: random() < 0.1 ? own.length * 2 : counted,
          pending,
          missing,
          median_move_pct: null,
          btc_sample: moves.length,
          median_vs_btc_percentage_points: moves.length === 0 ? null : medianOf(moves) + off,
        };
      };
      const limited =
        random() < 0.1 ? { sample_limited: true, sampled_rows: Math.floor(own.length * 0.95) } : {};
      const said = { screener_type: type, horizons: byHorizon(horizon), ...limited };
      return {
        asked_at: new Date(at).toISOString(),
        type,
        stats: stats({ ...said, stale: random() < 0.1 }),
      };
    });
}

/** The first that has numpy and scipy: a distribution's packages belong to its own. */
const python = ['python3', '/usr/bin/python3'].find(
  (one) => spawnSync(one, ['-c', 'import numpy, scipy']).status === 0,
);
if (python === undefined) {
  if (process.env.CI === 'true') throw new Error('No python3 with numpy and scipy.');
  process.stderr.write('Skipped: figures against numpy and scipy, which are not installed.\n');
}

// biome-ignore lint/suspicious/noExplicitAny: it is JSON of another program.
type Judged = Record<string, any>;

/** One line a history, while this process works out its own. */
function opinionsOf(histories: readonly object[]): AsyncIterator<string> {
  const script = fileURLToPath(new URL('judge.py', import.meta.url));
  const { stdin, stdout } = spawn(python ?? '', [script, String(NOW)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  stdin.end(
    histories.map((history) => `${JSON.stringify({ ...history, mornings: MORNINGS })}\n`).join(''),
  );
  return createInterface({ input: stdout })[Symbol.asyncIterator]();
}

/** Of `type_0` alone; cards of the day before each change are left out. @param changes epoch milliseconds UTC */
function settingsAt(changes: readonly number[]): ReadonlyMap<string, readonly SettingsTime[]> {
  const times = [undefined, ...changes].map((since, i): SettingsTime => {
    const next = changes[i];
    return { since, until: next === undefined ? undefined : next - DAY };
  });
  return new Map([['type_0', times]]);
}

const hasEveryFigure = (table: object) => (figures: object) =>
  Object.keys(table).every((name) => name in figures);

/** Numbers to 1e-9, intervals by both ends, of objects what the judge says, all else exactly. */
function near(ours: unknown, theirs: unknown, where: string): void {
  if (Array.isArray(theirs)) near(ours, { low: theirs[0], high: theirs[1] }, where);
  else if (typeof theirs === 'object' && theirs !== null) {
    for (const [key, value] of Object.entries(theirs))
      near((ours as Judged | null)?.[key], value, `${where} ${key}`);
  } else {
    const [one, other] = [Number(ours ?? Number.NaN), Number(theirs ?? Number.NaN)];
    const isNear = Math.abs(one - other) <= 1e-9 * Math.max(1, Math.abs(other));
    if (!isNear) expect({ where, figure: ours }).toEqual({ where, figure: theirs });
  }
}

/** Picked cards beside the others, by both. @returns our words */
function nearPicks(
  cards: readonly HistoryCard[],
  picked: readonly number[],
  theirs: Judged,
  where: string,
): Set<string> {
  const answer = picksOf(
    { cards, dueUntil: NOW - DAY, idsNoLongerBought: new Set() },
    {
      ...{ kind: 'picks', ids: new Set(picked.map(String)), repeatedLines: 0 },
      ...{ horizon: '24h', least: DEFAULT_LEAST },
      ...{ since: undefined, until: undefined, symbol: undefined, type: undefined, where: [] },
    },
  );
  const words = new Set<string>();
  for (const horizon of HORIZON_NAMES) {
    const groups = [answer.all, ...answer.types].flatMap((pair) => [pair.picked, pair.notPicked]);
    const ours = groups.map(({ group, type, horizons }) => {
      const figures = figuresFrom(PICKS_TABLE, horizons[horizon]);
      words.add(String(figures.verdict_vs_others));
      return [`${group} ${type ?? 'all'}`, figures] as const;
    });
    expect(ours.map(([name]) => name)).toEqual(Object.keys(theirs[horizon]));
    near(Object.fromEntries(ours), theirs[horizon], `${where} ${horizon}`);
  }
  return words;
}

const idOf = ({ about, type, key, number, absolute, horizon }: Judged) =>
  [about, type, key ?? number, absolute, horizon].join(' ');
const inOrder = (all: readonly Judged[]) =>
  all.toSorted((one, other) =>
    idOf(one) < idOf(other) ? -1 : idOf(one) > idOf(other) ? 1 : one.value - other.value,
  );
/** Lines as the judge has them: all types of the medians, no more. */
function counted(line: Finding): Judged {
  if (line.about !== 'medians') return line;
  const types = Object.entries(line.types).map(([name, one]) => [name, { lately: null, ...one }]);
  return { ...line, types: { ...Object.fromEntries(types), length: types.length } };
}
const listed = (all: readonly Judged[]) => ({ ...inOrder(all), length: all.length });

it.skipIf(python === undefined)(
  `${HISTORIES} random histories give the figures of numpy and scipy`,
  async () => {
    const histories = Array.from({ length: HISTORIES }, (_, i) =>
      randomHistory(i + FIRST_SEED),
    ).filter(({ cards }) => cards.length > 0);
    const opinions = Array.from({ length: JUDGES }, (_, judge) =>
      opinionsOf(histories.filter((_, i) => i % JUDGES === judge)),
    );
    const seen = new Set<string>();
    for (const [
      i,
      { cards, answers: told, changes, picked, focus: typed },
    ] of histories.entries()) {
      const theirs: Judged = JSON.parse((await opinions[i % JUDGES]?.next())?.value);
      const rows = rowsOf(cards);
      const answers = told.map(({ asked_at, ...answer }) => ({
        ...answer,
        at: Date.parse(asked_at),
      }));
      const settingsSince = new Map(changes.slice(-1).map((time) => ['type_0', time]));
      const inFocus = new Set(typed);
      const evidence: Evidence = {
        cards: rows,
        answers,
        lastAsked: lastSittings(answers, NOW),
        settingsSince,
        findings: undefined,
        inFocus,
        now: NOW,
        until: NOW,
        dueUntil: NOW - DAY,
      };
      const ofAll = figuresOf(evidence, questionOf({ by: undefined }));
      near(ofAll.groups[0]?.figures, theirs.all, `history ${i + 1}`);
      for (const by of GROUPS) {
        const groups = figuresOf(evidence, questionOf({ by })).groups.map(({ figures }) => figures);
        expect(groups.map(({ group }) => group).toSorted(), `history ${i} by ${by}`).toEqual(
          Object.keys(theirs[by]),
        );
        for (const group of groups) {
          near(group, theirs[by][String(group.group)], `history ${i + 1}, ${group.group}`);
          if (by !== 'type') continue;
          const figures = theirs[by][String(group.group)];
          const where = `history ${i} by ${by}: ${group.group}`;
          expect(figures, where).toSatisfy(hasEveryFigure(GROUP_TABLE));
          expect(figures.horizons['24h'], where).toSatisfy(hasEveryFigure(HORIZON_TABLE));
          const { shown_verdict, vs_others_from } = group.horizons['24h'];
          for (const verdict of [shown_verdict, vs_others_from]) seen.add(String(verdict));
        }
      }
      const words = nearPicks(rows, picked, theirs.picks, `history ${i + 1}, picks`);
      for (const word of words) seen.add(`picks ${word}`);
      const until = Math.max(...rows.map(({ at }) => at));
      const { questions, cuts } = tuningOf({ ...evidence, until }, {});
      near(inOrder(questions), listed(theirs.tune.questions), `history ${i + 1}, question`);
      near(inOrder(cuts), listed(theirs.tune.cuts), `history ${i + 1}, cut`);
      const standings = standingsOf(
        figuresOf(evidence, questionOf({ by: 'type' })),
        evidence,
        UNKNOWN_SCREENERS,
      );
      const ofDay = questions.filter(({ horizon }) => horizon === '24h');
      const focus = focusOf(standings, () => ofDay, cardsBeforeMonth(rows, NOW), inFocus);
      expect(focus ?? null, `history ${i + 1}, focus`).toEqual(theirs.focus);
      seen.add(`focus ${focus?.why}`);
      if (focus?.isUnderWay) seen.add('focus under way');
      for (const { verdict, needs, enough_by: by, focus_brings_by: byFocus } of questions) {
        seen.add(`tune ${verdict}`);
        if (needs !== null) seen.add(`needs ${needs}`);
        if (by !== null) seen.add('needs dates');
        if (byFocus !== null) seen.add('needs focus');
      }
      const notebook: Finding[] = [];
      for (const [morning, { now, found }] of MORNINGS.entries()) {
        notebook.push(...found);
        const lines = judge(
          {
            cards: rowsOf(cards.filter(({ created_at }) => Date.parse(created_at) <= now)),
            answers: answers.filter(({ at }) => at <= now),
            settingsSince: new Map(
              changes.flatMap((time) => (time <= now ? [['type_0', time]] : [])),
            ),
            settingsOf: settingsAt(changes.filter((time) => time <= now)),
            now,
          },
          notebook,
        );
        near(
          inOrder(lines.map(counted)),
          listed(theirs.noted[morning]),
          `history ${i + 1}, morning ${morning}`,
        );
        notebook.push(...lines);
        for (const one of lines) {
          if (one.about === 'type')
            seen.add(
              `noted ${one.verdict} ${one.to} ${one.source}${one.shows_at === null ? '' : ' with a day'}`,
            );
          if (one.about === 'change') seen.add(`noted change ${one.verdict}`);
          if (one.about === 'lately') seen.add(`noted lately ${one.verdict}`);
          if (one.about === 'doubt') seen.add(`noted doubt ${one.verdict}`);
          if (one.about === 'number')
            seen.add(`noted ${one.verdict} ${one.cut === null ? 'without' : 'with'} a cut`);
        }
      }
      const settingsOf = settingsAt(changes);
      const compared = settingsChangesOf('type_0', settingsOf.get('type_0') ?? []);
      const around = { cards: rows, answers, settingsOf };
      const otherTypes = new Set(rows.map(({ type }) => type));
      const asked = HORIZON_NAMES.flatMap((name) => [
        { name, part: 'changes', doubted: [] },
        { name, part: 'changes_if_all_doubted', doubted: [...otherTypes] },
      ]);
      for (const { name, part, doubted } of asked) {
        const unsteady = new Map(
          doubted.map((type) => [type, { at: NOW, why: 'less_lately' } as const]),
        );
        const comparison = new ChangeComparison({ ...around, unsteady }, name);
        const ours = compared.map((change) => {
          const effect = comparison.effectOf(change);
          const { controls, difference } = effect;
          const verdict = changeVerdict(effect, leastOf(name, DEFAULT_LEAST));
          return {
            controls: controls.join(' '),
            difference_percentage_points: cleanOrNull(difference.value),
            difference_interval_95: difference.interval(LEVEL),
            difference_interval_99: difference.interval(CHANGE_LEVEL),
            difference_interval_997: difference.interval(SURE_LEVEL),
            verdict,
          };
        });
        const reference = theirs[part][name].map((change: Judged) => ({
          ...change,
          controls: change.controls.join(' '),
        }));
        near(ours, { ...reference }, `history ${i + 1}, ${part} ${name}`);
        for (const { verdict, controls } of ours) {
          seen.add(`change ${verdict}`);
          seen.add(`${part} ${controls === '' ? 'beside none' : 'beside types'}`);
        }
      }
    }
    const words = ['above_others', 'below_others', 'unclear', 'too_few_days', 'service', 'bought'];
    const ofPicks = ['above_others', 'below_others', 'unclear', 'too_few_days', 'null'].map(
      (word) => `picks ${word}`,
    );
    const ofTune = ['lower', 'unclear', 'too_little', 'constant_within_days'].map(
      (word) => `tune ${word}`,
    );
    const ofNeeds = ['outcomes', 'cards_a_day', 'dates', 'focus'].map((word) => `needs ${word}`);
    const ofFocus = ['tune', 'undefined', 'under way'].map((why) => `focus ${why}`);
    const ofNotes = [
      ...['unclear without a cut', 'lately less', 'doubt in_doubt', 'doubt cleared'],
      'small others bought',
      ...['above others service', 'below others bought', 'null others bought'],
      ...['unclear others service', 'unclear btc bought', 'unclear others bought with a day'],
    ].map((word) => `noted ${word}`);
    const ofChanges = [
      ...['unclear', 'too_few_days'].map((word) => `change ${word}`),
      ...['beside none', 'beside types'].map((word) => `changes_if_all_doubted ${word}`),
    ];
    expect([...seen]).toEqual(
      expect.arrayContaining([
        ...words,
        ...ofPicks,
        ...ofTune,
        ...ofNeeds,
        ...ofFocus,
        ...ofNotes,
        ...ofChanges,
      ]),
    );
  },
);
